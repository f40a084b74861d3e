#include "plugin/mujoco/generator/hold.h"

#include <algorithm>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/tree.h"

namespace strand::mujoco {
namespace {

constexpr int kTorqueScaleIndex = 10;  // in a weld's data, after its anchor and relative pose

// Adds an equality between two sites, which can be released by mjData.eq_active.
void AddEquality(const Plan& plan, mjSpec* spec, mjtEq type, const std::string& name,
                 const std::string& a, const std::string& b, bool by_mocap) {
  mjsEquality* equality = mjs_addEquality(spec, nullptr);
  mjs_setName(equality->element, name.c_str());
  equality->type = type;
  equality->objtype = mjOBJ_SITE;
  mjs_setString(equality->name1, a.c_str());
  mjs_setString(equality->name2, b.c_str());
  const Softness softness = HoldSoftness(plan.recipe.Discrete(), plan.recipe.timestep, by_mocap);
  std::copy(softness.solref.begin(), softness.solref.end(), equality->solref);
  std::copy(softness.solimp.begin(), softness.solimp.end(), equality->solimp);
  // The anchor: MuJoCo's default value, meant for other types, would put it 1 m away.
  std::fill(equality->data, equality->data + 3, 0.0);
  if (type == mjEQ_WELD) equality->data[kTorqueScaleIndex] = kTorqueScale;
}

void AddClosure(const Plan& plan, mjSpec* spec) {
  AddEquality(plan, spec, mjEQ_WELD, plan.Name("closure"), plan.Name("node", 0),
              plan.Name("closure"), false);
}

mjsBody* AddMocap(const Plan& plan, mjSpec* spec, int side) {
  mjsBody* body = mjs_addBody(FindBody(spec, "world"), nullptr);
  mjs_setName(body->element, plan.Name(SideName(side)).c_str());
  body->mocap = 1;
  SetPose(plan.carrier_pose * plan.HeldPose(side), body->pos, body->quat);
  return body;
}

// Adds the site on the holding body, at the pose in which the end is held.
void AddHoldSite(const Plan& plan, mjSpec* spec, int side, const std::string& name) {
  const bool mocap = plan.cable.ends[side] == EndCondition::kMocap;
  const std::string holder_name = plan.HolderBody(spec, side);
  mjsBody* holder = mocap ? AddMocap(plan, spec, side) : FindBody(spec, holder_name);
  Pose pose;
  if (!mocap) {
    const Pose in_world = plan.carrier_pose * plan.HeldPose(side);
    pose = holder_name == plan.carrier ? plan.HeldPose(side)
                                       : PoseInScene(spec, holder_name).Inverse() * in_world;
  }
  mjsSite* site = mjs_addSite(holder, nullptr);
  mjs_setName(site->element, name.c_str());
  SetPose(pose, site->pos, site->quat);
  std::fill(site->size, site->size + 3, plan.Thickness(plan.EndLink(side)) / 2);
  site->group = 4;
}

void HoldEnd(const Plan& plan, mjSpec* spec, int side) {
  const bool by_tree = plan.HeldByTree(side);
  // An end that the tree holds needs no constraint, but a clamp at its node needs a site.
  if (by_tree && !plan.rod.clamped[side]) return;
  const std::string site = plan.HoldSite(spec, side);
  const bool own = site != plan.cable.end_to[side];
  if (own) AddHoldSite(plan, spec, side, site);
  if (by_tree) return;
  const std::string held =
      plan.rod.clamped[side] ? plan.ClampSite(spec, side) : plan.Name("node", plan.EndNode(side));
  AddEquality(plan, spec, plan.Turns(side) ? mjEQ_CONNECT : mjEQ_WELD,
              plan.Name("hold_") + SideName(side), site, held,
              plan.cable.ends[side] == EndCondition::kMocap);
}

}  // namespace

void AddHolds(const Plan& plan, mjSpec* spec) {
  if (plan.cable.closed) AddClosure(plan, spec);
  for (int side = 0; side < 2; ++side) {
    if (plan.cable.ends[side] != EndCondition::kFree) HoldEnd(plan, spec, side);
  }
}

}  // namespace strand::mujoco
