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
  double torsion_modulus = 0;   ///< W (m^3): the largest shear stress under a torque T is T / W
  double half_y = 0;            ///< outermost fibre along y (m)
  double half_z = 0;            ///< outermost fibre along z (m)
  bool has_corners = false;     ///< rectangle: both bending stresses are largest at one point
};

/// Solid ellipse with semi-axes b (along y) and h (along z), in m. Saint-Venant torsion:
/// J = pi b^3 h^3 / (b^2 + h^2), and W = pi b h min(b, h) / 2, at the ends of the minor axis
/// (Timoshenko & Goodier, Theory of Elasticity, art. 108).
inline Section EllipseSection(double b, double h) {
  constexpr double kPi = std::numbers::pi;
  return {kPi * b * h,
          kPi * b * h * h * h / 4,
          kPi * h * b * b * b / 4,
          kPi * b * b * b * h * h * h / (b * b + h * h),
          kPi * b * h * std::fmin(b, h) / 2,
          b,
          h};
}

/// Solid circle of radius r (m): J = pi r^4 / 2, W = J / r.
inline Section CircleSection(double r) { return EllipseSection(r, r); }

/// Tube between the radii r and inner < r (m): the difference of two circles.
inline Section TubeSection(double r, double inner) {
  const Section outer = CircleSection(r), hole = CircleSection(inner);
  Section tube = outer;
  tube.area -= hole.area;
  tube.second_moment_y -= hole.second_moment_y;
  tube.second_moment_z -= hole.second_moment_z;
  tube.torsion_constant -= hole.torsion_constant;
  tube.torsion_modulus = tube.torsion_constant / r;
  return tube;
}

/// Solid rectangle with half-widths b (along y) and h (along z), in m. Torsion constant from the
/// full series J = a c^3 [1/3 - 64/pi^5 (c/a) sum_{odd k} tanh(k pi a / 2c) / k^5], a >= c the
/// full side lengths (Timoshenko & Goodier, art. 109); terms to k = 39 leave 1e-8 relative. The
/// largest shear stress, T / W, is at the middle of the long sides:
/// W = J / (c [1 - 8/pi^2 sum_{odd k} 1 / (k^2 cosh(k pi a / 2c))]).
inline Section RectangleSection(double b, double h) {
  const double width = 2 * b, height = 2 * h;
  const double a = std::fmax(width, height), c = std::fmin(width, height);
  double series = 0, slope = 0;
  for (int k = 1; k <= 39; k += 2) {
    const double angle = k * std::numbers::pi * a / (2 * c);
    series += std::tanh(angle) / std::pow(k, 5);
    slope += 1 / (k * k * std::cosh(angle));
  }
  const double torsion =
      a * c * c * c * (1.0 / 3 - 64 / std::pow(std::numbers::pi, 5) * (c / a) * series);
  return {width * height,
          width * std::pow(height, 3) / 12,
          height * std::pow(width, 3) / 12,
          torsion,
          torsion / (c * (1 - 8 / (std::numbers::pi * std::numbers::pi) * slope)),
          b,
          h,
          true};
}

/// The rectangle with Roark's torsion constant (Formulas for Stress and Strain, table 10.1, case
/// 4), within 0.5 % of the series: what MuJoCo 3's plugin mujoco.elasticity.cable computed.
inline Section RoarkRectangleSection(double b, double h) {
  Section section = RectangleSection(b, h);
  const double larger = std::fmax(b, h), smaller = std::fmin(b, h), ratio = smaller / larger;
  section.torsion_constant = larger * smaller * smaller * smaller *
                             (16.0 / 3 - 3.36 * ratio * (1 - std::pow(ratio, 4) / 12));
  return section;
}

/// Moment per largest stress (m^3) where the section bends most easily.
inline double BendingModulus(const Section& s) {
  return std::fmin(s.second_moment_y / s.half_z, s.second_moment_z / s.half_y);
}

/// Largest stress (Pa) in a section under bending moments about y and z (N m), at its outer fibre:
/// for an ellipse sqrt((M_y h / I_y)^2 + (M_z b / I_z)^2), for a rectangle the sum, at a
/// corner.
inline double BendingStress(const Section& s, double moment_y, double moment_z) {
  const double from_y = std::abs(moment_y) * s.half_z / s.second_moment_y;
  const double from_z = std::abs(moment_z) * s.half_y / s.second_moment_z;
  return s.has_corners ? from_y + from_z : std::hypot(from_y, from_z);
}

/// Largest shear stress (Pa) in a section under a torque (N m).
inline double TorsionStress(const Section& s, double torque) {
  return std::abs(torque) / s.torsion_modulus;
}

/// Von Mises stress (Pa), sqrt(sigma^2 + 3 tau^2), of the largest normal stress
/// sigma = bending + |axial| and the largest shear stress tau. Exact for circles and tubes; an
/// upper bound for other sections, whose largest shear stress may not occur at their outer fibre.
inline double VonMisesStress(double bending, double torsion, double axial) {
  const double normal = bending + std::abs(axial);
  return std::sqrt(normal * normal + 3 * torsion * torsion);
}

}  // namespace strand
