// Angle between two triangles that share an edge, with its gradient and exact Hessian.
//
// Nodes: x_0 to x_1 along the edge, the wings x_2 to its left and x_3 to its right, seen from the
// side that the normals n_0 = e x (x_2 - x_0), n_1 = (x_3 - x_0) x e point to. The angle is 0 if
// flat and positive if folded towards the normals (a valley seen from that side):
//     phi = atan2(e . (n_1 x n_0) / |e|, n_0 . n_1)
// It does not change if the edge's nodes and the wings are both swapped. The gradient is the sum of
// the rotations of the two triangles: with e^ = e / |e|, N = n / |n|^2, u = (x_wing - x_0) . e^
//     dphi/dx_wing = |e| N,  dphi/dx_1 = -u N,  dphi/dx_0 = -(|e| - u) N
// [the lever arms of the triangle's plane; R. Bridson et al., "Simulation of clothing with folds
// and wrinkles", SCA 2003, section 4]. Each triangle's term depends on its own nodes alone, and
// the Hessian is the sum of the terms' derivatives.
// Singular: a triangle without area. The atan2 jumps by 2 pi where a fold closes (phi = +-pi); of
// the angles equal to it modulo 2 pi, phi is the one nearest to a given angle, for example that at
// the start of a time step, so that sheets without contact fold through themselves continuously.
#pragma once

#include "model/stencil/joint.h"

namespace strand {

template <class T>
using HingeGradientOf = Eigen::Matrix<T, 12, 1>;
/// Only the lower triangle is filled.
template <class T>
using HingeHessianOf = Eigen::Matrix<T, 12, 12>;

/// One triangle: the rotation of its plane about the edge.
template <class T>
struct HingeWingOf {
  T length, foot;        ///< |e|, u (m)
  Vector3Of<T> along;    ///< e^
  Vector3Of<T> normal;   ///< n (m^2)
  Vector3Of<T> turning;  ///< N = n / |n|^2 (1/m^2)
  Vector3Of<T> wing;     ///< x_wing - x_0
  T side;                ///< +1 left, -1 right: n = side e x wing

  HingeWingOf(const Vector3Of<T>& e, const Vector3Of<T>& from_x0, double of_side)
      : length(Norm<T>(e)), along(e / length), wing(from_x0), side(of_side) {
    foot = wing.dot(along);
    normal = side * e.cross(wing);
    turning = normal / normal.squaredNorm();
  }

  /// Derivatives of N by x_0, x_1 and the wing's node.
  std::array<Matrix3Of<T>, 3> TurningByNodes() const {
    const T square = normal.squaredNorm();
    const auto by = [&](const Vector3Of<T>& arm) {  // dn = arm x dx; N' = (I - 2 n^ n^T) n' / |n|^2
      const Matrix3Of<T> cross = CrossMatrix<T>(arm);
      return Matrix3Of<T>((cross - (T(2) * turning) * normal.cross(arm).transpose()) / square);
    };
    const Matrix3Of<T> x1 = by(-side * wing), x2 = by(side * length * along);
    return {Matrix3Of<T>(-x1 - x2), x1, x2};
  }

  /// Derivatives of u by x_0, x_1 and the wing's node.
  std::array<Vector3Of<T>, 3> FootByNodes() const {
    const Vector3Of<T> x1 = (wing - foot * along) / length;
    return {Vector3Of<T>(-along - x1), x1, along};
  }
};

template <class T>
struct HingeOf {
  HingeWingOf<T> left, right;

  HingeOf(const Vector3Of<T>& x0, const Vector3Of<T>& x1, const Vector3Of<T>& x2,
          const Vector3Of<T>& x3)
      : left(x1 - x0, x2 - x0, 1), right(x1 - x0, x3 - x0, -1) {}

  /// rad, in (-pi, pi]
  T Angle() const {
    const T sine = left.along.dot(right.normal.cross(left.normal));
    return Atan2(sine, T(left.normal.dot(right.normal)));
  }
  /// rad, the one nearest to `near`
  T AngleNear(const T& near) const { return Unwrap(Angle(), near); }

  HingeGradientOf<T> Gradient() const {
    HingeGradientOf<T> gradient;
    const T length = left.length;
    gradient.template segment<3>(6) = length * left.turning;
    gradient.template segment<3>(9) = length * right.turning;
    gradient.template segment<3>(3) = -left.foot * left.turning - right.foot * right.turning;
    gradient.template segment<3>(0) = -gradient.template segment<3>(3) -
                                      gradient.template segment<3>(6) -
                                      gradient.template segment<3>(9);
    return gradient;
  }

  /// Adds `factor` times the Hessian.
  void AddHessian(const Given<T>& factor, HingeHessianOf<Given<T>>* hessian) const {
    Matrix3Of<T> x1_by_x0 = Matrix3Of<T>::Zero(), x1_by_x1 = x1_by_x0, x0_by_x0 = x1_by_x0;
    for (int w : {0, 1}) {
      const HingeWingOf<T>& of = w ? right : left;
      const std::array<Matrix3Of<T>, 3> turning = of.TurningByNodes();
      const std::array<Vector3Of<T>, 3> foot = of.FootByNodes();
      const auto by = [&](int node) {  // the wing's row: derivative of |e| N
        Matrix3Of<T> block = of.length * turning[node];
        if (node < 2) block += of.turning * ((node ? T(1) : T(-1)) * of.along).transpose();
        return block;
      };
      const Matrix3Of<T> wing_by_x0 = by(0), wing_by_x1 = by(1), wing_by_wing = by(2);
      const Matrix3Of<T> first = of.foot * turning[0] + of.turning * foot[0].transpose();
      x1_by_x0 -= first;
      x1_by_x1 -= of.foot * turning[1] + of.turning * foot[1].transpose();
      x0_by_x0 += first - wing_by_x0;
      const int row = 6 + 3 * w;
      hessian->template block<3, 3>(row, 0) += factor * wing_by_x0;
      hessian->template block<3, 3>(row, 3) += factor * wing_by_x1;
      hessian->template block<3, 3>(row, row) += factor * wing_by_wing;
    }
    hessian->template block<3, 3>(0, 0) += factor * x0_by_x0;
    hessian->template block<3, 3>(3, 0) += factor * x1_by_x0;
    hessian->template block<3, 3>(3, 3) += factor * x1_by_x1;
  }
};
using Hinge = HingeOf<double>;

/// E = B (phi - phibar)^2 / 2 (J), with the phi nearest to `near` (rad). [MAT-DiSMech, eq. 17] The
/// gradient and the lower triangle of the Hessian are overwritten unless null.
template <class T>
T BendHinge(const HingeOf<T>& hinge, const Given<T>& stiffness, const Given<T>& natural,
            const Given<T>& near, HingeGradientOf<Given<T>>* gradient = nullptr,
            HingeHessianOf<Given<T>>* hessian = nullptr) {
  const T excess = hinge.AngleNear(near) - natural;
  const T moment = stiffness * excess;
  if (gradient) {
    const HingeGradientOf<T> slope = hinge.Gradient();
    *gradient = moment * slope;
    if (hessian) {
      const HingeGradientOf<T> stiff = stiffness * slope;
      for (int c = 0; c < 12; ++c) {
        for (int r = c; r < 12; ++r) (*hessian)(r, c) = stiff[r] * slope[c];
      }
      hinge.AddHessian(moment, hessian);
    }
  }
  return T(0.5) * moment * excess;
}

}  // namespace strand
