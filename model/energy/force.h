// One contribution to the equations of motion: an energy or a load. A force that depends on the
// time step is a StepForce (step_force.h), a contact force a ContactForce (contact_force.h).
#pragma once

#include <span>

#include "model/assembly/dofs.h"
#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"
#include "model/energy/configuration.h"
#include "model/energy/evaluation.h"

namespace strand {

/// The configuration and time at which forces are evaluated.
struct Motion {
  const Configuration& at;
  const Configuration& start;  ///< of the time step
  double per_time;             ///< 1 / (time from `start` to `at`) (1/s), for slip; 0 in statics
  double time;                 ///< s, at `at`
  double rate = per_time;      ///< dv/dq of velocities (1/s)
  /// Per dof: displacement that two-step methods subtract in velocities; empty: zero.
  std::span<const double> carried = {};
  /// Fraction of the step's driven motion (obstacles, tendons) completed at `at`: 0 to 1.
  double part = 0;

  double velocity(int dof) const {
    return rate * (at.q[dof] - start.q[dof] - (carried.empty() ? 0 : carried[dof]));
  }
  /// Position (m) that the time stepping rule measures a node's velocity from:
  /// v = rate (x - origin).
  Vector3 origin(int dof) const {
    const Vector3 from = start.position(dof);
    return carried.empty() ? from : Vector3(from + Vector3::Map(&carried[dof]));
  }
  /// The same motion, with the mean velocities since the start of the step.
  Motion mean() const { return {at, start, per_time, time, per_time, {}, part}; }
  Vector3 velocity3(int dof) const { return {velocity(dof), velocity(dof + 1), velocity(dof + 2)}; }
};

/// How the energy balance classifies the energy of a force.
enum class EnergyKind {
  kInternal,    ///< elastic, or another energy with a lower bound
  kContact,     ///< so nonlinear that the energy balance of every step is checked
  kExternal,    ///< weight and loads, without a lower bound
  kDissipated,  ///< an incremental potential of drag or damping (Evaluation::dissipated)
};

class Force {
 public:
  virtual ~Force() = default;

  /// Adds the groups of unknowns that the Hessian couples.
  virtual void Couple(const Dofs&, Pattern*) const {}
  /// Looks up the offsets of the Hessian's entries; called again whenever the system matrix
  /// changes.
  virtual void Bind(const Dofs&, const LinearSystem&) {}
  /// Adds the negative force to the gradient and the derivative of that to the matrix. Without a
  /// gradient it only returns the energy: what the force remembers of its last evaluation stays.
  virtual Evaluation Evaluate(const Motion& motion, const Derivatives& out) = 0;
  /// Whether the Hessian is symmetric and Evaluation::energy a potential of the force.
  virtual bool conservative() const { return true; }
  /// Whether it may do work that no potential accounts for, as friction against what is at rest
  /// does not.
  virtual bool supplies() const { return false; }
  virtual EnergyKind kind() const { return EnergyKind::kInternal; }
};

}  // namespace strand
