// Elements of elastic-plastic sections against closed forms of their moments.
#include "model/config/slip_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "model/config/error.h"

namespace strand {
namespace slip_law_test {

using Curve = std::function<double(double)>;

double Circle(double x) {
  if (x < 1) return x;
  const double root = std::sqrt(1 - 1 / (x * x));
  return 2 / (3 * std::numbers::pi) * ((5 - 2 / (x * x)) * root + 3 * x * std::asin(1 / x));
}
double Rectangle(double x) { return x < 1 ? x : 1.5 - 0.5 / (x * x); }
double CircleInTorsion(double x) { return x < 1 ? x : 4.0 / 3 - 1 / (3 * x * x * x); }

// Of a tube: the difference of two circles whose moments of first yield grow with the cube.
Curve Tube(double hole, const Curve& solid) {
  const double cube = hole * hole * hole, fourth = cube * hole;
  return [=](double x) { return (solid(x) - cube * solid(hole * x)) / (1 - fourth); };
}

double Moment(const std::vector<SlipElement>& elements, double x) {
  double moment = 0;
  for (const SlipElement& e : elements) moment += e.share * std::min(x, e.threshold);
  return moment;
}

void ExpectCurve(const std::vector<SlipElement>& elements, const Curve& exact) {
  for (double x = 0.05; x < 30; x *= 1.05) {
    EXPECT_NEAR(Moment(elements, x) / exact(x), 1, 0.007) << x;
  }
  EXPECT_NEAR(Moment(elements, 1e9), exact(1e6), 1e-4);
  EXPECT_NEAR(Moment(elements, 0.5), 0.5, 1e-12);  // the whole stiffness
}

TEST(SlipLaw, BendingOfPlasticSections) {
  ExpectCurve(BendElements(CircleSection(0.01)), Circle);
  ExpectCurve(BendElements(EllipseSection(0.01, 0.002)), Circle);
  ExpectCurve(BendElements(RectangleSection(0.01, 0.002)), Rectangle);
  for (double hole : {0.3, 0.6, 0.9}) {
    ExpectCurve(BendElements(TubeSection(0.01, 0.01 * hole)), Tube(hole, Circle));
  }
}

TEST(SlipLaw, TorsionOfPlasticSections) {
  ExpectCurve(TwistElements(CircleSection(0.01)), CircleInTorsion);
  for (double hole : {0.3, 0.6, 0.9}) {
    ExpectCurve(TwistElements(TubeSection(0.01, 0.01 * hole)), Tube(hole, CircleInTorsion));
  }
}

// The walls of tubes are resolved, however thin: all elements are there.
TEST(SlipLaw, ThinTubes) {
  for (double hole : {0.99, 0.999, 0.99999}) {
    const Section tube = TubeSection(0.01, 0.01 * hole);
    for (const auto& elements : {BendElements(tube), TwistElements(tube)}) {
      EXPECT_EQ(elements.size(), 8u);
      EXPECT_NO_THROW(CheckElements("elements", elements));
    }
    ExpectCurve(TwistElements(tube), Tube(hole, CircleInTorsion));
  }
}

TEST(SlipLaw, ElementsFromPairs) {
  const double pairs[] = {0.5, 2, 0.25, 3};
  const auto elements = ElementsOf("bend_elements", pairs);
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(elements[1].share, 0.25);
  EXPECT_EQ(elements[1].threshold, 3);
  EXPECT_THROW(ElementsOf("bend_elements", std::span(pairs, 3)), ConfigError);
}

// Sand heap: c^2 (a - c / 3) / 2 times the yield stress, e.g. c^3 / 3 of a square.
TEST(SlipLaw, FullyPlasticTorqueOfRectangles) {
  for (double a : {1.0, 2.0, 10.0}) {
    const Section section = RectangleSection(a / 2, 0.5);
    const double full = (a - 1.0 / 3) / 2 / section.torsion_modulus;
    EXPECT_NEAR(Moment(TwistElements(section), 1e9), full, 1e-4);
  }
}

TEST(SlipLaw, FirstYieldOfTheWeakerSection) {
  const Section thin = CircleSection(1e-3), thick = CircleSection(2e-3);
  const RodStiffness stiffness{{0.02, 0.02}, 0.015};
  for (const auto& [a, b] : {std::pair(thin, thick), {thick, thin}}) {
    const JointSlip slip = SlipOf(a, b, stiffness, 1e8);
    const auto moment = [](const std::vector<SlipElement>& elements, double K) {
      return K * Moment(elements, 1e9);
    };
    const double r = 1e-9;
    EXPECT_NEAR(moment(slip.bend, 0.02) / (1e8 * 4.0 / 3 * r), 1, 1e-4);
    const double torque = 1e8 / std::numbers::sqrt3 * 2 * std::numbers::pi / 3 * r;
    EXPECT_NEAR(moment(slip.twist, 0.015) / torque, 1, 1e-4);
  }
}

}  // namespace slip_law_test
}  // namespace strand
