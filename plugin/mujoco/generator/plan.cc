#include "plugin/mujoco/generator/plan.h"

#include "model/config/error.h"
#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/generator/holder.h"

namespace strand::mujoco {
namespace {

Pose LocalPose(const double pos[3], const double quat[4], const mjsOrientation& alt,
               const mjsCompiler& compiler) {
  double q[4] = {quat[0], quat[1], quat[2], quat[3]};
  if (const char* error = mjs_resolveOrientation(q, compiler.degree, compiler.eulerseq, &alt)) {
    throw ConfigError("body", error, "orientations that MuJoCo accepts");
  }
  return {Vector3(pos[0], pos[1], pos[2]),
          Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix()};
}

bool WrittenInAngles(const mjsOrientation& alt) {
  return alt.type == mjORIENTATION_AXISANGLE || alt.type == mjORIENTATION_EULER;
}

// The body's pose in the compiled scene, for versions that do not report the unit and order of
// angles.
Pose CompiledPose(const mjSpec* scene, const std::string& name) {
  const ModelPtr model = CompiledCopy(scene);
  if (!model) {
    throw ConfigError("body",
                      name + ", with an orientation in angles, in a scene that does not compile",
                      "a scene that compiles, with " + LoadedMujoco());
  }
  const int body = mj_name2id(model.get(), mjOBJ_BODY, name.c_str());
  const auto [origin, rotation] = ReferencePoses(model.get())[body];
  return {origin, rotation.toRotationMatrix()};
}

mjsElement* FindSite(const mjSpec* spec, const std::string& name) {
  return FindElement(spec, mjOBJ_SITE, name);
}

}  // namespace

std::string NameOf(const mjsBody* body) { return mjs_getString(mjs_getName(body->element)); }

mjsBody* FindHolder(const mjSpec* scene, const std::string& name) {
  if (mjsBody* body = FindBody(scene, name)) return body;
  mjsElement* site = FindSite(scene, name);
  return site ? mjs_getParent(site) : nullptr;
}

std::string BodyOfHolder(const mjSpec* scene, const std::string& name) {
  const mjsBody* body = FindHolder(scene, name);
  return body ? NameOf(body) : "";
}

Pose PoseInScene(const mjSpec* scene, const std::string& name) {
  Pose pose;
  // Some versions do not return a null pointer as the world's parent.
  const mjsBody* world = FindBody(scene, "world");
  mjsBody* body = FindBody(scene, name);
  while (body && body != world) {
    if (!kTellsCompiler && WrittenInAngles(body->alt)) return CompiledPose(scene, name);
    const mjsCompiler& compiler = Compiler(body->element);
    pose = LocalPose(body->pos, body->quat, body->alt, compiler) * pose;
    for (mjsFrame* frame = mjs_getFrame(body->element); frame;
         frame = mjs_getFrame(frame->element)) {
      if (!kTellsCompiler && WrittenInAngles(frame->alt)) return CompiledPose(scene, name);
      pose = LocalPose(frame->pos, frame->quat, frame->alt, compiler) * pose;
    }
    body = mjs_getParent(body->element);
  }
  return pose;
}

std::string Plan::HolderBody(const mjSpec* spec, int side) const {
  switch (cable.ends[side]) {
    case EndCondition::kFree:
      break;
    case EndCondition::kFixed:
    case EndCondition::kBall:
    case EndCondition::kFeed:
      return carrier;
    case EndCondition::kMocap:
      return Name(SideName(side));
    case EndCondition::kWeld:
    case EndCondition::kPin: {
      const std::string& name = cable.end_to[side];
      if (const std::string body = BodyOfHolder(spec, name); !body.empty()) return body;
      throw ConfigError(std::string(SideName(side)) + "_to", name,
                        "a body or a site of the scene that the cable is attached to");
    }
  }
  return "";
}

std::string Plan::HoldSite(const mjSpec* spec, int side) const {
  const std::string& name = cable.end_to[side];
  if (spec && !name.empty() && !FindBody(spec, name) && FindSite(spec, name)) return name;
  return Name("hold_") + SideName(side);
}

}  // namespace strand::mujoco
