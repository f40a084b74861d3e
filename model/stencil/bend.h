// Bending energy of a joint, value, gradient and exact Hessian.
//
// Isotropic, naturally straight:
//     E = B F(c) / 2,   B = EI / l   (N m),  l = Voronoi length           [Bergou 2008, eq. 4]
// General: with material curvatures seen from edge s = a, b,
//     w_j^s = K . m_j^s,  j = 1, 2  (m1, m2 = the link frame's y, z axes)
//     E = 1/4 sum_s sum_j B_j (w_j^s - wbar_j^s)^2                         [Bergou 2008, eq. 3]
// B_1 = EI_y / l resists bending about y, B_2 = EI_z / l about z. The average runs over the two
// *energies*, not the two curvatures (Bergou 2010), so that the value depends on the edges' own
// frames alone, is right for any twist between them (at 40 links and 27 turns that is 250 degrees
// per joint, where averaged directors cancel), and equals the isotropic form exactly.
//
// K = g(c) t_a x t_b is the curvature measure's (curvature_measure.h; singular set there).
// Hessian: exact at the source frames. Besides the second derivative of K . d for a fixed
// director d, time-parallel transport adds (d K^T + K d^T) / 2 on the director's own edge.
#pragma once

#include <array>

#include "model/stencil/curvature_measure.h"
#include "model/stencil/joint.h"

namespace strand {

/// Energy (J) of an isotropic, naturally straight joint of stiffness B = EI / l (N m). The
/// gradient and the Hessian are overwritten where asked for.
inline double BendIsotropic(const JointGeometry& joint, double stiffness, CurvatureMeasure measure,
                            JointGradient* gradient = nullptr, JointHessian* hessian = nullptr) {
  const MeasureValue m = EvaluateMeasure(measure, joint);
  const double half = 0.5 * stiffness;
  if (gradient) {
    gradient->setZero();
    gradient->segment<3>(kTangentA) = half * m.dF * joint.t_b;
    gradient->segment<3>(kTangentB) = half * m.dF * joint.t_a;
  }
  if (hessian) {
    hessian->setZero();
    const Vector3 &a = joint.t_a, &b = joint.t_b;
    hessian->block<3, 3>(kTangentA, kTangentA) = half * m.ddF * b * b.transpose();
    hessian->block<3, 3>(kTangentB, kTangentB) = half * m.ddF * a * a.transpose();
    const Eigen::Matrix3d mixed =
        half * (m.ddF * b * a.transpose() + m.dF * Eigen::Matrix3d::Identity());
    hessian->block<3, 3>(kTangentA, kTangentB) = mixed;
    hessian->block<3, 3>(kTangentB, kTangentA) = mixed.transpose();
  }
  return half * m.F;
}

/// Stiffness and natural state of a general joint.
struct BendRest {
  std::array<double, 2> stiffness{};               ///< B_1, B_2 (N m)
  std::array<std::array<double, 2>, 2> natural{};  ///< wbar[side][j] (rad), side 0 = a, 1 = b
};

/// Integrated material curvatures w_j (rad) of K seen from one edge's frame.
inline std::array<double, 2> MaterialCurvature(const Vector3& binormal, const Frame& frame) {
  return {binormal.dot(frame.col(1)), binormal.dot(frame.col(2))};
}

/// Energy that one side (edge) of a joint sees, and its derivatives by that edge's material angle.
struct BendSide {
  double energy = 0;            ///< sum_j B_j (w_j - wbar_j)^2 / 4
  std::array<double, 2> force;  ///< dE/dw_j
  double by_angle = 0, by_angle_twice = 0;

  BendSide(const std::array<double, 2>& w, const std::array<double, 2>& natural,
           const std::array<double, 2>& stiffness) {
    const double turned[2] = {w[1], -w[0]};  // dw_j/dtheta: m1 goes to m2, m2 to -m1
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

/// d(K . d)/d(t_a, t_b) of a director d that stands still.
inline void AddCurvatureGradient(const JointGeometry& joint, const MeasureValue& m,
                                 const Vector3& d, double weight, JointGradient* gradient) {
  const double q = joint.axis.dot(d);
  gradient->segment<3>(kTangentA) += weight * (m.dg * q * joint.t_b + m.g * joint.t_b.cross(d));
  gradient->segment<3>(kTangentB) += weight * (m.dg * q * joint.t_a + m.g * d.cross(joint.t_a));
}

/// Second derivative of K . d by (t_a, t_b), with the transport of d along its own edge.
inline void AddCurvatureHessian(const JointGeometry& joint, const MeasureValue& m, const Vector3& d,
                                int own_edge, double weight, JointHessian* hessian) {
  using Matrix3 = Eigen::Matrix3d;
  const Vector3 &a = joint.t_a, &b = joint.t_b;
  const double q = joint.axis.dot(d);
  const Vector3 bd = b.cross(d), da = d.cross(a);
  const Matrix3 aa =
      m.ddg * q * b * b.transpose() + m.dg * (b * bd.transpose() + bd * b.transpose());
  const Matrix3 bb =
      m.ddg * q * a * a.transpose() + m.dg * (a * da.transpose() + da * a.transpose());
  const Matrix3 ab = m.ddg * q * b * a.transpose() + m.dg * q * Matrix3::Identity() +
                     m.dg * (b * da.transpose() + bd * a.transpose()) - m.g * CrossMatrix(d);
  hessian->block<3, 3>(kTangentA, kTangentA) += weight * aa;
  hessian->block<3, 3>(kTangentB, kTangentB) += weight * bb;
  hessian->block<3, 3>(kTangentA, kTangentB) += weight * ab;
  hessian->block<3, 3>(kTangentB, kTangentA) += weight * ab.transpose();
  const Vector3 binormal = m.g * joint.axis;
  hessian->block<3, 3>(own_edge, own_edge) +=
      0.5 * weight * (d * binormal.transpose() + binormal * d.transpose());
}

}  // namespace internal

/// Energy (J) of a general joint; `a`, `b` are the material frames of the two edges.
inline double BendMaterial(const JointGeometry& joint, const Frame& a, const Frame& b,
                           const BendRest& rest, CurvatureMeasure measure,
                           JointGradient* gradient = nullptr, JointHessian* hessian = nullptr) {
  const MeasureValue m = EvaluateMeasure(measure, joint);
  const Vector3 binormal = m.g * joint.axis;
  if (gradient) gradient->setZero();
  if (hessian) hessian->setZero();
  double energy = 0;
  for (int side = 0; side < 2; ++side) {
    const Frame& frame = side ? b : a;
    const int tangent = side ? kTangentB : kTangentA, angle = side ? kAngleB : kAngleA;
    const BendSide bend(MaterialCurvature(binormal, frame), rest.natural[side], rest.stiffness);
    energy += bend.energy;
    if (gradient) {
      for (int j = 0; j < 2; ++j) {
        internal::AddCurvatureGradient(joint, m, frame.col(1 + j), bend.force[j], gradient);
      }
      (*gradient)[angle] += bend.by_angle;
    }
    if (hessian) {
      JointGradient slope[2] = {JointGradient::Zero(), JointGradient::Zero()};
      for (int j = 0; j < 2; ++j) {
        internal::AddCurvatureGradient(joint, m, frame.col(1 + j), 1, &slope[j]);
      }
      const double turned[2] = {binormal.dot(frame.col(2)), -binormal.dot(frame.col(1))};
      for (int j = 0; j < 2; ++j) {
        JointGradient mixed = 0.5 * rest.stiffness[j] * turned[j] * slope[j];
        mixed += (j == 0 ? 1 : -1) * bend.force[j] * slope[1 - j];
        *hessian += 0.5 * rest.stiffness[j] * slope[j] * slope[j].transpose();
        internal::AddCurvatureHessian(joint, m, frame.col(1 + j), tangent, bend.force[j], hessian);
        hessian->row(angle) += mixed.transpose();
        hessian->col(angle) += mixed;
      }
      (*hessian)(angle, angle) += bend.by_angle_twice;
    }
  }
  return energy;
}

}  // namespace strand
