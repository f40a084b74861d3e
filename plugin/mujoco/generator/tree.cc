#include "plugin/mujoco/generator/tree.h"

#include <algorithm>

#include "plugin/mujoco/generator/check.h"
#include "plugin/mujoco/generator/contact.h"

namespace strand::mujoco {
namespace {

constexpr int kHiddenGroup = 4;  // sites at nodes are for reading, not for looking at

Pose LinkPose(const Plan& plan, int k) { return {plan.rod.nodes[k], plan.rod.frames[k]}; }

// Mass and inertia of the link's prism or cylinder, exact for every section: end caps that collide
// weigh nothing.
void SetInertia(const Plan& plan, int k, mjsBody* body) {
  const double l = plan.rod.length[k];
  const Section& section = plan.rod.section;
  const double line = plan.cable.density * l;  // kg / m^2: times an area is a mass
  body->mass = line * section.area;
  body->ipos[0] = l / 2;
  const double across = body->mass * l * l / 12;
  body->inertia[0] = line * (section.second_moment_y + section.second_moment_z);
  body->inertia[1] = line * section.second_moment_y + across;
  body->inertia[2] = line * section.second_moment_z + across;
  body->explicitinertial = 1;
}

// The ball joint at the node before (after) the link, where `joint` is the index of its stiffness.
void SetElasticJoint(const Plan& plan, int joint, mjsJoint* ball) {
  const Recipe& recipe = plan.recipe;
  const auto& stiffness = plan.rod.stiffness[joint];
  const double span = plan.rod.span[joint];
  ball->damping[0] = recipe.JointDamping(stiffness, span);
  ball->armature = recipe.JointArmature(stiffness, span);
  if (recipe.stabilizer == Stabilizer::kJointStiffness) {
    ball->stiffness[0] = recipe.JointStiffness(stiffness, span);
  }
}

// The link at the root: held by the carrier, wholly or at its node, or free.
void AddRootJoint(const Plan& plan, mjsBody* body) {
  const int root = plan.recipe.root;
  const int side = plan.HeldByTree(0) ? 0 : 1;
  const bool held = plan.HeldByTree(side);
  if (held && !plan.Turns(side) && !plan.rod.clamped[side]) return;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, plan.Name("joint", root).c_str());
  joint->type = held ? mjJNT_BALL : mjJNT_FREE;
  if (!held) return;
  if (side == 1) joint->pos[0] = plan.rod.length[root];
  if (plan.rod.clamped[side]) SetElasticJoint(plan, plan.rod.Joint(side ? root : -1), joint);
}

void AddLinkJoint(const Plan& plan, int k, mjsBody* body) {
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, plan.Name("joint", k).c_str());
  joint->type = mjJNT_BALL;
  const bool before_root = k < plan.recipe.root;
  if (before_root) joint->pos[0] = plan.rod.length[k];
  SetElasticJoint(plan, plan.rod.Joint(before_root ? k : k - 1), joint);
}

void AddSite(const Plan& plan, mjsBody* body, const std::string& name, double along, int group) {
  mjsSite* site = mjs_addSite(body, nullptr);
  mjs_setName(site->element, name.c_str());
  site->pos[0] = along;
  site->group = group;
  std::fill(site->size, site->size + 3, plan.Thickness() / 2);
}

void AddSites(const Plan& plan, int k, mjsBody* body) {
  const int last = plan.rod.links() - 1;
  const double l = plan.rod.length[k];
  AddSite(plan, body, plan.Name("node", k), 0, kHiddenGroup);
  if (k == 0) AddSite(plan, body, plan.Name("site_start"), 0, 0);
  if (k < last) return;
  AddSite(plan, body, plan.Name("node", last + 1), l, kHiddenGroup);
  AddSite(plan, body, plan.Name("site_end"), l, 0);
}

mjsBody* AddLink(const Plan& plan, mjsBody* parent, const Pose& pose, int k) {
  mjsBody* body = mjs_addBody(parent, nullptr);
  mjs_setName(body->element, plan.LinkName(k).c_str());
  SetPose(pose, body->pos, body->quat);
  SetInertia(plan, k, body);
  k == plan.recipe.root ? AddRootJoint(plan, body) : AddLinkJoint(plan, k, body);
  AddGeoms(plan, k, body);
  AddSites(plan, k, body);
  body->plugin.active = 1;
  mjs_setString(body->plugin.plugin_name, "strand.cable");
  mjs_setString(body->plugin.name, plan.Name("rod").c_str());
  return body;
}

}  // namespace

void SetPose(const Pose& pose, double pos[3], double quat[4]) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(pose.rotation).normalized();
  std::copy(pose.position.data(), pose.position.data() + 3, pos);
  const double wxyz[4] = {q.w(), q.x(), q.y(), q.z()};
  std::copy(wxyz, wxyz + 4, quat);
}

mjsBody* AddTree(const Plan& plan, mjsBody* parent) {
  const int root = plan.recipe.root, links = plan.rod.links();
  const bool held = plan.HeldByTree(0) || plan.HeldByTree(1);
  const Pose place = held ? Pose() : plan.carrier_pose;
  mjsBody* middle = AddLink(plan, parent, place * LinkPose(plan, root), root);
  for (const int step : {-1, 1}) {
    mjsBody* body = middle;
    for (int k = root + step; k >= 0 && k < links; k += step) {
      const Pose pose = LinkPose(plan, k - step).Inverse() * LinkPose(plan, k);
      body = AddLink(plan, body, pose, k);
    }
  }
  return middle;
}

}  // namespace strand::mujoco
