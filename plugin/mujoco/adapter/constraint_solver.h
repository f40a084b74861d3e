// What MuJoCo's constraint solver needs for light links.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::mujoco {

/// True if the solver solves contacts and welds of light links in every step. In an impact Newton's
/// method takes up to 40 iterations; cables diverge with 10, and with CG.
inline bool SolvesLightLinks(const mjOption& option) {
  constexpr int kLeastIterations = 50;
  return option.solver == mjSOL_NEWTON && option.iterations >= kLeastIterations;
}

}  // namespace strand::mujoco
