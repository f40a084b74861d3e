// Contact of rods and shells with each other and with themselves: the Implicit Contact Model.
//
// Edges are capsules, shells' edges among them, triangles are plates with round rims. Two edges
// near each other are a stencil over their four nodes, and so are a node and a triangle: penalty
// over the gap, friction on the slip of the nearest points against each other (A. Choi et al.,
// DisMech, 2024, eq. 10-13; D. Tong et al., Extreme Mechanics Letters 58, 2023), exact derivatives.
// Unlike theirs the distance is smooth where edges lie side by side (stencil/segment_distance.h),
// and rods can meet as curves through their nodes, of eight nodes a pair: then they slide along
// each other without catching at nodes, of second order (stencil/curve_distance.h).
// Steps are limited by continuous collision detection: nothing passes through. Friction acts on the
// surface of rods, and turns them (stencil/pair_friction.h); on the middle of shells.
//
// As in M. Li et al., "Codimensional Incremental Potential Contact", 2021, all pairs that are near
// count, so that flat contact is carried by many: two sheets of even triangles that lie on each
// other touch, per vertex of one of them, in 2 pairs of a node and a triangle and in 6 to 7 of
// edges that cross. They are so many times as stiff against each other as two rods that cross.
#pragma once

#include <vector>

#include "model/energy/contact_arms.h"
#include "model/energy/contact_candidates.h"
#include "model/energy/contact_force.h"
#include "model/energy/contact_options.h"
#include "model/stencil/curve_distance.h"
#include "model/stencil/pair_friction.h"

namespace strand {

class SurfaceContact : public ContactForce {
 public:
  /// `radius` (m) per edge, those of shells aside; `thickness` (m) per shell. What is near each
  /// other along a rod or a shell is no pair (contact/neighbours.h). Throws ConfigError on options
  /// out of range and where other parts overlap at the `start` (m, per node; left out: as drawn).
  SurfaceContact(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
                 const ContactOptions& options, const std::vector<double>& thickness = {},
                 std::span<const Vector3> start = {});

  /// As of the last report: where the last step was solved (of midpoint steps, in their middle).
  const ContactSummary& summary() const { return summary_; }
  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has put in so far.
  double stiffness_work() const { return adaptive_.work(); }
  int candidates() const { return static_cast<int>(candidates_.pairs().size()); }

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  bool Refresh(const Configuration& at) override;
  double Limit(const Configuration& from, std::span<const double> step, const Passage&) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return options_.conservative(); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool FreezeFriction(const Motion& motion) override;
  void ReleaseFriction() override { frozen_pair_.clear(), frozen_ = false; }
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to, const Passage&) override;
  void Accept(const Motion& motion) override;
  void Report() override { summary_ = latest_; }
  void Adapt(double time) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  static constexpr int kArms = 2;
  template <int N>
  static constexpr int kSize = 3 * N + kArms;  ///< of a pair with N nodes: positions and spins
  static constexpr int kNodes = 8;             ///< the most of a pair
  template <int N>
  using Group = std::array<int, kSize<N>>;
  using Arms = std::array<Arm, kArms>;
  /// A pair that touched at the end of the step before, and its carried slip (m).
  struct Anchor {
    PrimitivePair pair;
    Vector3 slip;
  };
  /// How far the surfaces have moved over each other in this step, as of obstacles.
  template <int N>
  struct Way {
    Eigen::Matrix<double, 3 * N, 1> moved = Eigen::Matrix<double, 3 * N, 1>::Zero();
    Arms arms;
    Vector3 beside = Vector3::Zero();
    double rate = 0;
  };
  /// A pair that touched when friction was frozen, and its surfaces' ways per unknown.
  struct FrozenPair {
    PrimitivePair pair;
    FrozenContact contact;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kSize<kNodes>> ways;
  };

  bool Recouple(const Configuration& at);
  void MakeRoom();
  const int* Block(const PrimitivePair& pair) const;
  bool curves(const PrimitivePair& pair) const {
    return candidates_.primitives().kind(pair) == PairKind::kCurves;
  }
  template <int N>
  std::array<int, N> NodeDofs(const PrimitivePair& pair) const;
  template <int N>
  Group<N> PairDofs(const PrimitivePair& pair) const;
  template <class Use>
  void WithDofs(const PrimitivePair& pair, const Use& use) const;
  template <class Use>
  void WithGeometry(const PrimitivePair& pair, const Configuration& at, const Use& use) const;
  template <class Use>
  void ForEachPressed(const Motion& motion, const Use& use) const;
  template <class Pair>
  Evaluation AddPair(const Motion& motion, const PrimitivePair& pair, const Pair& geometry,
                     const Derivatives& out);
  double AddFrozenFriction(const Motion& motion, const Derivatives& out);
  template <int N>
  double AddFrozenPair(const Motion& motion, const FrozenPair& frozen,
                       const Derivatives& out) const;
  std::array<TurningEdge, kArms> Turning(const PrimitivePair& pair) const;
  Arms ArmsOf(const PrimitivePair& pair, const Motion& motion) const;
  const Anchor* AnchorOf(const PrimitivePair& pair) const;
  template <int N>
  Way<N> WayOf(const PrimitivePair& pair, const Motion& motion) const;
  bool anchored() const { return options_.friction.kind == FrictionLaw::Kind::kAnchored; }
  double Gap(const PrimitivePair& pair, const Configuration& at, double enough) const;
  double LeastGap(const PrimitivePair& pair, const Configuration& at, double enough) const;
  template <class Position>
  double GapOf(const PrimitivePair& pair, const Position& position, double enough) const;
  double Spread(const PrimitivePair& pair) const;
  CurveSpread Spread(const PrimitivePair& pair, const CurvePairNodes& x) const;
  Penalty ElasticPenalty(const PrimitivePair& pair, double distance) const {
    return PenaltyAt(options_, candidates_.Gap(pair, distance), candidates_.Touching(pair));
  }
  Penalty PairPenalty(const Motion& motion, const PrimitivePair& pair, double distance,
                      const Penalty& elastic) const;

  ContactOptions options_;
  ContactCandidates candidates_;
  std::vector<PrimitivePair> coupled_;  ///< in the matrix: candidates that touch or nearly do
  std::vector<PrimitivePair> near_;     ///< workspace of Recouple
  std::vector<int> offset_;             ///< of all coupled pairs' blocks
  std::vector<size_t> first_;           ///< of each pair's in them
  std::vector<TurningEdge> turning_;    ///< per edge of the bodies; none on shells
  std::vector<std::array<TurningEdge, 2>> turning_at_;  ///< per point of the bodies
  std::vector<Anchor> anchor_;                          ///< in the order of their pairs
  std::vector<Anchor> next_;                            ///< workspace of Accept
  bool frozen_ = false;
  std::vector<FrozenPair> frozen_pair_;
  ContactSummary latest_, summary_;  ///< of the last evaluation, and what is reported
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
