// All decisions about a cable that are made before its MuJoCo elements are created.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <string>

#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/pose.h"
#include "plugin/mujoco/description/rod.h"
#include "plugin/mujoco/generator/pieces.h"
#include "plugin/mujoco/generator/recipe.h"

namespace strand::mujoco {

struct Plan {
  const CableDescription& cable;
  DrawnRod rod;
  Recipe recipe;
  std::vector<Piece> pieces;
  std::string carrier = "world";  ///< body in whose frame the nodes are given
  Pose carrier_pose;              ///< in the world, at qpos0
  /// Per end, the bodies of the scene that are fixed to the one that holds it, by name.
  std::array<std::vector<std::string>, 2> beside_holder{};
  std::array<int, 2> inside{};  ///< links, from each end on, inside these or the one that holds it

  void Split() { pieces = SplitIntoPieces(cable, rod.links(), recipe.pieces, recipe.root); }

  std::string Name(const char* kind) const { return cable.prefix + kind; }
  std::string Name(const char* kind, int k) const {
    return cable.prefix + kind + std::to_string(k);
  }
  std::string LinkName(int k) const { return Name("link", k); }
  std::string JunctionName(int node) const { return Name("junction", node); }
  std::string FarHalfName(int k) const { return LinkName(k) + "_far"; }
  int EndLink(int side) const { return side ? rod.links() - 1 : 0; }
  int EndNode(int side) const { return side ? rod.links() : 0; }
  /// The link of that number; those of a ring may be counted from its end (negative).
  int Link(int k) const { return k < 0 ? k + rod.links() : k; }
  /// True if a kinematic tree holds that end of the cable, so that it needs no constraint.
  bool HeldByTree(int side) const {
    const int root = side ? pieces.back().root : pieces.front().root;
    return root == EndLink(side) && HeldInPlace(cable.ends[side]);
  }
  /// True if the carrier holds the root of the piece's tree, which is an end of the cable.
  bool HeldByCarrier(const Piece& piece) const {
    return (piece.root == EndLink(0) && HeldByTree(0)) ||
           (piece.root == EndLink(1) && HeldByTree(1));
  }
  /// True if the last link of a closed cable is joined to the first by a weld at a node.
  bool HasClosure() const { return cable.closed && !pieces.front().cut_first; }
  bool Turns(int side) const {
    return cable.ends[side] == EndCondition::kBall || cable.ends[side] == EndCondition::kPin;
  }

  /// Half a link's thickness (m): largest distance of its outline from its axis.
  double Thickness(int k) const { return std::max(rod.section[k].half_y, rod.section[k].half_z); }

  /// Pose in which a held end is held, in the carrier's frame.
  Pose HeldPose(int side) const {
    const Frame frame = rod.clamped[side] ? rod.ClampFrame(side) : rod.frames[EndLink(side)];
    const Vector3 fed = side ? Vector3(0, 0, 0) : Vector3(rod.inside * rod.frames[0].col(0));
    return {rod.nodes[EndNode(side)] + fed, frame};
  }

  /// True for a node clamp held by a constraint. It gets its own body at the end of the rod, so
  /// that the half joint there is a joint of the tree and gets the recipe's stabilizer.
  bool HasClampBody(int side) const { return rod.clamped[side] && !HeldByTree(side); }

  /// The site in whose frame a node clamp holds the rod.
  std::string ClampSite(const mjSpec* spec, int side) const {
    return HasClampBody(side) ? Name("clamp_") + SideName(side) : HoldSite(spec, side);
  }

  /// The site that holds an end: the user's own, or <prefix>hold_start, _end.
  std::string HoldSite(const mjSpec* spec, int side) const;

  /// The body that holds an end; empty for a free end.
  std::string HolderBody(const mjSpec* spec, int side) const;
};

/// Name of a body of a spec; empty if it has none.
std::string NameOf(const mjsBody* body);

/// The body of that name, or of the site of that name; null where the scene has neither.
mjsBody* FindHolder(const mjSpec* scene, const std::string& name);

/// Its name; empty where there is none.
std::string BodyOfHolder(const mjSpec* scene, const std::string& name);

/// Pose of a body of the scene in the world at qpos0.
Pose PoseInScene(const mjSpec* scene, const std::string& body);

}  // namespace strand::mujoco
