// What the generator chose for a cable, as data without MuJoCo's headers, for Python and messages.
#pragma once

#include <array>
#include <string>

namespace strand {

struct Choices {
  int root = 0;           ///< link at the root of the kinematic tree, if there is only one
  int pieces = 0;         ///< links per kinematic tree; 0: the whole cable is one tree
  std::string twist;      ///< "dynamic" or "quasistatic"
  std::string curvature;  ///< "angle", "tangent", "smooth4" or "smooth"
  std::string integrator;
  double timestep = 0;              ///< s: the scene's, the user's, or the recommended one
  double recommended_timestep = 0;  ///< s: the largest that resolves the cable's motion
  int recommended_links = 0;        ///< the fewest that resolve bending under the cable's weight
  double max_tension = 0;           ///< N: stable up to this tension at that step
  double give_way = 0;              ///< N: tension at which cuts open; infinite: none does
  std::array<double, 2> contact_solref{};
  std::array<double, 5> contact_solimp{};
  // Of welds and connects that hold the cable by a body.
  std::array<double, 2> hold_solref{};
  std::array<double, 5> hold_solimp{};
  double hold_torquescale = 0;
  std::string text;  ///< all choices and their reasons in words, on one line

  bool operator==(const Choices&) const = default;
};

}  // namespace strand
