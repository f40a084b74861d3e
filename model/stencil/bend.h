// Bending energy of a joint, value, gradient and exact Hessian.
//
// Isotropic, naturally straight:
//     E = B F(c) / 2,   B = EI / l   (N m),  l = Voronoi length           [Bergou 2008, eq. 4]
// General: with material curvatures seen from edge s = a, b, or from the frame midway between them,
//     w_j^s = K . m_j^s,  j = 1, 2  (m1, m2 = the frame's y, z axes)
//     middle:      E = 1/2 sum_j B_j (w_j - wbar_j)^2, w_j seen from edge a's frame transported to
//                  b and turned by half of the joint's twist m
//     energies:    E = 1/4 sum_s sum_j B_j (w_j^s - wbar_j^s)^2            [Bergou 2008, eq. 3]
//     curvatures:  E = 1/2 sum_j B_j (w_j - wbar_j)^2, w_j = (w_j^a + w_j^b) / 2
//                                                       [Bergou 2010, section 4; DisMech, eq. 5, 6]
//                  Edge b's frame must be passed turned back by the initial twist of the joint:
//                  the mean of two frames turned by m is shorter by cos(m / 2), and vanishes at
//                  pi. The turn is constant and about the edge itself, so that it commutes with
//                  spin and transport; the derivatives have the same form.
// B_1 = EI_y / l resists bending about y, B_2 = EI_z / l about z. By default they are those of the
// section midway between the edges, which is correct for any twist. Averaged energies add the
// stiffnesses of two sections that are turned against each other: a joint with B_1 >> B_2 bends
// about its softer axis with B_2 cos^2(m / 2) + B_1 sin^2(m / 2). They depend on the edges' own
// frames alone, and need no twist. These two equal the isotropic form exactly, and for planar
// bending all three are equal.
//
// K = g(c) t_a x t_b follows from the curvature measure (curvature_measure.h, with its singular
// set). Hessian: exact at the source frames. Besides the second derivative of K . d for a fixed
// director d, time-parallel transport adds (d K^T + K d^T) / 2 on the director's own edge.
#pragma once

#include <algorithm>
#include <array>

#include "model/stencil/curvature_measure.h"
#include "model/stencil/joint.h"
#include "model/stencil/twist.h"

namespace strand {

/// The frame in which a joint bends, midway between its edges, or the quantity that is averaged
/// over both edges.
enum class BendAverage { kMiddle, kEnergies, kCurvatures };

/// Energy (J) of an isotropic, naturally straight joint of stiffness B = EI / l (N m). Gradient and
/// Hessian are overwritten unless null.
template <class T>
T BendIsotropic(const JointGeometryOf<T>& joint, const Given<T>& stiffness,
                CurvatureMeasure measure, JointGradientOf<Given<T>>* gradient = nullptr,
                JointHessianOf<Given<T>>* hessian = nullptr) {
  const MeasureValueOf<T> m = EvaluateMeasure(measure, joint);
  const T half = T(0.5) * stiffness;
  DerivativesByCosine<T>(joint, half * m.dF, half * m.ddF, gradient, hessian);
  return half * m.F;
}

/// Stiffness and natural state of a general joint.
template <class T>
struct BendRestOf {
  std::array<T, 2> stiffness{};  ///< B_1, B_2 (N m)
  /// wbar[side][j] (rad), side 0 = a, 1 = b; kMiddle: both those in the middle.
  std::array<std::array<T, 2>, 2> natural{};
};
using BendRest = BendRestOf<double>;

/// Twisting stiffness (N m) to assign to a joint so that its total twisting stiffness is
/// `stiffness`. With averaged energies the bending energy of a naturally curved joint resists pure
/// twist as well, with sum_j B_j w_k^2 / 4 (k: the other axis), an error of second order in l. This
/// share is subtracted, but at least half of `stiffness` remains.
inline double CorrectedTwistStiffness(double stiffness, const BendRest& bend) {
  double added = 0;
  for (const auto& w : bend.natural) {
    added += 0.125 * (bend.stiffness[0] * w[1] * w[1] + bend.stiffness[1] * w[0] * w[0]);
  }
  return std::max(stiffness - added, 0.5 * stiffness);
}

/// Integrated material curvatures w_j (rad) of K seen from one edge's frame.
template <class T>
std::array<T, 2> MaterialCurvature(const Vector3Of<T>& binormal, const Matrix3Of<T>& frame) {
  return {binormal.dot(frame.col(1)), binormal.dot(frame.col(2))};
}
inline std::array<double, 2> MaterialCurvature(const Vector3& binormal, const Frame& frame) {
  return MaterialCurvature<double>(binormal, frame);
}

/// The vector normal to the frame's edge with the integrated material curvatures w_j (rad).
inline Vector3 MaterialVector(const std::array<double, 2>& w, const Frame& frame) {
  return w[0] * frame.col(1) + w[1] * frame.col(2);
}

/// The directors (m1, m2), or the curvatures (w_1, w_2), of a frame that is turned about its edge
/// by the angle with this cosine and sine.
template <class V, class T>
std::array<V, 2> TurnedPair(const std::array<V, 2>& pair, const T& cosine, const T& sine) {
  return {cosine * pair[0] + sine * pair[1], cosine * pair[1] - sine * pair[0]};
}

/// The material frames of both edges turned about them to the middle: `half` is half the twist of b
/// against a. K has the same components in both.
template <class T>
void TurnToMiddle(const TwistDirectionOf<T>& half, Matrix3Of<T>* a, Matrix3Of<T>* b) {
  T sine = half.sine;
  for (Matrix3Of<T>* frame : {a, b}) {
    const auto turned =
        TurnedPair<Vector3Of<T>, T>({frame->col(1), frame->col(2)}, half.cosine, sine);
    frame->col(1) = turned[0], frame->col(2) = turned[1];
    sine = -sine;
  }
}

/// Energy from one side (edge) of a joint, and its derivatives by that edge's material angle.
struct BendSide {
  double energy = 0;            ///< sum_j B_j (w_j - wbar_j)^2 / 4
  std::array<double, 2> force;  ///< dE/dw_j
  double by_angle = 0, by_angle_twice = 0;

  BendSide(const std::array<double, 2>& w, const std::array<double, 2>& natural,
           const std::array<double, 2>& stiffness) {
    const double turned[2] = {w[1], -w[0]};  // dw_j/dtheta: m1 turns to m2, m2 to -m1
    for (int j = 0; j < 2; ++j) {
      const double excess = w[j] - natural[j];
      force[j] = 0.5 * stiffness[j] * excess;
      energy += 0.5 * force[j] * excess;
      by_angle += force[j] * turned[j];
      by_angle_twice += 0.5 * stiffness[j] * turned[j] * turned[j] - force[j] * w[j];
    }
  }
};

namespace internal {

/// d(K . d)/d(t_a, t_b) for a fixed director d.
template <class T>
void AddCurvatureGradient(const JointGeometryOf<T>& joint, const MeasureValueOf<T>& m,
                          const Vector3Of<T>& d, JointGradientOf<T>* gradient) {
  const T slope = m.dg * joint.axis.dot(d);
  gradient->template segment<3>(kTangentA) += slope * joint.t_b + m.g * joint.t_b.cross(d);
  gradient->template segment<3>(kTangentB) += slope * joint.t_a + m.g * d.cross(joint.t_a);
}

/// Second derivative of K . d by (t_a, t_b) for a fixed director d.
template <class T>
void AddCurvatureHessian(const JointGeometryOf<T>& joint, const MeasureValueOf<T>& m,
                         const Vector3Of<T>& d, JointHessianOf<T>* hessian) {
  const Vector3Of<T>&a = joint.t_a, &b = joint.t_b;
  const T q = joint.axis.dot(d);
  const Vector3Of<T> bd = m.dg * b.cross(d), da = m.dg * d.cross(a);
  const Vector3Of<T> bend_b = T(0.5) * m.ddg * q * b + bd, bend_a = T(0.5) * m.ddg * q * a + da;
  const Matrix3Of<T> aa = bend_b * b.transpose(), bb = bend_a * a.transpose();
  hessian->aa += aa + aa.transpose();
  hessian->bb += bb + bb.transpose();
  hessian->ab +=
      b * (m.ddg * q * a + da).transpose() + bd * a.transpose() - CrossMatrix<T>(m.g * d);
  hessian->ab.diagonal().array() += m.dg * q;
}

/// Hessian terms with second derivatives of the curvatures, from the forces dE/dw_j^s. They are
/// linear in the directors, so that one evaluation with the sum of all directors suffices.
template <class T>
void AddBendCurvature(const JointGeometryOf<T>& joint, const MeasureValueOf<T>& m,
                      const Vector3Of<T> (&force)[2], const Vector3Of<T> (&turned)[2],
                      JointHessianOf<T>* hessian) {
  AddCurvatureHessian<T>(joint, m, force[0] + force[1], hessian);
  const Vector3Of<T> half_binormal = T(0.5) * m.g * joint.axis;
  for (int s = 0; s < 2; ++s) {
    const Matrix3Of<T> transport = force[s] * half_binormal.transpose();
    hessian->own(s) += transport + transport.transpose();
    hessian->own_angle(s) -= T(2) * half_binormal.dot(force[s]);
    JointGradientOf<T> slope = JointGradientOf<T>::Zero();
    AddCurvatureGradient<T>(joint, m, turned[s], &slope);
    hessian->mixed[0][s] += slope.template segment<3>(kTangentA);
    hessian->mixed[1][s] += slope.template segment<3>(kTangentB);
  }
}

/// Hessian terms with products of the curvatures' first derivatives.
template <class T>
void AddBendSlopes(const JointGeometryOf<T>& joint, const MeasureValueOf<T>& m,
                   const Matrix3Of<T>& a, const Matrix3Of<T>& b, const std::array<T, 2>& stiffness,
                   const std::array<T, 2> (&w)[2], BendAverage average,
                   JointHessianOf<T>* hessian) {
  for (int j = 0; j < 2; ++j) {
    JointGradientOf<T> slope[2];
    for (int s = 0; s < 2; ++s) {
      slope[s].setZero();
      AddCurvatureGradient<T>(joint, m, (s ? b : a).col(1 + j), &slope[s]);
      slope[s][s ? kAngleB : kAngleA] = j == 0 ? w[s][1] : -w[s][0];
    }
    if (average == BendAverage::kCurvatures) {
      hessian->AddOuter(T(0.25) * stiffness[j], slope[0] + slope[1]);
    } else {
      for (const auto& one : slope) hessian->AddOuter(T(0.5) * stiffness[j], one);
    }
  }
}

/// BendMaterial with the curvature measure at hand.
template <class T>
T BendMeasured(const JointGeometryOf<T>& joint, const MeasureValueOf<T>& m, const Matrix3Of<T>& a,
               const Matrix3Of<T>& b, const BendRestOf<T>& rest, BendAverage average,
               JointGradientOf<T>* gradient, JointHessianOf<T>* hessian) {
  const Vector3Of<T> binormal = m.g * joint.axis;
  const std::array<T, 2> w[2] = {MaterialCurvature<T>(binormal, a),
                                 MaterialCurvature<T>(binormal, b)};
  std::array<T, 2> excess[2];
  T energy(0);
  for (int j = 0; j < 2; ++j) {
    for (int s = 0; s < 2; ++s) excess[s][j] = w[s][j] - rest.natural[s][j];
    if (average == BendAverage::kCurvatures) {
      excess[0][j] = excess[1][j] = T(0.5) * (excess[0][j] + excess[1][j]);
    }
    const T squares = excess[0][j] * excess[0][j] + excess[1][j] * excess[1][j];
    energy += T(0.25) * rest.stiffness[j] * squares;
  }
  if (!gradient && !hessian) return energy;
  // sum_j dE/dw_j^s m_j^s, and its derivative by the angle of edge s
  Vector3Of<T> force[2], turned[2];
  for (int s = 0; s < 2; ++s) {
    const Matrix3Of<T>& frame = s ? b : a;
    const T f1 = T(0.5) * rest.stiffness[0] * excess[s][0];
    const T f2 = T(0.5) * rest.stiffness[1] * excess[s][1];
    force[s] = f1 * frame.col(1) + f2 * frame.col(2);
    turned[s] = f1 * frame.col(2) - f2 * frame.col(1);
  }
  if (gradient) {
    gradient->setZero();
    AddCurvatureGradient<T>(joint, m, force[0] + force[1], gradient);
    (*gradient)[kAngleA] = binormal.dot(turned[0]);
    (*gradient)[kAngleB] = binormal.dot(turned[1]);
  }
  if (hessian) {
    hessian->SetZero();
    AddBendCurvature<T>(joint, m, force, turned, hessian);
    AddBendSlopes<T>(joint, m, a, b, rest.stiffness, w, average, hessian);
  }
  return energy;
}

}  // namespace internal

/// Energy (J) of a general joint by averaged energies or curvatures; `a`, `b` are the material
/// frames of the two edges. Gradient and Hessian are overwritten unless null.
template <class T>
T BendMaterial(const JointGeometryOf<T>& joint, const Matrix3Of<Given<T>>& a,
               const Matrix3Of<Given<T>>& b, const BendRestOf<Given<T>>& rest,
               CurvatureMeasure measure, BendAverage average,
               JointGradientOf<Given<T>>* gradient = nullptr,
               JointHessianOf<Given<T>>* hessian = nullptr) {
  return internal::BendMeasured<T>(joint, EvaluateMeasure(measure, joint), a, b, rest, average,
                                   gradient, hessian);
}

/// Energy (J) of a general joint that bends in the frame midway between its edges, whose material
/// frames are `a` and `b`; `twist` (rad) of the joint. Gradient and Hessian are overwritten unless
/// null.
///
/// For frames turned by fixed angles to where the middle is, this is the energy E_c of averaged
/// curvatures. At the middle, E_c does not change in first order with those angles. Hence the
/// gradients are equal, and since that holds at every configuration, the Hessian is that of E_c
/// less d2E_c/dm^2 = -sum_j B_j (w_j - wbar_j) w_j / 4 times the products of the slopes of m.
template <class T>
T BendMiddle(const JointGeometryOf<T>& joint, Matrix3Of<Given<T>> a, Matrix3Of<Given<T>> b,
             const Given<T>& twist, const BendRestOf<Given<T>>& rest, CurvatureMeasure measure,
             JointGradientOf<Given<T>>* gradient = nullptr,
             JointHessianOf<Given<T>>* hessian = nullptr) {
  TurnToMiddle<T>(HalfTurn<T>(TwistDirection<T>(a, b), twist), &a, &b);
  const MeasureValueOf<T> m = EvaluateMeasure(measure, joint);
  const T energy =
      internal::BendMeasured<T>(joint, m, a, b, rest, BendAverage::kCurvatures, gradient, hessian);
  if (hessian) {
    const std::array<T, 2> w = MaterialCurvature<T>(Vector3Of<T>(m.g * joint.axis), a);
    T weight(0);
    for (int j = 0; j < 2; ++j) {
      weight += T(0.25) * rest.stiffness[j] * (w[j] - rest.natural[0][j]) * w[j];
    }
    JointGradientOf<T> slope;
    const Vector3Of<T> half_binormal = TwistSlope(joint);
    slope << half_binormal, T(-1), half_binormal, T(1);
    hessian->AddOuter(weight, slope);
  }
  return energy;
}

}  // namespace strand
