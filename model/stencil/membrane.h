// Stretching and shearing of a triangle in its plane, with gradient and exact Hessian.
//
// The strain is constant over the triangle and given by its edges: with T_k the tensor that
// e_k . T_k e_k = 1 and e_i . T_k e_i = 0 on the other two,
//     G = 1/2 sum_k (l_k^2 - L_k^2) T_k,     T_k = -(n_i (x) n_j + n_j (x) n_i) / (8 A^2)
// is Green's strain; l_k, L_k: lengths of edge k (opposite to node k) now and at rest, n_i: edge i
// at rest turned by a right angle, A the area. Saint Venant and Kirchhoff's material in plane
// stress,
//     E = h A Y / (2 (1 - nu^2)) [(1 - nu) G : G + nu Tr^2 G] = s^T C s / 2,   s_k = l_k^2 - L_k^2
// with the constant matrix
//     C_kl = h A Y / (4 (1 - nu^2)) [(1 - nu) T_k : T_l + nu Tr T_k Tr T_l].
// So it has Young's modulus Y and Poisson's ratio nu on any mesh [biquadratic springs: H.
// Delingette, IEEE TVCG 14(2), 2008]. As always with this material, what is compressed to a third
// gives way.
#pragma once

#include "model/stencil/joint.h"

namespace strand {

/// C (N/m^3) of a triangle of the shape given (m), at rest; factor: Y h / (1 - nu^2) (N/m).
inline Eigen::Matrix3d MembraneStiffness(const std::array<Vector3, 3>& x, double factor,
                                         double poisson) {
  const std::array<Vector3, 3> edge = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  const Vector3 normal = edge[0].cross(edge[1]);
  const double area = 0.5 * normal.norm();
  std::array<Eigen::Matrix3d, 3> tensor;
  for (int k = 0; k < 3; ++k) {
    const Vector3 a = normal.normalized().cross(edge[(k + 1) % 3]);
    const Vector3 b = normal.normalized().cross(edge[(k + 2) % 3]);
    tensor[k] = -(a * b.transpose() + b * a.transpose()) / (8 * area * area);
  }
  Eigen::Matrix3d c;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      const double both = tensor[k].cwiseProduct(tensor[l]).sum();
      const double traces = tensor[k].trace() * tensor[l].trace();
      c(k, l) = 0.25 * factor * area * ((1 - poisson) * both + poisson * traces);
    }
  }
  return c;
}

template <class T>
using MembraneGradientOf = Eigen::Matrix<T, 9, 1>;
template <class T>
using MembraneHessianOf = Eigen::Matrix<T, 9, 9>;

/// Energy (J) of a triangle with its nodes at x (m), stiffness C (N/m^3) and squares L_k^2 (m^2) of
/// its edges' lengths at rest. Fills its derivatives by the nodes.
template <class T>
T StretchTriangle(const std::array<Vector3Of<T>, 3>& x, const Matrix3Of<T>& stiffness,
                  const Vector3Of<T>& rest, MembraneGradientOf<T>* gradient = nullptr,
                  MembraneHessianOf<T>* hessian = nullptr) {
  std::array<Vector3Of<T>, 3> edge;
  Vector3Of<T> strain;  // s
  for (int k = 0; k < 3; ++k) {
    edge[k] = x[(k + 2) % 3] - x[(k + 1) % 3];
    strain[k] = edge[k].squaredNorm() - rest[k];
  }
  const Vector3Of<T> tension = stiffness * strain;
  if (!gradient && !hessian) return T(0.5) * strain.dot(tension);
  Eigen::Matrix<T, 9, 3> slope;  // ds_k / dx
  slope.setZero();
  for (int k = 0; k < 3; ++k) {
    slope.template block<3, 1>(3 * ((k + 2) % 3), k) = T(2) * edge[k];
    slope.template block<3, 1>(3 * ((k + 1) % 3), k) = T(-2) * edge[k];
  }
  if (gradient) *gradient = slope * tension;
  if (hessian) {
    *hessian = (slope * stiffness).lazyProduct(slope.transpose());
    for (int k = 0; k < 3; ++k) {
      const int a = 3 * ((k + 1) % 3), b = 3 * ((k + 2) % 3);
      const T twice = T(2) * tension[k];
      for (int c = 0; c < 3; ++c) {
        (*hessian)(a + c, a + c) += twice, (*hessian)(b + c, b + c) += twice;
        (*hessian)(a + c, b + c) -= twice, (*hessian)(b + c, a + c) -= twice;
      }
    }
  }
  return T(0.5) * strain.dot(tension);
}

}  // namespace strand
