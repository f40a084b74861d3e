// Keeps contacts of a cable from opening as they slide.
//
// MuJoCo's friction is associated: for a contact that slides, its solver minimises
//     R f^2 (1 + g) / 2 + f (y_n - mu |y_t|),    g = mu^2 / impratio,
// over the normal force f >= 0, where y = a - aref, with the relative acceleration a of the
// surfaces and MuJoCo's reference aref, and R is the contact's compliance. The normal force
//     f = (mu |y_t| - y_n) / (R (1 + g))
// grows with the speed of sliding v, of which aref_t = -B v asks for an end in a few steps: it
// parts the surfaces at an acceleration of up to mu B v, so that light links hop and fast ones are
// thrown into the air. Coulomb's law with the same compliance is f = -y_n / R, and MuJoCo's solver
// gives it if aref_n is lowered by
//     s = mu |y_t| - g (aref_n - a_n)
// (de Saxce and Feng 1998, The bipotential method: the velocity mu |v_t| added to the normal one
// makes Coulomb's law associated). Where s < 0 a contact sticks, and nothing is changed. Pyramidal
// cones have g = 1: all their edges push until mu |y_t| = -y_n, and until then the surfaces stick.
//
// The accelerations of this step are not known yet. An s that is too large would remove the force
// that keeps the surfaces apart. Therefore y_t contains only the steady acceleration of the links,
// an average of the last steps, and a contact counts as sliding only as far as mu |y_t| exceeds
// twice the difference to the acceleration of the last step: fully if it slides or accelerates
// steadily, as with a robot's hand, and not at all in an impact, or where stick and slip alternate.
#pragma once

#include <mujoco/mujoco.h>

#include <span>
#include <vector>

#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

class Sliding {
 public:
  Sliding(const mjModel* m, const Chain& chain);

  /// Lowers aref_n of contacts of the cable's links that slide. To be called once constraints are
  /// made and before MuJoCo computes their references, as in mj_passive. It changes `efc_pos`,
  /// which determines aref_n, and the width of the contact's `solimp` in proportion, so that the
  /// impedance stays the same: `discrete` computes it after that. Repeated calls change nothing.
  void Correct(const mjModel* m, mjData* d, std::span<const mjtNum> memory) const;
  /// Enters the velocities of a step that ends into the memory.
  void Advance(const mjModel* m, const mjData* d, std::span<mjtNum> memory) const;

  /// Numbers in the memory for each link: its last velocity (m/s) and steady acceleration (m/s^2).
  static constexpr int kPerLink = 6;

 private:
  std::vector<int> body_;  ///< of each link
  std::vector<int> link_;  ///< of each body; -1: none
};

}  // namespace strand::mujoco
