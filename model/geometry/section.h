// Cross-sections of rods: area and second moments in the link frame (x along the rod).
#pragma once

#include <cmath>
#include <numbers>

namespace strand {

/// Geometric properties of a cross-section.
struct Section {
  double area = 0;              ///< A (m^2)
  double second_moment_y = 0;   ///< I_y = integral of z^2 dA (m^4): bending about the y axis
  double second_moment_z = 0;   ///< I_z = integral of y^2 dA (m^4): bending about the z axis
  double torsion_constant = 0;  ///< J (m^4): GJ is the twisting stiffness
  double half_y = 0;            ///< outermost fibre along y (m)
  double half_z = 0;            ///< outermost fibre along z (m)
  bool has_corners = false;     ///< rectangle: both bending stresses are largest at one point
};

/// Solid ellipse with semi-axes b (along y) and h (along z), in m. Saint-Venant torsion:
/// J = pi b^3 h^3 / (b^2 + h^2) (Timoshenko & Goodier, Theory of Elasticity, art. 108).
inline Section EllipseSection(double b, double h) {
  constexpr double kPi = std::numbers::pi;
  return {kPi * b * h,
          kPi * b * h * h * h / 4,
          kPi * h * b * b * b / 4,
          kPi * b * b * b * h * h * h / (b * b + h * h),
          b,
          h};
}

/// Solid circle of radius r (m): J = pi r^4 / 2.
inline Section CircleSection(double r) { return EllipseSection(r, r); }

/// Tube between the radii r and inner < r (m): the circles' difference.
inline Section TubeSection(double r, double inner) {
  const Section outer = CircleSection(r), hole = CircleSection(inner);
  Section tube = outer;
  tube.area -= hole.area;
  tube.second_moment_y -= hole.second_moment_y;
  tube.second_moment_z -= hole.second_moment_z;
  tube.torsion_constant -= hole.torsion_constant;
  return tube;
}

/// Solid rectangle with half-widths b (along y) and h (along z), in m. Torsion constant from the
/// full series J = a c^3 [1/3 - 64/pi^5 (c/a) sum_{odd k} tanh(k pi a / 2c) / k^5], a >= c the
/// full side lengths (Timoshenko & Goodier, art. 109); terms to k = 39 leave 1e-8 relative.
inline Section RectangleSection(double b, double h) {
  const double width = 2 * b, height = 2 * h;
  const double a = std::fmax(width, height), c = std::fmin(width, height);
  double series = 0;
  for (int k = 1; k <= 39; k += 2) {
    series += std::tanh(k * std::numbers::pi * a / (2 * c)) / std::pow(k, 5);
  }
  const double torsion =
      a * c * c * c * (1.0 / 3 - 64 / std::pow(std::numbers::pi, 5) * (c / a) * series);
  return {width * height,
          width * std::pow(height, 3) / 12,
          height * std::pow(width, 3) / 12,
          torsion,
          b,
          h,
          true};
}

/// Largest von Mises stress (Pa) under bending moments about y and z and a torque T (N m):
/// sqrt(sigma^2 + 3 tau^2), with tau = T (outer half-width) / J, exact for a circle and an upper
/// bound for flat sections.
inline double OuterStress(const Section& s, double moment_y, double moment_z, double torque) {
  const double from_y = std::abs(moment_y) * s.half_z / s.second_moment_y;
  const double from_z = std::abs(moment_z) * s.half_y / s.second_moment_z;
  const double bending = s.has_corners ? from_y + from_z : std::hypot(from_y, from_z);
  const double shear = torque * std::fmax(s.half_y, s.half_z) / s.torsion_constant;
  return std::sqrt(bending * bending + 3 * shear * shear);
}

}  // namespace strand
