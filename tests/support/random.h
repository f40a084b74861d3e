// Seeded random directions, rotations and rods: the same numbers on every machine.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/geometry/frame.h"

namespace strand::testing {

/// SplitMix64. Unlike the standard library's distributions it is the same in all implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  double Uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1p-53;
  }

  /// Components between -1 and 1.
  Vector3 Vector() {
    const double x = Uniform(-1, 1), y = Uniform(-1, 1), z = Uniform(-1, 1);
    return {x, y, z};
  }

  Vector3 Direction() {
    Vector3 v = Vector();
    while (v.norm() < 0.1) v = Vector();
    return v.normalized();
  }

  Eigen::Matrix3d Rotation() {
    const double angle = Uniform(0.3, 3);
    return Eigen::AngleAxisd(angle, Direction()).toRotationMatrix();
  }

 private:
  std::uint64_t state_;
};

/// Frame b as seen from frame a: turned by `turning` about a random axis normal to t_a, then by
/// `twist` about its own direction.
inline Frame NextFrame(const Frame& a, double turning, double twist, Random* random) {
  const double azimuth = random->Uniform(0, kTwoPi);
  const Vector3 axis = std::cos(azimuth) * a.col(1) + std::sin(azimuth) * a.col(2);
  const Frame bent = Eigen::AngleAxisd(turning, axis.normalized()) * a;
  const Frame turned = Eigen::AngleAxisd(twist, bent.col(0).normalized()) * bent;
  return Eigen::Quaterniond(turned).normalized().toRotationMatrix();  // no drift
}

/// A rod's frames and the twists from which they were made, including whole turns.
struct RandomChain {
  std::vector<Frame> frames;
  std::vector<double> twists;
};

/// Open chain: every joint turns by up to `turning` (rad) and twists by `twist` (rad) plus noise.
inline RandomChain MakeRandomChain(int links, double turning, double twist, std::uint64_t seed) {
  Random random(seed);
  RandomChain chain;
  chain.frames.push_back(random.Rotation());
  for (int k = 1; k < links; ++k) {
    const double m = twist + random.Uniform(-0.2, 0.2);
    const double phi = random.Uniform(0.1 * turning, turning);
    chain.frames.push_back(NextFrame(chain.frames.back(), phi, m, &random));
    chain.twists.push_back(m);
  }
  return chain;
}

/// The joint that closes a chain: the twist from the last link to the first that is nearest to
/// `twist`.
inline void CloseChain(double twist, RandomChain* chain) {
  chain->twists.push_back(Unwrap(TwistAngle(chain->frames.back(), chain->frames.front()), twist));
}

/// Closed chain on a bent ring: no joint is near a fold, and every joint is twisted by `twist` plus
/// noise.
inline RandomChain MakeRandomRing(int links, double twist, std::uint64_t seed) {
  Random random(seed);
  RandomChain chain;
  for (int k = 0; k < links; ++k) {
    const double s = kTwoPi * k / links;
    const Vector3 bump = 0.3 / links * random.Vector();
    const Vector3 t = Vector3(-std::sin(s), std::cos(s), 0.3 * std::cos(2 * s)) + bump;
    const Vector3 side = t.cross(Vector3::UnitZ()).normalized();
    Frame frame;
    frame << t.normalized(), side, t.normalized().cross(side);
    const double spin = twist * k + random.Uniform(-0.1, 0.1);
    chain.frames.push_back(Eigen::AngleAxisd(spin, frame.col(0)) * frame);
    if (k == 0) continue;
    chain.twists.push_back(Unwrap(TwistAngle(chain.frames[k - 1], chain.frames[k]), twist));
  }
  CloseChain(twist, &chain);
  return chain;
}

}  // namespace strand::testing
