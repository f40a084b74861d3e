// Stretching energy of an edge, value, gradient and exact Hessian.
//
//     E = EA l0 (|e| / l0 - 1)^2 / 2,  e = x_1 - x_0                       [Bergou 2010, eq. 1]
// Singular: |e| = 0 (no direction; callers must not pass it).
#pragma once

#include "model/stencil/joint.h"

namespace strand {

/// Energy (J) of an edge of axial stiffness EA (N), rest length l0 (m), length l (m) and unit
/// direction t. Fills dE/dx_1 = -dE/dx_0 and the block H of the Hessian [[H, -H], [-H, H]].
template <class T>
T StretchEdge(const Vector3Of<T>& t, const Given<T>& length, const Given<T>& axial_stiffness,
              const Given<T>& rest_length, Vector3Of<Given<T>>* gradient = nullptr,
              Matrix3Of<Given<T>>* hessian = nullptr) {
  const T strain = length / rest_length - T(1);
  const T tension = axial_stiffness * strain;
  if (gradient) *gradient = tension * t;
  if (hessian) {
    // EA / l0 t t^T + tension / l (I - t t^T), and EA / l0 - tension / l = EA / l
    const T across = tension / length;
    *hessian = (axial_stiffness / length * t) * t.transpose();
    hessian->diagonal().array() += across;
  }
  return T(0.5) * tension * strain * rest_length;
}

}  // namespace strand
