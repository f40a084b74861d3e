// Stretching of a triangle of a sheet, with gradient and exact Hessian: constant strain,
// St. Venant-Kirchhoff material in plane stress.
//
// Edge k lies opposite node k, e_k = x_{k+2} - x_{k+1}; capital letters denote the rest shape. The
// three lengths determine the Green strain E, which is constant over the triangle:
//     e_k^2 - L_k^2 = 2 E_k . E E_k = 2 s_k,   E = sum_k s_k B_k,
//     B_k = -(T_i (x) T_j + T_j (x) T_i) / (8 A^2),  i = k + 1, j = k + 2,
// T_k is E_k turned by a right angle in the plane. B_k is dual to E_k (x) E_k, since T_k . E_k = 0
// and T_i . E_j = +-2 A. The energy is a quadratic form in s,
//     W = h A Y / (2 (1 - nu^2)) [(1 - nu) E : E + nu tr^2 E] = s^T K s / 2,
//     K_ij = h A Y / (1 - nu^2) [(1 - nu) B_i : B_j + nu tr B_i tr B_j]           (N/m^3)
// with Y Young's modulus. [Plane stress: S. Timoshenko and J. Goodier, Theory of Elasticity, art.
// 11; strain from edge lengths: the quadratic form of constant-strain triangles as springs along
// three sides.] Tensions per length n = K s act along the edges, dW = sum_k n_k e_k . de_k, so that
//     H = sum_kl K_kl (ds_k (x) ds_l) + sum_k n_k d^2 s_k,  d^2 s_k = |de_k|^2.
// Singular: a rest shape without area only. A triangle that is inverted or folded flat in its plane
// has no restoring force, since its Green strain is the same.
#pragma once

#include <array>

#include "model/stencil/joint.h"

namespace strand {

/// Constant data of one triangle.
template <class T>
struct MembraneRestOf {
  Matrix3Of<T> stiffness;  ///< K (N/m^3)
  Vector3Of<T> length;     ///< L (m)
};
using MembraneRest = MembraneRestOf<double>;

inline constexpr int kMembraneSize = 9;
template <class T>
using MembraneGradientOf = Eigen::Matrix<T, kMembraneSize, 1>;
/// Only the lower triangle is filled.
template <class T>
using MembraneHessianOf = Eigen::Matrix<T, kMembraneSize, kMembraneSize>;

/// K of a triangle with the rest positions x (m); `stiffness`: Y h (N/m).
inline Eigen::Matrix3d MembraneStiffness(const std::array<Vector3, 3>& x, double stiffness,
                                         double poisson) {
  const Vector3 edge[3] = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  const double area = 0.5 * edge[0].cross(edge[1]).norm(), square = area * area;
  const auto dot = [&](int i, int j) { return edge[i % 3].dot(edge[j % 3]); };  // equals T_i . T_j
  Eigen::Matrix3d k;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double traces = dot(i + 1, i + 2) * dot(j + 1, j + 2) / (16 * square * square);
      const double product =
          (dot(i + 1, j + 1) * dot(i + 2, j + 2) + dot(i + 1, j + 2) * dot(i + 2, j + 1)) /
          (32 * square * square);
      k(i, j) =
          stiffness * area / (1 - poisson * poisson) * ((1 - poisson) * product + poisson * traces);
    }
  }
  return k;
}

/// Energy (J) of a triangle with the nodes x (m). The gradient and the lower triangle of the
/// Hessian are overwritten unless null.
template <class T>
T StretchMembrane(const std::array<Vector3Of<T>, 3>& x, const MembraneRestOf<Given<T>>& rest,
                  MembraneGradientOf<Given<T>>* gradient = nullptr,
                  MembraneHessianOf<Given<T>>* hessian = nullptr) {
  const Vector3Of<T> edge[3] = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  Vector3Of<T> strain;  // s
  for (int k = 0; k < 3; ++k) {
    strain[k] = T(0.5) * (edge[k].squaredNorm() - rest.length[k] * rest.length[k]);
  }
  const Vector3Of<T> tension = rest.stiffness * strain;
  const T energy = T(0.5) * tension.dot(strain);
  if (!gradient) return energy;
  Eigen::Matrix<T, kMembraneSize, 3> slope;  // of s_k
  slope.setZero();
  for (int k = 0; k < 3; ++k) {
    slope.template block<3, 1>(3 * ((k + 1) % 3), k) = -edge[k];
    slope.template block<3, 1>(3 * ((k + 2) % 3), k) = edge[k];
  }
  *gradient = slope * tension;
  if (!hessian) return energy;
  const Eigen::Matrix<T, kMembraneSize, 3> stiff = slope * rest.stiffness;
  for (int c = 0; c < kMembraneSize; ++c) {
    for (int r = c; r < kMembraneSize; ++r) {
      (*hessian)(r, c) =
          stiff(r, 0) * slope(c, 0) + stiff(r, 1) * slope(c, 1) + stiff(r, 2) * slope(c, 2);
      if ((r - c) % 3 != 0) continue;
      // same node: both edges at it; else the edge between the two nodes
      const int a = r / 3, b = c / 3;
      (*hessian)(r, c) +=
          a == b ? T(tension[(a + 1) % 3] + tension[(a + 2) % 3]) : T(-tension[3 - a - b]);
    }
  }
  return energy;
}

}  // namespace strand
