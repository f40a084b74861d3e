// A rod in a random shape with a fixed seed.
#pragma once

#include <random>
#include <vector>

#include "model/energy/rod.h"

namespace strand {

/// Frames of `links` links, each turned by about `angle` (rad) against the one before.
inline std::vector<Frame> RandomFrames(int links, double angle) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0, angle);
  std::vector<Frame> frames(links, Frame::Identity());
  for (int k = 1; k < links; ++k) {
    const Vector3 turn(normal(generator), normal(generator), normal(generator));
    frames[k] = frames[k - 1] * Eigen::AngleAxisd(turn.norm(), turn.normalized());
  }
  return frames;
}

/// A rod that is straight at rest; the first principal stiffness is `ratio` times the second.
inline RodRest StraightRod(int links, double ratio, int order = 2) {
  const std::vector<Frame> straight(links, Frame::Identity());
  RodParameters parameters;
  parameters.length.assign(links, 9.29 / links);
  parameters.stiffness.assign(links - 1, {{1.345 * ratio, 1.345}, 0.789});
  parameters.order = order;
  return MakeRodRest(parameters, straight);
}

}  // namespace strand
