// One contribution to the equations of motion: an energy, a load, a contact.
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

/// Parts of a time step (0: its start, 1: its end) at both ends of a move: obstacles that are
/// driven go on between them.
struct Passage {
  double from = 0, to = 0;
};

class Force {
 public:
  virtual ~Force() = default;

  /// Called at the start of a time step with its length and the velocities (per dof): the time to
  /// look for what may come into contact. True if the stencils have changed, and with them the
  /// matrix.
  virtual bool Prepare(const Motion&, std::span<const double> /*velocity*/, double /*dt*/) {
    return false;
  }
  /// Called at every iterate of a step: the time to look again, where that one has come too far
  /// from where Prepare was. What comes into contact has not done so yet. True as of Prepare.
  virtual bool Refresh(const Configuration& /*at*/) { return false; }
  /// Whether it drives something itself (obstacles) in this time step.
  virtual bool drives() const { return false; }
  /// Initial guess of a time step: adds to `move` (per dof; driven dofs are set already) the motion
  /// of what obstacles and bodies push or carry along, at this fraction of their own motion.
  virtual void Push(const Configuration& /*start*/, double /*part*/, std::span<double> /*move*/) {}
  /// Largest fraction of a step (per dof) that can be taken from `from` without collision: 0 to 1.
  virtual double Limit(const Configuration& /*from*/, std::span<const double> /*step*/,
                       const Passage&) {
    return 1;
  }
  /// Whether a step whose equations are solved at `from` can end at the extrapolated `to`. If that
  /// penetrates deeper than `from`, contact would eject it with energy that no work has paid for.
  virtual bool AcceptsEndpoint(const Configuration& /*from*/, const Configuration& /*to*/,
                               const Passage&) {
    return true;
  }
  /// Whether its energy is that of external loads (weight, forces), which has no lower bound.
  virtual bool external() const { return false; }
  /// Whether its energy is an incremental potential of dissipation (drag, damping), which is not
  /// recoverable. It is reported in Evaluation::dissipated.
  virtual bool dissipates() const { return false; }
  /// Whether it is contact: so nonlinear that the energy balance of every step is checked.
  virtual bool collides() const { return false; }
  /// Adds the groups of unknowns that the Hessian couples.
  virtual void Couple(const Dofs&, Pattern*) const {}
  /// Looks up the places of the Hessian's entries; called again whenever the system matrix changes.
  virtual void Bind(const Dofs&, const LinearSystem&) {}
  /// Whether the Hessian is symmetric and Evaluation::energy a potential of the force.
  virtual bool conservative() const { return true; }
  /// Freezes the normals and normal forces of friction at their values there, until
  /// ReleaseFriction: Evaluate then gives a potential and its derivatives. False if the force is
  /// not conservative for other reasons.
  virtual bool FreezeFriction(const Motion&) { return conservative(); }
  virtual void ReleaseFriction() {}
  /// Adds the negative force to the gradient, and its derivative to the matrix.
  virtual Evaluation Evaluate(const Motion& motion, const Derivatives& out) = 0;
  /// Publishes the summary (gaps, forces) of the last evaluation. Called at the end of a step, so
  /// that other evaluations do not change what users see.
  virtual void Report() {}
  /// The step has ended here: updates the history (anchors of friction).
  virtual void Accept(const Motion&) {}
  /// A whole step has ended at this time (s), perhaps after several sub-steps: adapts parameters
  /// (contact stiffness) to what happened in it.
  virtual void Adapt(double /*time*/) {}

  /// Appends its history, for checkpoints.
  virtual void Save(std::vector<double>* /*memory*/) const {}
  /// Takes from the front of `memory` what Save has appended. Throws ConfigError if it is short.
  virtual void Load(std::span<const double>* /*memory*/) {}
};

/// The first `count` numbers of `memory`, which is shortened by them.
std::span<const double> TakeMemory(std::span<const double>* memory, size_t count);

}  // namespace strand
