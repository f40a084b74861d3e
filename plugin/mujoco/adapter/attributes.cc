#include "plugin/mujoco/adapter/attributes.h"

#include <limits>
#include <span>

#include "model/config/error.h"
#include "model/config/parse.h"

namespace strand::mujoco {
namespace {

constexpr Range kPoissonRange{-1, 0.5, true, "numbers > -1 and <= 0.5"};

std::vector<double> Numbers(const mjModel* m, int instance, const char* key, const Range& range) {
  const std::string text = ConfigText(m, instance, key);
  return text.empty() ? std::vector<double>() : ParseNumbers(key, text, range);
}

int Choice(const mjModel* m, int instance, const char* key, std::span<const char* const> choices) {
  const std::string text = ConfigText(m, instance, key);
  return text.empty() ? 0 : ParseChoice(key, text, choices);
}

int Choice(const mjModel* m, int instance, const char* key,
           std::initializer_list<const char*> choices) {
  return Choice(m, instance, key, std::span(choices.begin(), choices.size()));
}

std::array<double, 2> ColorRange(const std::string& text) {
  const std::vector<double> range = ParseNumbers(key::kColor, text, kNonNegative);
  if (range.size() != 2 || !(range[0] < range[1])) {
    throw ConfigError(key::kColor, text, "two stresses (Pa), 0 <= lower < upper");
  }
  return {range[0], range[1]};
}

// Parses one or more of "circle r", "tube r inner", "box width height", "ellipse width height".
std::vector<Section> ReadSections(const std::string& text) {
  constexpr char kAllowed[] =
      "'circle RADIUS', 'tube RADIUS INNER_RADIUS', 'box WIDTH HEIGHT' or 'ellipse WIDTH HEIGHT' "
      "(m; width along the link's y axis), one, or one per link";
  const std::vector<std::string> words = SplitWords(text);
  std::vector<Section> sections;
  for (size_t next = 0; next < words.size();) {
    const std::string& kind = words[next++];
    const size_t sizes = kind == "circle" ? 1 : 2;
    if (words.size() < next + sizes) throw ConfigError(key::kSection, text, kAllowed);
    double size[2] = {};
    for (size_t i = 0; i < sizes; ++i) {
      size[i] = ParseNumber(key::kSection, words[next++], kPositive);
    }
    if (kind == "circle") {
      sections.push_back(CircleSection(size[0]));
    } else if (kind == "box") {
      sections.push_back(RectangleSection(size[0] / 2, size[1] / 2));
    } else if (kind == "ellipse") {
      sections.push_back(EllipseSection(size[0] / 2, size[1] / 2));
    } else if (kind == "tube" && size[1] < size[0]) {
      sections.push_back(TubeSection(size[0], size[1]));
    } else {
      throw ConfigError(key::kSection, text, kAllowed);
    }
  }
  return sections;
}

std::vector<SlipElement> ReadElements(const mjModel* m, int instance, const char* key) {
  return ElementsOf(key, Numbers(m, instance, key, kAnyNumber));
}

Hardening ReadHardening(const mjModel* m, int instance) {
  const std::vector<double> moduli = Numbers(m, instance, key::kHardening, kAnyNumber);
  if (moduli.empty()) return {};
  CheckHardening(moduli);
  return {moduli[0], moduli.size() < 2 ? 0 : moduli[1]};
}

void RejectBoth(const char* key, bool given, const char* other, bool other_given) {
  if (given && other_given) {
    throw ConfigError(key, "a value beside " + std::string(other),
                      std::string(key) + " or " + other + ", not both");
  }
}

// Throws ConfigError unless stiffness is given either as EI and GJ or as moduli and a section.
void CheckStiffnessKeys(const CableAttributes& a) {
  const bool direct = !a.EI.empty() || !a.GJ.empty();
  const bool moduli = !a.young.empty() || !a.shear.empty() || !a.poisson.empty();
  RejectBoth("EI/GJ", direct, "young/shear/poisson", moduli);
  RejectBoth("EI/GJ", direct, key::kRadius, !a.radius.empty());
  RejectBoth(key::kShear, !a.shear.empty(), key::kPoisson, !a.poisson.empty());
  if (!direct && !moduli) {
    throw ConfigError("EI", "nothing", "EI and GJ (N m^2), or young and shear or poisson");
  }
  const auto require = [](bool given, const char* key, const char* allowed) {
    if (!given) throw ConfigError(key, "nothing", allowed);
  };
  if (direct) {
    require(!a.EI.empty(), key::kEI, "finite numbers > 0 (N m^2), since GJ is given");
    require(!a.GJ.empty(), key::kGJ, "finite numbers > 0 (N m^2), since EI is given");
  } else {
    require(!a.young.empty(), key::kYoung, "finite numbers > 0 (Pa)");
    require(!a.shear.empty() || !a.poisson.empty(), key::kShear,
            "shear (Pa, > 0) or poisson (> -1 and <= 0.5), since young is given");
  }
}

void ReadSlip(const mjModel* m, int instance, CableAttributes* a) {
  const std::string yield_stress = ConfigText(m, instance, key::kYieldStress);
  if (!yield_stress.empty()) {
    a->yield_stress = ParseNumber(key::kYieldStress, yield_stress, kPositive);
  }
  a->bend_elements = ReadElements(m, instance, key::kBendElements);
  a->twist_elements = ReadElements(m, instance, key::kTwistElements);
  a->hardening = ReadHardening(m, instance);
  RejectBoth(key::kYieldStress, a->yield_stress.has_value(), key::kBendElements,
             !a->bend_elements.empty());
  RejectBoth(key::kYieldStress, a->yield_stress.has_value(), key::kTwistElements,
             !a->twist_elements.empty());
  const std::string hardening = ConfigText(m, instance, key::kHardening);
  if (!a->slips() && !hardening.empty()) {
    throw ConfigError(key::kHardening, hardening,
                      "hardening of a cable with yield_stress, bend_elements or twist_elements");
  }
  if (!a->slips()) return;
  const char* key = a->yield_stress             ? key::kYieldStress
                    : !a->bend_elements.empty() ? key::kBendElements
                                                : key::kTwistElements;
  RejectBoth(key, true, "law = mujoco_3", a->law == TorqueLaw::kMujoco3);
  if (a->twist != TwistMode::kDynamic) {
    throw ConfigError(key::kTwist, "quasistatic", "dynamic, since the cable yields or slips");
  }
  if (OrderOf(a->curvature) > 2) {
    throw ConfigError(key::kCurvature, ConfigText(m, instance, key::kCurvature),
                      "angle or tangent, since the cable yields or slips");
  }
}

// A cable that slides out of a guide straightens there, which its torques must follow exactly.
void RejectFeed(const CableAttributes& a) {
  const bool feeds = !a.feed.empty();
  RejectBoth(key::kFeed, feeds, "law = mujoco_3", a.law == TorqueLaw::kMujoco3);
  RejectBoth(key::kFeed, feeds, "yield_stress or elements", a.slips());
  RejectBoth(key::kFeed, feeds, "closed", a.closed);
  if (feeds && a.clamps[0].empty()) {
    throw ConfigError(key::kClampStart, "nothing", "a site in the mouth of the guide, beside feed");
  }
  RejectBoth(key::kFeed, feeds, "twist = quasistatic", a.twist != TwistMode::kDynamic);
  RejectBoth(key::kFeed, feeds, "curvature = smooth", OrderOf(a.curvature) > 2);
}

// MuJoCo 3's law has a fixed measure of bending, and the spin of every link twists the cable.
void ApplyMujoco3Law(const mjModel* m, int instance, CableAttributes* a) {
  constexpr char kLawGiven[] = "law = mujoco_3";
  for (const char* key : {key::kCurvature, key::kHolds, key::kRestTwist}) {
    RejectBoth(key, !ConfigText(m, instance, key).empty(), kLawGiven, true);
  }
  RejectBoth("twist = quasistatic", ConfigText(m, instance, key::kTwist) == "quasistatic",
             kLawGiven, true);
  a->twist = TwistMode::kDynamic;
}

}  // namespace

std::string ConfigText(const mjModel* m, int instance, const char* key) {
  const char* text = mj_getPluginConfig(m, instance, key);
  return text ? text : "";
}

CableAttributes ReadAttributes(const mjModel* m, int instance) {
  CableAttributes a;
  a.EI = Numbers(m, instance, key::kEI, kPositive);
  a.GJ = Numbers(m, instance, key::kGJ, kPositive);
  a.young = Numbers(m, instance, key::kYoung, kPositive);
  a.shear = Numbers(m, instance, key::kShear, kPositive);
  a.poisson = Numbers(m, instance, key::kPoisson, kPoissonRange);
  a.radius = Numbers(m, instance, key::kRadius, kPositive);
  a.sections = ReadSections(ConfigText(m, instance, key::kSection));
  RejectBoth(key::kSection, !a.sections.empty(), key::kRadius, !a.radius.empty());
  CheckStiffnessKeys(a);
  a.curvature =
      static_cast<ChainCurvature>(Choice(m, instance, key::kCurvature, kChainCurvatureNames));
  a.twist = Choice(m, instance, key::kTwist, {"quasistatic", "dynamic"}) ? TwistMode::kDynamic
                                                                         : TwistMode::kQuasistatic;
  a.law = Choice(m, instance, key::kLaw, {"strand", "mujoco_3"}) ? TorqueLaw::kMujoco3
                                                                 : TorqueLaw::kStrand;
  if (a.law == TorqueLaw::kMujoco3) ApplyMujoco3Law(m, instance, &a);
  a.holds = SplitWords(ConfigText(m, instance, key::kHolds));
  RejectBoth(key::kHolds, !a.holds.empty(), "twist = dynamic", a.twist == TwistMode::kDynamic);
  a.clamps = {ConfigText(m, instance, key::kClampStart), ConfigText(m, instance, key::kClampEnd)};
  a.junctions = SplitWords(ConfigText(m, instance, key::kJunctions));
  RejectBoth(key::kJunctions, !a.junctions.empty(), "law = mujoco_3", a.law == TorqueLaw::kMujoco3);
  a.rest_straight = Choice(m, instance, key::kRest, {"model", "straight"}) == 1;
  const std::string rest_twist = ConfigText(m, instance, key::kRestTwist);
  if (!rest_twist.empty()) a.rest_twist = ParseNumber(key::kRestTwist, rest_twist, kAnyNumber);
  const std::string closed = ConfigText(m, instance, key::kClosed);
  if (!closed.empty()) a.closed = ParseBool(key::kClosed, closed);
  RejectBoth(key::kClosed, a.closed, key::kClampStart, !a.clamps[0].empty());
  RejectBoth(key::kClosed, a.closed, key::kClampEnd, !a.clamps[1].empty());
  a.cancel_joint_stiffness =
      Choice(m, instance, key::kStabilizer, {"none", "joint_stiffness"}) == 1;
  const std::string color = ConfigText(m, instance, key::kColor);
  if (!color.empty() && color != "none") a.color_range = ColorRange(color);
  ReadSlip(m, instance, &a);
  a.feed = ConfigText(m, instance, key::kFeed);
  RejectFeed(a);
  return a;
}

}  // namespace strand::mujoco
