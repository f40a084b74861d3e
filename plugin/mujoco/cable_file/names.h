// Names that files use for the enumerations of a CableDescription: kNames<T>[k] is T's k-th value.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "plugin/mujoco/description/description.h"

namespace strand {

template <class T>
inline constexpr std::array<const char*, 0> kNames{};

template <>
inline constexpr std::array kNames<SectionShape>{"circle", "tube", "box", "ellipse"};
template <>
inline constexpr std::array kNames<Root>{"auto", "end", "middle"};
template <>
inline constexpr std::array kNames<EndCondition>{"free", "fixed", "ball", "weld",
                                                 "pin",  "mocap", "feed"};
template <>
inline constexpr std::array kNames<Clamp>{"node", "link"};
template <>
inline constexpr std::array kNames<RestShape>{"drawn", "straight"};
template <>
inline constexpr std::array kNames<Twist>{"auto", "quasistatic", "dynamic"};
template <>
inline constexpr auto kNames<Curvature> = [] {
  std::array<const char*, kChainCurvatureNames.size() + 1> names{"auto"};
  std::copy(kChainCurvatureNames.begin(), kChainCurvatureNames.end(), names.begin() + 1);
  return names;
}();
template <>
inline constexpr std::array kNames<Integrator>{"auto", "Euler", "implicit", "implicitfast",
                                               "discrete"};

/// The names, separated by commas.
template <class Names>
std::string Listed(const Names& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

}  // namespace strand
