// Quantities along a cable, as plain arrays, without MuJoCo's headers.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace strand {

/// A change of a cable's material while it runs, against the model's own. The plugin state ends
/// with these numbers, those of joints one per joint.
struct MaterialChange {
  std::vector<double> EI{1}, GJ{1};   ///< factors of the stiffness, > 0: one, or one per joint
  double rest_twist = 0;              ///< natural twist rate added (rad/m)
  std::array<double, 2> curvature{};  ///< natural curvature added (1/m), about the links' y and z
  double strength = 1;                ///< factor of the strains at which it yields or slips, > 0
};

/// Quantities of n links and of the joints between them, in order from the start. Clamps and
/// junctions (links of length 0) are not counted as links, but their joints are included: one at
/// each clamped end, two at the node of a junction.
struct RodProfile {
  std::vector<int> body;       ///< of each link, at its first node
  std::vector<int> far_body;   ///< of each link, at its last node: another one if it is split
  std::vector<double> length;  ///< of each link (m)
  std::vector<std::array<int, 2>> joint_body;  ///< bodies before and after each joint
  std::vector<std::array<int, 2>> joint_link;  ///< links at each joint; twice the same at a point
  std::vector<int> node;                       ///< of each joint
  std::vector<double> arclength;               ///< of each joint (m)
  std::vector<double> span;                    ///< length of rod that each joint represents (m)
  std::vector<double> curvature;  ///< 3 per joint: curvature binormal (1/m, world axes)
  std::vector<double> twist;      ///< of each joint (rad), turns included
  /// Permanent set of each joint, against its natural shape: 2 curvatures (1/m, about the y and z
  /// axes of its links) and the twist rate (rad/m).
  std::vector<double> set;
  std::vector<double> moment;  ///< 3 per joint: couple on the link after it (N m, world axes)
  std::vector<double> bending_stress;  ///< of each joint (Pa), the larger of its two links
  std::vector<double> torsion_stress;  ///< of each joint (Pa)
  std::vector<double> area;            ///< of each joint (m^2), the smaller of its two links
  std::string no_section;  ///< why stresses and areas are missing; empty if they are given
  bool closed = false;     ///< the last joint joins the last link to the first
};

}  // namespace strand
