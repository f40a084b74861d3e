#include "model/stencil/curvature_measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/finite_difference.h"

namespace strand {
namespace curvature_measure_test {

using testing::ExpectSecondOrder;
using testing::SweepSteps;

JointGeometry Turned(double phi) {
  return JointGeometry(Vector3::UnitX(), Vector3(std::cos(phi), std::sin(phi), 0));
}

MeasureValue At(CurvatureMeasure measure, double phi) {
  return EvaluateMeasure(measure, Turned(phi));
}

constexpr CurvatureMeasure kBoth[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};

// The same six numbers from the definition f(phi), in extended precision.
struct Exact {
  long double g, dg, ddg, F, dF, ddF;
};

Exact FromDefinition(CurvatureMeasure measure, long double phi) {
  const long double s = std::sin(phi), c = std::cos(phi);
  if (measure == CurvatureMeasure::kTangent) {
    const long double t = std::tan(phi / 2), y = 1 + c;
    return {2 * t / s, -2 / (y * y), 4 / (y * y * y), 4 * t * t, -8 / (y * y), 16 / (y * y * y)};
  }
  const long double slope = (phi * c - s) / (s * s * s);
  const long double bend = (phi * s * s + 3 * c * (phi * c - s)) / std::pow(s, 5.0L);
  return {phi / s, slope, bend, phi * phi, -2 * phi / s, -2 * slope};
}

void ExpectClose(const MeasureValue& m, const Exact& exact, double tolerance) {
  const auto relative = [](double value, long double truth) {
    return static_cast<double>(std::abs(value / truth - 1));
  };
  EXPECT_LT(relative(m.g, exact.g), tolerance);
  EXPECT_LT(relative(m.dg, exact.dg), tolerance);
  EXPECT_LT(relative(m.ddg, exact.ddg), tolerance);
  EXPECT_LT(relative(m.F, exact.F), tolerance);
  EXPECT_LT(relative(m.dF, exact.dF), tolerance);
  EXPECT_LT(relative(m.ddF, exact.ddF), tolerance);
}

TEST(CurvatureMeasure, MatchesItsDefinition) {
  for (CurvatureMeasure measure : kBoth) {
    for (double phi :
         {0.03, 0.05, 0.1, 0.13, 0.15, 0.2, 0.3, 0.44, 0.5, 1.0, 1.5708, 2.0, 2.5, 3.0, 3.1}) {
      SCOPED_TRACE(phi);
      ExpectClose(At(measure, phi), FromDefinition(measure, phi), 2e-11);
    }
  }
}

// For phi so small that the definition itself loses digits: the Taylor values at phi = 0.
TEST(CurvatureMeasure, StraightLimit) {
  for (double phi : {0.0, 1e-300, 1e-12, 1e-8, 1e-6}) {
    SCOPED_TRACE(phi);
    const MeasureValue angle = At(CurvatureMeasure::kAngle, phi);
    EXPECT_NEAR(angle.g, 1, 1e-12);
    EXPECT_NEAR(angle.dg, -1.0 / 3, 1e-12);
    EXPECT_NEAR(angle.ddg, 4.0 / 15, 1e-12);
    EXPECT_NEAR(angle.F, phi * phi, 1e-12 * phi * phi);
    EXPECT_NEAR(angle.dF, -2, 1e-12);
    EXPECT_NEAR(angle.ddF, 2.0 / 3, 1e-12);
    const MeasureValue tangent = At(CurvatureMeasure::kTangent, phi);
    EXPECT_NEAR(tangent.g, 1, 1e-12);
    EXPECT_NEAR(tangent.F, phi * phi, 1e-12 * phi * phi);
    EXPECT_NEAR(tangent.dF, -2, 2e-12);
    EXPECT_NEAR(tangent.ddF, 2, 4e-12);
  }
}

TEST(CurvatureMeasure, NoJumpWhereTheSeriesEnds) {
  const double at = std::acos(1 - 1e-2);  // where 1 - c = 1e-2
  const MeasureValue below = At(CurvatureMeasure::kAngle, at * (1 - 1e-13));
  const MeasureValue above = At(CurvatureMeasure::kAngle, at * (1 + 1e-13));
  ExpectClose(below, FromDefinition(CurvatureMeasure::kAngle, at), 1e-12);
  ExpectClose(above, FromDefinition(CurvatureMeasure::kAngle, at), 1e-11);
  EXPECT_NEAR(above.g / below.g, 1, 1e-14);
  EXPECT_NEAR(above.F / below.F, 1, 1e-12);
}

// Each of g, dg, ddg and of F, dF, ddF is the derivative of the previous one.
TEST(CurvatureMeasure, DerivativesMatchDifferences) {
  for (CurvatureMeasure measure : kBoth) {
    for (double phi : {0.05, 0.5, 1.5, 2.5, 3.1}) {
      SCOPED_TRACE(phi);
      const MeasureValue m = At(measure, phi);
      const double s = std::sin(phi);
      const auto error = [&](double MeasureValue::* value, double derivative) {
        return SweepSteps(0.2 * std::min(phi, 3.12 - phi), 14, [&, value, derivative](double h) {
          const double up = At(measure, phi + h).*value, down = At(measure, phi - h).*value;
          return std::abs((up - down) / (2 * h) / (-s * derivative) - 1);
        });
      };
      ExpectSecondOrder(error(&MeasureValue::g, m.dg), 1e-8);
      ExpectSecondOrder(error(&MeasureValue::F, m.dF), 1e-8);
      // g and F are related by F = g^2 sin^2(phi).
      EXPECT_NEAR(m.F / (m.g * m.g * s * s), 1, 1e-12);
    }
  }
}

TEST(CurvatureMeasure, SecondDerivativesMatchDifferences) {
  for (CurvatureMeasure measure : kBoth) {
    for (double phi : {0.3, 1.5, 2.5, 3.1}) {
      SCOPED_TRACE(phi);
      const MeasureValue m = At(measure, phi);
      const auto error = [&](double MeasureValue::* value, double derivative) {
        return SweepSteps(0.1 * std::min(phi, 3.12 - phi), 14, [&, value, derivative](double h) {
          const double up = At(measure, phi + h).*value, down = At(measure, phi - h).*value;
          return std::abs((up - down) / (2 * h) / (-std::sin(phi) * derivative) - 1);
        });
      };
      ExpectSecondOrder(error(&MeasureValue::dg, m.ddg), 1e-8);
      ExpectSecondOrder(error(&MeasureValue::dF, m.ddF), 1e-8);
    }
  }
}

// f = sqrt(F) and df/dphi are continuous at kTangentLimit; beyond it f is linear up to the fold.
TEST(CurvatureMeasure, TangentContinuesLinearly) {
  const auto f = [](double phi) { return std::sqrt(At(CurvatureMeasure::kTangent, phi).F); };
  const auto slope = [](double phi) {  // df/dphi = -sin(phi) (dF/dc) / 2f
    const MeasureValue m = At(CurvatureMeasure::kTangent, phi);
    return -std::sin(phi) * m.dF / (2 * std::sqrt(m.F));
  };
  const double limit = kTangentLimit, gap = 1e-9;
  EXPECT_NEAR(f(limit), 2 * std::tan(limit / 2), 1e-6);
  EXPECT_NEAR((f(limit + gap) - f(limit - gap)) / (2 * gap) / slope(limit), 1, 1e-4);
  EXPECT_NEAR(slope(limit + gap) / slope(limit - gap), 1, 1e-5);
  EXPECT_NEAR(slope(limit + 0.01) / slope(limit + gap), 1, 1e-6);
  EXPECT_NEAR(f(limit + 0.01), f(limit) + 0.01 * slope(limit + gap), 1e-4);
  EXPECT_NEAR((f(limit + 0.01) - f(limit + 0.005)) / 0.005 / slope(limit + 0.01), 1, 1e-6);
}

TEST(CurvatureMeasure, FiniteAtTheFold) {
  for (CurvatureMeasure measure : kBoth) {
    for (const Vector3& b : {Vector3(-1, 0, 0), Vector3(-1, 1e-300, 0), Vector3(-1, 1e-12, 0),
                             Vector3(-1, 0, 1e-8), Vector3(-1 - 1e-16, 1e-9, 0)}) {
      const MeasureValue m = EvaluateMeasure(measure, JointGeometry(Vector3::UnitX(), b));
      for (double value : {m.g, m.dg, m.ddg, m.F, m.dF, m.ddF}) {
        EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
  EXPECT_NEAR(At(CurvatureMeasure::kAngle, std::numbers::pi).F, std::numbers::pi * std::numbers::pi,
              1e-12);
  EXPECT_GT(At(CurvatureMeasure::kTangent, std::numbers::pi).F,
            At(CurvatureMeasure::kTangent, kTangentLimit).F);
}

// Energy increases with the turning angle over the whole range and across both switches.
TEST(CurvatureMeasure, EnergyRisesWithTheTurningAngle) {
  for (CurvatureMeasure measure : kBoth) {
    double last = -1;
    for (int k = 0; k <= 4000; ++k) {
      const MeasureValue m = At(measure, std::numbers::pi * k / 4000);
      EXPECT_GT(m.F, last) << k;
      EXPECT_LT(m.dF, 0) << k;
      last = m.F;
    }
  }
}

}  // namespace curvature_measure_test
}  // namespace strand
