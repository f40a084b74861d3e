// Contact of rods with each other and with themselves: the Implicit Contact Model.
//
// Edges are capsules. Each pair of edges near each other is a stencil over its four nodes: penalty
// over the gap, friction on the slip of the nearest points against each other (A. Choi et al.,
// DisMech, 2024, eq. 10-13; D. Tong et al., Extreme Mechanics Letters 58, 2023), exact derivatives.
// Unlike theirs the distance is smooth where edges lie side by side (stencil/segment_distance.h).
// Steps are limited by continuous collision detection: nothing passes through.
#pragma once

#include <vector>

#include "model/contact/broad_phase.h"
#include "model/contact/ccd.h"
#include "model/energy/contact_options.h"
#include "model/energy/force.h"
#include "model/stencil/segment_friction.h"

namespace strand {

class RodContact : public Force {
 public:
  /// `radius` per edge (m). Edges of one rod whose middles are nearer along it than three times
  /// the distance at which they would touch are no pair. Throws ConfigError on options out of
  /// range and where other edges overlap at the start. Friction has to be regularised.
  RodContact(const Network& network, const Dofs& dofs, std::vector<double> radius,
             const ContactOptions& options);

  /// As of the last report: where the last step was solved (of midpoint steps, in their middle).
  const ContactSummary& summary() const { return summary_; }
  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has put in so far.
  double stiffness_work() const { return adaptive_.work(); }
  int candidates() const { return static_cast<int>(pairs_.size()); }

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  bool Refresh(const Configuration& at) override;
  double Limit(const Configuration& from, std::span<const double> step) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return !(options_.friction.coefficient > 0); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool Hold(const Motion& motion) override;
  void LetGo() override { held_.clear(), holds_ = false; }
  bool collides() const override { return true; }
  bool MayEnd(const Configuration& from, const Configuration& to) override;
  void Report() override { summary_ = latest_; }
  void Adapt(double time) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  void FindPairs();
  bool Recouple(const Configuration& at);
  const int* Block(const EdgePair& pair) const;
  void ReadPoints(const Configuration& at);
  std::array<int, 12> PairDofs(const EdgePair& pair) const;
  Evaluation AddPair(const Motion& motion, const EdgePair& pair, const SegmentPair& geometry,
                     const Derivatives& out);
  double AddHeldFriction(const Motion& motion, const Derivatives& out);
  SegmentGradient Moved(const EdgePair& pair, const Motion& motion) const;
  double Gap(const EdgePair& pair, const SegmentPair& geometry) const;
  double Gap(const EdgePair& pair, const Configuration& at) const {
    return Gap(pair, Geometry(pair, at));
  }
  SegmentPair Geometry(const EdgePair& pair, const Configuration& at) const;
  void CheckStart(const Network& network);
  void LoadPairs(std::span<const double>* memory, std::vector<EdgePair>* pairs) const;

  std::vector<int> node_dof_;
  std::vector<EdgeNodes> edges_;
  std::vector<double> radius_;
  ContactFilter filter_;
  ContactOptions options_;
  BroadPhase broad_phase_;
  std::vector<EdgePair> pairs_;    ///< that may touch
  std::vector<EdgePair> coupled_;  ///< in the matrix: those of them that touch or nearly do
  std::vector<EdgePair> near_;     ///< workspace of Recouple
  std::vector<std::array<int, 144>> offset_;      ///< of each coupled pair's block
  std::vector<Vector3> points_, found_at_, way_;  ///< per node
  std::vector<double> room_;                      ///< m a node may go from found_at_
  std::vector<double> reach_;                     ///< m, radius of an edge with its nodes' room
  /// A pair that touched when it was held, and its weights.
  struct HeldPair {
    EdgePair pair;
    HeldContact contact;
    std::array<double, 4> weight;
  };
  bool holds_ = false;
  std::vector<HeldPair> held_;
  ContactSummary latest_, summary_;  ///< of the last evaluation, and what is reported
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
