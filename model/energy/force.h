// One contribution to the equations of motion: an energy or a load. Those that follow the time
// steps are a StepForce (step_force.h), those that meet something a ContactForce (contact_force.h).
#pragma once

#include <span>

#include "model/assembly/dofs.h"
#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"
#include "model/energy/configuration.h"
#include "model/energy/evaluation.h"

namespace strand {

/// Where the forces are wanted.
struct Motion {
  const Configuration& at;
  const Configuration& start;  ///< of the time step
  double per_time;             ///< of what has slipped since then, (at - start); 1/s, 0 in statics
  double time;                 ///< s, at `at`
  double rate = per_time;      ///< dv/dq of velocities (1/s)
  /// Per dof: what two-step methods take off what has moved; empty if that is nothing.
  std::span<const double> carried = {};
  /// Of the way that obstacles are driven in the step, what they have gone: 0 to 1.
  double part = 0;

  double velocity(int dof) const {
    return rate * (at.q[dof] - start.q[dof] - (carried.empty() ? 0 : carried[dof]));
  }
  /// What the time stepping rule counts a node's velocity from (m): rate times the way from here.
  Vector3 origin(int dof) const {
    const Vector3 from = start.position(dof);
    return carried.empty() ? from : Vector3(from + Vector3::Map(&carried[dof]));
  }
  Vector3 velocity3(int dof) const { return {velocity(dof), velocity(dof + 1), velocity(dof + 2)}; }
};

/// What the balance of energy counts the energy of a force as.
enum class EnergyKind {
  kInternal,    ///< elastic, or what else has a least value
  kContact,     ///< so nonlinear that the energy balance of every step is checked
  kExternal,    ///< of weight and loads, without a lower bound
  kDissipated,  ///< an incremental potential of drag or damping (Evaluation::dissipated)
};

class Force {
 public:
  virtual ~Force() = default;

  /// Adds the groups of unknowns that the Hessian couples.
  virtual void Couple(const Dofs&, Pattern*) const {}
  /// Looks up the places of the Hessian's entries; called again whenever the system matrix changes.
  virtual void Bind(const Dofs&, const LinearSystem&) {}
  /// Adds the negative force to the gradient, and its derivative to the matrix.
  virtual Evaluation Evaluate(const Motion& motion, const Derivatives& out) = 0;
  /// Whether the Hessian is symmetric and Evaluation::energy a potential of the force.
  virtual bool conservative() const { return true; }
  virtual EnergyKind kind() const { return EnergyKind::kInternal; }
};

}  // namespace strand
