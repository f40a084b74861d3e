#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/config/rod_material.h"

namespace strand {
namespace section_test {

constexpr double kPi = std::numbers::pi;

TEST(Section, Circle) {
  const double r = 3e-3;
  const Section s = CircleSection(r);
  EXPECT_NEAR(s.area / (kPi * r * r), 1, 1e-14);
  EXPECT_NEAR(s.second_moment_y / (kPi * std::pow(r, 4) / 4), 1, 1e-14);
  EXPECT_NEAR(s.second_moment_z / (kPi * std::pow(r, 4) / 4), 1, 1e-14);
  EXPECT_NEAR(s.torsion_constant / (kPi * std::pow(r, 4) / 2), 1, 1e-14);
  EXPECT_EQ(s.half_y, r);
  EXPECT_EQ(s.half_z, r);
}

// Numerical integrals of 1, z^2 and y^2 over |y| <= b, |z| <= height(y).
template <typename Height>
void ExpectMoments(const Section& s, double b, Height height) {
  constexpr int kStrips = 20000;
  double area = 0, zz = 0, yy = 0;
  for (int i = 0; i < kStrips; ++i) {
    const double dy = 2 * b / kStrips, y = -b + (i + 0.5) * dy, h = height(y);
    area += 2 * h * dy;
    zz += 2.0 / 3 * h * h * h * dy;
    yy += 2 * y * y * h * dy;
  }
  EXPECT_NEAR(s.area / area, 1, 1e-5);
  EXPECT_NEAR(s.second_moment_y / zz, 1, 1e-5);
  EXPECT_NEAR(s.second_moment_z / yy, 1, 1e-5);
}

TEST(Section, EllipseMomentsAreTheIntegrals) {
  const double b = 0.02, h = 0.007;
  const Section s = EllipseSection(b, h);
  ExpectMoments(s, b, [&](double y) { return h * std::sqrt(1 - y * y / (b * b)); });
  // J = A^4 / (4 pi^2 (I_y + I_z)): Saint-Venant's form, exact for every ellipse.
  const double venant =
      std::pow(s.area, 4) / (4 * kPi * kPi * (s.second_moment_y + s.second_moment_z));
  EXPECT_NEAR(s.torsion_constant / venant, 1, 1e-14);
  EXPECT_EQ(s.half_y, b);
  EXPECT_EQ(s.half_z, h);
}

TEST(Section, RectangleMomentsAreTheIntegrals) {
  const double b = 0.02, h = 0.007;
  const Section s = RectangleSection(b, h);
  ExpectMoments(s, b, [&](double) { return h; });
  EXPECT_EQ(s.half_y, b);
  EXPECT_EQ(s.half_z, h);
}

TEST(Section, TubeIsTheDifferenceOfTwoCircles) {
  const double r = 0.01, inner = 0.008;
  const Section s = TubeSection(r, inner);
  const double quartic = std::pow(r, 4) - std::pow(inner, 4);
  EXPECT_NEAR(s.area / (kPi * (r * r - inner * inner)), 1, 1e-14);
  EXPECT_NEAR(s.second_moment_y / (kPi * quartic / 4), 1, 1e-14);
  EXPECT_NEAR(s.second_moment_z / (kPi * quartic / 4), 1, 1e-14);
  EXPECT_NEAR(s.torsion_constant / (kPi * quartic / 2), 1, 1e-14);
  EXPECT_EQ(s.half_y, r);
  EXPECT_EQ(s.half_z, r);
  EXPECT_FALSE(s.has_corners);
  // Thin wall: J = 2 pi r^3 t (Bredt).
  const double t = 1e-6;
  EXPECT_NEAR(TubeSection(r, r - t).torsion_constant / (2 * kPi * r * r * r * t), 1, 2e-4);
}

// Timoshenko & Goodier, Theory of Elasticity, art. 109: k_1 in J = k_1 a c^3, c the short side.
TEST(Section, RectangleTorsionMatchesTheTable) {
  struct Row {
    double ratio, factor;
  };
  constexpr Row kTable[] = {{1, 0.1406}, {1.2, 0.166}, {1.5, 0.196}, {2, 0.229}, {2.5, 0.249},
                            {3, 0.263},  {4, 0.281},   {5, 0.291},   {10, 0.312}};
  const double c = 0.01;
  for (const Row& row : kTable) {
    const double a = row.ratio * c;
    const double factor = RectangleSection(a / 2, c / 2).torsion_constant / (a * c * c * c);
    EXPECT_NEAR(factor, row.factor, 6e-4) << "a / c = " << row.ratio;
    EXPECT_EQ(RectangleSection(a / 2, c / 2).torsion_constant,
              RectangleSection(c / 2, a / 2).torsion_constant);
  }
  // The square to eight digits (Roark's formulas give 2.25 (a/2)^4, three digits), and the thin
  // strip.
  EXPECT_NEAR(RectangleSection(0.5, 0.5).torsion_constant, 0.14057701, 2e-8);
  const double strip = RectangleSection(500, 0.5).torsion_constant / 1000;
  EXPECT_NEAR(strip, (1 - 0.63025 / 1000) / 3, 1e-8);
}

TEST(Section, BendingStress) {
  const Section circle = CircleSection(2e-3);
  EXPECT_NEAR(BendingStress(circle, 0.3, -0.4) / (4 * 0.5 / (kPi * 8e-9)), 1, 1e-14);
  const double r = 2e-3, inner = 1.5e-3, tube_moment = kPi / 4 * (std::pow(r, 4) - 5.0625e-12);
  EXPECT_NEAR(BendingStress(TubeSection(r, inner), 0.3, -0.4) / (0.5 * r / tube_moment), 1, 1e-14);
  const double b = 2e-3, h = 1e-3;
  const Section ellipse = EllipseSection(b, h);
  EXPECT_NEAR(BendingStress(ellipse, -0.3, 0) / (4 * 0.3 / (kPi * b * h * h)), 1, 1e-14);
  EXPECT_NEAR(BendingStress(ellipse, 0, 0.3) / (4 * 0.3 / (kPi * b * b * h)), 1, 1e-14);
  // A rectangle's corner has both bending stresses at once.
  const double corner = 0.3 * 6 / (2 * b * 4 * h * h) + 0.4 * 6 / (4 * b * b * 2 * h);
  EXPECT_NEAR(BendingStress(RectangleSection(b, h), 0.3, -0.4) / corner, 1, 1e-14);
}

TEST(Section, TorsionStress) {
  const double r = 2e-3, inner = 1.5e-3, torque = -0.5;
  EXPECT_NEAR(TorsionStress(CircleSection(r), torque) / (2 * 0.5 / (kPi * r * r * r)), 1, 1e-14);
  const double J = kPi / 2 * (std::pow(r, 4) - std::pow(inner, 4));
  EXPECT_NEAR(TorsionStress(TubeSection(r, inner), torque) / (0.5 * r / J), 1, 1e-14);
  // The largest slope of an ellipse's Prandtl stress function is at the end of the minor axis.
  const double b = 3e-3, h = 1e-3, elliptic = 2 * 0.5 / (kPi * b * h * h);
  EXPECT_NEAR(TorsionStress(EllipseSection(b, h), torque) / elliptic, 1, 1e-14);
  EXPECT_NEAR(TorsionStress(EllipseSection(h, b), torque) / elliptic, 1, 1e-14);
}

// Timoshenko & Goodier, art. 109: k_2 in the maximum shear stress T / (k_2 a c^2).
TEST(Section, RectangleTorsionStressMatchesTheTable) {
  struct Row {
    double ratio, factor;
  };
  constexpr Row kTable[] = {{1, 0.208}, {1.2, 0.219}, {1.5, 0.231}, {2, 0.246}, {2.5, 0.258},
                            {3, 0.267}, {4, 0.282},   {5, 0.291},   {10, 0.312}};
  const double c = 0.01;
  for (const Row& row : kTable) {
    const double a = row.ratio * c;
    for (const Section& s : {RectangleSection(a / 2, c / 2), RectangleSection(c / 2, a / 2)}) {
      EXPECT_NEAR(1 / (TorsionStress(s, 1) * a * c * c), row.factor, 6e-4) << row.ratio;
    }
  }
}

TEST(Section, VonMisesStress) {
  EXPECT_EQ(VonMisesStress(3, 0, 0), 3);
  EXPECT_EQ(VonMisesStress(3, 0, -2), 5);
  EXPECT_NEAR(VonMisesStress(0, 2, 0), 2 * std::sqrt(3), 1e-14);
  EXPECT_NEAR(VonMisesStress(1, 2, 3), std::sqrt(28), 1e-14);
}

// Roark's polynomial in the sides' ratio stands for the series of Saint-Venant's torsion.
TEST(Section, RoarksTorsionConstantIsNearTheSeries) {
  for (double ratio : {0.01, 0.1, 0.3, 0.5, 0.7, 1.0}) {
    const Section series = RectangleSection(1, ratio), roark = RoarkRectangleSection(1, ratio);
    EXPECT_NEAR(roark.torsion_constant / series.torsion_constant, 1, 5e-3) << ratio;
    EXPECT_EQ(roark.second_moment_y, series.second_moment_y);
    EXPECT_EQ(RoarkRectangleSection(ratio, 1).torsion_constant, roark.torsion_constant);
  }
}

TEST(Section, BendingModulusIsOfTheWeakerAxis) {
  const Section flat = RectangleSection(0.3, 0.1);  // W = b h^2 / 6 with the full sides
  EXPECT_NEAR(BendingModulus(flat), 0.6 * 0.2 * 0.2 / 6, 1e-15);
  EXPECT_NEAR(BendingModulus(CircleSection(2)), std::numbers::pi * 8 / 4, 1e-13);
}

TEST(RodMaterial, StiffnessOfACircle) {
  const double young = 3e6, radius = 0.01, moment = std::numbers::pi * std::pow(radius, 4) / 4;
  const double shear = ShearModulus(young, 0.5);
  EXPECT_EQ(shear, 1e6);
  const RodStiffness stiffness = StiffnessOf(young, shear, CircleSection(radius));
  EXPECT_NEAR(stiffness.EI[0], young * moment, 1e-12);
  EXPECT_NEAR(stiffness.EI[1], young * moment, 1e-12);
  EXPECT_NEAR(stiffness.GJ, shear * 2 * moment, 1e-12);
}

}  // namespace section_test
}  // namespace strand
