#include "plugin/mujoco/generator/generate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/contact.h"
#include "plugin/mujoco/generator/hold.h"
#include "plugin/mujoco/generator/plan.h"
#include "plugin/mujoco/generator/skin.h"
#include "plugin/mujoco/generator/tree.h"

// Number of digits that MuJoCo writes to XML. Every supported version exports these functions, but
// no header declares them.
extern "C" {
MJAPI int _mjPRIVATE__get_xml_precision();
MJAPI void _mjPRIVATE__set_xml_precision(int precision);
}

namespace strand::mujoco {
namespace {

// MuJoCo's XML reader accepts at most 500 nested elements.
constexpr int kDeepestTree = 480;

// Tolerance of the constraint solver, which is relative to the mean inertia of the whole model. In
// a scene with a robot, MuJoCo's default of 1e-8 lets the contacts of light links chatter, which
// also takes more iterations.
constexpr double kTolerance = 1e-12;

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

using Keys = std::vector<std::pair<std::string, std::string>>;

// Adds EI and GJ of every joint, or one value if they are all the same.
void AddStiffnessKeys(const DrawnRod& rod, Keys* keys) {
  const RodStiffness& first = rod.stiffness[0];
  const auto like_first = [&](const RodStiffness& s) {
    const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
    return close(s.EI[0], first.EI[0]) && close(s.EI[1], first.EI[1]) && close(s.GJ, first.GJ);
  };
  const bool uniform = std::all_of(rod.stiffness.begin(), rod.stiffness.end(), like_first);
  std::string EI, GJ;
  for (const RodStiffness& s : rod.stiffness) {
    EI += Number(s.EI[0]) + " ";
    if (!uniform || s.EI[0] != s.EI[1]) EI += Number(s.EI[1]) + " ";
    GJ += Number(s.GJ) + " ";
    if (uniform) break;
  }
  EI.pop_back(), GJ.pop_back();
  keys->insert(keys->end(), {{"EI", EI}, {"GJ", GJ}});
}

// Adds the section, for stresses, if the geoms do not define it: one, or one per link.
void AddSectionKey(const DrawnRod& rod, const SectionDescription& section, Keys* keys) {
  if (section.shape == SectionShape::kTube) {
    const bool uniform = std::equal(rod.radius.begin() + 1, rod.radius.end(), rod.radius.begin());
    std::string text;
    for (double radius : rod.radius) {
      text +=
          (text.empty() ? "tube " : " tube ") + Number(radius) + " " + Number(section.inner_radius);
      if (uniform) break;
    }
    keys->emplace_back("section", text);
  } else if (section.shape == SectionShape::kEllipse) {
    keys->emplace_back("section",
                       "ellipse " + Number(section.width) + " " + Number(section.height));
  }
}

Keys PluginKeys(const Plan& plan, const mjSpec* scene) {
  const CableDescription& cable = plan.cable;
  Keys keys;
  AddStiffnessKeys(plan.rod, &keys);
  AddSectionKey(plan.rod, cable.section, &keys);
  if (cable.closed) keys.emplace_back("closed", "true");
  if (cable.rest == RestShape::kStraight) keys.emplace_back("rest", "straight");
  if (cable.rest_twist != 0) keys.emplace_back("rest_twist", Number(cable.rest_twist));
  if (cable.curvature == CurvatureMeasure::kTangent) keys.emplace_back("curvature", "tangent");
  keys.emplace_back("twist", plan.recipe.dynamic_twist ? "dynamic" : "quasistatic");
  for (int side = 0; side < 2; ++side) {
    if (!plan.rod.clamped[side]) continue;
    keys.emplace_back(side ? "clamp_end" : "clamp_start", plan.ClampSite(scene, side));
  }
  if (plan.recipe.stabilizer == Stabilizer::kJointStiffness) {
    keys.emplace_back("stabilizer", "joint_stiffness");
  }
  if (cable.color) {
    keys.emplace_back("color", Number((*cable.color)[0]) + " " + Number((*cable.color)[1]));
  }
  for (const auto& [name, value] : cable.keys) {
    std::erase_if(keys, [&name = name](const auto& key) { return key.first == name; });
    keys.emplace_back(name, value);
  }
  return keys;
}

// A spec with the plugin instance. It is parsed from text, since mjs_setPluginAttributes takes a
// std::map of the C++ library that MuJoCo was built with.
SpecPtr SpecWithInstance(const Plan& plan, const Keys& keys) {
  std::ostringstream xml;
  xml << "<mujoco><extension><plugin plugin=\"strand.cable\"><instance name=\""
      << Escaped(plan.Name("rod")) << "\">";
  for (const auto& [name, value] : keys) {
    xml << "<config key=\"" << Escaped(name) << "\" value=\"" << Escaped(value) << "\"/>";
  }
  xml << "</instance></plugin></extension></mujoco>";
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(xml.str().c_str(), nullptr, error, sizeof(error)));
  if (!spec) throw ConfigError("cable", error, "keys and names that MuJoCo accepts");
  return spec;
}

// Name of the body that will hold an end, which for a mocap end the cable adds; empty if free.
std::string Holder(const CableDescription& cable, int side, const mjSpec* scene,
                   const std::string& carrier) {
  if (HeldInPlace(cable.ends[side])) return carrier;
  if (cable.ends[side] == EndCondition::kMocap) return cable.prefix + SideName(side);
  return cable.end_to[side].empty() ? "" : BodyOfHolder(scene, cable.end_to[side]);
}

// Mass (kg) that can pull the cable taut: that of the heavier of the two trees that hold its ends.
// 0 if an end is free or one body holds both.
double LoadMass(const CableDescription& cable, const mjSpec* scene, const std::string& carrier) {
  const std::array holders{Holder(cable, 0, scene, carrier), Holder(cable, 1, scene, carrier)};
  if (holders[0].empty() || holders[1].empty() || holders[0] == holders[1]) return 0;
  return HeaviestTree(scene, holders);
}

Plan MakePlan(const CableDescription& cable, Choices* choices) {
  CheckDescription(cable);
  Plan plan{cable, DrawRod(cable), {}, {}, "world", {}};
  plan.recipe = ChooseRecipe(cable, plan.rod, nullptr, 0);
  plan.Split();
  if (choices) *choices = plan.recipe.Summary();
  return plan;
}

Plan MakePlanInScene(const CableDescription& cable, const mjSpec* scene, const std::string& carrier,
                     Choices* choices) {
  CheckDescription(cable);
  Plan plan{cable, DrawRod(cable), {}, {}, carrier, {}};
  plan.recipe = ChooseRecipe(cable, plan.rod, &scene->option, LoadMass(cable, scene, carrier));
  plan.Split();
  if (choices) *choices = plan.recipe.Summary();
  return plan;
}

// Friction creeps unless its constraint rows are stiffer than those of the normals.
void SetSolver(const CableDescription& cable, mjOption* option) {
  option->tolerance = kTolerance;
  if (!cable.contact.collide) return;
  option->cone = mjCONE_ELLIPTIC;
  option->impratio = 20;
}

void AddRest(const Plan& plan, mjSpec* spec) {
  AddHolds(plan, spec);
  AddExclusions(plan, spec);
  AddSkin(plan, spec);
}

SpecPtr MakeSpec(const Plan& plan) {
  SpecPtr spec = SpecWithInstance(plan, PluginKeys(plan, nullptr));
  spec->option.timestep = plan.recipe.timestep;
  spec->option.integrator = plan.recipe.integrator;
  std::copy(plan.cable.gravity.begin(), plan.cable.gravity.end(), spec->option.gravity);
  mjs_setString(spec->comment, ("strand: " + plan.recipe.Summary().text).c_str());
  for (const Piece& piece : plan.pieces) AddTree(plan, piece, FindBody(spec.get(), "world"));
  AddRest(plan, spec.get());
  return spec;
}

// Compiles the spec, which finds every error in the model and must precede writing it.
ModelPtr Compile(mjSpec* spec) {
  ModelPtr model(mj_compile(spec, nullptr));
  if (!model) throw ConfigError("cable", mjs_getError(spec), "a model that compiles");
  return model;
}

// Compiles the cable alone, held in its initial pose, to find errors in its keys.
void CheckByItself(const CableDescription& cable) {
  CableDescription alone = cable;
  alone.end_to = {};
  for (EndCondition& end : alone.ends) {
    if (end == EndCondition::kWeld) end = EndCondition::kFixed;
    if (end == EndCondition::kPin) end = EndCondition::kBall;
  }
  Compile(MakeCable(alone, nullptr).get());
}

void CheckNames(const Plan& plan, const mjSpec* scene) {
  const std::string& prefix = plan.cable.prefix;
  if (prefix.empty()) {
    throw ConfigError("prefix", "", "a text that is not empty, for a cable in a scene");
  }
  constexpr std::pair<mjtObj, const char*> kNames[] = {
      {mjOBJ_BODY, "link0"},       {mjOBJ_BODY, "start"},          {mjOBJ_BODY, "end"},
      {mjOBJ_BODY, "clamp_start"}, {mjOBJ_BODY, "clamp_end"},      {mjOBJ_BODY, "closure"},
      {mjOBJ_JOINT, "joint0"},     {mjOBJ_SITE, "node0"},          {mjOBJ_SITE, "site_start"},
      {mjOBJ_SITE, "hold_start"},  {mjOBJ_SITE, "hold_end"},       {mjOBJ_PLUGIN, "rod"},
      {mjOBJ_GEOM, "geom0"},       {mjOBJ_EQUALITY, "hold_start"}, {mjOBJ_EQUALITY, "hold_end"},
      {mjOBJ_SKIN, "skin"}};
  for (const auto& [type, kind] : kNames) {
    const std::string name = prefix + kind;
    if (!FindElement(scene, type, name)) continue;
    throw ConfigError("prefix", prefix,
                      "one that is new to the scene, which already has a '" + name + "'");
  }
}

// Checks everything that could fail in a scene, before the scene is modified.
void CheckScene(const Plan& plan, const mjSpec* scene) {
  if (!FindBody(scene, plan.carrier)) {
    throw ConfigError("body", plan.carrier, "the name of a body of the scene");
  }
  CheckNames(plan, scene);
  for (int side = 0; side < 2; ++side) plan.HolderBody(scene, side);
  CheckByItself(plan.cable);
}

// XML text of a spec that has been compiled.
std::string ToXml(const mjSpec* spec) {
  char error[1000] = "";
  std::string xml(1 << 16, '\0');
  const auto save = [&] {
    return mj_saveXMLString(spec, xml.data(), static_cast<int>(xml.size()), error, sizeof(error));
  };
  const int digits = _mjPRIVATE__get_xml_precision();
  _mjPRIVATE__set_xml_precision(17);
  int status = save();
  if (status > 0) {  // the size needed: the indentation of a deep tree grows quadratically
    xml.resize(static_cast<size_t>(status) + 1);
    status = save();
  }
  _mjPRIVATE__set_xml_precision(digits);
  if (status != 0) throw ConfigError("cable", error, "a model that MuJoCo can write");
  xml.resize(std::strlen(xml.c_str()));
  return xml;
}

}  // namespace

SpecPtr MakeCable(const CableDescription& cable, Choices* choices) {
  return MakeSpec(MakePlan(cable, choices));
}

std::string GenerateMjcf(const CableDescription& cable, Choices* choices) {
  const Plan plan = MakePlan(cable, choices);
  for (const Piece& piece : plan.pieces) {
    if (std::max(piece.root - piece.first, piece.last - piece.root) < kDeepestTree) continue;
    throw ConfigError(
        "links", std::to_string(plan.rod.links()),
        "at most 480 as MJCF text with root = end, 960 with root = middle, or pieces");
  }
  const SpecPtr spec = MakeSpec(plan);
  SetSolver(cable, &spec->option);
  Compile(spec.get());
  return ToXml(spec.get());
}

void AttachCable(const CableDescription& cable, mjSpec* scene, const std::string& body,
                 Choices* choices) {
  Plan plan = MakePlanInScene(cable, scene, body, choices);
  CheckScene(plan, scene);
  scene->option.tolerance = std::min(scene->option.tolerance, kTolerance);
  plan.carrier_pose = PoseInScene(scene, body);
  // The links are made in a spec of their own, without a prefix. Attaching them brings the plugin
  // instance into the scene and adds the prefix.
  CableDescription unnamed = cable;
  unnamed.prefix.clear();
  const Plan links{unnamed, plan.rod, plan.recipe, plan.pieces, plan.carrier, plan.carrier_pose};
  SpecPtr own = SpecWithInstance(links, PluginKeys(plan, scene));
  mjs_activatePlugin(scene, "strand.cable");
  for (const bool held : {true, false}) {
    mjsBody* world = FindBody(own.get(), "world");
    mjsFrame* frame = mjs_addFrame(world, nullptr);
    bool empty = true;
    for (const Piece& piece : plan.pieces) {
      if (plan.HeldByCarrier(piece) != held) continue;
      mjs_setFrame(AddTree(links, piece, world)->element, frame);
      empty = false;
    }
    if (empty) continue;
    mjsBody* parent = FindBody(scene, held ? body : "world");
    if (!mjs_attach(parent->element, frame->element, cable.prefix.c_str(), "")) {
      throw ConfigError("cable", mjs_getError(scene), "a cable that MuJoCo can attach");
    }
  }
  AddRest(plan, scene);
}

}  // namespace strand::mujoco
