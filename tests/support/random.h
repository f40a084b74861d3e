// Seeded random directions, rotations and rods: the same numbers on every machine.
#pragma once

#include <Eigen/Core>
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
  Vector3 Vector();
  Vector3 Direction();
  Eigen::Matrix3d Rotation();

 private:
  std::uint64_t state_;
};

/// Frame b as seen from frame a: turned by `turning` about a random axis normal to t_a, then by
/// `twist` about its own direction.
Frame NextFrame(const Frame& a, double turning, double twist, Random* random);

/// A rod's frames and the twists from which they were made, including whole turns.
struct RandomChain {
  std::vector<Frame> frames;
  std::vector<double> twists;
};

/// Open chain: every joint turns by up to `turning` (rad) and twists by `twist` (rad) plus noise.
RandomChain MakeRandomChain(int links, double turning, double twist, std::uint64_t seed);

/// The joint that closes a chain: the twist from the last link to the first that is nearest to
/// `twist`.
void CloseChain(double twist, RandomChain* chain);

/// Closed chain on a bent ring: no joint is near a fold, and every joint is twisted by `twist` plus
/// noise.
RandomChain MakeRandomRing(int links, double twist, std::uint64_t seed);

}  // namespace strand::testing
