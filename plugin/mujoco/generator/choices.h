// What the generator chose for a cable, as data: free of MuJoCo's headers, for Python and messages.
#pragma once

#include <array>
#include <string>

namespace strand {

struct Choices {
  int root = 0;       ///< link at the root of the kinematic tree
  std::string twist;  ///< "dynamic" or "quasistatic"
  std::string integrator;
  double timestep = 0;              ///< s: the scene's, the user's own, or the one recommended
  double recommended_timestep = 0;  ///< s: the largest that follows the cable's motion
  int recommended_links = 0;        ///< the fewest that resolve how the cable's weight bends it
  double max_tension = 0;           ///< N: stable up to this much at that step
  std::array<double, 2> contact_solref{};
  std::array<double, 5> contact_solimp{};
  std::string text;  ///< all of it in words, one line, with the reasons

  bool operator==(const Choices&) const = default;
};

}  // namespace strand
