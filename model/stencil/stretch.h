// Stretching energy of an edge, value, gradient and exact Hessian.
//
//     E = EA l0 (|e| / l0 - 1)^2 / 2,  e = x_1 - x_0                       [Bergou 2010, eq. 1]
// Singular: |e| = 0 (the direction is lost; the caller must not pass it).
#pragma once

#include <Eigen/Dense>

#include "model/geometry/frame.h"

namespace strand {

using StretchGradient = Eigen::Matrix<double, 6, 1>;
using StretchHessian = Eigen::Matrix<double, 6, 6>;

/// Energy (J) of an edge of axial stiffness EA (N) and rest length l0 (m), over (x_0, x_1).
inline double Stretch(const Vector3& x0, const Vector3& x1, double axial_stiffness,
                      double rest_length, StretchGradient* gradient = nullptr,
                      StretchHessian* hessian = nullptr) {
  const Vector3 edge = x1 - x0;
  const double length = edge.norm(), strain = length / rest_length - 1;
  const Vector3 t = edge / length;
  const double tension = axial_stiffness * strain;
  if (gradient) *gradient << -tension * t, tension * t;
  if (hessian) {
    const Eigen::Matrix3d along = t * t.transpose();
    const Eigen::Matrix3d block = axial_stiffness / rest_length * along +
                                  tension / length * (Eigen::Matrix3d::Identity() - along);
    *hessian << block, -block, -block, block;
  }
  return 0.5 * tension * strain * rest_length;
}

}  // namespace strand
