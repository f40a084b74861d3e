#include "plugin/mujoco/description/check.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/config/error.h"
#include "model/config/slip_law.h"
#include "model/energy/rod.h"
#include "plugin/mujoco/description/branches.h"
#include "plugin/mujoco/description/keys.h"

namespace strand::mujoco {
namespace {

constexpr size_t kMostNodes = 10001;
constexpr char kRadius[] = "finite, > 0 (m)";
constexpr char kDensity[] = "finite, > 0 (kg/m^3)";
constexpr char kAngle[] = "finite (rad)";
constexpr char kJunction[] =
    "rigid, or bending and twisting stiffness: both > 0, or both 0 for a ball joint (N m/rad)";
constexpr char kRoundAlone[] =
    "none for a box or an ellipse: their size is one width and one height";

std::string NameOf(Curvature curvature) {
  if (curvature == Curvature::kAuto) return "auto";
  return kChainCurvatureNames[static_cast<int>(curvature) - 1];
}

void Require(bool good, const std::string& field, const std::string& value, const char* allowed) {
  if (!good) throw ConfigError(field, value, allowed);
}

void CheckPositive(const char* field, double value, const char* allowed) {
  Require(value > 0 && std::isfinite(value), field, Number(value), allowed);
}

void CheckNonNegative(const char* field, double value, const char* allowed) {
  Require(value >= 0 && std::isfinite(value), field, Number(value), allowed);
}

// A quantity given along the cable: once, at both ends, or per link.
void CheckAlong(const char* field, const std::vector<double>& values, size_t links,
                const char* allowed) {
  const size_t count = values.size();
  Require(count == 1 || count == 2 || count == links, field, std::to_string(count) + " values",
          ("1, 2 (start and end) or one per link: " + std::to_string(links)).c_str());
  for (double value : values) CheckPositive(field, value, allowed);
}

void CheckRadius(const char* field, double radius, const SectionDescription& section) {
  CheckPositive(field, radius, kRadius);
  if (section.shape == SectionShape::kTube) {
    Require(section.inner_radius > 0 && section.inner_radius < radius, "inner_radius",
            Number(section.inner_radius), "> 0 and < radius everywhere (m)");
  }
}

void CheckSection(const SectionDescription& section, size_t links) {
  if (section.shape == SectionShape::kBox || section.shape == SectionShape::kEllipse) {
    CheckPositive("width", section.width, "finite, > 0 (m)");
    CheckPositive("height", section.height, "finite, > 0 (m)");
    Require(section.radius.size() == 1, "radius", std::to_string(section.radius.size()) + " values",
            kRoundAlone);
    return;
  }
  CheckAlong("radius", section.radius, links, kRadius);
  for (double radius : section.radius) CheckRadius("radius", radius, section);
}

void CheckStiffness(const Stiffness& stiffness) {
  if (stiffness.EI) {
    for (double EI : *stiffness.EI) CheckPositive("EI", EI, "finite, > 0 (N m^2)");
  }
  if (stiffness.GJ) CheckPositive("GJ", *stiffness.GJ, "finite, > 0 (N m^2)");
  if (stiffness.young) CheckPositive("young", *stiffness.young, "finite, > 0 (Pa)");
  if (stiffness.shear) CheckPositive("shear", *stiffness.shear, "finite, > 0 (Pa)");
  if (stiffness.poisson) {
    Require(*stiffness.poisson > -1 && *stiffness.poisson <= 0.5, "poisson",
            Number(*stiffness.poisson), "> -1 and <= 0.5");
  }
}

void CheckStretch(const Stretch& stretch, const SectionDescription& section) {
  CheckStiffness(stretch.stiffness);
  Require(stretch.begin >= 0 && stretch.begin < stretch.end && std::isfinite(stretch.end),
          "stretches", Number(stretch.begin) + " to " + Number(stretch.end),
          "finite, begin >= 0 and end > begin (arclength, m)");
  if (stretch.density) CheckPositive("stretches.density", *stretch.density, kDensity);
  if (!stretch.radius) return;
  const bool round = section.shape == SectionShape::kCircle || section.shape == SectionShape::kTube;
  Require(round, "stretches.radius", Number(*stretch.radius), kRoundAlone);
  CheckRadius("stretches.radius", *stretch.radius, section);
}

void CheckSlip(const CableDescription& cable) {
  const SlipDescription& slip = cable.slip;
  if (slip.yield_stress) CheckPositive("yield_stress", *slip.yield_stress, "finite, > 0 (Pa)");
  if (slip.bend_elements) ElementsOf("bend_elements", *slip.bend_elements);
  if (slip.twist_elements) ElementsOf("twist_elements", *slip.twist_elements);
  Require(!slip.yield_stress || !(slip.bend_elements || slip.twist_elements), "yield_stress",
          "a value beside bend_elements or twist_elements", "one or the other");
  if (slip.hardening) {
    Require(slip.given(), "hardening", "a value without yield_stress or elements",
            "hardening of what yields or slips");
    CheckHardening(*slip.hardening);
  }
  if (!slip.given()) return;
  Require(cable.twist != Twist::kQuasistatic, "twist", "quasistatic",
          "dynamic or auto, since the cable yields or slips");
  Require(cable.curvature != Curvature::kSmooth && cable.curvature != Curvature::kSmooth4,
          "curvature", NameOf(cable.curvature),
          "angle, tangent or auto, since the cable yields or slips");
}

void CheckDamping(const Damping& damping) {
  if (damping.joint) CheckNonNegative("damping", *damping.joint, "finite, >= 0 (N m s/rad)");
  if (damping.loss_time) CheckNonNegative("loss_time", *damping.loss_time, "finite, >= 0 (s)");
  if (damping.ratio) CheckNonNegative("damping_ratio", *damping.ratio, "finite, >= 0");
  CheckNonNegative("whip_damping", damping.whip, "finite, >= 0");
  const int given =
      damping.joint.has_value() + damping.loss_time.has_value() + damping.ratio.has_value();
  Require(given <= 1, "damping", std::to_string(given) + " of damping, loss_time, damping_ratio",
          "at most one of them");
}

void CheckEnds(const CableDescription& cable) {
  for (int side = 0; side < 2; ++side) {
    const EndCondition end = cable.ends[side];
    const bool named = end == EndCondition::kWeld || end == EndCondition::kPin;
    Require(named == !cable.end_to[side].empty(), std::string(SideName(side)) + "_to",
            cable.end_to[side],
            "the name of a body or site for a welded or pinned end, empty for any other");
    Require(!cable.closed || end == EndCondition::kFree, "ends", "a held end",
            "free ends, since the cable is closed");
  }
  Require(cable.ends[1] != EndCondition::kFeed, "end", "feed", "feed at the start only");
}

bool Uniform(const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return value == values[0]; });
}

// A clamp at the end would need a link of its own there, unlike those that slide out of the guide.
void CheckFarEnd(EndCondition end) {
  const std::string got = end == EndCondition::kFixed   ? "fixed"
                          : end == EndCondition::kWeld  ? "weld"
                          : end == EndCondition::kMocap ? "mocap"
                                                        : "";
  Require(got.empty(), "end", got, "free, ball or pin with start = feed");
}

// Links that slide out of a straight guide are straight at rest and alike.
void CheckFeed(const CableDescription& cable) {
  if (cable.ends[0] != EndCondition::kFeed) {
    Require(!cable.fed, "fed", cable.fed ? Number(*cable.fed) : "", "nothing without start = feed");
    return;
  }
  CheckFarEnd(cable.ends[1]);
  constexpr double kStraight = 1e-6;  // of a link's length
  const Vector3 link = cable.nodes[1] - cable.nodes[0];
  for (size_t k = 1; k < cable.nodes.size(); ++k) {
    const Vector3 other = cable.nodes[k] - cable.nodes[k - 1];
    Require((other - link).norm() <= kStraight * link.norm(), "nodes", "a bend or unequal links",
            "a straight line of equal links, since start = feed");
  }
  Require(Uniform(cable.section.radius) && Uniform(cable.density) && cable.stretches.empty(),
          "start", "feed of a cable that varies along its length",
          "one radius and density, and no stretches");
  Require(cable.branches.empty(), "branches", std::to_string(cable.branches.size()),
          "none with start = feed");
  Require(!cable.slip.given(), "start", "feed of a cable that yields or slips",
          "feed of an elastic cable");
  Require(!cable.skin, "skin", "true", "false with start = feed");
  Require(cable.pieces.value_or(0) == 0, "pieces", std::to_string(cable.pieces.value_or(0)),
          "auto or none with start = feed");
  Require(cable.root != Root::kMiddle, "root", "middle", "auto or end with start = feed");
  Require(cable.twist != Twist::kQuasistatic, "twist", "quasistatic",
          "dynamic or auto with start = feed");
  Require(cable.curvature == Curvature::kAuto || cable.curvature == Curvature::kAngle ||
              cable.curvature == Curvature::kTangent,
          "curvature", NameOf(cable.curvature), "angle, tangent or auto with start = feed");
  Require(cable.clamp == Clamp::kNode, "clamp", "link", "node with start = feed");
  if (cable.fed) {
    constexpr double kRounding = 1e-9;
    const double least = link.norm(), most = least * (cable.nodes.size() - 1.0);
    const bool good = *cable.fed >= (1 - kRounding) * least && *cable.fed <= (1 + kRounding) * most;
    const std::string allowed =
        Number(least) + " to " + Number(most) + " (m): a link to the whole length";
    Require(good, "fed", Number(*cable.fed), allowed.c_str());
  }
}

void CheckSolref(const std::array<double, 2>& solref) {
  const bool finite = std::isfinite(solref[0]) && std::isfinite(solref[1]);
  const bool times = solref[0] > 0 && solref[1] > 0, direct = solref[0] <= 0 && solref[1] <= 0;
  Require(
      finite && (times || direct), "contact_solref", Number(solref[0]) + " " + Number(solref[1]),
      "a time constant (s) and a damping ratio, both > 0; or -stiffness and -damping, both <= 0");
}

void CheckSolimp(const std::vector<double>& solimp) {
  const char* allowed =
      "3 to 5 values: d at the surface and at the width, > 0 and < 1; width > 0 (m); midpoint, > 0 "
      "and < 1; power >= 1";
  Require(solimp.size() >= 3 && solimp.size() <= 5, "contact_solimp",
          std::to_string(solimp.size()) + " values", allowed);
  const auto require = [&](size_t k, bool good) {
    Require(good && std::isfinite(solimp[k]), "contact_solimp", Number(solimp[k]), allowed);
  };
  for (size_t k = 0; k < solimp.size(); ++k) {
    require(k, k == 2 ? solimp[k] > 0 : k == 4 ? solimp[k] >= 1 : solimp[k] > 0 && solimp[k] < 1);
  }
}

void CheckContact(const ContactDescription& contact) {
  Require(!contact.friction.empty() && contact.friction.size() <= 3, "friction",
          std::to_string(contact.friction.size()) + " values",
          "1 to 3 values: sliding, spinning (m), rolling (m)");
  for (double friction : contact.friction) CheckNonNegative("friction", friction, "finite, >= 0");
  Require(contact.condim == 1 || contact.condim == 3 || contact.condim == 4 || contact.condim == 6,
          "condim", std::to_string(contact.condim), "1, 3, 4 or 6");
  Require(contact.contype >= 0, "contype", std::to_string(contact.contype), "a bit mask >= 0");
  Require(contact.conaffinity >= 0, "conaffinity", std::to_string(contact.conaffinity),
          "a bit mask >= 0");
  CheckNonNegative("margin", contact.margin, "finite, >= 0 (m)");
  if (contact.solref) CheckSolref(*contact.solref);
  if (contact.solimp) CheckSolimp(*contact.solimp);
}

void CheckShape(const CableDescription& cable) {
  Require(cable.nodes.size() >= 3, "nodes", std::to_string(cable.nodes.size()),
          "at least 3 (two links)");
  Require(cable.nodes.size() <= kMostNodes, "nodes", std::to_string(cable.nodes.size()),
          "at most 10001 (10000 links)");
  Require(cable.pos.allFinite(), "pos", "a number that is not finite", "three finite numbers (m)");
  double norm = 0;
  for (double q : cable.quat) norm += q * q;
  Require(norm > 0 && std::isfinite(norm), "quat", "length " + Number(std::sqrt(norm)),
          "four finite numbers, not all zero (w x y z)");
}

void CheckKeys(const CableDescription& cable) {
  std::string allowed;
  for (const char* name : kAttributes) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  for (const auto& [name, value] : cable.keys) {
    const bool known = std::ranges::find(kAttributes, name) != std::end(kAttributes);
    Require(known, "keys", name, allowed.c_str());
  }
}

void CheckJunction(const std::array<double, 2>& stiffness) {
  for (double value : stiffness) CheckNonNegative("junction", value, kJunction);
  Require((stiffness[0] > 0) == (stiffness[1] > 0), "junction",
          Number(stiffness[0]) + " " + Number(stiffness[1]), kJunction);
}

void CheckBranch(const Branch& branch) {
  const CableDescription& cable = branch.cable;
  if (branch.angle) Require(std::isfinite(*branch.angle), "angle", Number(*branch.angle), kAngle);
  Require(std::isfinite(branch.azimuth), "azimuth", Number(branch.azimuth), kAngle);
  if (branch.junction) CheckJunction(*branch.junction);
  Require(!cable.closed, "closed", "true", "false for a branch");
  Require(cable.ends[0] == EndCondition::kFree && cable.end_to[0].empty(), "start", "a held start",
          "none for a branch, which starts at its junction");
  Require(cable.pos == Vector3::Zero() && cable.quat == std::array<double, 4>{1, 0, 0, 0}, "pos",
          "a start pose", "none for a branch, which starts at its junction: angle and azimuth");
  Require(cable.root == Root::kAuto, "root", "end or middle",
          "auto for a branch, whose root is at its junction");
  Require(cable.branches.empty(), "branches",
          std::to_string(cable.branches.size()) + " of a branch",
          "all branches in the list of the cable, with on = the name of the branch they start on");
  CheckDescription(cable);
}

}  // namespace

const char* SideName(int side) { return side ? "end" : "start"; }

void CheckDescription(const CableDescription& cable) {
  Require(cable.prefix.find('\0') == std::string::npos, "prefix", "a text with a null character",
          "a text without null characters");
  CheckShape(cable);
  const size_t links = cable.nodes.size() - 1;
  CheckSection(cable.section, links);
  CheckAlong("density", cable.density, links, kDensity);
  CheckStiffness(cable.stiffness);
  for (const Stretch& stretch : cable.stretches) CheckStretch(stretch, cable.section);
  Require(std::isfinite(cable.rest_twist), "rest_twist", Number(cable.rest_twist), "finite (rad)");
  CheckSlip(cable);
  CheckDamping(cable.damping);
  CheckEnds(cable);
  CheckFeed(cable);
  CheckContact(cable.contact);
  CheckKeys(cable);
  for (float c : cable.rgba) Require(c >= 0 && c <= 1, "rgba", Number(c), "0 to 1");
  if (cable.group) {
    Require(*cable.group >= 0 && *cable.group <= 5, "group", std::to_string(*cable.group),
            "0 to 5");
  }
  if (cable.timestep) CheckPositive("timestep", *cable.timestep, "finite, > 0 (s)");
  if (cable.max_tension) CheckNonNegative("max_tension", *cable.max_tension, "finite, >= 0 (N)");
  for (double g : cable.gravity) Require(std::isfinite(g), "gravity", Number(g), "finite (m/s^2)");
  for (const Branch& branch : cable.branches) {
    try {
      CheckBranch(branch);
    } catch (const ConfigError& error) {
      throw ConfigError(InBranch(branch.name), error);
    }
  }
}

}  // namespace strand::mujoco
