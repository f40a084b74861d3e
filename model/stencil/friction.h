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
//                N = 0 (that without contact). With exact derivatives Newton's method may cycle
//                over the sticking range if it starts outside. Starting inside, where AdvanceAnchor
//                leaves the slip at the start of a step, it does not, in one dimension. With a
//                lagged direction it does not swing across that range.
#pragma once

#include "model/geometry/frame.h"
#include "model/stencil/lagged_direction.h"

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

/// `slip_tolerance` nu (m/s). Throws ConfigError unless mu >= 0 and nu > 0 are finite.
FrictionLaw RegularisedFriction(double coefficient, double slip_tolerance);

/// `stiffness` k_t (N/m). Throws ConfigError unless mu >= 0 and k_t > 0 are finite.
FrictionLaw AnchoredFriction(double coefficient, double stiffness);

/// Force at the tangential slip s: m/s if regularised, m if anchored. Zero if N <= 0 (no contact).
/// by_slip is exact, or has the `lagged` direction.
FrictionForce EvaluateFriction(const FrictionLaw& law, const Vector3& slip, double normal_force,
                               LaggedDirection* lagged = nullptr);

/// Potential of the law at a slip of this length, for a fixed normal force: its derivative by the
/// slip is f. Unit: J if anchored, N m/s if regularised.
double FrictionPotential(const FrictionLaw& law, double slip, double normal_force);

/// Slip (m) to carry to the next step when a step is accepted: all of it when sticking, reduced to
/// the yield limit mu N / k_t when sliding, zero without contact or for the regularised law.
Vector3 AdvanceAnchor(const FrictionLaw& law, const Vector3& slip, double normal_force);

/// Whether a contact with this slip (as in EvaluateFriction) sticks, so that a moving surface
/// carries the body along.
bool Sticks(const FrictionLaw& law, const Vector3& slip, double normal_force);

/// Rotates the carried slip with the unit normal: tangential again, with the same length.
Vector3 RotateAnchor(const Vector3& slip, const Vector3& normal_before,
                     const Vector3& normal_after);

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
PointFriction EvaluatePointFriction(const FrictionLaw& law, const PointContact& contact,
                                    const Vector3& displacement, double rate,
                                    LaggedDirection* lagged = nullptr);

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
FrozenFriction EvaluateFrozenFriction(const FrictionLaw& law, const FrozenContact& contact,
                                      const Vector3& displacement, double rate);

}  // namespace strand
