// A network in motion: what it is made of, what acts on it, what is locked, and its state.
//
// Frames are moved from iterate to iterate, and the unknown of an edge is its spin: forces along
// virtual displacements and spins are then exact at every iterate (Bergou et al. 2010,
// section 4.2). One implicit step is a StepProblem (step_problem.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/energy/affine_body.h"
#include "model/energy/elastic_energy.h"
#include "model/energy/shell_energy.h"
#include "model/energy/tie.h"
#include "model/integrator/energy_watch.h"
#include "model/integrator/forces.h"

namespace strand {

/// What a network is made of.
struct SystemParameters {
  std::vector<EdgeMaterial> material;  ///< per edge
  std::vector<ShellMaterial> shell;    ///< per shell
  ElasticOptions elastic;
  /// Mid-edge normals as published, for Newton's method with the published stop rule alone.
  bool frozen_mid_edge = false;
  std::vector<BodyMaterial> body;  ///< per body
};

/// What a time step starts from and ends with.
struct State {
  Configuration at;
  std::vector<double> velocity;  ///< per dof: m/s, rad/s
  double time = 0;               ///< s
  /// Of the step before, for rules of two steps: what has moved in it and the velocities that it
  /// started with, per dof, and its length (s; 0: there is none that counts).
  std::vector<double> moved, velocity_before;
  double dt_before = 0;
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
  /// Per dof (N/m, N m): the unit of the shift that Newton's method regularises its matrix with.
  const std::vector<double>& stiffness() const { return stiffness_; }
  double shortest_edge() const { return shortest_edge_; }  ///< m

  // What acts on it.
  Forces& forces() { return forces_; }
  const Forces& forces() const { return forces_; }
  /// Takes over a force. Its stencils become part of the matrix.
  template <class F>
  F* Add(std::unique_ptr<F> force) {
    F* added = force.get();
    forces_.Add(std::move(force));
    return added;
  }
  void AddMass(int node, double mass);  ///< kg
  /// Takes over a tie, 100 times as stiff as the edges at `node`.
  Ties* AddTie(LinearTie tie, int node);

  // What is locked.
  /// Locks a degree of freedom where it is, or releases it.
  void Lock(int dof, bool locked = true);
  /// Target of a locked degree of freedom at the end of the next step. An edge's angle is measured
  /// against its frame at the start of the step, parallel-transported to the end of the step;
  /// holonomy accumulated over earlier steps is not included.
  void Drive(int dof, double value);
  double target(int dof) const { return driven_[dof]; }  ///< of a locked one: m, rad

  // Its state.
  State& state() { return state_; }
  const State& state() const { return state_; }
  /// Where the nodes are (m).
  std::vector<Vector3> Positions() const;
  double kinetic_energy() const;  ///< J
  /// Starts anew from there, at the same time and with the same velocities: its positions, frames
  /// and angles; twists are those nearest to its own. What is locked is locked there. Throws
  /// ConfigError where something has collapsed.
  void Place(const Configuration& at);
  /// Velocities were set, or the like: what was before them is no guide to what comes.
  void ForgetLastStep() { state_.dt_before = 0; }
  /// Takes over a state saved from a system of the same network, and what the forces remember;
  /// driven degrees of freedom stay where it has them.
  void SetState(const State& state, std::span<const double> memory);
  /// What the forces remember.
  std::vector<double> Memory() const { return forces_.Save(); }
  /// Forces and energies at the state as it is, valid until the next call. What the forces report
  /// of themselves stays.
  const ForceSum& EvaluateState();
  /// Lets the forces report what they are at the state as it is, until a step ends.
  void ReportState();

  /// Called at the start of a step of length `dt` (s): forces look for what may come into contact,
  /// and the matrix fits its unknowns.
  void Prepare(double dt);
  /// Numbers the unknowns and makes the matrix, where what they depend on has changed.
  void Bind();

 private:
  void AddShells(const SystemParameters& parameters);
  void AddBodies(const std::vector<BodyMaterial>& material, bool twist);
  void AddDamping(const SystemParameters& parameters);
  double AxialStiffness(int node);

  Network network_;
  Dofs dofs_;
  Forces forces_;
  ShellEnergy* shells_ = nullptr;  ///< one of the forces
  State state_;
  ForceSum at_state_;
  double shortest_edge_ = 0;                       ///< m
  std::vector<double> mass_, stiffness_, driven_;  ///< per dof
};

}  // namespace strand
