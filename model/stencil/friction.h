// Coulomb friction at a point of contact: two laws with the same interface and exact derivatives.
//
// Both act against the slip s, F = -f(|s|, N) s / |s| with f <= mu N, N >= 0 the normal force:
//   regularised  s = tangential relative velocity (m/s), f = mu N tanh(K2 |s| / 2), K2 = 15 / nu
//                [Choi et al., DisMech, RA-L 2024, eq. 12, 13: gamma = 2 / (1 + e^(-K2 |s|)) - 1].
//                Smooth in s; under a load T < mu N it creeps at (2 / K2) artanh(T / mu N).
//   anchored     s = tangential displacement from an anchor (m), f = min(k_t |s|, mu N): a spring
//                that yields, by return mapping [Simo & Hughes, Computational Inelasticity, 1998,
//                section 1.4]. It sticks without creep; AdvanceAnchor moves the anchor after a
//                sliding step. Kinks: at k_t |s| = mu N (the derivative is that of sticking) and at
//                N = 0 (that without contact). Newton's method may cycle over the sticking range if
//                it starts outside. Starting inside, where AdvanceAnchor leaves the slip at the
//                start of a step, it does not, in one dimension.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/geometry/frame.h"

namespace strand {

struct FrictionLaw {
  enum class Kind { kRegularised, kAnchored };

  Kind kind = Kind::kRegularised;
  double coefficient = 0;  ///< mu
  double steepness = 0;    ///< regularised: K2 / 2 (s/m)
  double stiffness = 0;    ///< anchored: k_t (N/m)
};

struct FrictionForce {
  Vector3 force = Vector3::Zero();                    ///< F (N)
  Eigen::Matrix3d by_slip = Eigen::Matrix3d::Zero();  ///< dF/ds, symmetric, <= 0
  Vector3 by_normal_force = Vector3::Zero();          ///< dF/dN
};

namespace internal {

inline void CheckFriction(double coefficient, const char* field, double value) {
  if (!(coefficient >= 0) || !std::isfinite(coefficient)) {
    throw ConfigError("coefficient", std::to_string(coefficient), "finite numbers >= 0");
  }
  if (!(value > 0) || !std::isfinite(value)) {
    throw ConfigError(field, std::to_string(value), "finite numbers > 0");
  }
}

}  // namespace internal

/// `slip_tolerance` nu (m/s). Throws ConfigError unless mu >= 0 and nu > 0 are finite.
inline FrictionLaw RegularisedFriction(double coefficient, double slip_tolerance) {
  internal::CheckFriction(coefficient, "slip_tolerance", slip_tolerance);
  return {FrictionLaw::Kind::kRegularised, coefficient, 7.5 / slip_tolerance, 0};
}

/// `stiffness` k_t (N/m). Throws ConfigError unless mu >= 0 and k_t > 0 are finite.
inline FrictionLaw AnchoredFriction(double coefficient, double stiffness) {
  internal::CheckFriction(coefficient, "stiffness", stiffness);
  return {FrictionLaw::Kind::kAnchored, coefficient, 0, stiffness};
}

/// Force at the tangential slip s: m/s if regularised, m if anchored. Zero if N <= 0 (no contact).
inline FrictionForce EvaluateFriction(const FrictionLaw& law, const Vector3& slip,
                                      double normal_force) {
  FrictionForce friction;
  const double limit = law.coefficient * normal_force, length = slip.norm();
  if (!(limit > 0)) return friction;
  const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
  const bool sticks = anchored && law.stiffness * length <= limit;
  // f / |s|, df / d|s|, and the fraction f / (mu N) of the force that is proportional to N.
  double secant = law.stiffness, tangent = law.stiffness, share = 0;
  if (!sticks) {
    share = anchored ? 1 : std::tanh(law.steepness * length);
    secant = length > 0 ? limit * share / length : limit * law.steepness;
    tangent = anchored ? 0 : limit * law.steepness * (1 - share) * (1 + share);
  }
  const Vector3 direction = length > 0 ? Vector3(slip / length) : Vector3::Zero();
  friction.force = -secant * slip;
  friction.by_slip = (secant - tangent) * direction * direction.transpose();
  friction.by_slip.diagonal().array() -= secant;
  friction.by_normal_force = -law.coefficient * share * direction;
  return friction;
}

/// Potential of the law at a slip of this length, for a fixed normal force: its derivative by the
/// slip is f. Unit: J if anchored, N m/s if regularised.
inline double FrictionPotential(const FrictionLaw& law, double slip, double normal_force) {
  const double limit = law.coefficient * normal_force;
  if (!(limit > 0)) return 0;
  if (law.kind == FrictionLaw::Kind::kAnchored) {
    const double yield = limit / law.stiffness;
    return slip <= yield ? 0.5 * law.stiffness * slip * slip : limit * (slip - 0.5 * yield);
  }
  const double x = law.steepness * slip;  // log cosh x in a form that cannot overflow
  return limit / law.steepness * (x + std::log1p(std::exp(-2 * x)) - std::log(2.0));
}

/// Slip (m) to carry to the next step when a step is accepted: all of it when sticking, reduced to
/// the yield limit mu N / k_t when sliding, zero without contact or for the regularised law.
inline Vector3 AdvanceAnchor(const FrictionLaw& law, const Vector3& slip, double normal_force) {
  const double limit = law.coefficient * normal_force, length = slip.norm();
  if (law.kind != FrictionLaw::Kind::kAnchored || !(limit > 0)) return Vector3::Zero();
  if (law.stiffness * length <= limit) return slip;
  // Below the limit by more than round-off, so that the next step starts in the sticking range.
  constexpr double kInside = 1 - 1e-12;
  return kInside * limit / (law.stiffness * length) * slip;
}

/// Whether a contact with this slip (as in EvaluateFriction) sticks, so that a moving surface
/// carries the body along.
inline bool Sticks(const FrictionLaw& law, const Vector3& slip, double normal_force) {
  constexpr double kCreeps = 1.5;  // regularised: tanh(1.5) is 0.9
  if (law.kind == FrictionLaw::Kind::kRegularised) return law.steepness * slip.norm() < kCreeps;
  return law.stiffness * slip.norm() <= law.coefficient * normal_force;
}

/// Rotates the carried slip with the unit normal: tangential again, with the same length.
inline Vector3 RotateAnchor(const Vector3& slip, const Vector3& normal_before,
                            const Vector3& normal_after) {
  return ParallelTransport(slip, normal_before, normal_after);
}

/// A node's contact with a surface: unit normal (from the surface to the node), d normal / dx
/// (1/m), penalty normal force N (N) and its derivative by the gap dN/dgap (N/m, <= 0).
struct PointContact {
  Vector3 normal;
  Eigen::Matrix3d curvature;
  double force;
  double force_by_gap;
};

struct PointFriction {
  Vector3 slip = Vector3::Zero();                         ///< s: m/s or m
  Vector3 force = Vector3::Zero();                        ///< on the node (N)
  Eigen::Matrix3d by_position = Eigen::Matrix3d::Zero();  ///< dF/dx (N/m), not symmetric
};

/// Friction on a node and its exact derivative by the node's position x, through slip, normal and
/// normal force, at s = rate (1 - n n^T) d. With x0 the node at the start of the step and v the
/// surface's velocity:
///   regularised  d = x - x0 - v dt,                    rate = 1 / dt
///   anchored     d = x - x0 - v dt + (carried slip),   rate = 1
inline PointFriction EvaluatePointFriction(const FrictionLaw& law, const PointContact& contact,
                                           const Vector3& displacement, double rate) {
  const Vector3& n = contact.normal;
  const Eigen::Matrix3d& curvature = contact.curvature;
  const double along = n.dot(displacement);
  PointFriction point;
  point.slip = rate * (displacement - along * n);
  const FrictionForce friction = EvaluateFriction(law, point.slip, contact.force);
  point.force = friction.force;
  const Vector3 turned = n + curvature * displacement;  // the curvature is symmetric
  const Eigen::Matrix3d slip_by_position =
      rate * (Eigen::Matrix3d::Identity() - n * turned.transpose() - along * curvature);
  point.by_position.noalias() = friction.by_slip * slip_by_position;
  point.by_position += contact.force_by_gap * friction.by_normal_force * n.transpose();
  return point;
}

/// Frozen unit normal and normal force (N) of a contact. With these frozen, friction has a
/// potential.
struct FrozenContact {
  Vector3 normal = Vector3::Zero();
  double force = 0;
};

struct FrozenFriction {
  double energy = 0;                                          ///< J
  Vector3 force = Vector3::Zero();                            ///< N
  Eigen::Matrix3d by_displacement = Eigen::Matrix3d::Zero();  ///< dF/dd (N/m), symmetric, <= 0
};

/// Friction of a frozen contact at the displacement d (m), with s = rate (1 - n n^T) d.
inline FrozenFriction EvaluateFrozenFriction(const FrictionLaw& law, const FrozenContact& contact,
                                             const Vector3& displacement, double rate) {
  const PointContact still{contact.normal, Eigen::Matrix3d::Zero(), contact.force, 0};
  const PointFriction point = EvaluatePointFriction(law, still, displacement, rate);
  return {FrictionPotential(law, point.slip.norm(), contact.force) / rate, point.force,
          point.by_position};
}

}  // namespace strand
