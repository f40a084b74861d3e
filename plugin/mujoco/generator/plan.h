// All decisions about a cable that are made before its MuJoCo elements are created.
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>

#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/rod.h"
#include "plugin/mujoco/generator/recipe.h"

namespace strand::mujoco {

struct Pose {
  Vector3 position = Vector3::Zero();
  Frame rotation = Frame::Identity();

  Pose operator*(const Pose& inner) const {
    return {position + rotation * inner.position, rotation * inner.rotation};
  }
  Pose Inverse() const { return {-(rotation.transpose() * position), rotation.transpose()}; }
};

struct Plan {
  const CableDescription& cable;
  DrawnRod rod;
  Recipe recipe;
  std::string carrier = "world";  ///< body in whose frame the nodes are given
  Pose carrier_pose;              ///< in the world, at qpos0

  std::string Name(const char* kind) const { return cable.prefix + kind; }
  std::string Name(const char* kind, int k) const {
    return cable.prefix + kind + std::to_string(k);
  }
  std::string LinkName(int k) const { return Name("link", k); }
  int EndLink(int side) const { return side ? rod.links() - 1 : 0; }
  int EndNode(int side) const { return side ? rod.links() : 0; }
  bool HeldByTree(int side) const {
    return mujoco::HeldByTree(cable, side, recipe.root, rod.links());
  }
  bool Turns(int side) const {
    return cable.ends[side] == EndCondition::kBall || cable.ends[side] == EndCondition::kPin;
  }

  /// Half a link's thickness (m): largest distance of its outline from its axis.
  double Thickness(int k) const { return std::max(rod.section[k].half_y, rod.section[k].half_z); }

  /// Pose in which a held end is held, in the carrier's frame.
  Pose HeldPose(int side) const {
    const Frame frame = rod.clamped[side] ? rod.ClampFrame(side) : rod.frames[EndLink(side)];
    return {rod.nodes[EndNode(side)], frame};
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

/// The body of that name, or of the site of that name; empty where the scene has neither.
std::string BodyOfHolder(const mjSpec* scene, const std::string& name);

/// Pose of a body of the scene in the world at qpos0.
Pose PoseInScene(const mjSpec* scene, const std::string& body);

}  // namespace strand::mujoco
