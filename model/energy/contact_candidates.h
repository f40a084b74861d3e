// Which pairs may touch before they are looked for again, and how far nodes may go until then.
//
// Every node has room to move in, a little more than its speed asks for: what moves fast finds many
// pairs, what lies still keeps its few, and the matrix its pattern.
#pragma once

#include <span>
#include <vector>

#include "model/assembly/dofs.h"
#include "model/contact/bodies.h"
#include "model/contact/broad_phase.h"
#include "model/energy/configuration.h"

namespace strand {

class ContactCandidates {
 public:
  /// `tolerance` (m): the gap below which pairs are in contact; `smooth` as of MakeContactBodies.
  /// Throws ConfigError as that does, and where parts overlap at the `start` (m, per node) that are
  /// no neighbours as they are drawn (contact/neighbours.h).
  ContactCandidates(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
                    const std::vector<double>& thickness, double tolerance,
                    std::span<const Vector3> start, bool smooth = false);

  const Primitives& primitives() const { return bodies_.primitives; }
  std::span<const PrimitivePair> pairs() const { return pairs_; }
  double Touching(const PrimitivePair& pair) const { return bodies_.Touching(pair); }
  double Gap(const PrimitivePair& pair, double distance) const {
    return distance - bodies_.radius[pair.a] - bodies_.radius[pair.b];
  }
  double Radius(int primitive) const { return bodies_.radius[primitive]; }
  /// Whether one of them is part of an obstacle mesh.
  bool MeetsObstacle(const PrimitivePair& pair) const {
    return bodies_.obstacle[pair.a] || bodies_.obstacle[pair.b];
  }
  /// Whether a pair counts where it is. A point that is nearest to an edge or corner of an
  /// obstacle's triangle meets only the nearest one of those that meet there: over a flat or
  /// rounded surface one triangle after the other.
  bool Foremost(const PrimitivePair& pair, const Configuration& at) const;
  /// Of the x of a pair's nodes.
  std::array<int, 4> Dofs(const PrimitivePair& pair) const {
    const std::array<int, 4> n = primitives().nodes(pair);
    return {node_dof_[n[0]], node_dof_[n[1]], node_dof_[n[2]], node_dof_[n[3]]};
  }
  /// The same of a pair of curves.
  std::array<int, 8> CurveDofs(const PrimitivePair& pair) const {
    std::array<int, 8> dofs = primitives().curve_nodes(pair);
    for (int& n : dofs) n = node_dof_[n];
    return dofs;
  }

  /// At the start of a step with these velocities (per dof): looks anew where the room that is left
  /// is too little. True if so.
  bool Prepare(const Configuration& at, std::span<const double> velocity, double dt);
  /// Within a step: looks anew where much of a node's room is used.
  void Refresh(const Configuration& at);
  /// The part of a step (per dof) over which pairs stay apart, and all others as well.
  double Limit(const Configuration& from, std::span<const double> step);

  void Save(std::vector<double>* memory) const;
  void Load(std::span<const double>* memory);

 private:
  void CheckStart(const Network& network);
  void ReadPoints(const Configuration& at);
  void FindPairs();

  std::vector<int> node_dof_;
  ContactBodies bodies_;
  ContactFilter filter_;
  std::vector<std::vector<int>> obstacle_at_;  ///< triangles of obstacles at each node
  double tolerance_;
  BroadPhase broad_phase_;
  std::vector<PrimitivePair> pairs_;
  std::vector<Vector3> points_, found_at_, way_;  ///< per node
  std::vector<double> room_;                      ///< m a node may go from found_at_
  std::vector<double> reach_;                     ///< m, radius of a primitive with its nodes' room
};

/// Appends pairs to what is saved, and takes them from its front again. Throws ConfigError on what
/// are no pairs of these primitives.
void SavePairs(std::span<const PrimitivePair> pairs, std::vector<double>* memory);
void LoadPairs(const Primitives& primitives, std::span<const double>* memory,
               std::vector<PrimitivePair>* pairs);

}  // namespace strand
