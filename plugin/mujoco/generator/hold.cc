#include "plugin/mujoco/generator/hold.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/tree.h"

namespace strand::mujoco {
namespace {

constexpr int kTorqueScaleIndex = 10;  // in a weld's data, after its anchor and relative pose

mjsEquality* AddEquality(mjSpec* spec, mjtEq type, mjtObj joined, const std::string& name,
                         const std::string& a, const std::string& b, const Softness& softness) {
  mjsEquality* equality = mjs_addEquality(spec, nullptr);
  mjs_setName(equality->element, name.c_str());
  equality->type = type;
  equality->objtype = joined;
  equality->active = 1;  // whatever the default of the scene is
  mjs_setString(equality->name1, a.c_str());
  mjs_setString(equality->name2, b.c_str());
  std::copy(softness.solref.begin(), softness.solref.end(), equality->solref);
  std::copy(softness.solimp.begin(), softness.solimp.end(), equality->solimp);
  // The anchor: MuJoCo's default value, meant for other types, would put it 1 m away.
  std::fill(equality->data, equality->data + 3, 0.0);
  if (type == mjEQ_WELD) equality->data[kTorqueScaleIndex] = kTorqueScale;
  return equality;
}

// Adds an equality between two sites, which can be released by mjData.eq_active.
void HoldSites(const Plan& plan, mjSpec* spec, mjtEq type, const std::string& name,
               const std::string& a, const std::string& b, double damping_ratio) {
  AddEquality(spec, type, mjOBJ_SITE, name, a, b,
              HoldSoftness(plan.recipe.Discrete(), plan.recipe.timestep, damping_ratio));
}

void AddClosure(const Plan& plan, mjSpec* spec) {
  HoldSites(plan, spec, mjEQ_WELD, plan.Name("closure"), plan.Name("node", 0), plan.Name("closure"),
            EndRatio(plan.recipe.RungeKutta()));
}

// Joins the halves of link k: a weld, or a connect that gives way and a weld beside it. `give`: m.
void AddCut(const Plan& plan, mjSpec* spec, int k, double give) {
  const Recipe& recipe = plan.recipe;
  const DrawnRod& rod = plan.rod;
  const std::string near = plan.LinkName(k), far = plan.FarHalfName(k);
  const auto add = [&](mjtEq type, const char* kind, const Softness& softness) {
    mjsEquality* tie = AddEquality(spec, type, mjOBJ_BODY, plan.Name(kind, k), near, far, softness);
    tie->data[0] = rod.length[k] / 2;
    return tie;
  };
  const bool gives = give > 0;
  mjsEquality* weld = add(mjEQ_WELD, "cut",
                          gives ? ParallelSoftness(recipe.Discrete(), recipe.timestep)
                                : HoldSoftness(recipe.Discrete(), recipe.timestep, kCutRatio));
  weld->data[kTorqueScaleIndex] = gives ? kParallelTorqueScale : kCutTorqueScale;
  if (!gives) return;
  const double mass = rod.mass[k].mass, inertia = mass * rod.length[k] * rod.length[k];
  const double armature = recipe.Joint(rod, rod.JointBefore(k)).armature / inertia;
  const CutLimit limit{recipe.give_way, give, InverseMassOfHalves(mass, armature)};
  add(mjEQ_CONNECT, "give", GivingSoftness(recipe.Discrete(), recipe.timestep, limit));
}

// Joins the halves of the links at which the cable is cut. Up to three cuts, evenly spaced, give
// way, together by a fraction of the cable's length.
void AddCuts(const Plan& plan, mjSpec* spec) {
  constexpr int kGiving = 3;
  constexpr double kGive = 0.1;
  std::vector<int> cuts;
  for (const Piece& piece : plan.pieces) {
    if (piece.cut_first) cuts.push_back(plan.Link(piece.first));
  }
  const int count = static_cast<int>(cuts.size());
  const int giving = std::isfinite(plan.recipe.give_way) ? std::min(kGiving, count) : 0;
  std::vector<double> give(cuts.size(), 0.0);
  for (int i = 0; i < giving; ++i) {
    give[(2 * i + 1) * count / (2 * giving)] = kGive * plan.rod.total_length() / giving;
  }
  for (int i = 0; i < count; ++i) AddCut(plan, spec, cuts[i], give[i]);
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
  mjs_defaultOrientation(&site->alt);  // not that of the scene's default
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
  HoldSites(plan, spec, plan.Turns(side) ? mjEQ_CONNECT : mjEQ_WELD,
            plan.Name("hold_") + SideName(side), site, held, plan.recipe.hold_ratio[side]);
}

}  // namespace

void AddHolds(const Plan& plan, mjSpec* spec) {
  if (plan.HasClosure()) AddClosure(plan, spec);
  AddCuts(plan, spec);
  for (int side = 0; side < 2; ++side) {
    if (plan.cable.ends[side] != EndCondition::kFree) HoldEnd(plan, spec, side);
  }
}

}  // namespace strand::mujoco
