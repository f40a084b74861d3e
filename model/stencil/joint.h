// Shared by the kernels of a joint: the node between edge a and edge b of a rod.
//
// A joint energy is a function of the two edge directions and the two material angles,
//     E(t_a, theta_a, t_b, theta_b),
// with time-parallel frames: while t moves, the material frame of an edge is parallel-transported
// from where it was, and theta turns it about t. Value, gradient and Hessian are taken at the
// point where the frames were last moved to ("source"), where this choice is exact to second
// order. Edge lengths do not enter: `edge.h` maps the result to edge vectors and to nodes.
//
// Source: M. Bergou et al. 2010, section 4.2; J. Panetta et al., "X-Shells", ACM TOG 38(4), 2019,
// supplement (derivatives at the updated source frame).
#pragma once

#include <Eigen/Dense>

#include "model/geometry/frame.h"

namespace strand {

/// Gradient over (t_a, theta_a, t_b, theta_b); derivatives by directions are those of a smooth
/// extension to R^3, of which only the part tangential to the sphere has meaning.
using JointGradient = Eigen::Matrix<double, 8, 1>;
using JointHessian = Eigen::Matrix<double, 8, 8>;

/// Offsets of the blocks in a JointGradient.
enum JointSlot { kTangentA = 0, kAngleA = 3, kTangentB = 4, kAngleB = 7 };

/// What every joint kernel needs of the two directions.
struct JointGeometry {
  JointGeometry(const Vector3& a, const Vector3& b)
      : t_a(a),
        t_b(b),
        axis(a.cross(b)),
        cosine(a.dot(b)),
        one_minus_cosine(0.5 * (b - a).squaredNorm()) {}

  Vector3 t_a, t_b;
  Vector3 axis;             ///< t_a x t_b = sin(phi) n, the unscaled curvature binormal
  double cosine;            ///< cos(phi), phi = turning angle
  double one_minus_cosine;  ///< without the cancellation of 1 - cosine at small phi
};

inline Eigen::Matrix3d CrossMatrix(const Vector3& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// Couple (N m) that the joint puts on edge b; edge a gets the opposite one, because E does not
/// change when both edges turn together:  c_b = t_b x (-dE/dt_b) - (dE/dtheta_b) t_b.
inline Vector3 CoupleOnB(const JointGeometry& joint, const JointGradient& gradient) {
  return gradient.segment<3>(kTangentB).cross(joint.t_b) - gradient[kAngleB] * joint.t_b;
}

}  // namespace strand
