// Bending of a triangle by mid-edge normals, with gradient and exact Hessian.
//
// The normal in the middle of edge k is at the angle alpha_k from the triangle's normal (rad,
// positive towards the outside of the edge). The gradient of the linearly interpolated normals is
// the curvature of the triangle, over its rest shape [E. Grinspun et al., "Computing discrete shape
// operators on general meshes", Computer Graphics Forum 25(3), 2006]:
//     Lambda = sum_k alpha_k / (A l_k) t_k (x) t_k,   t_k: outward, |t_k| = l_k,
//     E = k_b A [(1 - nu) Tr (Lambda - Lambdabar)^2 + nu Tr^2(Lambda - Lambdabar)]
//                                          [MAT-DiSMech, eq. 19, 20; k_b = E h^3 / (24 (1 - nu^2))]
// which is E = (alpha - alphabar)^T M (alpha - alphabar) / 2 with the constant matrix
//     M_ij = 2 k_b / A [(1 - nu) (t_i . t_j)^2 / (l_i l_j) + nu l_i l_j].
// Two triangles share a mid-edge normal. It is rotated by xi_k from the bisector of their normals.
// With the hinge's angle phi_k (stencil/hinge.h) and s_k = +-1 for the side of the triangle
//     alpha_k = w_k phi_k + s_k xi_k.
// w_k = 1/2; w_k = 0 at the rim, where there is no hinge; w_k = 1 at a clamped edge, where the
// normal is that of the fixed far side and xi_k = 0.
//
// The papers freeze t_k, c_k and the bisecting normal, and print a second derivative that is wrong
// by 68 %: compat/mid_edge_frozen.h. Here all of these are functions of the positions, and nothing
// has to be refreshed.
#pragma once

#include <array>

#include "model/stencil/hinge.h"

namespace strand {

/// Constant data of one triangle.
template <class T>
struct MidEdgeRestOf {
  Matrix3Of<T> stiffness;                    ///< M (N m)
  Vector3Of<T> natural;                      ///< alphabar (rad)
  Vector3Of<T> weight;                       ///< w
  Vector3Of<T> sign;                         ///< s
  Vector3Of<T> near = Vector3Of<T>::Zero();  ///< rad: phi is the angle nearest to it
};
using MidEdgeRest = MidEdgeRestOf<double>;

/// Unknowns: the triangle's nodes, the far nodes behind its edges 0, 1, 2, and the edges'
/// rotations.
inline constexpr int kMidEdgeSize = 21;
template <class T>
using MidEdgeGradientOf = Eigen::Matrix<T, kMidEdgeSize, 1>;
/// Only the lower triangle is filled.
template <class T>
using MidEdgeHessianOf = Eigen::Matrix<T, kMidEdgeSize, kMidEdgeSize>;

/// x_0, x_1, x_2 of the triangle; the far node behind the edge opposite to each (m). For an edge
/// of weight 0 the far node is arbitrary.
template <class T>
using MidEdgeNodesOf = std::array<Vector3Of<T>, 6>;

/// M of a triangle with the rest positions x (m); `factor`: k_b (N m).
inline Eigen::Matrix3d MidEdgeStiffness(const std::array<Vector3, 3>& x, double factor,
                                        double poisson) {
  const Vector3 edge[3] = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  const double area = 0.5 * edge[0].cross(edge[1]).norm();
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double cosine = edge[i].dot(edge[j]), product = edge[i].norm() * edge[j].norm();
      m(i, j) = 2 * factor / area * ((1 - poisson) * cosine * cosine / product + poisson * product);
    }
  }
  return m;
}

namespace internal {

/// Indices in the stencil of the nodes of hinge k: the edge's two, the triangle's wing, the far
/// wing.
inline std::array<int, 4> HingeOfTriangle(int k) { return {(k + 1) % 3, (k + 2) % 3, k, 3 + k}; }

template <class T>
HingeOf<T> MidEdgeHinge(const MidEdgeNodesOf<T>& x, int k) {
  const auto [a, b, wing, far] = HingeOfTriangle(k);
  return {x[a], x[b], x[wing], x[far]};
}

/// Adds one hinge's Hessian (lower triangle) to the stencil's.
template <class T>
void AddHingeBlocks(const HingeHessianOf<T>& hinge, int k, MidEdgeHessianOf<T>* hessian) {
  const std::array<int, 4> node = HingeOfTriangle(k);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (i == 3 && j == 2) continue;  // the wings are not coupled
      const Matrix3Of<T> block = hinge.template block<3, 3>(3 * i, 3 * j);
      const int row = 3 * node[i], column = 3 * node[j];
      if (row >= column) {
        hessian->template block<3, 3>(row, column) += block;
      } else {
        hessian->template block<3, 3>(column, row) += block.transpose();
      }
    }
  }
}

}  // namespace internal

/// Energy (J). The gradient and the lower triangle of the Hessian are overwritten unless null.
template <class T>
T BendMidEdge(const MidEdgeNodesOf<T>& x, const Vector3Of<Given<T>>& rotation,
              const MidEdgeRestOf<Given<T>>& rest, MidEdgeGradientOf<Given<T>>* gradient = nullptr,
              MidEdgeHessianOf<Given<T>>* hessian = nullptr) {
  const HingeOf<T> hinge[3] = {internal::MidEdgeHinge<T>(x, 0), internal::MidEdgeHinge<T>(x, 1),
                               internal::MidEdgeHinge<T>(x, 2)};
  Vector3Of<T> excess;
  for (int k = 0; k < 3; ++k) {
    excess[k] = rest.weight[k] * hinge[k].AngleNear(rest.near[k]) + rest.sign[k] * rotation[k] -
                rest.natural[k];
  }
  const Vector3Of<T> moment = rest.stiffness * excess;
  const T energy = T(0.5) * moment.dot(excess);
  if (!gradient) return energy;
  Eigen::Matrix<T, kMidEdgeSize, 3> slope;  // of alpha_k
  slope.setZero();
  for (int k = 0; k < 3; ++k) {
    const HingeGradientOf<T> turn = hinge[k].Gradient();
    const std::array<int, 4> node = internal::HingeOfTriangle(k);
    for (int i = 0; i < 4; ++i) {
      slope.template block<3, 1>(3 * node[i], k) = rest.weight[k] * turn.template segment<3>(3 * i);
    }
    slope(18 + k, k) = rest.sign[k];
  }
  *gradient = slope * moment;
  if (!hessian) return energy;
  const Eigen::Matrix<T, kMidEdgeSize, 3> stiff = slope * rest.stiffness;
  for (int c = 0; c < kMidEdgeSize; ++c) {
    for (int r = c; r < kMidEdgeSize; ++r) {
      (*hessian)(r, c) =
          stiff(r, 0) * slope(c, 0) + stiff(r, 1) * slope(c, 1) + stiff(r, 2) * slope(c, 2);
    }
  }
  for (int k = 0; k < 3; ++k) {
    HingeHessianOf<T> bend;
    bend.setZero();
    hinge[k].AddHessian(T(moment[k] * rest.weight[k]), &bend);
    internal::AddHingeBlocks<T>(bend, k, hessian);
  }
  return energy;
}

}  // namespace strand
