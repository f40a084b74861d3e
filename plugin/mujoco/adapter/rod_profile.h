// What a cable looks like along its length, as plain arrays, free of MuJoCo's headers.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace strand {

/// Of n links and the joints between them, in order from the start. Clamps (links of length 0) are
/// no links here, but their joints are joints: they lie at the ends.
struct RodProfile {
  std::vector<int> body;          ///< of each link
  std::vector<double> length;     ///< of each link (m)
  std::vector<double> arclength;  ///< of each joint (m)
  std::vector<double> span;       ///< length of rod that each joint stands for (m)
  std::vector<double> curvature;  ///< 3 per joint: curvature binormal (1/m, world axes)
  std::vector<double> twist;      ///< of each joint (rad), turns included
  std::vector<double> moment;     ///< 3 per joint: what the joint puts on the link after it (N m)
  std::vector<double> bending_stress;  ///< of each joint (Pa), in the weaker link beside it
  std::vector<double> torsion_stress;  ///< of each joint (Pa)
  std::vector<double> area;            ///< of the section at each joint (m^2)
  std::string no_section;            ///< why there are no stresses and areas; empty where there are
  std::array<int, 2> clamp{-1, -1};  ///< bodies that the clamps are on, or -1: start, end
  bool closed = false;               ///< the last joint joins the last link to the first
};

}  // namespace strand
