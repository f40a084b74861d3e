// Growing ("vine") robots: time stepping of the chain of chain.h with exact contact.
//
// A step finds the velocities v at its end from those at its start, v_k:
//
//     minimise  1/2 v' H v - v' (M v_k + dt F)
//     subject to  joints, extensions s_i and gaps at q_k + dt v:
//                 c = 0, s_i = s_i,k + dt u_i, gap >= 0
//
// F is bending, damping and weight. Explicit bending (as in the published program) has H = M, and F
// at the step's start. Implicit bending takes the joints' torques at the step's end, which adds
// dt C + dt^2 K to H and is stable for any dt.
//
//   single_qp  constraints are linearised once, at q_k, and the growth constraint is one of rates,
//              d s_i / dt = u_i, linearised at (q_k, v_k): the step of the published program
//   converged  constraints are linearised again at q_k + dt v, until joints, extensions and gaps
//              hold to `tolerance`: joints do not drift and nothing penetrates. Impulses then act
//              along the normals and joint axes at the step's end.
//
// Units are SI. The published parameters are in mm, kg, s. To convert them, multiply lengths by
// 1e-3, and inertia, stiffness and damping (kg mm^2 and so on) by 1e-6; masses do not change.
//
// Source: Jitosho et al., ICRA 2021, eqs. 6 to 18. (Eq. 14 misprints the growth constraint's
// linearisation: g_q dt + g_v multiplies v, and g_v v_k is subtracted.)
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/vine/chain.h"
#include "model/vine/chain_system.h"
#include "model/vine/contact_set.h"
#include "model/vine/contact_solver.h"
#include "model/vine/eversion.h"
#include "model/vine/material.h"

namespace strand {

enum class VineMode { kConverged, kSingleQp };

/// Where the robot grows: every pair lengthens at its own rate, or only the tip everts. Pairs of a
/// chain of given bodies telescope as in the published program: deployed skin slides forward, and
/// masses and stiffnesses of the joints do not change with length. Those of a chain of a material
/// (VineChain::material) keep EI, damping, natural curvature and mass per length: their bodies
/// lengthen, and skin comes in at rest relative to them.
enum class VineGrowth { kTelescoping, kTip };

struct VineOptions {
  double dt = 0.01;         ///< s
  double diameter = 0.024;  ///< of the body (m)
  VineMode mode = VineMode::kConverged;
  bool implicit_bending = true;
  CornerNormal corner_normal = CornerNormal::kGradient;
  double friction = 0;          ///< mu, with obstacles and with itself
  bool segment_contact = true;  ///< obstacles touch segments; false: points only, as published
  bool self_contact = false;    ///< contact with itself: converged mode, pinned chains only
  Vector2 gravity = Vector2::Zero();  ///< m/s^2
  VineGrowth growth = VineGrowth::kTelescoping;
  VineMaterial material;    ///< of the skin that grows at the tip
  double segment = 0;       ///< length of a segment (m), for growth at the tip
  double tolerance = 1e-9;  ///< of joints, extensions and gaps, converged mode (m)
  int max_iterations = 24;  ///< quadratic programs in a step, converged mode
  int max_halvings = 6;     ///< of a step that fails, converged mode
};

enum class VineStatus { kSolved, kInfeasible, kDependent, kNotConverged, kFull, kNothingLeft };

/// Outcome of a step.
struct VineReport {
  VineStatus status = VineStatus::kSolved;
  int steps = 0;            ///< accepted sub-steps: more than one if the step was halved
  int iterations = 0;       ///< quadratic programs
  int pivots = 0;           ///< changes of the active set
  int contacts = 0;         ///< active contacts
  double joint_error = 0;   ///< largest of c and of the extensions' errors (m)
  double least_gap = 0;     ///< (m); infinite if nothing can touch
  int point = -1;           ///< contact at which the step failed (VineContact::point); -1: none
  int object = -1;          ///< VineContact::object of that contact
  bool on_segment = false;  ///< whether it is on the segment that ends at the point
  int pair = -1;            ///< pair of the joint at which the step failed
  bool ok() const { return status == VineStatus::kSolved; }
};

class Vine {
 public:
  /// The chain's vectors may be longer than its pairs, as room for pairs that grow at the tip.
  /// Throws ConfigError if a number is not finite or out of range. In converged mode it also throws
  /// if the start penetrates or violates the joints, and names the worst contact or pair.
  Vine(const VineChain& chain, const VineState& state, const VineOptions& options,
       std::vector<PlanarObstacle> obstacles);

  /// Advances by dt. `growth` (m/s): rates of all pairs' extensions, or, for growth at the tip, the
  /// tip's rate; < 0 to retract. If the report is not ok(), the state does not change. Allocates
  /// nothing, unless more contacts are active than ever before. Throws ConfigError on a wrong
  /// number of rates.
  VineReport Step(std::span<const double> growth);

  /// Rates for Step that lengthen the robot by `rate` (m/s): every pair's share, or the tip's rate.
  std::span<const double> SharedRates(double rate);

  /// Describes in words why and where a step failed.
  std::string Describe(const VineReport& report) const;

  /// The largest joint error and the smallest gap of the state, and where they occur.
  VineReport CheckState() const;

  const VineChain& chain() const { return chain_; }
  const VineState& state() const { return state_; }
  /// Steering: sets the natural angles of the joints (rad), one per pair. Throws ConfigError on a
  /// wrong count or a number that is not finite.
  void SetNaturalAngles(std::span<const double> angles);
  /// Throws ConfigError on a wrong size or a number that is not finite.
  void SetState(const VineState& state);
  const VineOptions& options() const { return options_; }
  const std::vector<PlanarObstacle>& obstacles() const { return set_.obstacles(); }
  /// Active contacts, with the last step's impulses.
  const std::vector<VineContact>& contacts() const { return contacts_; }
  double time() const { return time_; }
  Vector2 tip() const { return ContactPoint(chain_, state_.q, chain_.pairs - 1); }

 private:
  void CheckStart() const;
  std::string ContactName(const VineReport& report) const;
  void Lengthen(std::span<const double> growth, double dt);
  VineStatus PrepareTip(double rate);
  VineStatus CheckLengths(std::span<const double> growth) const;
  bool TryAdvance(std::span<const double> growth, double dt, int halvings, VineReport* report);
  static void SetContact(const VineContact& contact, VineReport* report);
  bool IsLengthened() const {
    return options_.growth == VineGrowth::kTip || chain_.material.has_value();
  }
  VineReport Advance(std::span<const double> growth);
  void Begin(std::span<const double> growth);
  void Linearise(bool first);
  void FillRight(bool first);
  VineReport SolveQp(bool first, bool curved);
  void SolveSystem();
  bool FactorSystem(bool curved);
  void AddCurvature();
  void TakeVelocities();
  void MeasureErrors(VineReport* report);
  bool Holds(const VineReport& report) const;

  VineChain chain_;
  VineState state_;
  VineOptions options_;
  VineContactSet set_;
  Centreline line_;  ///< workspace: at q_
  VineContactSolver contact_;
  VineSystem system_;
  std::vector<VineContact> contacts_;
  double time_ = 0, dt_ = 0;
  VineState start_;
  VineChain start_chain_;

  // The step in progress: constraints are linearised at q_ = q_k + dt w_; growth; right-hand side.
  Eigen::VectorXd q_, w_, right_, unknowns_, load_, start_rates_, product_;
  std::vector<double> target_, rate_, shared_, joint_;
  std::vector<PairGeometry> geometry_;
  std::vector<PairRows> rows_;
};

}  // namespace strand
