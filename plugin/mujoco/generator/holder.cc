#include "plugin/mujoco/generator/holder.h"

#include <algorithm>
#include <vector>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/adapter/ties.h"

namespace strand::mujoco {
namespace {

// Damping (N m s/rad or N s/m) of each degree of freedom that the integrator solves implicitly.
std::vector<double> ImplicitDamping(const mjModel* m) {
  std::vector<double> damping(m->dof_damping, m->dof_damping + m->nv);
  if (m->opt.integrator == mjINT_EULER) return damping;
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_biastype[i] != mjBIAS_AFFINE) continue;
    const int joint = m->actuator_trnid[2 * i];
    if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE) continue;
    const mjtNum gear = m->actuator_gear[6 * i];
    damping[m->jnt_dofadr[joint]] -= gear * gear * m->actuator_biasprm[mjNBIAS * i + 2];
  }
  return damping;
}

// J M^-1 J^T of a point of a body.
Eigen::Matrix3d Mobility(const mjModel* m, int body, const Vector3& point) {
  const DataPtr data(mj_makeData(m));
  mj_fwdPosition(m, data.get());
  std::vector<mjtNum> jacobian(3 * m->nv), moved(3 * m->nv);
  mj_jac(m, data.get(), jacobian.data(), nullptr, point.data(), body);
  mj_solveM(m, data.get(), moved.data(), jacobian.data(), 3);
  Eigen::Matrix3d mobility;
  mju_mulMatMatT(mobility.data(), jacobian.data(), moved.data(), 3, m->nv, 3);
  return mobility;
}

// Tests balls against the geoms of bodies of a scene, at qpos0.
class SceneShape {
 public:
  explicit SceneShape(const mjSpec* scene) {
    const SpecPtr copy(mj_copySpec(scene));
    if (!copy) return;
    mjsGeom* ball = mjs_addGeom(FindBody(copy.get(), "world"), nullptr);
    ball->type = mjGEOM_SPHERE, ball->size[0] = 1;
    ball->contype = ball->conaffinity = 0;
    model_.reset(mj_compile(copy.get(), nullptr));
    if (!model_) return;
    data_.reset(mj_makeData(model_.get()));
    mj_kinematics(model_.get(), data_.get());
    ball_ = model_->body_geomadr[0] + model_->body_geomnum[0] - 1;
  }

  // Leaves geoms out that cannot collide with geoms of these masks.
  void Mask(int contype, int conaffinity) {
    for (int geom = 0; model_ && geom < model_->ngeom; ++geom) {
      const bool meets =
          (model_->geom_contype[geom] & conaffinity) || (model_->geom_conaffinity[geom] & contype);
      if (!meets) model_->geom_contype[geom] = model_->geom_conaffinity[geom] = 0;
    }
  }

  // Whether a ball touches a geom of one of the bodies that collides and has an inside.
  bool Touches(const std::vector<std::string>& bodies, const Vector3& centre, double radius) {
    if (!model_) return false;
    model_->geom_size[3 * ball_] = radius;
    mju_copy3(data_->geom_xpos + 3 * ball_, centre.data());
    return std::ranges::any_of(bodies, [&](const std::string& body) {
      return BallTouches(mj_name2id(model_.get(), mjOBJ_BODY, body.c_str()));
    });
  }

 private:
  bool BallTouches(int id) {
    const int begin = model_->body_geomadr[id];
    for (int geom = begin; geom < begin + model_->body_geomnum[id]; ++geom) {
      const int type = model_->geom_type[geom];
      if (type < mjGEOM_SPHERE || type > mjGEOM_MESH) continue;
      if (model_->geom_contype[geom] == 0 && model_->geom_conaffinity[geom] == 0) continue;
      if (mj_geomDistance(model_.get(), data_.get(), ball_, geom, 0, nullptr) < 0) return true;
    }
    return false;
  }

  ModelPtr model_;  // null if the scene does not compile yet
  DataPtr data_;
  int ball_ = 0;
};

// The bodies of the scene that may have links of that end inside.
std::vector<std::string> BodiesAround(const Plan& drawn, int side, const mjSpec* scene) {
  const std::string holder = drawn.HolderBody(scene, side);
  const bool feeds = drawn.cable.ends[side] == EndCondition::kFeed;
  if (holder.empty() || holder == "world" || feeds) return {};
  std::vector<std::string> bodies = drawn.beside_holder[side];
  bodies.push_back(holder);
  std::erase_if(bodies, [&](const std::string& name) {
    mjsBody* body = FindBody(scene, name);
    return !body || !mjs_firstChild(body, mjOBJ_GEOM, 0);
  });
  return bodies;
}

int CountInside(const Plan& drawn, int side, const std::vector<std::string>& bodies,
                SceneShape* shape) {
  constexpr double kPoint = 1e-3;  // radius of a ball that stands for a point, of the thickness
  const int n = drawn.rod.links();
  for (int inside = 0; inside < n; ++inside) {
    const Vector3& node = drawn.rod.nodes[side ? n - inside : inside];
    const Vector3 at = drawn.carrier_pose.position + drawn.carrier_pose.rotation * node;
    const double thickness = drawn.Thickness(side ? n - 1 - inside : inside);
    if (shape->Touches(bodies, at, kPoint * thickness)) continue;
    return inside > 0 && shape->Touches(bodies, at, thickness) ? inside + 1 : inside;
  }
  return n;
}

// The bodies through which what leaves the mouth of a guide passes within a link's length: so far,
// the link there does not collide yet.
std::vector<std::string> BodiesAtMouth(const Plan& drawn, const std::vector<std::string>& bodies,
                                       const mjSpec* scene) {
  constexpr int kMost = 200;  // balls along the link
  const Pose mouth = drawn.carrier_pose * drawn.HeldPose(0);
  const double link = drawn.rod.length[0], thickness = drawn.Thickness(0);
  const int count = std::clamp(static_cast<int>(link / thickness), 1, kMost);
  const double radius = std::max(thickness, link / count);
  SceneShape shape(scene);
  std::vector<std::string> touched;
  for (const std::string& body : bodies) {
    for (int i = 0; i <= count; ++i) {
      const Vector3 at = mouth.position + i * link / count * mouth.rotation.col(0);
      if (!shape.Touches({body}, at, radius)) continue;
      touched.push_back(body);
      break;
    }
  }
  return touched;
}

bool HasJoint(mjsBody* body) { return mjs_firstChild(body, mjOBJ_JOINT, 0) != nullptr; }

// Appends a body and its descendants that are fixed to it.
void CollectFixed(mjsBody* body, std::vector<mjsBody*>* bodies) {
  bodies->push_back(body);
  for (mjsElement* child = mjs_firstChild(body, mjOBJ_BODY, 0); child;
       child = mjs_nextChild(body, child, 0)) {
    if (!HasJoint(mjs_asBody(child))) CollectFixed(mjs_asBody(child), bodies);
  }
}

// A body and all that are fixed to it. None for the world, which moves no body.
std::vector<mjsBody*> FixedTogether(const mjSpec* scene, mjsBody* body) {
  const mjsBody* world = FindBody(scene, "world");
  if (!body || body == world) return {};
  while (!HasJoint(body)) {
    mjsBody* parent = mjs_getParent(body->element);
    if (!parent || parent == world) break;
    body = parent;
  }
  std::vector<mjsBody*> bodies;
  CollectFixed(body, &bodies);
  return bodies;
}

// Names of the other bodies of a scene that are fixed to a body, since no joint is between them.
// Those that only the world joins are left out.
std::vector<std::string> FixedTo(const mjSpec* scene, const std::string& name) {
  std::vector<std::string> names;
  if (name.empty()) return names;
  for (mjsBody* each : FixedTogether(scene, FindBody(scene, name))) names.push_back(NameOf(each));
  std::erase(names, name);
  return names;
}

}  // namespace

void NameHolders(const CableDescription& cable, const std::string& carrier, mjSpec* scene) {
  int number = 0;
  for (int side = 0; side < 2; ++side) {
    const EndCondition end = cable.ends[side];
    const bool carried = HeldInPlace(end) || end == EndCondition::kFeed;
    const std::string& holder = carried ? carrier : cable.end_to[side];
    if (holder.empty()) continue;
    for (mjsBody* each : FixedTogether(scene, FindHolder(scene, holder))) {
      if (!NameOf(each).empty()) continue;
      std::string name;
      do {
        name = cable.prefix + "holder" + std::to_string(number++);
      } while (FindBody(scene, name));
      mjs_setName(each->element, name.c_str());
    }
  }
}

std::vector<std::string> BesideHolder(const Plan& drawn, int side, const mjSpec* scene) {
  const std::vector<std::string> fixed = FixedTo(scene, drawn.HolderBody(scene, side));
  const bool feeds = drawn.cable.ends[side] == EndCondition::kFeed;
  return feeds && !fixed.empty() ? BodiesAtMouth(drawn, fixed, scene) : fixed;
}

void CheckMouth(const Plan& drawn, const mjSpec* scene) {
  const ContactDescription& contact = drawn.cable.contact;
  if (drawn.cable.ends[0] != EndCondition::kFeed || drawn.carrier != "world") return;
  if (!contact.collide) return;
  SceneShape shape(scene);
  shape.Mask(contact.contype, contact.conaffinity);
  const Vector3 mouth = (drawn.carrier_pose * drawn.HeldPose(0)).position;
  if (!shape.Touches({"world"}, mouth, drawn.Thickness(0))) return;
  throw ConfigError("body", "world, with a geom at the mouth of the cable that is fed",
                    "a body of its own for the guide, which the cable does not collide with");
}

std::array<int, 2> LinksInside(const Plan& drawn, const mjSpec* scene) {
  std::array<int, 2> inside{};
  const bool feeds = drawn.cable.ends[0] == EndCondition::kFeed;
  if (feeds && drawn.carrier != "world") inside[0] = drawn.rod.links();
  const std::array bodies{BodiesAround(drawn, 0, scene), BodiesAround(drawn, 1, scene)};
  if (bodies[0].empty() && bodies[1].empty()) return inside;
  SceneShape shape(scene);
  for (int side = 0; side < 2; ++side) {
    if (!bodies[side].empty()) inside[side] = CountInside(drawn, side, bodies[side], &shape);
  }
  return inside;
}

ModelPtr CompiledCopy(const mjSpec* scene) {
  const SpecPtr copy(mj_copySpec(scene));
  return ModelPtr(copy ? mj_compile(copy.get(), nullptr) : nullptr);
}

bool CanMove(const mjModel* scene, const std::string& name) {
  const int body = mj_name2id(scene, mjOBJ_BODY, name.c_str());
  return body >= 0 && scene->body_weldid[body] != 0;
}

Load LoadOf(const mjModel* scene, const std::set<std::string>& bodies) {
  Load load;
  std::set<int> trees;
  for (const std::string& name : bodies) {
    if (!CanMove(scene, name)) continue;
    const int body = mj_name2id(scene, mjOBJ_BODY, name.c_str()), root = scene->body_rootid[body];
    load.swings |= IsFreeBody(scene, body);
    if (trees.insert(root).second) load.mass += scene->body_subtreemass[root];
  }
  return load;
}

double HiddenMobility(const mjModel* scene, const std::string& body, const Vector3& point) {
  if (scene->opt.integrator == kDiscrete || scene->opt.integrator == mjINT_RK4) return 0;
  if (!CanMove(scene, body)) return 0;
  const int id = mj_name2id(scene, mjOBJ_BODY, body.c_str());
  const ModelPtr model(mj_copyModel(nullptr, scene));
  model->opt.disableflags |= mjDSBL_CONSTRAINT;
  const Eigen::Matrix3d seen = Mobility(model.get(), id, point);
  const std::vector<double> damping = ImplicitDamping(scene);
  for (int i = 0; i < model->nv; ++i) {
    model->dof_armature[i] += model->opt.timestep * std::max(damping[i], 0.0);
  }
  const Eigen::Matrix3d hidden = seen - Mobility(model.get(), id, point);
  mjtNum eigenvalues[3], axes[9], turn[4];
  mju_eig3(eigenvalues, axes, turn, hidden.data());  // in descending order
  return eigenvalues[0];
}

Pose SitePose(const mjModel* scene, int site) {
  const auto [origin, rotation] = ReferencePoses(scene)[scene->site_bodyid[site]];
  const mjtNum *pos = scene->site_pos + 3 * site, *q = scene->site_quat + 4 * site;
  const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]);
  return Pose{origin, rotation.toRotationMatrix()} *
         Pose{Vector3(pos[0], pos[1], pos[2]), turn.toRotationMatrix()};
}

}  // namespace strand::mujoco
