// The cables that a description with branches consists of.
//
// A junction is a point of a cable that has its direction: in MuJoCo a body without extent, between
// the two half joints of its node, in the core a small rigid body. Branches are clamped to it like
// cables to any other body, so that moments are carried to second order in the links' length, by
// any number of branches at any angles. An elastic junction is a spring in series with the first
// joint of its branch.
#pragma once

#include <string>
#include <vector>

#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/pose.h"

namespace strand::mujoco {

/// The cable itself, or one of its branches as a cable of its own.
struct Arm {
  /// Without branches. Its prefix is complete, and its nodes are given in the frame of the junction
  /// at which it starts, which holds its start.
  CableDescription cable;
  std::string name;  ///< empty: the cable itself
  int on = -1;       ///< index of the arm on which it starts; -1: none
  int node = 0;      ///< of that arm
  Pose pose;         ///< of the junction, in the frame of the cable
};

/// All cables of a description, each after the one on which it starts. Throws ConfigError if a
/// branch starts beyond its cable's ends or on no cable of the description, lies along another
/// cable, or if branches form a loop.
std::vector<Arm> ArmsOf(const CableDescription& cable);

/// What precedes the names of fields of a branch in errors.
std::string InBranch(const std::string& name);

}  // namespace strand::mujoco
