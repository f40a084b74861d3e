// Rods on kinematic trees of every kind that a host may build.
#pragma once

#include <span>
#include <vector>

#include "tests/support/kinematics.h"

namespace strand::testing {

struct RodScene {
  TestTree tree;
  std::vector<int> link_body;
  std::vector<int> idle_bodies;  ///< carriers of the whole rod and bodies attached to it: no torque
};

/// Clamped at link 0, the rest on ball joints.
RodScene SerialScene(int links);

/// A free body in the middle; links before it are children in the opposite direction.
RodScene MiddleRootScene(int links);

/// Slide, hinges and a hand above the rod, and a tool on a hinge on its last link.
RodScene RobotScene(int links);

/// Bodies that are not links lie between links and carry them; links have mixed joints.
RodScene ForeignBodyScene(int links);

/// Up to three trees, each free and rooted at its own middle, created in mixed order.
RodScene SeveralTreesScene(int links);

/// A torso with two arms; each hand holds one half of the rod.
RodScene TwoArmsScene(int links);

/// Turns the links at q = 0 to `frames`, whatever the joint positions.
void PoseScene(std::span<const Frame> frames, RodScene* scene);

}  // namespace strand::testing
