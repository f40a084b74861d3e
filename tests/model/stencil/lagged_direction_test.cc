#include "model/stencil/lagged_direction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"
#include "tests/support/random.h"

namespace strand {
namespace lagged_direction_test {

using testing::Random;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

TEST(LaggedDirection, StartsAsTheDirection) {
  LaggedDirection lagged;
  EXPECT_EQ(lagged.At({0, 0, 0}, 1), Vector3(0, 0, 0));
  EXPECT_EQ(lagged.At({0, 0.5, 0}, 1), Vector3(0, 1, 0));
  EXPECT_NE(lagged.At({0.3, -0.4, 0}, 1), Vector3(0.6, -0.8, 0));
  lagged.Forget();
  EXPECT_EQ(lagged.At({0.3, -0.4, 0}, 1), Vector3(0.6, -0.8, 0));
}

// A force of constant magnitude is linearised as constant along s: after a step across zero w is
// what it was. The second step, to half of s, is then predicted to lead w to zero.
TEST(LaggedDirection, PassesThroughZeroWithS) {
  LaggedDirection lagged;
  lagged.At({0.1, 0, 0}, 1);
  EXPECT_EQ(lagged.At({-0.04, 0, 0}, 1), Vector3(1, 0, 0));
  EXPECT_NEAR(lagged.At({-0.02, 0, 0}, 1).norm(), 0, 1e-15);
}

// Where the force is linear, as that of a contact that sticks, no direction is remembered.
TEST(LaggedDirection, ForgetsWhatSticks) {
  LaggedDirection lagged;
  lagged.At({0.1, 0, 0}, 0);
  EXPECT_EQ(lagged.At({-0.2, 0, 0}, 1), Vector3(-1, 0, 0));
}

TEST(LaggedDirection, ReturnsToTheDirectionAsStepsShrink) {
  Random random(3);
  LaggedDirection lagged;
  Vector3 s = random.Direction(), w;
  for (double step : {3.0, 1.0, 1e-2, 1e-4, 1e-6}) {
    s += step * random.Direction();
    w = lagged.At(s, 1);
    EXPECT_LE(w.norm(), 1 + 1e-15);
  }
  EXPECT_LT((w - s.normalized()).norm(), 1e-5);
}

// Blocks in a plane that are tied to each other and to anchors by springs, with anchored friction
// on each that sticks a thousand times as stiffly.
class Blocks {
 public:
  Blocks(unsigned seed, double pull) : stiffness_(Matrix::Zero(kSize, kSize)), anchor_(kSize) {
    Random random(seed);
    for (int i = 0; i < kBlocks; ++i) {
      Vector3 away = random.Direction();
      away.z() = 0;
      anchor_.segment<3>(3 * i) = pull * away.normalized();
      for (int k = 3 * i; k < 3 * i + 3; ++k) {
        stiffness_(k, k) += 40;
        if (i + 1 == kBlocks) continue;
        stiffness_(k, k) += 25, stiffness_(k + 3, k + 3) += 25;
        stiffness_(k, k + 3) -= 25, stiffness_(k + 3, k) -= 25;
      }
    }
  }

  // Newton steps, halved until the energy decreases, until the residual is round-off; or `most`.
  int Steps(bool lag, int most) const {
    std::vector<LaggedDirection> lagged(kBlocks);
    Vector x = 0.01 * anchor_;
    for (int step = 0; step < most; ++step) {
      Vector residual = stiffness_ * (x - anchor_);
      Matrix slope = stiffness_;
      for (int i = 0; i < kBlocks; ++i) {
        const FrictionForce friction =
            EvaluateFriction(law_, x.segment<3>(3 * i), 1, lag ? &lagged[i] : nullptr);
        residual.segment<3>(3 * i) -= friction.force;
        slope.block<3, 3>(3 * i, 3 * i) -= friction.by_slip;
      }
      if (residual.norm() < 1e-10) return step;
      const Vector whole = -slope.partialPivLu().solve(residual);
      double part = 1;
      while (part > 1e-6 && Energy(x + part * whole) > Energy(x)) part /= 2;
      x += part * whole;
    }
    return most;
  }

 private:
  static constexpr int kBlocks = 40, kSize = 3 * kBlocks;

  double Energy(const Vector& x) const {
    double energy = 0.5 * (x - anchor_).dot(stiffness_ * (x - anchor_));
    for (int i = 0; i < kBlocks; ++i) {
      energy += FrictionPotential(law_, x.segment<3>(3 * i).norm(), 1);
    }
    return energy;
  }

  const FrictionLaw law_ = AnchoredFriction(0.4, 1e6);
  Matrix stiffness_;
  Vector anchor_;
};

// With exact derivatives the halving of steps has to stop each block that swings across zero.
TEST(LaggedDirection, FrictionThatReversesIsFound) {
  constexpr int kSeeds = 20, kMost = 100;
  int exact = 0, lagged = 0;
  for (double pull : {0.004, 0.008, 0.012, 0.03}) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      const Blocks blocks(seed, pull);
      lagged += blocks.Steps(true, kMost);
      exact += blocks.Steps(false, kMost);
    }
  }
  EXPECT_LT(lagged, 4 * kSeeds * 20);
  EXPECT_LT(3 * lagged, 2 * exact);
}

// A mass on a contact that it leaves: m (g - g_hat) / dt^2 = N(g) h. The force falls to e^2 of
// itself within a change of the gap of v_r dt.
int StepsOfRebound(double restitution, double reach, bool lag, int most) {
  constexpr double kInertia = 2e4, kRate = 500, kStart = -2e-4;  // m / dt^2, 1 / dt, g_0
  LaggedDirection lagged;
  double gap = kStart;
  for (int step = 0; step < most; ++step) {
    const Penalty force = WithRestitution(ContactPenalty(gap, 1e5, 1e-3), restitution,
                                          kRate * (gap - kStart), kRate, lag ? &lagged : nullptr);
    const double residual = kInertia * (gap - kStart - reach) + force.slope;
    if (std::abs(residual) < 1e-9) return step;
    gap -= residual / (kInertia + force.curvature);
  }
  return most;
}

TEST(LaggedDirection, ContactsThatPartAreFound) {
  constexpr int kMost = 60;
  int exact = 0, cycles = 0, lagged = 0;
  for (double restitution : {0.0, 0.3, 0.6}) {
    for (double reach = -5e-3; reach < 5e-3; reach += 2.5e-4) {
      const int steps = StepsOfRebound(restitution, reach, true, kMost);
      EXPECT_LT(steps, 20) << restitution << ", " << reach;
      lagged += steps;
      const int plain = StepsOfRebound(restitution, reach, false, kMost);
      exact += plain, cycles += plain == kMost;
    }
  }
  EXPECT_GT(cycles, 5);
  EXPECT_LT(2 * lagged, exact);
}

}  // namespace lagged_direction_test
}  // namespace strand
