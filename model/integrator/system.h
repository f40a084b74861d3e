// A network in motion: its configuration and velocities, what acts on it, and the equation that
// one implicit step has to solve.
//
//     M (q - q_hat) / tau^2 + dE/dq = 0          (time_rule.h)
// Statics has no inertia: 1 / tau = 0. Frames are moved from iterate to iterate, and the unknown of
// an edge is its spin: forces along virtual displacements and spins are then exact at every iterate
// (Bergou et al. 2010, section 4.2).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "model/energy/affine_body.h"
#include "model/energy/elastic_energy.h"
#include "model/energy/shell_energy.h"
#include "model/energy/tie.h"
#include "model/integrator/energy_watch.h"
#include "model/integrator/time_rule.h"
#include "model/solver/newton.h"

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

class System : public NewtonProblem {
 public:
  System(const Network& network, const SystemParameters& parameters);

  const Network& network() const { return network_; }
  const Dofs& dofs() const { return dofs_; }
  ElasticEnergy& elastic() { return *elastic_; }
  /// Null without shells.
  ShellEnergy* shells() { return shells_; }
  const std::vector<double>& mass() const { return mass_; }  ///< per dof: kg, kg m^2
  State& state() { return state_; }
  const State& state() const { return state_; }
  /// Where the nodes are (m).
  std::vector<Vector3> Positions() const;

  /// Takes over a force. Its stencils become part of the matrix.
  template <class F>
  F* Add(std::unique_ptr<F> force) {
    F* added = force.get();
    forces_.push_back(std::move(force));
    rebuild_ = true;
    return added;
  }
  void AddMass(int node, double mass);  ///< kg
  /// Takes over a tie, 100 times as stiff as the edges at `node`.
  Ties* AddTie(LinearTie tie, int node);
  /// The stencils of a force, or which degrees of freedom are locked, have changed.
  void Rebuild() { rebuild_ = true; }

  /// Locks a degree of freedom where it is, or releases it.
  void Lock(int dof, bool locked = true);
  /// Target of a locked degree of freedom at the end of the next step. An edge's angle is measured
  /// against its frame at the start of the step, parallel-transported to the end of the step;
  /// holonomy accumulated over earlier steps is not included.
  void Drive(int dof, double value);

  /// Gives driven degrees of freedom the velocity that takes them there in `dt` (s).
  void DriveVelocities(double dt);

  /// Sets up the equation of a step from the state, whose forces are those of `time` (s): the trial
  /// starts with the driven degrees of freedom as far as the rule's part of the way, the others at
  /// rest, or where obstacles push them. False if one of these would pass through something.
  bool Begin(const TimeRule& rule, double time);
  /// Starts the trial where the velocities lead to, if the merit is lower there. With shells: it
  /// saves Newton's method an iteration or two of four.
  void Predict();
  /// Midpoint rule: extrapolates the solved midpoint to the end of the step, with driven degrees of
  /// freedom at their targets. False if that would pass through or end inside something.
  bool Extrapolate();
  /// What the step to the trial does to the energy.
  EnergyBalance Balance();
  /// The trial becomes the state.
  void End();
  /// How far (rad) the solution of statics has turned spins that nothing holds: `edge` the most.
  /// They are held softly where they are; only a moment turns them.
  double LooseTurn(int* edge) const;
  /// What has no size at the trial, for messages; empty where all is well.
  std::string Collapsed() const;
  /// Velocities were set, or the like: what was before them is no guide to what comes.
  void ForgetLastStep() { state_.dt_before = 0; }
  /// Starts anew from there, at the same time and with the same velocities: its positions, frames
  /// and angles; twists are those nearest to its own. What is locked is locked there. Throws
  /// ConfigError where something has collapsed.
  void Place(const Configuration& at);
  /// Whether anything may collide.
  bool collides() const;
  /// Whether a force drives something itself in the next step: obstacles.
  bool drives() const;

  /// A whole step has ended at the state: stiffnesses of contact adapt.
  void Adapt();

  /// Takes over a state saved from a system of the same network, and what the forces remember;
  /// driven degrees of freedom stay where it has them.
  void SetState(const State& state, std::span<const double> memory);
  /// What the forces remember.
  std::vector<double> Memory() const;
  /// Forces and energies at the state as it is: fills gradient() and potential_energy(). What the
  /// forces report of themselves stays.
  void EvaluateState();
  /// Lets the forces report what they are at the state as it is, until a step ends.
  void ReportState();

  /// The time for forces to look for what may come into contact in a step of length `dt` (s).
  void PrepareForces(double dt);
  /// Accelerations of the state under all forces, locked ones 0; for explicit steps of length `dt`
  /// (s), over which the forces see the state's velocities.
  void Accelerations(double dt, std::span<double> acceleration);
  /// Moves the state's configuration by `step` per dof. False if that would pass through something.
  bool Displace(std::span<const double> step);
  /// An explicit step of length `dt` (s) from `start` has ended at the state.
  void AcceptForces(const Configuration& start, double dt);

  /// Gradient per dof of the last evaluation; rows of locked ones are what holds them.
  std::span<const double> gradient() const { return gradient_; }
  double potential_energy() const {
    return energy_.sum();
  }  ///< of the last evaluation, without inertia
  double kinetic_energy() const;

  LinearSystem& system() override { return *matrix_; }
  std::span<const double> residual() const override { return residual_; }
  std::span<const double> weight() const override { return weight_; }
  TrialValue Evaluate(bool with_matrix) override;
  double LargestMove(std::span<const double> step) const override;
  double Limit(std::span<const double> step) override;
  double Correction(std::span<const double> step) const override;
  bool AtRoundOff() const override;
  void Move(std::span<const double> step, double scale) override;
  void Accept() override;
  bool Nudge(std::span<const double> step) override;
  bool has_potential() const override { return conservative_; }
  void FreezeFriction() override;
  void ReleaseFriction() override;
  void SaveBase() override;
  void RestoreBase() override;

 private:
  struct Residuals {
    Evaluation inertia;
    double force = 0, moment = 0;  ///< N, N m: the largest
    bool finite = true;
  };
  void AddShells(const SystemParameters& parameters);
  void AddBodies(const std::vector<BodyMaterial>& material, bool twist);
  void AddDamping(const SystemParameters& parameters);
  double AxialStiffness(int node) const;
  void FindLooseSpins();
  void MakeMatrix();
  const Configuration& trial() const { return trial_is_base_ ? base_ : trial_; }
  Evaluation EvaluateForces(const Motion& motion, bool with_matrix);
  Residuals AddInertia();
  void AddGyroscopic(const TimeRule& rule);
  double EndVelocity(int dof) const;
  /// Has no mass of its own to move by.
  bool follows(int dof) const { return !dofs_.locked(dof) && !(mass_[dof] > 0); }
  double TransportAngle(int angle) const;
  void FollowPath(bool at_base);
  void MakeBaseTrial();
  Motion MotionAt(const Configuration& at, double part) const;
  Potentials PotentialsAtEnd(double* obstacle_work);
  double KineticAtStart() const;
  void AcceptForces(const Motion& motion);
  void RefreshForces();
  void WeighUnknowns();
  double LimitOfForces(const Configuration& from, const Passage& passage);  ///< of move_
  void Spread(std::span<const double> step, double scale);                  ///< unknowns to move_
  void MoveTo(Configuration* to, const Configuration& from);

  Network network_;
  Dofs dofs_;
  std::unique_ptr<ElasticEnergy> elastic_;
  std::vector<std::unique_ptr<Force>> forces_;
  ShellEnergy* shells_ = nullptr;  ///< one of the forces
  std::unique_ptr<LinearSystem> matrix_;
  std::vector<int> spin_locked_;    ///< edges whose spin is locked, their direction is not
  std::vector<double> held_angle_;  ///< rad, of theirs: a workspace
  bool rebuild_ = true, conservative_ = true;
  Symmetry treated_ = Symmetry::kGeneral;  ///< what the matrix counts as, where it can be either

  State state_;
  Configuration base_, trial_, kept_;
  bool trial_is_base_ = true;  ///< then trial_ is not used
  /// Work (J) against the forces without a potential, from the start of the step along all iterates
  /// to here, and these forces' gradient per dof.
  struct Path {
    double work = 0;
    std::vector<double> gradient;
  };
  Path path_of_base_, path_, kept_path_;
  TimeRule rule_;
  /// Largest |q - q_hat| of positions (m) and angles (rad), at the trial and of what is driven.
  std::array<double, 2> changed_{}, changed_by_drives_{};
  double time_ = 0, noise_ = 0;
  double dissipated_ = 0;  ///< J, from the start of the step to the last evaluation
  Potentials energy_, energy_at_start_;
  /// Gradients per dof at the start of a step that is driven (else none): of what has a potential,
  /// and of what has none.
  std::vector<double> reaction_at_start_, path_at_start_;
  /// J, of the whole step: by the forces of the last evaluation, and by those at its start.
  double obstacle_work_ = 0, obstacle_work_at_start_ = 0;
  bool start_evaluated_ = false;
  // Moments act along spins, but an angle of the trial also changes as its edge turns aside. The
  // work of that change, which no residual knows of, is left out of the merit.
  double holonomy_ = 0;                                                             ///< J
  double shortest_edge_ = 0, extent_ = 0;                                           ///< m
  std::vector<double> mass_, stiffness_, predicted_, carried_, driven_, gradient_;  ///< per dof
  std::vector<double> gyroscopic_, before_;          ///< per dof: N, and a workspace
  std::vector<double> move_;                         ///< per dof: from the base to the trial
  std::vector<double> inertia_, residual_, weight_;  ///< per unknown
  std::vector<char> unknown_angle_;                  ///< 1 of angles
  std::vector<char> loose_;  ///< per dof: 1 of spins that statics holds where they are
};

}  // namespace strand
