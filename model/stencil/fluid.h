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

#include "model/stencil/joint.h"

namespace strand {

/// Forces on N nodes (N), and their derivative by the nodes' positions (N/m, not symmetric).
template <int N>
using FluidForce = Eigen::Matrix<double, 3 * N, 1>;
template <int N>
using FluidDerivative = Eigen::Matrix<double, 3 * N, 3 * N>;

/// `x` (m); `velocity` relative to the fluid (m/s); `rate` (1/s); `factor` = rho C_D / 2 A / 3
/// (kg/m). The derivative is overwritten unless null.
inline FluidForce<3> TriangleDrag(const std::array<Vector3, 3>& x,
                                  const std::array<Vector3, 3>& velocity, double rate,
                                  double factor, FluidDerivative<3>* by_position = nullptr) {
  const Vector3 opposite[3] = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  const Vector3 area = opposite[0].cross(opposite[1]);
  const double size = area.norm();
  const Vector3 n = area / size;
  FluidForce<3> force;
  Vector3 speed;
  for (int i = 0; i < 3; ++i) {
    speed[i] = velocity[i].dot(n);
    force.segment<3>(3 * i) = -factor * std::abs(speed[i]) * speed[i] * n;
  }
  if (!by_position) return force;
  Eigen::Matrix<double, 3, 9> normal_by;
  for (int j = 0; j < 3; ++j) {
    const Eigen::Matrix3d turn = CrossMatrix<double>(opposite[j] / size);
    normal_by.middleCols<3>(3 * j) = turn - n * (n.cross(opposite[j]) / size).transpose();
  }
  for (int i = 0; i < 3; ++i) {
    const double pressure = factor * std::abs(speed[i]);
    Eigen::Matrix<double, 1, 9> speed_by = velocity[i].transpose() * normal_by;
    speed_by.segment<3>(3 * i) += rate * n.transpose();
    by_position->middleRows<3>(3 * i) =
        (-2 * pressure * n) * speed_by - (pressure * speed[i]) * normal_by;
  }
  return force;
}

struct ResistiveCoefficients {
  double tangential = 0, normal = 0;  ///< C_t, C_n (Pa s)
};

/// Like TriangleDrag; `length`: rest length (m).
inline FluidForce<2> ResistiveEdge(const std::array<Vector3, 2>& x,
                                   const std::array<Vector3, 2>& velocity, double rate,
                                   double length, const ResistiveCoefficients& c,
                                   FluidDerivative<2>* by_position = nullptr) {
  const Vector3 e = x[1] - x[0];
  const double size = e.norm(), difference = c.tangential - c.normal;
  const Vector3 t = e / size;
  const Eigen::Matrix3d along = t * t.transpose(), unit = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d resistance = 0.5 * length * (difference * along + c.normal * unit);
  FluidForce<2> force;
  force << -resistance * velocity[0], -resistance * velocity[1];
  if (!by_position) return force;
  const Eigen::Matrix3d across = (unit - along) / size;  // dt/de
  for (int i = 0; i < 2; ++i) {
    const Vector3& u = velocity[i];
    const Eigen::Matrix3d turned =
        0.5 * length * difference * (t.dot(u) * across + t * (u.transpose() * across));
    auto rows = by_position->middleRows<3>(3 * i);
    rows << turned, -turned;
    rows.middleCols<3>(3 * i) -= rate * resistance;
  }
  return force;
}

}  // namespace strand
