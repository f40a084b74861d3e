#include "plugin/mujoco/generator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <sstream>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "model/geometry/section.h"

// Digits that MuJoCo writes to XML: exported by every supported version, declared in no header.
extern "C" {
MJAPI int _mjPRIVATE__get_xml_precision();
MJAPI void _mjPRIVATE__set_xml_precision(int precision);
}

namespace strand::mujoco {
namespace {

// MuJoCo's XML reader stops at 500 nested elements.
constexpr int kDeepestTree = 480;

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

void Require(bool good, const char* field, const std::string& value, const char* allowed) {
  if (!good) throw ConfigError(field, value, allowed);
}

void CheckPositive(const char* field, double value, const char* allowed) {
  Require(value > 0 && std::isfinite(value), field, Number(value), allowed);
}

void CheckDescription(const CableDescription& cable) {
  CheckPositive("radius", cable.radius, "finite, > 0 (m)");
  CheckPositive("density", cable.density, "finite, > 0 (kg/m^3)");
  for (double EI : cable.EI) CheckPositive("EI", EI, "finite, > 0 (N m^2)");
  CheckPositive("GJ", cable.GJ, "finite, > 0 (N m^2)");
  CheckPositive("timestep", cable.timestep, "finite, > 0 (s)");
  Require(cable.damping >= 0 && std::isfinite(cable.damping), "damping", Number(cable.damping),
          "finite, >= 0 (N m s/rad)");
  Require(cable.friction >= 0 && std::isfinite(cable.friction), "friction", Number(cable.friction),
          "finite, >= 0");
  for (double g : cable.gravity) Require(std::isfinite(g), "gravity", Number(g), "finite (m/s^2)");
  for (float c : cable.rgba) Require(c >= 0 && c <= 1, "rgba", Number(c), "0 to 1");
  for (int side = 0; side < 2; ++side) {
    const bool weld = cable.ends[side] == EndCondition::kWeld;
    Require(weld == !cable.weld_to[side].empty(), "weld_to", cable.weld_to[side],
            "the name of a body for a welded end, and nothing for any other");
    Require(!cable.closed || cable.ends[side] == EndCondition::kFree, "ends", "a held end",
            "free ends of a closed cable");
  }
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// The extension with the plugin instance. It is made from text, since mjs_setPluginAttributes
// takes a std::map of the C++ library that MuJoCo was built with.
SpecPtr SpecWithInstance(const CableDescription& cable, bool joint_stiffness) {
  std::ostringstream xml;
  const auto key = [&](const std::string& name, const std::string& value) {
    xml << "<config key=\"" << Escaped(name) << "\" value=\"" << Escaped(value) << "\"/>";
  };
  xml << "<mujoco><extension><plugin plugin=\"strand.cable\"><instance name=\""
      << Escaped(cable.prefix) << "rod\">";
  key("EI", cable.EI[0] == cable.EI[1] ? Number(cable.EI[0])
                                       : Number(cable.EI[0]) + " " + Number(cable.EI[1]));
  key("GJ", Number(cable.GJ));
  if (cable.closed) key("closed", "true");
  if (joint_stiffness) key("stabilizer", "joint_stiffness");
  for (const auto& [name, value] : cable.keys) key(name, value);
  xml << "</instance></plugin></extension></mujoco>";
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(xml.str().c_str(), nullptr, error, sizeof(error)));
  if (!spec) throw ConfigError("cable", error, "keys and names that MuJoCo takes");
  return spec;
}

class Builder {
 public:
  explicit Builder(const CableDescription& cable)
      : cable_(cable), frames_(LinkFrames(cable.nodes, cable.normal)) {
    const bool discrete = cable.integrator == Integrator::kDiscrete;
    spec_ = SpecWithInstance(cable, cable.stabilize && discrete);
  }

  SpecPtr Build() {
    SetOptions();
    AddLinks();
    if (cable_.closed) AddClosure();
    for (int side = 0; side < 2; ++side) HoldEnd(side);
    if (cable_.collide) ExcludeNeighbours();
    return std::move(spec_);
  }

 private:
  int links() const { return static_cast<int>(frames_.size()); }
  int root() const { return cable_.root == Root::kMiddle ? links() / 2 : 0; }
  double length(int k) const { return (cable_.nodes[k + 1] - cable_.nodes[k]).norm(); }
  std::string Name(const char* kind, int k) const {
    return cable_.prefix + kind + std::to_string(k);
  }
  int EndLink(int side) const { return side == 0 ? 0 : links() - 1; }
  // An end at the root is held by having no joint, or by being the mocap body itself.
  bool HeldAtRoot(int side) const {
    return EndLink(side) == root() &&
           (cable_.ends[side] == EndCondition::kFixed || cable_.ends[side] == EndCondition::kMocap);
  }

  void SetOptions();
  void AddLinks();
  mjsBody* AddLink(mjsBody* parent, int k);
  void AddJoint(mjsBody* body, int k);
  void SetPose(mjsBody* body, const Vector3& origin, const Frame& frame) const;
  void AddEndSite(mjsBody* body, int side);
  mjsEquality* AddEquality(mjtEq type, const std::string& a, const std::string& b);
  void AddClosure();
  void HoldEnd(int side);
  void ExcludeNeighbours();

  const CableDescription& cable_;
  std::vector<Frame> frames_;
  SpecPtr spec_;
};

void Builder::SetOptions() {
  mjOption& option = spec_->option;
  option.timestep = cable_.timestep;
  switch (cable_.integrator) {
    case Integrator::kEuler:
      option.integrator = mjINT_EULER;
      break;
    case Integrator::kImplicitFast:
      option.integrator = mjINT_IMPLICITFAST;
      break;
    case Integrator::kDiscrete:
      option.integrator = mjINT_DISCRETE;
      break;
  }
  std::copy(cable_.gravity.begin(), cable_.gravity.end(), option.gravity);
}

void Builder::SetPose(mjsBody* body, const Vector3& origin, const Frame& frame) const {
  Eigen::Quaterniond rotation(frame);
  rotation.normalize();
  std::copy(origin.data(), origin.data() + 3, body->pos);
  const double quaternion[4] = {rotation.w(), rotation.x(), rotation.y(), rotation.z()};
  std::copy(quaternion, quaternion + 4, body->quat);
}

// Ball joint at the node shared with the parent link, with the large-step recipe: either joint
// stiffness EI/l (discrete) or the same times the time step as damping (linearised backward Euler).
void Builder::AddJoint(mjsBody* body, int k) {
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, Name("joint", k).c_str());
  if (k == root()) {
    joint->type = mjJNT_FREE;
    return;
  }
  joint->type = mjJNT_BALL;
  const int neighbour = k > root() ? k - 1 : k + 1;
  if (k < root()) joint->pos[0] = length(k);
  joint->damping[0] = cable_.damping;
  if (!cable_.stabilize) return;
  const double spacing = 0.5 * (length(k) + length(neighbour));
  const double stiffness = std::max(cable_.EI[0], cable_.EI[1]) / spacing;
  if (cable_.integrator == Integrator::kDiscrete) {
    joint->stiffness[0] = stiffness;
  } else {
    joint->damping[0] += cable_.timestep * stiffness;
  }
}

mjsBody* Builder::AddLink(mjsBody* parent, int k) {
  mjsBody* body = mjs_addBody(parent, nullptr);
  mjs_setName(body->element, Name("link", k).c_str());
  if (k == root()) {
    SetPose(body, cable_.nodes[k], frames_[k]);
  } else {
    const int p = k > root() ? k - 1 : k + 1;
    const Frame to_parent = frames_[p].transpose();
    SetPose(body, to_parent * (cable_.nodes[k] - cable_.nodes[p]), to_parent * frames_[k]);
  }
  const bool held = k == root() && (HeldAtRoot(0) || HeldAtRoot(1));
  if (!held) AddJoint(body, k);
  const int side = k == 0 ? 0 : 1;
  body->mocap = held && cable_.ends[side] == EndCondition::kMocap;

  const double l = length(k), r = cable_.radius;
  const double mass = cable_.density * CircleSection(r).area * l;
  const double across = mass * (3 * r * r + l * l) / 12;
  body->mass = mass;
  body->ipos[0] = l / 2;
  body->inertia[0] = mass * r * r / 2;
  body->inertia[1] = body->inertia[2] = across;
  body->explicitinertial = 1;

  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->type = mjGEOM_CAPSULE;
  const double ends[6] = {0, 0, 0, l, 0, 0};
  std::copy(ends, ends + 6, geom->fromto);
  geom->size[0] = r;
  geom->contype = geom->conaffinity = cable_.collide;
  geom->friction[0] = cable_.friction;
  std::copy(cable_.rgba.begin(), cable_.rgba.end(), geom->rgba);

  body->plugin.active = 1;
  mjs_setString(body->plugin.plugin_name, "strand.cable");
  mjs_setString(body->plugin.name, (cable_.prefix + "rod").c_str());
  return body;
}

void Builder::AddEndSite(mjsBody* body, int side) {
  mjsSite* site = mjs_addSite(body, nullptr);
  mjs_setName(site->element, (cable_.prefix + (side ? "site_end" : "site_start")).c_str());
  site->pos[0] = side ? length(links() - 1) : 0;
  site->size[0] = site->size[1] = site->size[2] = cable_.radius / 2;
}

void Builder::AddLinks() {
  mjsBody* middle = AddLink(mjs_findBody(spec_.get(), "world"), root());
  mjsBody* first = middle;
  for (int k = root() - 1; k >= 0; --k) first = AddLink(first, k);
  mjsBody* last = middle;
  for (int k = root() + 1; k < links(); ++k) last = AddLink(last, k);
  AddEndSite(first, 0);
  AddEndSite(last, 1);
}

// Constraints as stiff as the integrator bears: `discrete` solves them with the step, so that any
// time constant is stable; the others need two steps (MuJoCo, solver parameters).
mjsEquality* Builder::AddEquality(mjtEq type, const std::string& a, const std::string& b) {
  mjsEquality* equality = mjs_addEquality(spec_.get(), nullptr);
  equality->type = type;
  equality->objtype = mjOBJ_BODY;
  mjs_setString(equality->name1, a.c_str());
  mjs_setString(equality->name2, b.c_str());
  const bool discrete = cable_.integrator == Integrator::kDiscrete;
  equality->solref[0] = (discrete ? 0.01 : 2) * cable_.timestep;
  equality->solimp[0] = equality->solimp[1] = 0.9999;
  // The anchor: MuJoCo's default, meant for other types, is 1 m off the second axis.
  std::fill(equality->data, equality->data + 3, 0.0);
  return equality;
}

void Builder::AddClosure() {
  const double gap = (cable_.nodes.back() - cable_.nodes.front()).norm();
  Require(gap < 1e-6 * length(0), "closed", Number(gap) + " m between the first and last node",
          "a last node at the first one");
  AddEquality(mjEQ_CONNECT, Name("link", 0), Name("link", links() - 1));
}

void Builder::HoldEnd(int side) {
  const EndCondition end = cable_.ends[side];
  if (end == EndCondition::kFree || HeldAtRoot(side)) return;
  const int k = EndLink(side);
  std::string holder = cable_.weld_to[side];
  if (end == EndCondition::kMocap) {
    holder = cable_.prefix + (side ? "end" : "start");
    mjsBody* mocap = mjs_addBody(mjs_findBody(spec_.get(), "world"), nullptr);
    mjs_setName(mocap->element, holder.c_str());
    mocap->mocap = 1;
    SetPose(mocap, cable_.nodes[k], frames_[k]);
  } else if (end == EndCondition::kFixed) {
    holder = "world";
  }
  AddEquality(mjEQ_WELD, holder, Name("link", k));
}

// Links whose capsules overlap at rest along the rod must not collide; MuJoCo leaves out only a
// body and its parent.
void Builder::ExcludeNeighbours() {
  const double diameter = 2 * cable_.radius;
  const int n = links();
  for (int i = 0; i < n; ++i) {
    double between = 0;  // length of rod between link i and link j, counted on past n if closed
    const int end = cable_.closed ? i + n / 2 + 1 : n;
    for (int j = i + 1; j < end && between <= diameter; between += length(j % n), ++j) {
      mjsExclude* exclude = mjs_addExclude(spec_.get());
      mjs_setString(exclude->bodyname1, Name("link", i).c_str());
      mjs_setString(exclude->bodyname2, Name("link", j % n).c_str());
    }
  }
}

}  // namespace

SpecPtr MakeCable(const CableDescription& cable) {
  CheckDescription(cable);
  return Builder(cable).Build();
}

std::string GenerateMjcf(const CableDescription& cable) {
  const int links = static_cast<int>(cable.nodes.size()) - 1;
  const int depth = cable.root == Root::kMiddle ? links / 2 : links;
  Require(depth <= kDeepestTree, "links", std::to_string(links),
          "at most 480 as MJCF text with root = end, 960 with root = middle");
  SpecPtr spec = MakeCable(cable);
  // Compiling first is what writing needs, and finds every error of the model.
  mjModel* model = mj_compile(spec.get(), nullptr);
  if (!model) throw ConfigError("cable", mjs_getError(spec.get()), "a model that compiles");
  mj_deleteModel(model);
  const int digits = _mjPRIVATE__get_xml_precision();
  _mjPRIVATE__set_xml_precision(17);
  char error[1000] = "";
  std::string xml(20000 + 3000 * static_cast<size_t>(links), '\0');
  const auto save = [&] {
    return mj_saveXMLString(spec.get(), xml.data(), static_cast<int>(xml.size()), error,
                            sizeof(error));
  };
  int status = save();
  if (status > 0) {  // the size needed: indentation of a deep tree grows with its square
    xml.resize(static_cast<size_t>(status) + 1);
    status = save();
  }
  _mjPRIVATE__set_xml_precision(digits);
  if (status != 0) throw ConfigError("cable", error, "a model that MuJoCo can write");
  xml.resize(std::strlen(xml.c_str()));
  return xml;
}

}  // namespace strand::mujoco
