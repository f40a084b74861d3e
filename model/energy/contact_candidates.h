// The pairs that may touch before the next search, and how far nodes may move until then.
//
// Every node has room to move in: slightly more than its speed requires, or less where that would
// give too many pairs. Nodes at rest keep few pairs, so that the pattern of the matrix stays the
// same.
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
  /// `tolerance` (m): the gap below which pairs are in contact; `smooth` as in MakeContactBodies.
  /// Throws ConfigError as that does, and if parts overlap at `start` (m, per node) that are not
  /// neighbours in the rest shape (contact/neighbours.h).
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
  /// Whether one primitive of the pair belongs to an obstacle mesh.
  bool MeetsObstacle(const PrimitivePair& pair) const {
    return bodies_.obstacle[pair.a] || bodies_.obstacle[pair.b];
  }
  /// Whether a pair counts at this configuration. If the nearest point is on an edge or corner of
  /// an obstacle's triangle, only the nearest of the triangles that share it counts. A point that
  /// slides over a flat or rounded surface thus touches one triangle after the other.
  bool Foremost(const PrimitivePair& pair, const Configuration& at) const;
  /// Degrees of freedom of the x of a pair's nodes.
  std::array<int, 4> Dofs(const PrimitivePair& pair) const {
    const std::array<int, 4> n = primitives().nodes(pair);
    return {node_dof_[n[0]], node_dof_[n[1]], node_dof_[n[2]], node_dof_[n[3]]};
  }
  /// The same for a pair of curves.
  std::array<int, 8> CurveDofs(const PrimitivePair& pair) const {
    std::array<int, 8> dofs = primitives().curve_nodes(pair);
    for (int& n : dofs) n = node_dof_[n];
    return dofs;
  }

  /// To be called at the start of a step of dt (s) with the velocities (per dof). Searches for
  /// pairs if a node's remaining room is too small for the step. Returns true if it has searched.
  bool Prepare(const Configuration& at, std::span<const double> velocity, double dt);
  /// Within a step: searches again if a node has used half of its room.
  void Refresh(const Configuration& at);
  /// Fraction of a step (per dof) that can be taken before a pair collides or a node leaves its
  /// room, beyond which other pairs could touch: 0 to 1.
  double Limit(const Configuration& from, std::span<const double> step);
  /// Whether the whole step can be taken; makes room for it.
  bool Clears(const Configuration& from, std::span<const double> step);

  /// ContactForce::Misses, with straight ways.
  bool Misses(const Configuration& from, std::span<const double> step);

  void Save(std::vector<double>* memory) const;
  void Load(std::span<const double>* memory);

 private:
  void CheckStart(const Network& network);
  void ReadPoints(const Configuration& at);
  void ReadStep(const Configuration& from, std::span<const double> step, double scale);
  double Room(size_t n, double part) const;
  bool HaveRoom() const;
  double FreePart() const;
  void MakeRoom();
  bool Misses(const PrimitivePair& pair) const;
  void FindPairs();

  std::vector<int> node_dof_;
  ContactBodies bodies_;
  ContactFilter filter_;
  std::vector<std::vector<int>> obstacle_at_;  ///< obstacle triangles at each node
  double tolerance_;
  BroadPhase broad_phase_;
  std::vector<PrimitivePair> pairs_;
  std::vector<Vector3> points_, found_at_, way_, ends_;  ///< per node
  std::vector<double> room_;                             ///< m that a node may move from found_at_
  double least_room_ = 0;                                ///< m
  std::vector<double> reach_;  ///< m, radius of a primitive plus its nodes' room
};

/// Appends pairs to saved memory, and removes them from its front. LoadPairs throws ConfigError if
/// the memory does not hold pairs of these primitives.
void SavePairs(std::span<const PrimitivePair> pairs, std::vector<double>* memory);
void LoadPairs(const Primitives& primitives, std::span<const double>* memory,
               std::vector<PrimitivePair>* pairs);

}  // namespace strand
