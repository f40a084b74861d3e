// Twisting energy of a joint, value, gradient and exact Hessian.
//
//     E = C (m - mbar)^2 / 2,   C = GJ / l (N m),  l = Voronoi length      [Bergou 2010, eq. 2]
// m (rad, full turns counted) is the twist of b's material frame against a's, relative to parallel
// transport over the joint. With time-parallel frames
//     dm/dtheta_b = 1 = -dm/dtheta_a,   dm/dt_a = dm/dt_b = t_a x t_b / (1 + c)
// (half the curvature binormal; Bergou 2010, section 4.2), and the Hessian is the
// symmetric part of the Jacobian of this gradient. The antisymmetric part is the holonomy of the
// time-parallel frame. Exact at the source frames. Singular: t_b = -t_a (guarded, finite).
#pragma once

#include "model/stencil/joint.h"

namespace strand {

template <class T>
struct TwistRestOf {
  T stiffness = T(0);  ///< C = GJ / l (N m)
  T natural = T(0);    ///< mbar (rad)
};
using TwistRest = TwistRestOf<double>;

/// Twisting moment C (m - mbar) (N m).
template <class T>
T TwistMoment(const TwistRestOf<T>& rest, const Given<T>& twist) {
  return rest.stiffness * (twist - rest.natural);
}

/// E = C (m - mbar)^2 / 2 (J).
template <class T>
T TwistEnergy(const TwistRestOf<T>& rest, const Given<T>& twist) {
  return T(0.5) * TwistMoment(rest, twist) * (twist - rest.natural);
}

/// Adds `moment` times the second derivative of m.
template <class T>
void AddTwistCurvature(const JointGeometryOf<T>& joint, const Given<T>& moment,
                       JointHessianOf<T>* hessian) {
  const T per_y = T(1) / FoldGuarded<T>(T(1) + joint.cosine);
  // derivative of axis / y:  by t_a  -[t_b]x / y - axis t_b^T / y^2,  by t_b  [t_a]x / y - ...
  const Vector3Of<T> half = T(-0.5) * moment * per_y * per_y * joint.axis;
  const Matrix3Of<T> by_a = half * joint.t_b.transpose(), by_b = half * joint.t_a.transpose();
  hessian->aa += by_a + by_a.transpose();
  hessian->bb += by_b + by_b.transpose();
  hessian->ab += T(2) * by_b + CrossMatrix<T>(moment * per_y * joint.t_a);
}

/// dm by the two directions: half the curvature binormal; by the angles it is -1 and 1.
template <class T>
Vector3Of<T> TwistSlope(const JointGeometryOf<T>& joint) {
  return joint.axis * (T(1) / FoldGuarded<T>(T(1) + joint.cosine));
}

/// Energy (J) at twist m. Adds to gradient and Hessian, which bending may have filled before.
template <class T>
T AddTwist(const JointGeometryOf<T>& joint, const Given<T>& twist,
           const TwistRestOf<Given<T>>& rest, JointGradientOf<Given<T>>* gradient = nullptr,
           JointHessianOf<Given<T>>* hessian = nullptr) {
  const T moment = TwistMoment(rest, twist);
  const Vector3Of<T> half_binormal = TwistSlope(joint);
  if (gradient) {
    gradient->template segment<3>(kTangentA) += moment * half_binormal;
    gradient->template segment<3>(kTangentB) += moment * half_binormal;
    (*gradient)[kAngleA] -= moment;
    (*gradient)[kAngleB] += moment;
  }
  if (hessian) {
    JointGradientOf<T> slope;
    slope << half_binormal, T(-1), half_binormal, T(1);
    hessian->AddOuter(rest.stiffness, slope);
    AddTwistCurvature<T>(joint, moment, hessian);
  }
  return TwistEnergy(rest, twist);
}

}  // namespace strand
