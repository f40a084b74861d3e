// From edge directions to edge vectors and to nodes: the chain rule every joint kernel shares.
//
// With t = e / |e|, P = I - t t^T and a function E(t) extended smoothly to R^3,
//     dE/de   = P dE/dt / |e|
//     d2E/de2 = [P H P - (g . t) P - (P g t^T + t g^T P)] / |e|^2,  g = dE/dt, H = d2E/dt2.
// Node order of a joint: (x_0, theta_a, x_1, theta_b, x_2), e_a = x_1 - x_0, e_b = x_2 - x_1: the
// interleaved order of the banded solver.
#pragma once

#include "model/stencil/joint.h"

namespace strand {

/// Gradient and Hessian over (x_0, theta_a, x_1, theta_b, x_2).
using NodeGradient = Eigen::Matrix<double, 11, 1>;
using NodeHessian = Eigen::Matrix<double, 11, 11>;

/// Rewrites derivatives over (t_a, theta_a, t_b, theta_b) as derivatives over
/// (e_a, theta_a, e_b, theta_b). `hessian` may be null; lengths in m.
inline void DirectionsToEdges(const JointGeometry& joint, double length_a, double length_b,
                              JointGradient* gradient, JointHessian* hessian) {
  using Matrix3 = Eigen::Matrix3d;
  JointHessian chain = JointHessian::Identity();
  const int offset[2] = {kTangentA, kTangentB};
  const Vector3 tangent[2] = {joint.t_a, joint.t_b};
  const double length[2] = {length_a, length_b};
  Matrix3 curvature[2];  // second derivative of t(e), contracted with the gradient
  for (int s = 0; s < 2; ++s) {
    const Vector3& t = tangent[s];
    const Vector3 g = gradient->segment<3>(offset[s]);
    const Matrix3 projector = Matrix3::Identity() - t * t.transpose();
    chain.block<3, 3>(offset[s], offset[s]) = projector / length[s];
    const Vector3 pg = projector * g;
    curvature[s] =
        -(g.dot(t) * projector + pg * t.transpose() + t * pg.transpose()) / (length[s] * length[s]);
  }
  *gradient = chain * *gradient;
  if (!hessian) return;
  *hessian = chain * *hessian * chain;
  for (int s = 0; s < 2; ++s) hessian->block<3, 3>(offset[s], offset[s]) += curvature[s];
}

/// Scatters derivatives over (e_a, theta_a, e_b, theta_b) to the nodes.
inline void EdgesToNodes(const JointGradient& gradient, const JointHessian* hessian,
                         NodeGradient* node_gradient, NodeHessian* node_hessian) {
  Eigen::Matrix<double, 8, 11> difference = Eigen::Matrix<double, 8, 11>::Zero();
  const auto identity = Eigen::Matrix3d::Identity();
  difference.block<3, 3>(kTangentA, 0) = -identity;
  difference.block<3, 3>(kTangentA, 4) = identity;
  difference(kAngleA, 3) = 1;
  difference.block<3, 3>(kTangentB, 4) = -identity;
  difference.block<3, 3>(kTangentB, 8) = identity;
  difference(kAngleB, 7) = 1;
  *node_gradient = difference.transpose() * gradient;
  if (hessian) *node_hessian = difference.transpose() * *hessian * difference;
}

}  // namespace strand
