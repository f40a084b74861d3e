#include "plugin/mujoco/generator/instance.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

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

void AddSlipKeys(const SlipDescription& slip, Keys* keys) {
  if (slip.yield_stress) keys->emplace_back("yield_stress", Number(*slip.yield_stress));
  for (const auto& [name, numbers] : {std::pair("hardening", &slip.hardening),
                                      {"bend_elements", &slip.bend_elements},
                                      {"twist_elements", &slip.twist_elements}}) {
    if (!*numbers) continue;
    std::string text;
    for (double number : **numbers) text += (text.empty() ? "" : " ") + Number(number);
    keys->emplace_back(name, text);
  }
}

std::string JunctionSites(const Plan& plan) {
  std::string names;
  for (int node : plan.rod.junctions) {
    if (!names.empty()) names += ' ';
    names += plan.JunctionName(node);
  }
  return names;
}

Keys PluginKeys(const Plan& plan, const mjSpec* scene) {
  const CableDescription& cable = plan.cable;
  Keys keys;
  AddStiffnessKeys(plan.rod, &keys);
  AddSectionKey(plan.rod, cable.section, &keys);
  AddSlipKeys(cable.slip, &keys);
  if (cable.closed) keys.emplace_back("closed", "true");
  if (cable.rest == RestShape::kStraight) keys.emplace_back("rest", "straight");
  if (cable.rest_twist != 0) keys.emplace_back("rest_twist", Number(cable.rest_twist));
  const ChainCurvature curvature = plan.recipe.curvature;
  if (curvature != ChainCurvature::kAngle) {
    keys.emplace_back("curvature", kChainCurvatureNames[static_cast<int>(curvature)]);
  }
  keys.emplace_back("twist", plan.recipe.dynamic_twist ? "dynamic" : "quasistatic");
  for (int side = 0; side < 2; ++side) {
    if (!plan.rod.clamped[side]) continue;
    keys.emplace_back(side ? "clamp_end" : "clamp_start", plan.ClampSite(scene, side));
  }
  if (cable.ends[0] == EndCondition::kFeed) keys.emplace_back("feed", plan.Name("feed"));
  if (!plan.rod.junctions.empty()) keys.emplace_back("junctions", JunctionSites(plan));
  if (plan.recipe.stabilizer != Stabilizer::kNone) {
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

}  // namespace

// The spec is parsed from text, since mjs_setPluginAttributes takes a std::map of the C++ library
// that MuJoCo was built with.
SpecPtr SpecWithInstance(const Plan& plan, const std::string& name, const mjSpec* scene) {
  std::ostringstream xml;
  xml << "<mujoco><extension><plugin plugin=\"strand.cable\"><instance name=\"" << Escaped(name)
      << "\">";
  for (const auto& [key, value] : PluginKeys(plan, scene)) {
    xml << "<config key=\"" << Escaped(key) << "\" value=\"" << Escaped(value) << "\"/>";
  }
  xml << "</instance></plugin></extension></mujoco>";
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(xml.str().c_str(), nullptr, error, sizeof(error)));
  if (!spec) throw ConfigError("cable", error, "keys and names that MuJoCo accepts");
  return spec;
}

}  // namespace strand::mujoco
