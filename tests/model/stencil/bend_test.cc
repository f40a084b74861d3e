#include "model/stencil/bend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "model/stencil/natural_shape.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/joint_checks.h"

namespace strand {
namespace bend_test {

using testing::Dense;
using testing::JointCase;
using testing::JointKernel;
using testing::MakeJointCase;
using testing::Random;

constexpr double kStiffness = 1.3;
constexpr CurvatureMeasure kBoth[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};

JointKernel Isotropic(CurvatureMeasure measure) {
  return [measure](const JointCase& joint, JointGradient* gradient, JointHessian* hessian) {
    return BendIsotropic(joint.geometry(), kStiffness, measure, gradient, hessian);
  };
}

JointKernel Material(CurvatureMeasure measure, const BendRest& rest) {
  return [measure, rest](const JointCase& joint, JointGradient* gradient, JointHessian* hessian) {
    return BendMaterial(joint.geometry(), joint.a, joint.b, rest, measure, BendAverage::kEnergies,
                        gradient, hessian);
  };
}

JointKernel Middle(CurvatureMeasure measure, const BendRest& rest) {
  return [measure, rest](const JointCase& joint, JointGradient* gradient, JointHessian* hessian) {
    return BendMiddle(joint.geometry(), joint.a, joint.b, joint.twist, rest, measure, gradient,
                      hessian);
  };
}

// Natural curvatures in the middle.
BendRest AnisotropicInTheMiddle() { return {{1.7, 0.4}, {{{0.3, -0.2}, {0.3, -0.2}}}}; }

BendRest Anisotropic() { return {{1.7, 0.4}, {{{0.3, -0.2}, {0.15, 0.5}}}}; }

BendRest NaturallyStraight(double stiffness) { return {{stiffness, stiffness}, {}}; }

class BendDerivatives
    : public ::testing::TestWithParam<std::tuple<CurvatureMeasure, double, double>> {};

TEST_P(BendDerivatives, Isotropic) {
  const auto [measure, turning, twist] = GetParam();
  Random random(1);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  CheckDerivatives(Isotropic(measure), joint, testing::FirstStep(turning), kStiffness);
}

TEST_P(BendDerivatives, AnisotropicCurved) {
  const auto [measure, turning, twist] = GetParam();
  Random random(2);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  CheckDerivatives(Material(measure, Anisotropic()), joint, testing::FirstStep(turning), 1.7);
}

TEST_P(BendDerivatives, AnisotropicCurvedInTheMiddle) {
  const auto [measure, any_turning, twist] = GetParam();
  const double turning = std::min(any_turning, 3.0);  // beyond, round-off of the twist shows
  Random random(12);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  CheckDerivatives(Middle(measure, AnisotropicInTheMiddle()), joint, testing::FirstStep(turning),
                   1.7);
}

TEST_P(BendDerivatives, RigidMotion) {
  const auto [measure, turning, twist] = GetParam();
  Random random(3);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  for (const JointKernel& kernel : {Isotropic(measure), Material(measure, Anisotropic()),
                                    Middle(measure, AnisotropicInTheMiddle())}) {
    CheckRigidMotion(kernel, joint, &random);
    CheckOptionalOutputs(kernel, joint);
  }
}

// With equal stiffnesses and no natural curvature, the material kernel gives the isotropic kernel's
// numbers for any twist between the frames, and no moment about the rod's own axis.
TEST_P(BendDerivatives, MaterialContainsIsotropic) {
  const auto [measure, turning, twist] = GetParam();
  Random random(4);
  const JointCase joint = MakeJointCase(turning, twist, &random);
  const auto simple = EvaluateAtNodes(Isotropic(measure), joint);
  const double g = 1 + simple.gradient.norm(), h = simple.hessian.norm();
  for (const JointKernel& kernel : {Material(measure, NaturallyStraight(kStiffness)),
                                    Middle(measure, NaturallyStraight(kStiffness))}) {
    const auto general = EvaluateAtNodes(kernel, joint);
    EXPECT_NEAR(general.energy, simple.energy, 1e-16 + 1e-11 * simple.energy);
    EXPECT_LT((general.gradient - simple.gradient).norm(), 1e-11 * g);
    EXPECT_LT((general.hessian - simple.hessian).norm(), 1e-10 * h);
    EXPECT_LT(std::abs(general.gradient[3]) + std::abs(general.gradient[7]), 1e-13 * g);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BendDerivatives,
                         ::testing::Combine(::testing::ValuesIn(kBoth),
                                            ::testing::ValuesIn(testing::kTurnings),
                                            ::testing::ValuesIn(testing::kTwists)));

TEST(Bend, EnergyIsTheDefinition) {
  Random random(5);
  for (double turning : {1e-3, 0.4, 2.0}) {
    const JointCase joint = MakeJointCase(turning, 0.7, &random);
    const double tangent = 2 * std::tan(turning / 2);
    EXPECT_NEAR(Isotropic(CurvatureMeasure::kAngle)(joint, nullptr, nullptr),
                0.5 * kStiffness * turning * turning, 1e-13);
    EXPECT_NEAR(Isotropic(CurvatureMeasure::kTangent)(joint, nullptr, nullptr),
                0.5 * kStiffness * tangent * tangent, 1e-13);
  }
}

// Bending about the frames' y axis uses only the first stiffness, about z only the second.
TEST(Bend, StiffnessesBelongToTheirAxes) {
  const BendRest rest{{1.7, 0.4}, {}};
  const Frame a = Frame::Identity();
  for (int axis : {1, 2}) {
    const Frame b = Eigen::AngleAxisd(0.5, a.col(axis)) * a;
    const JointGeometry geometry(a.col(0), b.col(0));
    EXPECT_NEAR(
        BendMaterial(geometry, a, b, rest, CurvatureMeasure::kAngle, BendAverage::kEnergies),
        0.5 * rest.stiffness[axis - 1] * 0.25, 1e-15);
  }
}

// A joint that is twisted by any angle bends about the axes of the section midway between its
// edges, each with its own stiffness. Averaged energies mix them.
TEST(Bend, TwistedJointsBendAsTheSectionInTheMiddle) {
  const BendRest rest{{1.7, 0.4}, {}};
  const double turning = 0.3;
  for (double twist : {0.0, 0.2, -1.4, 3.1, 3.2, -4.0, 9.0}) {
    for (int axis : {1, 2}) {
      // Both edges are turned by half the turning angle from the middle, and by half the twist.
      Frame edge[2];
      for (int s : {0, 1}) {
        const double half = s ? 0.5 : -0.5;
        edge[s] = Eigen::AngleAxisd(half * turning, Vector3::Unit(axis)) *
                  Eigen::AngleAxisd(half * twist, Vector3::UnitX()).toRotationMatrix();
      }
      const JointGeometry geometry(edge[0].col(0), edge[1].col(0));
      const double own = 0.5 * rest.stiffness[axis - 1] * turning * turning;
      EXPECT_NEAR(BendMiddle(geometry, edge[0], edge[1], twist, rest, CurvatureMeasure::kAngle),
                  own, 1e-14);
      const double other = 0.5 * rest.stiffness[2 - axis] * turning * turning;
      const double c = std::cos(twist / 2), s = std::sin(twist / 2);
      EXPECT_NEAR(BendMaterial(geometry, edge[0], edge[1], rest, CurvatureMeasure::kAngle,
                               BendAverage::kEnergies),
                  c * c * own + s * s * other, 1e-14);
    }
  }
}

// Natural curvature turns with the middle, also through whole turns of twist, and bending resists
// no twist of both edges by opposite angles.
TEST(Bend, NaturalCurvatureFollowsTheMiddle) {
  Random random(7);
  const JointCase joint = MakeJointCase(0.6, 0.4, &random);
  const NaturalShape drawn = DrawnShape(joint.a, joint.b, CurvatureMeasure::kAngle);
  const BendRest rest{{1.7, 0.4}, InTheMiddle(drawn).curvature};
  for (double turn : {0.0, 0.5, 2.9, 3.3, 8.0}) {
    JointCase turned = joint;
    turned.a = joint.a * Eigen::AngleAxisd(-turn / 2, Vector3::UnitX()).toRotationMatrix();
    turned.b = joint.b * Eigen::AngleAxisd(turn / 2, Vector3::UnitX()).toRotationMatrix();
    turned.twist += turn;
    const auto at = EvaluateAtNodes(Middle(CurvatureMeasure::kAngle, rest), turned);
    EXPECT_LT(at.energy, 1e-28) << turn;
    EXPECT_LT(at.gradient.norm(), 1e-13) << turn;
  }
}

TEST(Bend, ZeroAtRest) {
  Random random(6);
  for (CurvatureMeasure measure : kBoth) {
    for (double turning : {0.0, 1e-3, 0.5, 2.0}) {
      const JointCase joint = MakeJointCase(turning, 1.1, &random);
      const JointGeometry geometry = joint.geometry();
      const Vector3 binormal = EvaluateMeasure(measure, geometry).g * geometry.axis;
      const BendRest rest{
          {1.7, 0.4}, {MaterialCurvature(binormal, joint.a), MaterialCurvature(binormal, joint.b)}};
      const auto at = EvaluateAtNodes(Material(measure, rest), joint);
      EXPECT_LT(at.energy, 1e-28);
      EXPECT_LT(at.gradient.norm(), 1e-13);
      EXPECT_GT(at.hessian.norm(), 0.1);
      EXPECT_GT(testing::Eigenvalues(at.hessian)[0], -1e-11);
    }
  }
  const auto straight =
      EvaluateAtNodes(Isotropic(CurvatureMeasure::kAngle), MakeJointCase(0, 1.1, &random));
  EXPECT_LT(straight.energy, 1e-28);
  EXPECT_LT(straight.gradient.norm(), 1e-13);
}

TEST(Bend, SideDerivativesMatchDifferences) {
  const BendRest rest = Anisotropic();
  const std::array<double, 2> w{0.7, -1.1};
  const auto side = [&](double turn) {
    const double c = std::cos(turn), s = std::sin(turn);
    return BendSide({w[0] * c + w[1] * s, w[1] * c - w[0] * s}, rest.natural[0], rest.stiffness);
  };
  const BendSide at = side(0);
  testing::ExpectSecondOrder(
      testing::SweepSteps(0.1, 16,
                          [&](double h) {
                            return std::abs((side(h).energy - side(-h).energy) / (2 * h) -
                                            at.by_angle);
                          }),
      1e-9);
  testing::ExpectSecondOrder(
      testing::SweepSteps(0.1, 16,
                          [&](double h) {
                            return std::abs((side(h).by_angle - side(-h).by_angle) / (2 * h) -
                                            at.by_angle_twice);
                          }),
      1e-9);
}

TEST(Bend, FiniteAtAFold) {
  for (CurvatureMeasure measure : kBoth) {
    for (double away : {0.0, 1e-12, 1e-8, 1e-5, 1e-3}) {
      const Frame a = Frame::Identity();
      const Frame b = Eigen::AngleAxisd(std::numbers::pi - away, Vector3::UnitY()) * a;
      const JointGeometry geometry(a.col(0), b.col(0));
      JointGradient gradient;
      JointHessian hessian;
      EXPECT_TRUE(std::isfinite(BendMaterial(geometry, a, b, Anisotropic(), measure,
                                             BendAverage::kEnergies, &gradient, &hessian)));
      EXPECT_TRUE(gradient.allFinite() && Dense(hessian).allFinite());
      EXPECT_TRUE(std::isfinite(BendIsotropic(geometry, 1, measure, &gradient, &hessian)));
      EXPECT_TRUE(gradient.allFinite() && Dense(hessian).allFinite());
      // Close to a fold the couple is bounded: by B pi, or by the last slope of the tangent
      // measure.
      const double f = std::sqrt(EvaluateMeasure(measure, geometry).F);
      const double slope = measure == CurvatureMeasure::kAngle ? 1 : 4 / std::pow(0.0139, 2);
      EXPECT_LT(CoupleOnB(geometry, gradient).norm(), 1.01 * f * slope);
    }
  }
}

}  // namespace bend_test
}  // namespace strand
