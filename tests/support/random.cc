#include "tests/support/random.h"

#include <Eigen/Geometry>
#include <cmath>

namespace strand::testing {

Vector3 Random::Vector() {
  const double x = Uniform(-1, 1), y = Uniform(-1, 1), z = Uniform(-1, 1);
  return {x, y, z};
}

Vector3 Random::Direction() {
  Vector3 v = Vector();
  while (v.norm() < 0.1) v = Vector();
  return v.normalized();
}

Eigen::Matrix3d Random::Rotation() {
  const double angle = Uniform(0.3, 3);
  return Eigen::AngleAxisd(angle, Direction()).toRotationMatrix();
}

Frame NextFrame(const Frame& a, double turning, double twist, Random* random) {
  const double azimuth = random->Uniform(0, kTwoPi);
  const Vector3 axis = std::cos(azimuth) * a.col(1) + std::sin(azimuth) * a.col(2);
  const Frame bent = Eigen::AngleAxisd(turning, axis.normalized()) * a;
  const Frame turned = Eigen::AngleAxisd(twist, bent.col(0).normalized()) * bent;
  return Eigen::Quaterniond(turned).normalized().toRotationMatrix();  // no drift
}

RandomChain MakeRandomChain(int links, double turning, double twist, std::uint64_t seed) {
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

void CloseChain(double twist, RandomChain* chain) {
  chain->twists.push_back(Unwrap(TwistAngle(chain->frames.back(), chain->frames.front()), twist));
}

RandomChain MakeRandomRing(int links, double twist, std::uint64_t seed) {
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
