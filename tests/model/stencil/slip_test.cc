// The elastic-slip element: derivatives, loops against closed forms, and energy over cycles.
#include "model/stencil/slip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace strand {
namespace slip_test {

using Point = std::array<double, 2>;
using History = SlipHistory<double, 2>;

constexpr Hardening kHardening[] = {{0, 0}, {0.2, 0}, {0, 0.3}, {0.1, 0.05}};

// Stored energy per stiffness, and the incremental potential with the slider's work.
double Stored(const Point& x, const Hardening& hardening, const History& at) {
  double energy = LockedEnergy<double, 2>(1, hardening, at);
  for (int j = 0; j < 2; ++j) energy += x[j] * (0.5 * x[j] - at.slipped[j]);
  return energy;
}

TEST(Slip, StaysOnTheYieldSurface) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const Hardening& hardening : kHardening) {
    History at{};
    for (int k = 0; k < 200; ++k) {
      const Point x{normal(random), normal(random)};
      at = Slip<double, 2>(x, 0.4, hardening, at);
      double square = 0;
      for (int j = 0; j < 2; ++j) {
        const double force = x[j] - (1 + hardening.kinematic) * at.slipped[j];
        square += force * force;
      }
      EXPECT_LE(std::sqrt(square), 0.4 + hardening.isotropic * at.path + 1e-14);
    }
  }
}

// The gradient of the incremental potential is the force at the slip that it arrives at; the slope
// is its derivative. Central differences, whose error falls with the square of the step.
TEST(Slip, ForceAndSlopeAreDerivatives) {
  const History from{{0.1, -0.3}, 0.7};
  const Point x{0.9, 0.4};
  for (const Hardening& hardening : kHardening) {
    const double threshold = 0.2;
    const auto potential = [&](const Point& at) {
      const History to = Slip<double, 2>(at, threshold, hardening, from);
      return Stored(at, hardening, to) + SlipWork<2>(threshold, hardening, from, to);
    };
    const History to = Slip<double, 2>(x, threshold, hardening, from);
    const Eigen::Matrix2d slope = SlipSlope<2>(x, threshold, hardening, from);
    for (int j = 0; j < 2; ++j) {
      double error[2], slope_error[2];
      for (int k = 0; k < 2; ++k) {
        const double h = k ? 5e-3 : 1e-2;
        Point plus = x, minus = x;
        plus[j] += h, minus[j] -= h;
        const double difference = (potential(plus) - potential(minus)) / (2 * h);
        error[k] = std::abs(difference - (x[j] - to.slipped[j]));
        const History after = Slip<double, 2>(plus, threshold, hardening, from);
        const History before = Slip<double, 2>(minus, threshold, hardening, from);
        slope_error[k] = 0;
        for (int i = 0; i < 2; ++i) {
          const double change = (after.slipped[i] - before.slipped[i]) / (2 * h);
          slope_error[k] = std::max(slope_error[k], std::abs(change - slope(i, j)));
        }
      }
      EXPECT_LT(error[1], 1e-4);
      EXPECT_NEAR(error[0] / error[1], 4, 0.3);
      EXPECT_LT(slope_error[1], 1e-3);
      EXPECT_NEAR(slope_error[0] / slope_error[1], 4, 0.3);
    }
  }
}

// Area of the loop between -X and X: 4 r (X - r) of a perfect slider.
TEST(Slip, LoopAreaOfAnElement) {
  const double r = 0.3, X = 1.1;
  SlipHistory<double, 1> at{};
  double work = 0, dissipated = 0;
  for (double target : {X, -X, X}) {  // the first quarter does not count
    const SlipHistory<double, 1> to = Slip<double, 1>({target}, r, {}, at);
    dissipated = work + SlipWork<1>(r, {}, at, to);
    if (at.path > 0) work = dissipated;
    at = to;
  }
  EXPECT_NEAR(work, 4 * r * (X - r), 1e-14);
}

// A thousand closed random cycles in small steps: the work done is what is stored and dissipated.
TEST(Slip, CyclesMakeNoEnergy) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const Hardening& hardening : kHardening) {
    History at{};
    Point x{0, 0};
    double work = 0, dissipated = 0;
    for (int cycle = 0; cycle < 1000; ++cycle) {
      const Point corner[3] = {
          {normal(random), normal(random)}, {normal(random), normal(random)}, {0, 0}};
      double of_cycle = 0, of_sliders = 0;
      const double before = Stored(x, hardening, at);
      for (const Point& goal : corner) {
        const Point start = x;
        constexpr int kSteps = 200;
        for (int k = 1; k <= kSteps; ++k) {
          Point next;
          for (int j = 0; j < 2; ++j) next[j] = start[j] + (goal[j] - start[j]) * k / kSteps;
          const History to = Slip<double, 2>(next, 0.5, hardening, at);
          for (int j = 0; j < 2; ++j) {
            const double mean = 0.5 * (x[j] - at.slipped[j] + next[j] - to.slipped[j]);
            of_cycle += mean * (next[j] - x[j]);
          }
          of_sliders += SlipWork<2>(0.5, hardening, at, to);
          at = to, x = next;
        }
      }
      const double change = Stored(x, hardening, at) - before;
      EXPECT_GE(of_cycle - change, -1e-12);
      EXPECT_NEAR(of_cycle - change, of_sliders, 0.01 * of_sliders + 1e-4);
      work += of_cycle, dissipated += of_sliders;
    }
    EXPECT_NEAR(work, dissipated + Stored(x, hardening, at), 0.01 * work);
  }
}

}  // namespace slip_test
}  // namespace strand
