#include "model/stencil/twist.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "model/stencil/bend.h"
#include "tests/support/finite_difference.h"
#include "tests/support/joint_checks.h"

namespace strand {
namespace twist_test {

using testing::Dense;
using testing::JointCase;
using testing::JointKernel;
using testing::MakeJointCase;
using testing::Random;

constexpr TwistRest kRest{0.9, 0.6};

JointKernel Twist() {
  return [](const JointCase& joint, JointGradient* gradient, JointHessian* hessian) {
    if (gradient) gradient->setZero();
    if (hessian) hessian->SetZero();
    return AddTwist(joint.geometry(), joint.twist, kRest, gradient, hessian);
  };
}

class TwistDerivatives : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(TwistDerivatives, MatchDifferences) {
  const auto [turning, twist] = GetParam();
  Random random(1);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  CheckDerivatives(Twist(), joint, testing::FirstStep(turning), kRest.stiffness);
}

TEST_P(TwistDerivatives, RigidMotion) {
  const auto [turning, twist] = GetParam();
  Random random(2);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  CheckRigidMotion(Twist(), joint, &random);
  CheckOptionalOutputs(Twist(), joint);
}

INSTANTIATE_TEST_SUITE_P(All, TwistDerivatives,
                         ::testing::Combine(::testing::ValuesIn(testing::kTurnings),
                                            ::testing::ValuesIn(testing::kTwists)));

TEST(Twist, ValueAndMoment) {
  Random random(3);
  const JointCase joint = MakeJointCase(0.4, 14.5, &random);
  EXPECT_NEAR(AddTwist(joint.geometry(), 14.5, kRest), 0.5 * 0.9 * 13.9 * 13.9, 1e-12);
  EXPECT_NEAR(TwistMoment(kRest, 14.5), 0.9 * 13.9, 1e-14);
  EXPECT_EQ(TwistEnergy(kRest, 14.5), AddTwist(joint.geometry(), 14.5, kRest));
}

TEST(Twist, ZeroAtRest) {
  Random random(4);
  const auto at = EvaluateAtNodes(Twist(), MakeJointCase(1.2, kRest.natural, &random));
  EXPECT_EQ(at.energy, 0);
  EXPECT_EQ(at.gradient.norm(), 0);
  EXPECT_GT(at.hessian.norm(), 0.1);
}

TEST(Twist, AddsToExistingValues) {
  Random random(5);
  const JointCase joint = MakeJointCase(0.8, 2.0, &random);
  const JointGeometry geometry = joint.geometry();
  JointGradient bend, twist, both;
  JointHessian bend_hessian, twist_hessian, both_hessian;
  BendIsotropic(geometry, 1.3, CurvatureMeasure::kAngle, &bend, &bend_hessian);
  Twist()(joint, &twist, &twist_hessian);
  BendIsotropic(geometry, 1.3, CurvatureMeasure::kAngle, &both, &both_hessian);
  AddTwist(geometry, joint.twist, kRest, &both, &both_hessian);
  EXPECT_LT((both - bend - twist).norm(), 1e-14);
  EXPECT_LT((Dense(both_hessian) - Dense(bend_hessian) - Dense(twist_hessian)).norm(), 1e-13);
}

TEST(Twist, FiniteAtAFold) {
  for (double away : {0.0, 1e-12, 1e-8, 1e-5}) {
    const Vector3 b(-std::cos(away), std::sin(away), 0);
    JointGradient gradient = JointGradient::Zero();
    JointHessian hessian;
    hessian.SetZero();
    EXPECT_TRUE(std::isfinite(
        AddTwist(JointGeometry(Vector3::UnitX(), b), 40, kRest, &gradient, &hessian)));
    EXPECT_TRUE(gradient.allFinite() && Dense(hessian).allFinite());
  }
}

// The couple on edge b does the work of a small rotation of the edge: dE = -c . omega.
TEST(Couple, DoesTheWorkOfRotatingEdgeB) {
  Random random(6);
  const JointCase joint = MakeJointCase(1.1, 2.0, &random);
  const BendRest bend{{1.7, 0.4}, {{{0.3, -0.2}, {0.15, 0.5}}}};
  const auto energy = [&](const testing::Vector& omega) {
    const double angle = omega.norm();
    Frame b = joint.b;
    if (angle > 0) b = Eigen::AngleAxisd(angle, Vector3(omega) / angle) * b;
    const JointGeometry geometry(joint.a.col(0), b.col(0));
    return BendMaterial(geometry, joint.a, b, bend, CurvatureMeasure::kAngle,
                        BendAverage::kEnergies) +
           AddTwist(geometry, Unwrap(TwistAngle(joint.a, b), joint.twist), kRest);
  };
  JointGradient gradient;
  BendMaterial(joint.geometry(), joint.a, joint.b, bend, CurvatureMeasure::kAngle,
               BendAverage::kEnergies, &gradient);
  AddTwist(joint.geometry(), joint.twist, kRest, &gradient);
  const Vector3 couple = CoupleOnB(joint.geometry(), gradient);
  const testing::Vector zero = testing::Vector::Zero(3);
  EXPECT_LT((testing::FivePointGradient(energy, zero, 1e-3) + couple).norm(), 1e-9 * couple.norm());
}

}  // namespace twist_test
}  // namespace strand
