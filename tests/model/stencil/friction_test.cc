#include "model/stencil/friction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/config/error.h"
#include "model/contact/obstacle.h"
#include "model/stencil/round_simplex.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand {
namespace friction_test {

using testing::CentralJacobian;
using testing::ExpectSecondOrder;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

constexpr double kMu = 0.4, kSlipTolerance = 0.02, kStiffness = 300;

const FrictionLaw kRegularised = RegularisedFriction(kMu, kSlipTolerance);
const FrictionLaw kAnchored = AnchoredFriction(kMu, kStiffness);

// The errors are relative to mu N over the length in which friction builds up.
void ExpectExactDerivatives(const FrictionLaw& law, const Vector3& slip, double normal_force,
                            double first_step) {
  const FrictionForce at = EvaluateFriction(law, slip, normal_force);
  const double scale = at.by_slip.norm();
  const auto by_slip = [&](const Vector& s) -> Vector {
    return EvaluateFriction(law, s, normal_force).force;
  };
  const auto by_normal_force = [&](const Vector& N) -> Vector {
    return EvaluateFriction(law, slip, N[0]).force;
  };
  ExpectSecondOrder(SweepSteps(first_step, 16,
                               [&](double h) {
                                 return (CentralJacobian(by_slip, slip, h) - at.by_slip).norm() /
                                        scale;
                               }),
                    1e-8);
  const Vector N = Vector::Constant(1, normal_force);
  const Vector difference = CentralJacobian(by_normal_force, N, 1e-4 * normal_force);
  EXPECT_LT((difference - at.by_normal_force).norm(), 1e-11);
}

TEST(Friction, DerivativesMatchDifferences) {
  Random random(1);
  for (double speed : {0.0, 1e-9, 1e-4, 2e-3, 6e-3}) {
    SCOPED_TRACE(speed);
    ExpectExactDerivatives(kRegularised, speed * random.Direction(), 2.5, 5e-4);
  }
  const double reach = kMu * 2.5 / kStiffness;  // the sticking range
  for (double part : {0.0, 1e-6, 0.5, 0.9, 1.1, 3.0, 100.0}) {
    SCOPED_TRACE(part);
    ExpectExactDerivatives(kAnchored, part * reach * random.Direction(), 2.5, 0.05 * reach);
  }
}

TEST(Friction, ForceIsTheSlopeOfThePotential) {
  for (const FrictionLaw& law : {RegularisedFriction(0.3, 1e-3), AnchoredFriction(0.3, 2e3)}) {
    const double reach = law.kind == FrictionLaw::Kind::kAnchored ? 1e-3 : 4e-4;
    for (double slip : {0.02 * reach, 0.5 * reach, 3 * reach, 100 * reach}) {
      const double h = 1e-4 * reach, force = EvaluateFriction(law, {slip, 0, 0}, 5).force.norm();
      const auto potential = [&](double s) { return FrictionPotential(law, s, 5); };
      EXPECT_NEAR((potential(slip + h) - potential(slip - h)) / (2 * h), force, 1e-5) << slip;
    }
    EXPECT_EQ(FrictionPotential(law, 0, 5), 0);
    EXPECT_EQ(FrictionPotential(law, 1, 0), 0);
  }
}

// The expected values follow the source's formula, as written there.
TEST(Friction, RegularisedLawMatchesTheSource) {
  const double K2 = 15 / kSlipTolerance;
  for (double u : {1e-5, 1e-3, 0.01, 0.02, 1.0}) {
    const double gamma = 2 / (1 + std::exp(-K2 * u)) - 1;
    const FrictionForce at = EvaluateFriction(kRegularised, {0, -u, 0}, 3);
    EXPECT_NEAR(at.force.y(), kMu * 3 * gamma, 1e-14);
    EXPECT_EQ(at.force.x(), 0);
  }
  const FrictionForce still = EvaluateFriction(kRegularised, Vector3::Zero(), 3);
  EXPECT_EQ(still.force.norm(), 0);
  EXPECT_EQ(still.by_slip, Eigen::Matrix3d(-kMu * 3 * K2 / 2 * Eigen::Matrix3d::Identity()));
  EXPECT_EQ(still.by_normal_force.norm(), 0);
}

TEST(Friction, WithinTheConeAndAgainstTheSlip) {
  Random random(2);
  for (const FrictionLaw& law : {kRegularised, kAnchored}) {
    for (int i = 0; i < 5000; ++i) {
      const Vector3 slip = std::pow(10, random.Uniform(-170, 3)) * random.Direction();
      const double N = std::pow(10, random.Uniform(-8, 4));
      const FrictionForce at = EvaluateFriction(law, slip, N);
      ASSERT_TRUE(at.force.allFinite() && at.by_slip.allFinite());
      ASSERT_LE(at.force.norm(), kMu * N * (1 + 1e-15));
      ASSERT_LE(at.force.dot(slip), 0);
      // The stiffness in Newton's matrix is not negative up to round-off (in sliding it is 0).
      ASSERT_LE(slip.dot(at.by_slip * slip), 1e-15 * at.by_slip.norm() * slip.squaredNorm());
    }
  }
}

TEST(Friction, NoneWithoutContact) {
  for (const FrictionLaw& law : {kRegularised, kAnchored, AnchoredFriction(0, 1)}) {
    const FrictionForce at = EvaluateFriction(law, {1, 2, 3}, law.coefficient > 0 ? 0 : 1);
    EXPECT_EQ(at.force.norm() + at.by_slip.norm() + at.by_normal_force.norm(), 0);
  }
}

// For any history of slips and normal forces the work against friction covers the energy of the
// spring, and the rest is not negative.
TEST(Friction, AnchorDissipates) {
  Random random(3);
  Vector3 carried = Vector3::Zero();
  int stuck = 0, slid = 0;
  for (int step = 0; step < 5000; ++step) {
    const double N = random.Uniform(0, 3);
    const Vector3 increment = 3e-3 * random.Vector();
    const Vector3 slip = carried + increment;
    const Vector3 next = AdvanceAnchor(kAnchored, slip, N);
    const Vector3 force = EvaluateFriction(kAnchored, slip, N).force;
    EXPECT_LT((force + kStiffness * next).norm(), 1e-11);
    const double stored = 0.5 * kStiffness * (next.squaredNorm() - carried.squaredNorm());
    EXPECT_GE(-force.dot(increment) - stored, -1e-15);
    (next == slip ? stuck : slid) += 1;
    // Evaluated again where it was left, it sticks.
    const FrictionForce again = EvaluateFriction(kAnchored, next, N);
    EXPECT_EQ(again.by_slip, Eigen::Matrix3d(-kStiffness * Eigen::Matrix3d::Identity()));
    carried = next;
  }
  EXPECT_GT(stuck, 500);
  EXPECT_GT(slid, 500);
}

TEST(Friction, AnchorIsReleasedAndTurnsWithTheNormal) {
  EXPECT_EQ(AdvanceAnchor(kAnchored, {1, 2, 3}, 0).norm(), 0);
  EXPECT_EQ(AdvanceAnchor(kRegularised, {1, 2, 3}, 1).norm(), 0);
  Random random(4);
  const Vector3 before = random.Direction(), after = random.Direction();
  const Vector3 slip = 1e-3 * before.cross(random.Direction());
  const Vector3 turned = RotateAnchor(slip, before, after);
  EXPECT_NEAR(turned.dot(after), 0, 1e-18);
  EXPECT_NEAR(turned.norm(), slip.norm(), 1e-18);
}

// A node pressed on an obstacle by N(gap), which decreases smoothly with the gap.
struct NodeContact {
  Obstacle obstacle;
  FrictionLaw law;
  Vector3 reference;
  double rate;

  PointFriction operator()(const Vector3& x) const {
    const ObstacleGap at = EvaluateGap(obstacle, x);
    const double N = 2 * std::exp(-at.gap / 0.05);
    return EvaluatePointFriction(law, {at.normal, at.curvature, N, -N / 0.05}, x - reference, rate);
  }
};

TEST(PointFriction, JacobianMatchesDifferences) {
  Random random(5);
  const std::vector<Obstacle> obstacles{
      MakeHalfSpace({0, 0, 0}, {1, 2, 3}), MakeSphere({0, 0, 0}, 0.4),
      Hollow(MakeSphere({0, 0, 0}, 0.8)), MakeCapsule({-1, 0, 0}, {1, 0.2, 0.1}, 0.3),
      Placed(MakeBox({0.1, 0.1, 0.1}), random.Rotation(), {0, 0, 0})};
  double asymmetry = 0;
  int stuck = 0, slid = 0;
  for (const Obstacle& obstacle : obstacles) {
    Vector3 x = obstacle.rotation * Vector3(0.3, 0.29, 0.31);  // nearest to a corner of the box
    const ObstacleGap above = EvaluateGap(obstacle, x);
    x -= (above.gap - 0.02) * above.normal;
    const Vector3 n = EvaluateGap(obstacle, x).normal;
    for (double length : {0.0, 1e-6, 1e-3, 8e-3, 0.2}) {
      for (const FrictionLaw& law : {kRegularised, kAnchored}) {
        const Vector3 displacement = length * (n.cross(random.Direction()).normalized() + 0.4 * n);
        const NodeContact contact{obstacle, law, x - displacement, 0.7};
        const PointFriction at = contact(x);
        EXPECT_NEAR(at.slip.norm(), 0.7 * length, 1e-15);
        EXPECT_NEAR(at.slip.dot(n), 0, 1e-16);
        EXPECT_NEAR(at.force.dot(n), 0, 1e-14);
        const double scale = EvaluateFriction(law, Vector3::Zero(), 1).by_slip.norm();
        const auto force = [&](const Vector& y) -> Vector { return contact(y).force; };
        ExpectSecondOrder(
            SweepSteps(2e-4, 16,
                       [&](double h) {
                         return (CentralJacobian(force, x, h) - at.by_position).norm() / scale;
                       }),
            1e-8);
        asymmetry = std::max(asymmetry, (at.by_position - at.by_position.transpose()).norm());
        if (law.kind != FrictionLaw::Kind::kAnchored) continue;
        (at.force == -kStiffness * at.slip ? stuck : slid) += 1;
      }
    }
  }
  EXPECT_GT(asymmetry, 1);  // otherwise the test would miss a transposed term
  EXPECT_GE(stuck, 10);
  EXPECT_GE(slid, 10);
}

// A node without an arm takes a shortcut. With an arm of length zero it takes the general way.
TEST(PointFriction, IsThatOfAStencilWithoutArms) {
  Random random(6);
  const Obstacle ball = MakeSphere({0, 0, 0}, 0.4);
  const RoundSimplex<1> node(0.02, 0.1);
  for (const FrictionLaw& law : {kRegularised, kAnchored}) {
    for (int k = 0; k < 10; ++k) {
      const SimplexTouch<1> touch = node.Touch(ball, {Vector3(0.43 * random.Direction())});
      const Vector3 moved = 0.02 * random.Direction(), beside = 0.01 * random.Direction();
      const Penalty penalty{0, -2, 40};
      const auto without =
          EvaluateSharedFriction<1, 0>(law, touch.at, penalty, moved, beside, {}, 0.7, true);
      const auto with =
          EvaluateSharedFriction<1, 1>(law, touch.at, penalty, moved, beside, {Arm()}, 0.7, true);
      EXPECT_LT((without.force - with.force.head<3>()).norm(), 1e-14);
      const Eigen::Matrix3d off = without.by_position - with.by_position.topLeftCorner<3, 3>();
      EXPECT_LT(off.norm(), 1e-13 * without.by_position.norm());
      EXPECT_NEAR(without.magnitude, with.magnitude, 1e-15);
      EXPECT_GT(without.magnitude, 0.01);
    }
  }
}

TEST(PointFriction, IncludesTheMotionOfTheSurface) {
  const double dt = 0.01;
  const Obstacle belt = Moving(MakeHalfSpace({0, 0, 0}, {0, 0, 1}), {0.3, 0, 0});
  const PointContact contact{Vector3::UnitZ(), Eigen::Matrix3d::Zero(), 2, 0};
  const Vector3 still = Vector3::Zero() - belt.velocity * dt;
  const PointFriction at = EvaluatePointFriction(kRegularised, contact, still, 1 / dt);
  EXPECT_LT((at.slip + belt.velocity).norm(), 1e-15);
  EXPECT_NEAR(at.force.x(), kMu * 2, 1e-12);  // dragged along
}

// A block on a plane, one degree of freedom, implicit Euler.
struct Block {
  FrictionLaw law;
  double dt, mass = 0.5, normal_force = 3, x = 0, v = 0;
  Vector3 carried = Vector3::Zero();

  void Step(double load) {
    const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
    const PointContact contact{Vector3::UnitZ(), Eigen::Matrix3d::Zero(), normal_force, 0};
    double moved = 0;
    PointFriction at;
    for (int i = 0;; ++i) {
      const Vector3 displacement = moved * Vector3::UnitX() + carried;
      at = EvaluatePointFriction(law, contact, displacement, anchored ? 1 : 1 / dt);
      const double residual = mass * (moved / dt - v) / dt - load - at.force.x();
      const double slope = mass / (dt * dt) - at.by_position(0, 0);
      const double correction = -residual / slope;
      moved += correction;
      if (std::abs(correction) <= 1e-15 * std::abs(moved) || std::abs(correction) < 1e-20) break;
      ASSERT_LT(i, 100);
    }
    v = moved / dt;
    x += moved;
    carried = AdvanceAnchor(law, at.slip, normal_force);
  }
};

TEST(FrictionBlock, AnchoredHoldsWithoutCreep) {
  const double stiffness = 3e5;  // so stiff that implicit Euler damps the spring
  for (double share : {0.1, 0.9, 0.999}) {
    Block block{AnchoredFriction(kMu, stiffness), 1e-3};
    const double load = share * kMu * block.normal_force;
    // The load grows slowly: a sudden load would throw the block, which could then rightly slip.
    for (int step = 0; step < 4000; ++step) block.Step(load * std::min(1.0, step / 2000.0));
    EXPECT_NEAR(block.x, load / stiffness, 1e-15);
    const double settled = block.x;
    for (int step = 0; step < 100000; ++step) block.Step(load);
    EXPECT_NEAR(block.x, settled, 1e-15);
    for (int step = 0; step < 4000; ++step) block.Step(0);
    EXPECT_NEAR(block.x, 0, 1e-15);  // springs back: no slip
  }
}

// Above mu N every step adds the velocity (T - mu N) dt / m. The path of implicit Euler is then
// x = dt^2 a n (n + 1) / 2 exactly, from the step in which sliding begins.
TEST(FrictionBlock, AnchoredSlidesByCoulombsLaw) {
  Block block{kAnchored, 1e-3};
  const double load = 1.5 * kMu * block.normal_force;
  while (block.x < 2 * kMu * block.normal_force / kStiffness) block.Step(load);
  const double x0 = block.x, v0 = block.v;
  const double a = (load - kMu * block.normal_force) / block.mass;
  for (int n = 1; n <= 1000; ++n) {
    block.Step(load);
    const double t = n * block.dt;
    ASSERT_NEAR(block.v, v0 + a * t, 1e-12);
    ASSERT_NEAR(block.x, x0 + v0 * t + 0.5 * a * t * (t + block.dt), 1e-12);
  }
}

// A block released at v0 slips by m v0^2 / (2 mu N) minus what its spring stores, mu N / (2 k_t).
TEST(FrictionBlock, AnchoredStopsAtTheClosedFormDistance) {
  const double v0 = 0.8;
  std::vector<double> errors;
  for (double dt : {4e-4, 2e-4, 1e-4, 5e-5}) {
    Block block{kAnchored, dt};
    block.v = v0;
    for (int step = 0; step * dt < 4; ++step) block.Step(0);
    const double limit = kMu * block.normal_force;
    const double slipped = block.x - block.carried.x();
    const double exact = block.mass * v0 * v0 / (2 * limit) - limit / (2 * kStiffness);
    errors.push_back(slipped / exact - 1);
  }
  for (size_t k = 1; k < errors.size(); ++k) EXPECT_NEAR(errors[k - 1] / errors[k], 2, 0.2);
  EXPECT_LT(std::abs(2 * errors[3] - errors[2]), 1e-5);  // the extrapolated limit
}

TEST(FrictionBlock, RegularisedCreepsAtItsClosedFormSpeed) {
  for (double share : {0.1, 0.5, 0.9, 0.99}) {
    Block block{kRegularised, 1e-3};
    const double load = share * kMu * block.normal_force;
    for (int step = 0; step < 2000; ++step) block.Step(load);
    const double creep = 2 * kSlipTolerance / 15 * std::atanh(share);
    EXPECT_NEAR(block.v / creep, 1, 1e-10);
  }
}

TEST(Friction, BadInputIsNamed) {
  const auto message = [](auto make) -> std::string {
    try {
      make();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([] { RegularisedFriction(-0.5, 1); }),
            "coefficient: got '-0.500000', allowed: finite numbers >= 0");
  EXPECT_EQ(message([] { RegularisedFriction(0.5, 0); }),
            "slip_tolerance: got '0.000000', allowed: finite numbers > 0");
  EXPECT_EQ(message([] { AnchoredFriction(std::nan(""), 1); }),
            "coefficient: got 'nan', allowed: finite numbers >= 0");
  EXPECT_EQ(message([] { AnchoredFriction(0.5, INFINITY); }),
            "stiffness: got 'inf', allowed: finite numbers > 0");
}

}  // namespace friction_test
}  // namespace strand
