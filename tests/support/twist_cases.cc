#include "tests/support/twist_cases.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace strand::testing {

double Sum(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

double LargestDifference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
  return largest;
}

Frame Spun(const Frame& frame, double angle) {
  return Eigen::AngleAxisd(angle, frame.col(0).normalized()) * frame;
}

Solution SolveTwist(const RodRest& rest, TwistMode mode, std::vector<int> holds,
                    std::span<const Frame> bodies, std::span<const double> previous) {
  TwistSolver solver(rest, mode, std::move(holds));
  Solution solution;
  solution.twists.assign(rest.joints(), NAN);
  solution.report = solver.Solve(bodies, previous, solution.twists);
  const std::span<const Frame> frames = solver.material_frames(bodies).near;
  solution.frames.assign(frames.begin(), frames.end());
  return solution;
}

}  // namespace strand::testing
