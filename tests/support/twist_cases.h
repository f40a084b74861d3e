// Shared by the tests of the twist solver.
#pragma once

#include <span>
#include <vector>

#include "model/reduction/quasistatic_twist.h"
#include "tests/support/rods.h"

namespace strand::testing {

double Sum(std::span<const double> values);

double LargestDifference(std::span<const double> a, std::span<const double> b);

/// The frame rotated about its own direction.
Frame Spun(const Frame& frame, double angle);

struct Solution {
  TwistSolver::Report report;
  std::vector<double> twists;
  std::vector<Frame> frames;  ///< material frames
};

Solution SolveTwist(const RodRest& rest, TwistMode mode, std::vector<int> holds,
                    std::span<const Frame> bodies, std::span<const double> previous);

}  // namespace strand::testing
