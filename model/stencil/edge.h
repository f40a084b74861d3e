// Chain rule shared by all joint kernels: from edge directions to edge vectors and to nodes.
//
// With t = e / |e|, P = I - t t^T and a function E(t) extended smoothly to R^3,
//     dE/de   = P dE/dt / |e|
//     d2E/de2 = [P H P - (g . t) P - (P g t^T + t g^T P)] / |e|^2,  g = dE/dt, H = d2E/dt2.
// Node order of a joint: (x_0, theta_a, x_1, theta_b, x_2), e_a = x_1 - x_0, e_b = x_2 - x_1: the
// interleaved order of the banded solver.
#pragma once

#include "model/stencil/joint.h"

namespace strand {

/// Gradient and Hessian over (x_0, theta_a, x_1, theta_b, x_2). Only the lower triangle of the
/// Hessian is filled.
template <class T>
using NodeGradientOf = Eigen::Matrix<T, 11, 1>;
template <class T>
using NodeHessianOf = Eigen::Matrix<T, 11, 11>;
using NodeGradient = NodeGradientOf<double>;
using NodeHessian = NodeHessianOf<double>;

namespace internal {

/// P_l M P_r with P = I - t t^T.
template <class T>
Matrix3Of<T> Projected(const Matrix3Of<T>& m, const Vector3Of<T>& left, const Vector3Of<T>& right) {
  const Matrix3Of<T> once = m - left * (left.transpose() * m);
  return once - (once * right) * right.transpose();
}

template <class T>
Vector3Of<T> Projected(const Vector3Of<T>& v, const Vector3Of<T>& t) {
  return v - t.dot(v) * t;
}

}  // namespace internal

/// Rewrites derivatives over (t_a, theta_a, t_b, theta_b) as derivatives over
/// (e_a, theta_a, e_b, theta_b). `hessian` may be null; `per_length` = 1 / |e_a|, 1 / |e_b| (1/m).
template <class T>
void DirectionsToEdges(const JointGeometryOf<T>& joint, const T (&per_length)[2],
                       JointGradientOf<T>* gradient, JointHessianOf<Given<T>>* hessian) {
  const Vector3Of<T> tangent[2] = {joint.t_a, joint.t_b};
  const int offset[2] = {kTangentA, kTangentB};
  for (int s = 0; s < 2; ++s) {
    const Vector3Of<T>& t = tangent[s];
    const Vector3Of<T> g = gradient->template segment<3>(offset[s]);
    const T along = g.dot(t);
    const Vector3Of<T> across = g - along * t;
    gradient->template segment<3>(offset[s]) = per_length[s] * across;
    if (!hessian) continue;
    const Matrix3Of<T> turn = (T(0.5) * along * t - across) * t.transpose();
    Matrix3Of<T> own = internal::Projected<T>(hessian->own(s), t, t) + turn + turn.transpose();
    own.diagonal().array() -= along;
    hessian->own(s) = per_length[s] * per_length[s] * own;
    for (auto& mixed : hessian->mixed[s]) {
      mixed = per_length[s] * internal::Projected<T>(mixed, t);
    }
  }
  if (!hessian) return;
  hessian->ab =
      per_length[0] * per_length[1] * internal::Projected<T>(hessian->ab, joint.t_a, joint.t_b);
}

/// Scatters derivatives over (e_a, theta_a, e_b, theta_b) to the nodes.
template <class T>
void EdgesToNodes(const JointGradientOf<T>& gradient, NodeGradientOf<T>* nodes) {
  const auto a = gradient.template segment<3>(kTangentA);
  const auto b = gradient.template segment<3>(kTangentB);
  *nodes << -a, gradient[kAngleA], a - b, gradient[kAngleB], b;
}

template <class T>
void EdgesToNodes(const JointHessianOf<T>& hessian, NodeHessianOf<T>* nodes) {
  const Matrix3Of<T> ba = hessian.ab.transpose();
  nodes->template block<3, 3>(0, 0) = hessian.aa;
  nodes->template block<3, 3>(4, 0) = ba - hessian.aa;
  nodes->template block<3, 3>(4, 4) = hessian.aa + hessian.bb - ba - hessian.ab;
  nodes->template block<3, 3>(8, 0) = -ba;
  nodes->template block<3, 3>(8, 4) = ba - hessian.bb;
  nodes->template block<3, 3>(8, 8) = hessian.bb;
  const auto& mixed = hessian.mixed;
  nodes->template block<1, 3>(3, 0) = -mixed[0][0].transpose();
  nodes->template block<3, 1>(4, 3) = mixed[0][0] - mixed[1][0];
  nodes->template block<3, 1>(8, 3) = mixed[1][0];
  nodes->template block<1, 3>(7, 0) = -mixed[0][1].transpose();
  nodes->template block<1, 3>(7, 4) = (mixed[0][1] - mixed[1][1]).transpose();
  nodes->template block<3, 1>(8, 7) = mixed[1][1];
  (*nodes)(3, 3) = hessian.angle_aa;
  (*nodes)(7, 3) = hessian.angle_ab;
  (*nodes)(7, 7) = hessian.angle_bb;
}

}  // namespace strand
