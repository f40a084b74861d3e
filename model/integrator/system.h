// A network in motion: its materials, the forces on it, its locked degrees of freedom, its state.
//
// Frames are transported from iterate to iterate, and the unknown of an edge is its spin: forces
// along virtual displacements and spins are then exact at every iterate (Bergou et al. 2010,
// section 4.2). One implicit step is a StepProblem (step_problem.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/energy/affine_body.h"
#include "model/energy/elastic_energy.h"
#include "model/energy/fold_stops.h"
#include "model/energy/shell_energy.h"
#include "model/energy/tie.h"
#include "model/integrator/energy_watch.h"
#include "model/integrator/forces.h"

namespace strand {

/// Materials of a network.
struct SystemParameters {
  std::vector<EdgeMaterial> material;  ///< per edge
  std::vector<ShellMaterial> shell;    ///< per shell
  ElasticOptions elastic;
  /// Mid-edge normals as in the published code; only for Newton's method with the published stop
  /// rule.
  bool frozen_mid_edge = false;
  std::vector<BodyMaterial> body;  ///< per body
};

/// State at the start and the end of a time step.
struct State {
  Configuration at;
  std::vector<double> velocity;  ///< per dof: m/s, rad/s
  double time = 0;               ///< s
  /// The previous step, for two-step rules: its displacement (m, rad) and its initial velocities,
  /// per dof, and its length (s; 0: no valid previous step).
  std::vector<double> moved, velocity_before;
  double dt_before = 0;
  /// Per dof: the gradient of forces without a potential at the end of the previous step (N, N m),
  /// if they may supply energy; else empty.
  std::vector<double> path;
  EnergyBook book;
};

class System {
 public:
  System(const Network& network, const SystemParameters& parameters);

  const Network& network() const { return network_; }
  const Dofs& dofs() const { return dofs_; }
  ElasticEnergy& elastic() { return forces_.elastic(); }
  /// Null without shells.
  ShellEnergy* shells() { return shells_; }
  const std::vector<double>& mass() const { return mass_; }  ///< per dof: kg, kg m^2
  /// Per dof (N/m, N m): the weights of the shift with which Newton's method regularises its
  /// matrix.
  const std::vector<double>& stiffness() const { return stiffness_; }
  double shortest_edge() const { return shortest_edge_; }  ///< m

  // Forces.
  Forces& forces() { return forces_; }
  const Forces& forces() const { return forces_; }
  /// Takes ownership of a force. Its stencils become part of the matrix.
  template <class F>
  F* Add(std::unique_ptr<F> force) {
    F* added = force.get();
    forces_.Add(std::move(force));
    return added;
  }
  void AddMass(int node, double mass);  ///< kg
  /// Sets the stiffness (N m^2) of a joint, which becomes a hinge that can fold flat.
  void SetJointStiffness(int joint, const std::array<double, 2>& EI, double GJ);
  /// Takes ownership of a tie and makes it 100 times as stiff as the stiffest edge at `node`.
  Ties* AddTie(LinearTie tie, int node);
  /// Moves a massless node to where the edge from `inner` to `end` continues, and ties it there.
  Ties* Extend(int node, int end, int inner);
  /// Removes what AddTie has added. Does nothing the second time.
  void ReleaseTie(Ties* tie);

  // Locked degrees of freedom.
  /// Locks a degree of freedom at its current value, or releases it.
  void Lock(int dof, bool locked = true);
  /// The same, of a degree of freedom that moves on as before: it keeps its velocity, and the next
  /// step refers to the previous one.
  void Catch(int dof, bool caught);
  /// Target of a locked degree of freedom at the end of the next step. An edge's angle is measured
  /// against its frame at the start of the step, parallel-transported to the end of the step;
  /// holonomy accumulated over earlier steps is not included.
  void Drive(int dof, double value);
  double target(int dof) const { return driven_[dof]; }  ///< of a locked dof: m, rad

  // State.
  State& state() { return state_; }
  const State& state() const { return state_; }
  /// Positions of the nodes (m).
  std::vector<Vector3> Positions() const;
  double kinetic_energy() const;  ///< J
  /// Restarts from the positions, frames and angles of `at`, with time and velocities unchanged.
  /// Twists are those nearest to the twists of `at`. Locked degrees of freedom are locked at their
  /// new values. Throws ConfigError if an edge or triangle has collapsed.
  void Place(const Configuration& at);
  /// Makes the next step ignore the previous one. Called after velocities or constraints changed.
  void ForgetLastStep() { state_.dt_before = 0; }
  /// Restores a state saved from a system of the same network, and the history of the forces
  /// (Memory). Driven degrees of freedom have their values in `state` as targets.
  void SetState(const State& state, std::span<const double> memory);
  /// The history of the forces, for checkpoints.
  std::vector<double> Memory() const { return forces_.Save(); }
  /// Forces and energies at the current state, valid until the next call. The reports of the
  /// forces do not change.
  const ForceSum& EvaluateState();
  /// Makes the forces report their values at the current state, until a step ends.
  void ReportState();

  /// Called at the start of a step of length `dt` (s): forces search for possible contacts, and the
  /// unknowns and the matrix are updated.
  void Prepare(double dt);
  /// Numbers the unknowns and makes the matrix, if stencils or locks have changed.
  void Bind();

 private:
  void AddShells(const SystemParameters& parameters);
  void AddBodies(const std::vector<BodyMaterial>& material, bool twist);
  void AddDamping(const SystemParameters& parameters);
  double AxialStiffness(int node);
  void AddToStiffness(const LinearTie& tie, double part);

  Network network_;
  Dofs dofs_;
  Forces forces_;
  // Owned by forces_.
  FoldStops* fold_stops_ = nullptr;
  ShellEnergy* shells_ = nullptr;
  State state_;
  ForceSum at_state_;
  double shortest_edge_ = 0;                       ///< m
  std::vector<double> mass_, stiffness_, driven_;  ///< per dof
};

}  // namespace strand
