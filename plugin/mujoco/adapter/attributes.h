// Values of the keys of an instance of the engine plugin `strand.cable`.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/config/section.h"
#include "model/config/slip_law.h"
#include "model/reduction/quasistatic_twist.h"
#include "model/stencil/slip.h"
#include "plugin/mujoco/description/keys.h"

namespace strand::mujoco {

/// The law from a joint's angles to its torque: the gradient of Strand's energy, or MuJoCo 3's law.
enum class TorqueLaw { kStrand, kMujoco3 };

/// The parsed and range-checked keys of one instance. Lengths of lists are checked in stiffness.h,
/// where the number of joints is known. An empty list means that the key is not given.
struct CableAttributes {
  std::vector<double> EI, GJ;                         ///< N m^2
  std::vector<double> young, shear, poisson, radius;  ///< Pa, Pa, 1, m
  std::vector<Section> sections;  ///< replace the geoms' sections: one, or one per link
  ChainCurvature curvature = ChainCurvature::kAngle;
  TwistMode twist = TwistMode::kQuasistatic;
  std::vector<std::string> holds;      ///< names of links
  std::array<std::string, 2> clamps;   ///< names of sites that clamp the start and the end, or ""
  std::vector<std::string> junctions;  ///< names of sites at inner nodes, where branches start
  bool rest_straight = false;
  double rest_twist = 0;  ///< rad
  bool closed = false;
  bool cancel_joint_stiffness = false;
  std::optional<std::array<double, 2>> color_range;  ///< Pa
  TorqueLaw law = TorqueLaw::kStrand;
  std::optional<double> yield_stress;                      ///< Pa
  std::vector<SlipElement> bend_elements, twist_elements;  ///< in place of the section's
  Hardening hardening;
  std::string feed;  ///< name of the slide joint along which the cable leaves a guide, or ""

  bool slips() const { return yield_stress || !bend_elements.empty() || !twist_elements.empty(); }
};

/// The text of a key; empty if the key is not given.
std::string ConfigText(const mjModel* m, int instance, const char* key);

/// Reads the configuration of a plugin instance. Throws ConfigError on invalid values.
CableAttributes ReadAttributes(const mjModel* m, int instance);

}  // namespace strand::mujoco
