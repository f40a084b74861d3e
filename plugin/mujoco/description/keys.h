// Configuration keys of the engine plugin `strand.cable`, all SI. README.md documents them.
#pragma once

namespace strand::mujoco {

namespace key {
inline constexpr char kEI[] = "EI";
inline constexpr char kGJ[] = "GJ";
inline constexpr char kYoung[] = "young";
inline constexpr char kShear[] = "shear";
inline constexpr char kPoisson[] = "poisson";
inline constexpr char kRadius[] = "radius";
inline constexpr char kSection[] = "section";
inline constexpr char kCurvature[] = "curvature";
inline constexpr char kTwist[] = "twist";
inline constexpr char kHolds[] = "holds";
inline constexpr char kClampStart[] = "clamp_start";
inline constexpr char kClampEnd[] = "clamp_end";
inline constexpr char kJunctions[] = "junctions";
inline constexpr char kRest[] = "rest";
inline constexpr char kRestTwist[] = "rest_twist";
inline constexpr char kClosed[] = "closed";
inline constexpr char kStabilizer[] = "stabilizer";
inline constexpr char kColor[] = "color";
inline constexpr char kLaw[] = "law";
inline constexpr char kYieldStress[] = "yield_stress";
inline constexpr char kHardening[] = "hardening";
inline constexpr char kBendElements[] = "bend_elements";
inline constexpr char kTwistElements[] = "twist_elements";
inline constexpr char kFeed[] = "feed";
}  // namespace key

inline constexpr const char* kAttributes[] = {
    key::kEI,         key::kGJ,           key::kYoung,         key::kShear, key::kPoisson,
    key::kRadius,     key::kSection,      key::kCurvature,     key::kTwist, key::kHolds,
    key::kClampStart, key::kClampEnd,     key::kJunctions,     key::kRest,  key::kRestTwist,
    key::kClosed,     key::kStabilizer,   key::kColor,         key::kLaw,   key::kYieldStress,
    key::kHardening,  key::kBendElements, key::kTwistElements, key::kFeed};

}  // namespace strand::mujoco
