// The bodies of a scene that hold the ends of a cable.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "model/geometry/frame.h"
#include "plugin/mujoco/description/pose.h"
#include "plugin/mujoco/generator/handles.h"
#include "plugin/mujoco/generator/plan.h"
#include "plugin/mujoco/generator/tension.h"

namespace strand::mujoco {

/// The scene as a model of its own; null if it does not compile yet.
ModelPtr CompiledCopy(const mjSpec* scene);

/// Whether joints let a body of the scene move.
bool CanMove(const mjModel* scene, const std::string& body);

/// The kinematic trees with these bodies, together; no load if none can move. A free rigid body may
/// swing; robots, whose trees have joints, do not.
Load LoadOf(const mjModel* scene, const std::set<std::string>& bodies);

/// Mobility (1/kg) of a point (m, in the world at qpos0) of a body that constraints count on,
/// although implicit damping takes it away. They use M, the motion M + h D, with the damping D of
/// joints and of actuators at joints: the largest eigenvalue of J (M^-1 - (M + h D)^-1) J^T.
/// The velocity that the damping leaves is that of the last step's force, so that a constraint
/// finds it again and its force lags: by this mobility over that of what is tied to the point, in
/// steps. `discrete` solves constraints with the damping, RK4 has none that is implicit: 0.
double HiddenMobility(const mjModel* scene, const std::string& body, const Vector3& point);

/// Names the bodies that hold a cable's ends, and those fixed to them, where they have no name:
/// `<prefix>holder0`, ... Exclusions of contact refer to bodies by name.
void NameHolders(const CableDescription& cable, const std::string& carrier, mjSpec* scene);

/// Names of the other bodies of a scene that are fixed to the one that holds an end, since no joint
/// is between them. Those that only the world joins are left out; where it feeds the cable, those
/// that are not at its mouth as well, since they are no part of the guide.
std::vector<std::string> BesideHolder(const Plan& drawn, int side, const mjSpec* scene);

/// Throws ConfigError if a cable is fed out of a geom of the world, with which it would collide:
/// contact with the world cannot be excluded, since the floor may be a geom of it as well.
void CheckMouth(const Plan& drawn, const mjSpec* scene);

/// Number of links, from each end on, that begin inside the body of the scene that holds that end
/// or one fixed to it (Plan::beside_holder), as in the middle of a box, counting the next one if it
/// begins at the surface. All where that feeds the cable, since all come out of it or may do so. 0
/// where the world holds the end.
std::array<int, 2> LinksInside(const Plan& drawn, const mjSpec* scene);

/// Pose of a site in the world at qpos0.
Pose SitePose(const mjModel* scene, int site);

}  // namespace strand::mujoco
