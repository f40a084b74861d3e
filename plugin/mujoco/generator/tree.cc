#include "plugin/mujoco/generator/tree.h"

#include <algorithm>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/contact.h"

namespace strand::mujoco {
namespace {

constexpr int kHiddenGroup = 4;  // hidden by default: sites at nodes are for reading positions

// Pose of a link, which in a ring may be counted from its end (negative).
Pose LinkPose(const Plan& plan, int number) {
  const int k = plan.Link(number);
  return {plan.rod.nodes[k], plan.rod.frames[k]};
}

// Sets mass and inertia of the link's prism or cone, exact for every section; the end caps of geoms
// have no mass. Both halves of a link that is cut have its centre of mass and a share of its mass
// and inertia: the near half, whose geoms collide, two thirds, since MuJoCo's contacts are the
// softer the lighter the body. Threads have less inertia than MuJoCo accepts; the recipe reports
// the factor by which it is raised.
void SetInertia(const Plan& plan, int k, LinkPart part, mjsBody* body) {
  const double share =
      part == LinkPart::kWhole ? 1.0 : (part == LinkPart::kNearHalf ? 2.0 : 1.0) / 3;
  const PartMass& link = plan.rod.mass[k];
  body->mass = share * link.mass;
  body->ipos[0] = link.center;
  for (int i = 0; i < 3; ++i) body->inertia[i] = std::max(share * link.inertia[i], kLeastInertial);
  body->explicitinertial = 1;
}

// Sets the properties of a ball joint of the rod; `index` is that of DrawnRod::stiffness.
void SetElasticJoint(const Plan& plan, int index, mjsJoint* ball) {
  const JointNumerics numerics = plan.recipe.Joint(plan.rod, index);
  Linear(ball->damping) = numerics.damping;
  Linear(ball->stiffness) = numerics.stiffness;
  if (double* quadratic = Quadratic(ball->damping)) *quadratic = numerics.quadratic;
  ball->armature = numerics.armature;
}

// The joint at a clamped end.
int EndJoint(const Plan& plan, int side) {
  return side ? plan.rod.JointBefore(plan.EndNode(1)) : plan.rod.JointAfter(0);
}

// True if a constraint holds an end of the cable that belongs to the piece, and lets it turn.
bool Swings(const Plan& plan, const Piece& piece) {
  const auto turns = [&](int side, int number) {
    return plan.Link(number) == plan.EndLink(side) && plan.Turns(side) && !plan.HeldByTree(side);
  };
  return !plan.cable.closed && (turns(0, piece.first) || turns(1, piece.last));
}

// Adds the joint along which a fed cable slides, after that about which it turns at the mouth of
// its guide. Its position is the length outside.
void AddSlide(const Plan& plan, mjsBody* body) {
  mjsJoint* slide = mjs_addJoint(body, nullptr);
  mjs_setName(slide->element, plan.Name("feed").c_str());
  slide->type = mjJNT_SLIDE;
  slide->axis[0] = 1, slide->axis[1] = slide->axis[2] = 0;
  slide->ref = plan.rod.total_length() - plan.rod.inside;
  slide->limited = mjLIMITED_TRUE;
  slide->range[0] = plan.rod.length[0], slide->range[1] = plan.rod.total_length();
}

// Adds the body that has the mass of what is not fed out (strand.Feeder), at the end of the guide.
mjsBody* AddReel(const Plan& plan, mjsBody* carrier) {
  mjsBody* reel = mjs_addBody(carrier, nullptr);
  mjs_setName(reel->element, plan.Name("reel").c_str());
  const Vector3 mouth = plan.HeldPose(0).position;
  std::copy(mouth.data(), mouth.data() + 3, reel->ipos);
  reel->mass = kLeastInertial;
  std::fill(reel->inertia, reel->inertia + 3, kLeastInertial);
  reel->explicitinertial = 1;
  return reel;
}

// Damps the joint about which a cable swings. Without `discrete`, constraints do not see damping;
// they see an armature that stands for it, like that of elastic joints. Otherwise a tether of 100 m
// diverges.
void SetSwingDamping(const Recipe& recipe, mjsJoint* joint) {
  Linear(joint->damping) = recipe.swing_damping;
  if (recipe.stabilizer != Stabilizer::kStiffnessAndArmature) return;
  joint->armature = recipe.timestep * recipe.swing_damping;
}

// Adds the joint of the root link of a tree: a slide if it is fed out, none if the carrier holds
// the whole link, a ball joint if it holds a node, else a free joint. The free joint of a cable
// that swings from a constraint has the ball joint's damping, which also acts on the link's
// velocity, with little effect.
void AddRootJoint(const Plan& plan, const Piece& piece, mjsBody* body) {
  const int root = plan.Link(piece.root);
  const int side = root == plan.EndLink(0) ? 0 : 1;
  const bool held = root == plan.EndLink(side) && plan.HeldByTree(side);
  if (held && !plan.Turns(side) && !plan.rod.clamped[side]) return;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, plan.Name("joint", root).c_str());
  joint->type = held ? mjJNT_BALL : mjJNT_FREE;
  if (!held) {
    if (Swings(plan, piece)) SetSwingDamping(plan.recipe, joint);
    return;
  }
  joint->pos[0] = side ? plan.rod.length[root] : plan.rod.inside;
  if (plan.rod.clamped[side]) {
    SetElasticJoint(plan, EndJoint(plan, side), joint);
  } else {
    SetSwingDamping(plan.recipe, joint);
  }
  if (plan.cable.ends[side] == EndCondition::kFeed) AddSlide(plan, body);
}

// The joint at the link's node that is nearer to the root of its tree.
void AddLinkJoint(const Plan& plan, int k, LinkPart part, bool before_root, mjsBody* body) {
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  const char* suffix = part == LinkPart::kFarHalf ? "_far" : "";
  mjs_setName(joint->element, (plan.Name("joint", k) + suffix).c_str());
  joint->type = mjJNT_BALL;
  if (before_root) joint->pos[0] = plan.rod.length[k];
  SetElasticJoint(
      plan,
      before_root ? plan.rod.JointBefore(k + 1) : plan.rod.JointAfter(k > 0 ? k : plan.EndNode(1)),
      joint);
}

void AddSite(const Plan& plan, int k, mjsBody* body, const std::string& name, double along) {
  mjsSite* site = mjs_addSite(body, nullptr);
  mjs_setName(site->element, name.c_str());
  mjs_defaultOrientation(&site->alt);  // not that of the scene's default
  site->pos[0] = along;
  site->group = kHiddenGroup;
  std::fill(site->size, site->size + 3, plan.Thickness(k) / 2);
}

void AddSites(const Plan& plan, int k, mjsBody* body) {
  const int last = plan.rod.links() - 1;
  const double l = plan.rod.length[k];
  AddSite(plan, k, body, plan.Name("node", k), 0);
  if (k == 0) AddSite(plan, k, body, plan.Name("site_start"), 0);
  if (k < last) return;
  AddSite(plan, k, body, plan.Name("node", last + 1), l);
  AddSite(plan, k, body, plan.Name("site_end"), l);
}

// Adds a body without geoms at a node of link k, on a ball joint, for constraints or branches. The
// elastic joint there is then a joint of the tree and gets the recipe's damping and stabilizer. The
// body's tiny mass is taken from the link; armature on the joint keeps the mass matrix well
// conditioned.
mjsBody* AddPointBody(const Plan& plan, int k, const Pose& pose, const std::string& name,
                      mjsBody* link, mjsJoint** joint) {
  constexpr double kTiny = 1e-9, kMost = 1e-3;  // of the link's mass and inertia
  mjsBody* body = mjs_addBody(link, nullptr);
  mjs_setName(body->element, name.c_str());
  SetPose(LinkPose(plan, k).Inverse() * pose, body->pos, body->quat);
  const double inertia = std::max(kTiny * link->inertia[0], kLeastInertial);
  std::fill(body->inertia, body->inertia + 3, inertia);
  // MuJoCo's drag is that of a cube with the body's mass and inertia, which is made no wider than
  // the link: 6 I / m = (2 r)^2.
  const double squared_width = 8 * link->inertia[0] / link->mass;
  body->mass =
      std::max(std::clamp(6 * inertia / squared_width, kTiny * link->mass, kMost * link->mass),
               kLeastInertial);
  link->mass -= body->mass;
  body->ipos[0] = 0;  // the default, NaN, means inferred from geoms
  body->explicitinertial = 1;
  *joint = mjs_addJoint(body, nullptr);
  (*joint)->type = mjJNT_BALL;
  AddSite(plan, k, body, name, 0);
  return body;
}

// Adds the body of a clamp or junction, with the elastic joint of that index.
mjsBody* AddElasticPoint(const Plan& plan, int k, const Pose& pose, const std::string& kind,
                         int index, mjsBody* link) {
  mjsJoint* joint = nullptr;
  mjsBody* body = AddPointBody(plan, k, pose, plan.Name(kind.c_str()), link, &joint);
  mjs_setName(joint->element, plan.Name(("joint_" + kind).c_str()).c_str());
  SetElasticJoint(plan, index, joint);
  joint->armature += 0.1 * link->inertia[1];
  return body;
}

// Adds the body of a clamp at a node, for a constraint or for branches.
void AddClampBody(const Plan& plan, int side, mjsBody* link) {
  const Pose pose{plan.rod.nodes[plan.EndNode(side)], plan.rod.ClampFrame(side)};
  AddElasticPoint(plan, plan.EndLink(side), pose, std::string("clamp_") + SideName(side),
                  EndJoint(plan, side), link);
}

// Adds the body of a junction between a link and the next one of its tree.
mjsBody* AddJunction(const Plan& plan, int k, int node, mjsBody* link) {
  const Pose pose{plan.rod.nodes[node], plan.rod.JunctionFrame(node)};
  const int index = k == node ? plan.rod.JointAfter(node) : plan.rod.JointBefore(node);
  return AddElasticPoint(plan, k, pose, "junction" + std::to_string(node), index, link);
}

// Adds the body by which the last link of a closed cable is welded to the first. The rod's last
// joint lies between these links. Its numerical stiffness is replaced by armature, which exerts no
// force.
void AddClosureBody(const Plan& plan, mjsBody* link) {
  const Recipe& recipe = plan.recipe;
  const Pose pose{plan.rod.nodes.back(), plan.rod.frames[0]};
  mjsJoint* joint = nullptr;
  AddPointBody(plan, plan.EndLink(1), pose, plan.Name("closure"), link, &joint);
  mjs_setName(joint->element, plan.Name("joint_closure").c_str());
  const JointNumerics numerics = recipe.Joint(plan.rod, EndJoint(plan, 1));
  const double h = recipe.timestep;
  Linear(joint->damping) = numerics.damping;
  if (double* quadratic = Quadratic(joint->damping)) *quadratic = numerics.quadratic;
  joint->armature = 0.1 * link->inertia[1] + numerics.armature;
  if (recipe.stabilizer == Stabilizer::kStiffness) {
    joint->armature += h * (numerics.damping + h * numerics.stiffness);
  }
}

// Keeps the fluid of a scene (`option density`, `viscosity`) off the far half of a link. MuJoCo
// gives a body drag by its mass and inertia unless it has a geom with drag of its own: the halves
// would have twice that of the link.
void AddDraglessGeom(const Plan& plan, int k, mjsBody* body) {
  constexpr double kTiny = 1e-3;  // of the link's thickness
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  mjs_setName(geom->element, (plan.Name("geom", k) + "_far").c_str());
  geom->type = mjGEOM_SPHERE;
  geom->size[0] = kTiny * plan.Thickness(k);
  geom->pos[0] = plan.rod.length[k] / 2;
  geom->mass = 0;
  geom->contype = geom->conaffinity = 0;
  geom->group = kHiddenGroup;
  geom->rgba[3] = 0;
  geom->fluid_ellipsoid = 1;
  std::fill(geom->fluid_coefs, geom->fluid_coefs + 5, 0.0);
}

// Adds what the far half of a link does not have: geoms, sites and bodies at the rod's ends.
void AddParts(const Plan& plan, int k, mjsBody* body) {
  AddGeoms(plan, k, body);
  AddSites(plan, k, body);
  for (int side = 0; side < 2; ++side) {
    if (k == plan.EndLink(side) && plan.HasClampBody(side)) AddClampBody(plan, side, body);
  }
  if (plan.HasClosure() && k == plan.EndLink(1)) AddClosureBody(plan, body);
}

// Adds link `number` of the piece, in the frame `pose`.
mjsBody* AddLink(const Plan& plan, const Piece& piece, int number, const Pose& pose,
                 mjsBody* parent) {
  const int k = plan.Link(number);
  const LinkPart part = piece.Part(number);
  mjsBody* body = mjs_addBody(parent, nullptr);
  const bool far = part == LinkPart::kFarHalf;
  mjs_setName(body->element, (far ? plan.FarHalfName(k) : plan.LinkName(k)).c_str());
  SetPose(pose, body->pos, body->quat);
  SetInertia(plan, k, part, body);
  if (number == piece.root) {
    AddRootJoint(plan, piece, body);
  } else {
    AddLinkJoint(plan, k, part, number < piece.root, body);
  }
  if (far) {
    AddDraglessGeom(plan, k, body);
  } else {
    AddParts(plan, k, body);
  }
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

mjsBody* AddTree(const Plan& plan, const Piece& piece, mjsBody* parent) {
  const Pose place = plan.HeldByCarrier(piece) ? Pose() : plan.carrier_pose;
  mjsBody* reel = plan.cable.ends[0] == EndCondition::kFeed ? AddReel(plan, parent) : nullptr;
  mjsBody* root =
      AddLink(plan, piece, piece.root, place * LinkPose(plan, piece.root), reel ? reel : parent);
  for (const int step : {-1, 1}) {
    mjsBody* body = root;
    Pose outer = LinkPose(plan, piece.root);
    for (int k = piece.root + step; k >= piece.first && k <= piece.last; k += step) {
      const int node = plan.Link(std::max(k, k - step));
      if (plan.rod.HasJunction(node)) {
        body = AddJunction(plan, plan.Link(k - step), node, body);
        outer = {plan.rod.nodes[node], plan.rod.JunctionFrame(node)};
      }
      body = AddLink(plan, piece, k, outer.Inverse() * LinkPose(plan, k), body);
      outer = LinkPose(plan, k);
    }
  }
  return reel ? reel : root;
}

}  // namespace strand::mujoco
