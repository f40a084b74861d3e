// Contact of rods and shells with each other and with themselves: the Implicit Contact Model.
//
// Edges, those of shells included, are capsules; triangles are plates with round rims. Two nearby
// edges form a stencil over their four nodes, and so do a node and a triangle. The stencil has a
// penalty on the gap and friction on the relative slip of the nearest points (A. Choi et al.,
// DisMech, 2024, eq. 10-13; D. Tong et al., Extreme Mechanics Letters 58, 2023), with exact
// derivatives. Unlike in those papers the distance is smooth where edges lie side by side
// (stencil/segment_distance.h). Rods can also touch as curves through their nodes, with eight nodes
// per pair: they then slide along each other without catching at nodes, accurate to second order
// (stencil/curve_distance.h). Continuous collision detection limits the steps, so that nothing
// passes through. Friction acts on the surface of rods and turns them (stencil/pair_friction.h); on
// shells it acts on the middle surface.
//
// As in M. Li et al., "Codimensional Incremental Potential Contact", 2021, all nearby pairs count,
// so that many pairs carry a flat contact. Two sheets of regular triangles that lie on each other
// touch, per vertex of one of them, in 2 pairs of a node and a triangle and in 6 to 7 pairs of
// crossing edges. Their contact is that many times as stiff as that of two crossing rods.
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
  /// `radius` (m) per edge of the network (shells excluded); `thickness` (m) per shell. Parts that
  /// are close to each other along a rod or a shell are not paired (contact/neighbours.h). Throws
  /// ConfigError if an option is out of range or if other parts overlap at `start` (m, per node;
  /// default: the network's positions).
  SurfaceContact(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
                 const ContactOptions& options, const std::vector<double>& thickness = {},
                 std::span<const Vector3> start = {});

  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has added so far.
  double stiffness_work() const { return adaptive_.work(); }
  int candidates() const { return static_cast<int>(candidates_.pairs().size()); }

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  bool Refresh(const Configuration& at) override;
  double Limit(const Configuration& from, std::span<const double> step, const Passage&) override;
  bool Clears(const Configuration& from, std::span<const double> step, const Passage&) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return options_.conservative(); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool FreezeFriction(const Motion& motion) override;
  void ReleaseFriction() override { frozen_pair_.clear(), frozen_ = false; }
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to, const Passage&) override;
  bool Misses(const Configuration& from, std::span<const double> step) override {
    return candidates_.Misses(from, step);
  }
  void Accept(const Motion& motion) override;
  void Adapt(double time) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  static constexpr int kArms = 2;
  /// Unknowns of a pair over N nodes: positions, spins. N is 8 for curves and else 4; or 6 for a
  /// node of a rod on a triangle, where friction turns the edges to the node's neighbours.
  template <int N>
  static constexpr int kSize = 3 * N + kArms;
  static constexpr int kNodes = 8;  ///< largest number of nodes of a pair
  template <int N>
  static constexpr int kBeyond = N == 6 ? 2 : 0;  ///< of them, the neighbours
  template <int N>
  using Group = std::array<int, kSize<N>>;
  using Arms = std::array<Arm, kArms>;
  /// A pair that touched at the end of the previous step, and its carried slip (m).
  struct Anchor {
    PrimitivePair pair;
    Vector3 slip;
  };
  /// Relative motion of the surfaces in this step (see ObstacleSites::Way).
  template <int N>
  struct Way {
    Eigen::Matrix<double, 3 * N, 1> moved = Eigen::Matrix<double, 3 * N, 1>::Zero();
    Arms arms;
    Vector3 beside = Vector3::Zero();
    double rate = 0;
  };
  /// A pair that touched when friction was frozen. `ways`: the surfaces' relative displacement per
  /// unknown (SurfaceWays).
  struct FrozenPair {
    PrimitivePair pair;
    FrozenContact contact;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kSize<kNodes>> ways;
  };

  bool Recouple(const Configuration& at);
  void MakeRoom();
  /// Index among the coupled pairs, or -1.
  int CoupledIndex(const PrimitivePair& pair) const;
  /// Of the block of a coupled pair in the matrix; empty for -1.
  std::span<const int> OffsetsOf(int coupled) const;
  bool curves(const PrimitivePair& pair) const {
    return candidates_.primitives().kind(pair) == PairKind::kCurves;
  }
  /// Number of a pair's nodes.
  int Nodes(const PrimitivePair& pair) const;
  template <class Use>
  static auto ForNodes(int nodes, const Use& use);
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
  template <int N, class Pair>
  Evaluation AddPair(const Motion& motion, const PrimitivePair& pair, const Pair& geometry,
                     const Derivatives& out, ContactSummary* summary);
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
  StepPenalty PairPenalty(const Motion& motion, const PrimitivePair& pair, double distance,
                          const Penalty& elastic, ContactLag* lag) const;
  double GapAtOrigin(const PrimitivePair& pair, const Motion& motion) const;

  ContactOptions options_;
  ContactCandidates candidates_;
  std::vector<PrimitivePair> coupled_;  ///< in the matrix: candidates in or close to contact
  std::vector<PrimitivePair> near_;     ///< workspace of Recouple
  std::vector<int> offset_;             ///< matrix offsets of all coupled pairs' blocks
  std::vector<size_t> first_;           ///< start of each pair's block in offset_
  std::vector<ContactLag> lag_;         ///< of each coupled pair
  std::vector<TurningEdge> turning_;    ///< per edge of the bodies; none on shells
  std::vector<std::array<TurningEdge, 2>> turning_at_;  ///< per point of the bodies
  std::vector<Anchor> anchor_;                          ///< sorted by pair
  std::vector<Anchor> next_;                            ///< workspace of Accept
  bool frozen_ = false;
  std::vector<FrozenPair> frozen_pair_;
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
