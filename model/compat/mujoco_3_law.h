// The torque law of MuJoCo 3's plugin mujoco.elasticity.cable, for exact repeatability.
//
//     w = log(R_a^T R_b),   c = -R_a K (w - w0),   K = diag(GJ, EI_y, EI_z) / l
//
// R_a, R_b: frames of a joint's first and second link; w: rotation vector between them (angle at
// most pi); w0: the same at rest; c: couple on the second link (N m, world axes), with its opposite
// on the first. Measured against MuJoCo 3.17.0, which uses the length l of the first link and the
// section of the second.
//
// To first order in the joint's angle this equals Strand's law. Beyond that the couple is not the
// derivative of an energy: a joint that is bent at rest can gain or lose energy in a closed cycle.
#pragma once

#include "model/energy/rod.h"
#include "model/geometry/frame.h"

namespace strand {

/// Factor for stiffnesses of a joint between links of these lengths (m): the old plugin divided by
/// the length of the first link, Strand divides by the mean of both.
inline double Mujoco3LengthFactor(double first, double second) {
  return (first + second) / (2 * first);
}

/// Fraction of the largest stiffness of a chain that stands for one that is zero, which Strand's
/// law rejects.
inline constexpr double kMujoco3Floor = 1e-9;

struct Mujoco3Joint {
  Vector3 rest;       ///< w0 (rad)
  Vector3 stiffness;  ///< GJ, EI_y, EI_z over l (N m)

  Vector3 Strain(const Frame& a, const Frame& b) const { return RotationVector(a, b) - rest; }
  Vector3 Couple(const Frame& a, const Vector3& strain) const {
    return -(a * stiffness.cwiseProduct(strain));
  }
  /// Energy (J) of a linear spring with this stiffness and strain. The couple is not its
  /// derivative.
  RodEnergy Energy(const Vector3& strain) const {
    const Vector3 parts = 0.5 * stiffness.cwiseProduct(strain.cwiseAbs2());
    return {parts.y() + parts.z(), parts.x()};
  }
};

}  // namespace strand
