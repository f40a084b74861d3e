// Twisting energy of a joint, value, gradient and exact Hessian.
//
//     E = C (m - mbar)^2 / 2,   C = GJ / l (N m),  l = Voronoi length      [Bergou 2010, eq. 2]
// m (rad, any number of turns) is the twist of b's material frame against a's, counted from
// parallel transport over the joint. With time-parallel frames
//     dm/dtheta_b = 1 = -dm/dtheta_a,   dm/dt_a = dm/dt_b = t_a x t_b / (1 + c)
// (half the curvature binormal; Bergou 2010, section 4.2), and the second derivative is the
// symmetric part of this one's: its antisymmetric part is the holonomy of the time-parallel
// frame itself. Exact at the source frames. Singular: t_b = -t_a (guarded, finite).
#pragma once

#include "model/stencil/joint.h"

namespace strand {

struct TwistRest {
  double stiffness = 0;  ///< C = GJ / l (N m)
  double natural = 0;    ///< mbar (rad)
};

/// Twisting moment C (m - mbar) (N m).
inline double TwistMoment(const TwistRest& rest, double twist) {
  return rest.stiffness * (twist - rest.natural);
}

/// E = C (m - mbar)^2 / 2 (J).
inline double TwistEnergy(const TwistRest& rest, double twist) {
  return 0.5 * TwistMoment(rest, twist) * (twist - rest.natural);
}

/// Energy (J) at twist m; the gradient and Hessian are added to, so that bending can go before.
inline double AddTwist(const JointGeometry& joint, double twist, const TwistRest& rest,
                       JointGradient* gradient = nullptr, JointHessian* hessian = nullptr) {
  const double moment = TwistMoment(rest, twist);
  const double y = FoldGuarded(1 + joint.cosine);
  const Vector3 half_binormal = joint.axis / y;
  if (gradient) {
    gradient->segment<3>(kTangentA) += moment * half_binormal;
    gradient->segment<3>(kTangentB) += moment * half_binormal;
    (*gradient)[kAngleA] -= moment;
    (*gradient)[kAngleB] += moment;
  }
  if (hessian) {
    JointGradient slope;
    slope << half_binormal, -1, half_binormal, 1;
    *hessian += rest.stiffness * slope * slope.transpose();
    // derivative of axis / y:  by t_b  [t_a]x / y - axis t_a^T / y^2,  by t_a  -[t_b]x / y - ...
    const Eigen::Matrix3d by_a =
        -CrossMatrix(joint.t_b) / y - joint.axis * joint.t_b.transpose() / (y * y);
    const Eigen::Matrix3d by_b =
        CrossMatrix(joint.t_a) / y - joint.axis * joint.t_a.transpose() / (y * y);
    hessian->block<3, 3>(kTangentA, kTangentA) += 0.5 * moment * (by_a + by_a.transpose());
    hessian->block<3, 3>(kTangentB, kTangentB) += 0.5 * moment * (by_b + by_b.transpose());
    hessian->block<3, 3>(kTangentA, kTangentB) += moment * by_b;
    hessian->block<3, 3>(kTangentB, kTangentA) += moment * by_b.transpose();
  }
  return TwistEnergy(rest, twist);
}

}  // namespace strand
