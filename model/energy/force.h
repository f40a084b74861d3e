// One contribution to the equations of motion: an energy, a load, a contact.
#pragma once

#include <span>

#include "model/assembly/dofs.h"
#include "model/assembly/pattern.h"
#include "model/energy/configuration.h"
#include "model/energy/evaluation.h"
#include "model/solver/linear_system.h"

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
  /// Where the trial of a time step starts: adds to `move` (per dof), which has what is driven, for
  /// what obstacles and bodies that come to this part of their way push before them, or carry
  /// along.
  virtual void Push(const Configuration& /*start*/, double /*part*/, std::span<double> /*move*/) {}
  /// The part of a step (per dof) that may be taken from `from` without passing through anything:
  /// 0 to 1.
  virtual double Limit(const Configuration& /*from*/, std::span<const double> /*step*/,
                       const Passage&) {
    return 1;
  }
  /// Whether a step whose equation holds at `from` may end at `to`, where nothing has been solved:
  /// deeper in contact than there, it would be thrown out by a force that has done no work.
  virtual bool MayEnd(const Configuration& /*from*/, const Configuration& /*to*/, const Passage&) {
    return true;
  }
  /// Whether its energy is that of what acts from outside, and has no least value: weight, loads.
  virtual bool external() const { return false; }
  /// Whether its energy is an incremental potential of what it dissipates (drag, damping): none
  /// that could be had back. It tells of that in Evaluation::dissipated.
  virtual bool dissipates() const { return false; }
  /// Whether it is contact: so far from linear that steps have to be checked for what they gain.
  virtual bool collides() const { return false; }
  /// Adds the groups of unknowns that the Hessian couples.
  virtual void Couple(const Dofs&, Pattern*) const {}
  /// Looks up where the Hessian's numbers go; called anew whenever the system matrix changes.
  virtual void Bind(const Dofs&, const LinearSystem&) {}
  /// Whether the Hessian is symmetric and Evaluation::energy a potential of the force.
  virtual bool conservative() const { return true; }
  /// Holds what keeps it from having a potential (friction's normals and normal forces) at what
  /// that is there, until LetGo: Evaluate then gives a potential and its derivatives. False if that
  /// is beyond it.
  virtual bool Hold(const Motion&) { return conservative(); }
  virtual void LetGo() {}
  /// Adds the negative force to the gradient, and its derivative to the matrix.
  virtual Evaluation Evaluate(const Motion& motion, const Derivatives& out) = 0;
  /// What it tells of itself (gaps, forces) is from now on what it was at the last evaluation:
  /// called where a step has ended, so that evaluations for other ends change nothing.
  virtual void Report() {}
  /// The step has ended here: history (anchors of friction) moves on.
  virtual void Accept(const Motion&) {}
  /// A whole step has ended at this time (s), perhaps after several shorter ones: what adapts to
  /// what it has seen does so.
  virtual void Adapt(double /*time*/) {}

  /// Appends what it remembers of the steps before, for checkpoints.
  virtual void Save(std::vector<double>* /*memory*/) const {}
  /// Takes from the front of `memory` what Save has appended. Throws ConfigError if it is short.
  virtual void Load(std::span<const double>* /*memory*/) {}
};

/// The first `count` numbers of `memory`, which is shortened by them.
std::span<const double> TakeMemory(std::span<const double>* memory, size_t count);

}  // namespace strand
