// Definitions shared by the kernels of a joint, the node between edge a and edge b of a rod.
//
// A joint energy is a function of the two edge directions and the two material angles,
//     E(t_a, theta_a, t_b, theta_b),
// with time-parallel frames: while t moves, the material frame of an edge is parallel-transported
// from where it was, and theta turns it about t. Value, gradient and Hessian are taken at the
// point where the frames were last moved to ("source"), where this choice is exact to second
// order. Edge lengths do not enter: `edge.h` maps the result to edge vectors and to nodes.
//
// Kernels are templates over the scalar T: double, or Pack<W> for W joints at once.
//
// Source: M. Bergou et al. 2010, section 4.2; J. Panetta et al., "X-Shells", ACM TOG 38(4), 2019,
// supplement (derivatives at the updated source frame).
#pragma once

#include <Eigen/Dense>
#include <type_traits>

#include "model/geometry/frame.h"

namespace strand {

/// T, not deduced from this argument.
template <class T>
using Given = std::type_identity_t<T>;

/// Gradient over (t_a, theta_a, t_b, theta_b); derivatives by directions are those of a smooth
/// extension to R^3, of which only the component tangential to the sphere is meaningful.
template <class T>
using JointGradientOf = Eigen::Matrix<T, 8, 1>;
using JointGradient = JointGradientOf<double>;

/// Offsets of the blocks in a JointGradient.
enum JointSlot { kTangentA = 0, kAngleA = 3, kTangentB = 4, kAngleB = 7 };

/// Symmetric second derivatives over (t_a, theta_a, t_b, theta_b), in blocks; after
/// DirectionsToEdges (edge.h) over (e_a, theta_a, e_b, theta_b).
template <class T>
struct JointHessianOf {
  Matrix3Of<T> aa, bb, ab;   ///< by the directions: (t_a, t_a), (t_b, t_b), (t_a, t_b)
  Vector3Of<T> mixed[2][2];  ///< [s][r]: by the direction of edge s and the angle of edge r
  T angle_aa, angle_ab, angle_bb;

  void SetZero() {
    aa.setZero(), bb.setZero(), ab.setZero();
    for (auto& row : mixed) {
      for (auto& block : row) block.setZero();
    }
    angle_aa = angle_ab = angle_bb = T(0);
  }

  Matrix3Of<T>& own(int side) { return side ? bb : aa; }
  T& own_angle(int side) { return side ? angle_bb : angle_aa; }

  /// Adds weight * slope slope^T.
  void AddOuter(const T& weight, const JointGradientOf<T>& slope) {
    const Vector3Of<T> a = slope.template segment<3>(kTangentA);
    const Vector3Of<T> b = slope.template segment<3>(kTangentB);
    const Vector3Of<T> wa = weight * a, wb = weight * b;
    aa += wa * a.transpose(), bb += wb * b.transpose(), ab += wa * b.transpose();
    mixed[0][0] += slope[kAngleA] * wa, mixed[0][1] += slope[kAngleB] * wa;
    mixed[1][0] += slope[kAngleA] * wb, mixed[1][1] += slope[kAngleB] * wb;
    angle_aa += weight * slope[kAngleA] * slope[kAngleA];
    angle_ab += weight * slope[kAngleA] * slope[kAngleB];
    angle_bb += weight * slope[kAngleB] * slope[kAngleB];
  }
};
using JointHessian = JointHessianOf<double>;

/// Quantities of the two directions that every joint kernel needs.
template <class T>
struct JointGeometryOf {
  JointGeometryOf(const Vector3Of<T>& a, const Vector3Of<T>& b)
      : t_a(a),
        t_b(b),
        axis(a.cross(b)),
        cosine(a.dot(b)),
        one_minus_cosine(T(0.5) * (b - a).squaredNorm()) {}

  Vector3Of<T> t_a, t_b;
  Vector3Of<T> axis;   ///< t_a x t_b = sin(phi) n, the unscaled curvature binormal
  T cosine;            ///< cos(phi), phi = turning angle
  T one_minus_cosine;  ///< without the cancellation of 1 - cosine at small phi
};
using JointGeometry = JointGeometryOf<double>;

template <class T>
T Norm(const Vector3Of<T>& v) {
  return Sqrt(v.squaredNorm());
}

template <class T>
Matrix3Of<T> CrossMatrix(const Vector3Of<Given<T>>& v) {
  Matrix3Of<T> m;
  m << T(0), -v.z(), v.y(), v.z(), T(0), -v.x(), -v.y(), v.x(), T(0);
  return m;
}

/// Derivatives of a function of c = t_a . t_b alone, with the first and second derivative `slope`
/// and `bend` by c. Gradient and Hessian are overwritten unless null.
template <class T>
void DerivativesByCosine(const JointGeometryOf<T>& joint, const Given<T>& slope,
                         const Given<T>& bend, JointGradientOf<Given<T>>* gradient,
                         JointHessianOf<Given<T>>* hessian) {
  const Vector3Of<T>&a = joint.t_a, &b = joint.t_b;
  if (gradient) *gradient << slope * b, T(0), slope * a, T(0);
  if (hessian) {
    hessian->SetZero();
    hessian->aa = (bend * b) * b.transpose();
    hessian->bb = (bend * a) * a.transpose();
    hessian->ab = (bend * b) * a.transpose();
    hessian->ab.diagonal().array() += slope;
  }
}

/// Couple (N m) that the joint exerts on edge b; edge a gets the opposite one, because E does not
/// change when both edges turn together:  c_b = t_b x (-dE/dt_b) - (dE/dtheta_b) t_b.
template <class T>
Vector3Of<T> CoupleOnB(const JointGeometryOf<T>& joint, const JointGradientOf<T>& gradient) {
  const Vector3Of<T> by_b = gradient.template segment<3>(kTangentB);
  return by_b.cross(joint.t_b) - gradient[kAngleB] * joint.t_b;
}

}  // namespace strand
