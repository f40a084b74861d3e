// Drag of a fluid on a triangle and on an edge, with exact derivatives. It has no potential.
//
// Velocities of the nodes relative to the fluid, u_i = (x_i - x_i^0) / dt - u_fluid, depend on the
// positions: du_i/dx_i = rate = 1 / dt (0 if the velocity is prescribed).
//   triangle (aerodynamic pressure, at each of its nodes; n: unit normal, A: area at rest)
//     F_i = -rho C_D / 2 (A / 3) |u_i . n| (u_i . n) n           [MAT-DiSMech, eq. 31, 35]
//   edge (resistive force theory, at each of its ends; t: unit direction, l: length at rest)
//     F_i = -l / 2 [(C_t - C_n) t t^T + C_n] u_i                 [MAT-DiSMech, eq. 29, 33]
// Singular: a triangle without area, an edge without length. The triangle's force is continuously
// differentiable in u.
#pragma once

#include <array>

#include "model/geometry/frame.h"

namespace strand {

/// Forces on N nodes (N), and their derivative by the nodes' positions (N/m, not symmetric).
template <int N>
using FluidForce = Eigen::Matrix<double, 3 * N, 1>;
template <int N>
using FluidDerivative = Eigen::Matrix<double, 3 * N, 3 * N>;

/// `x` (m); `velocity` relative to the fluid (m/s); `rate` (1/s); `factor` = rho C_D / 2 A / 3
/// (kg/m). The derivative is overwritten unless null.
FluidForce<3> TriangleDrag(const std::array<Vector3, 3>& x, const std::array<Vector3, 3>& velocity,
                           double rate, double factor, FluidDerivative<3>* by_position = nullptr);

struct ResistiveCoefficients {
  double tangential = 0, normal = 0;  ///< C_t, C_n (Pa s)
};

/// Like TriangleDrag; `length`: rest length (m).
FluidForce<2> ResistiveEdge(const std::array<Vector3, 2>& x, const std::array<Vector3, 2>& velocity,
                            double rate, double length, const ResistiveCoefficients& c,
                            FluidDerivative<2>* by_position = nullptr);

}  // namespace strand
