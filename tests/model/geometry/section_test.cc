#include "model/geometry/section.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace strand {
namespace {

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

// Numerical integrals of 1, z^2, y^2 over the inside of |y| <= b, |z| <= height(y).
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
  // Thin: J = 2 pi r^3 t (Bredt).
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
  // The square to eight digits (Roark's formulas: 2.25 (a/2)^4 to three), and the thin strip.
  EXPECT_NEAR(RectangleSection(0.5, 0.5).torsion_constant, 0.14057701, 2e-8);
  const double strip = RectangleSection(500, 0.5).torsion_constant / 1000;
  EXPECT_NEAR(strip, (1 - 0.63025 / 1000) / 3, 1e-8);
}

TEST(Section, OuterStress) {
  const Section circle = CircleSection(2e-3);
  const double by_bending = 0.5 * 2e-3 / circle.second_moment_y;
  EXPECT_NEAR(OuterStress(circle, 0.3, -0.4, 0) / by_bending, 1, 1e-14);
  const double by_torsion = std::sqrt(3) * 0.5 * 2e-3 / circle.torsion_constant;
  EXPECT_NEAR(OuterStress(circle, 0, 0, -0.5) / by_torsion, 1, 1e-14);
  // A rectangle's corner sees both bending stresses at once.
  const Section box = RectangleSection(2e-3, 1e-3);
  const double corner = 0.3 * 1e-3 / box.second_moment_y + 0.4 * 2e-3 / box.second_moment_z;
  EXPECT_NEAR(OuterStress(box, 0.3, -0.4, 0) / corner, 1, 1e-14);
}

}  // namespace
}  // namespace strand
