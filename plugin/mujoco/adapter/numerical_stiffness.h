// Numerical stiffness of joints, which makes a stiff cable stable at large time steps.
//
// Backward Euler solves (M + h^2 K) dv = h f - h^2 K v for the change dv of the velocity v, with
// the stiffness K of the rod. A ball joint of MuJoCo has one stiffness k about all its axes, the
// largest that the rod has there. It stands for K on the left: `discrete` solves it as such, and
// with other integrators the joint's armature stands for h^2 k. The spring's own force is
// cancelled. On the right K is the rod's own, about each axis: a flat cable has a hundred times
// less about one of them, and with k there it would creep where it should swing. What remains of k
// in these directions is inertia: it slows a mode of frequency w by (h w)^2 k / (2 K).
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <span>
#include <vector>

#include "model/energy/rod.h"
#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

class NumericalStiffness {
 public:
  /// Of a joint of MuJoCo with a spring.
  struct Spring {
    int joint, qpos, dof, type;
    /// Stiffness of the rod about each of the joint's axes, as a fraction of the spring's; of a
    /// round rod: 1.
    std::array<double, 3> share{1, 1, 1};
    int dofs() const { return type == mjJNT_HINGE ? 1 : 3; }
  };

  NumericalStiffness() = default;

  /// Finds the springs of the chain's joints. `stiffness`: of the rod's joints; empty if links turn
  /// about themselves without the rod (quasistatic twist), whose axes are then not theirs. Throws
  /// ConfigError if there is no spring, or one that is not linear.
  NumericalStiffness(const mjModel* m, int instance, const Chain& chain,
                     std::span<const RodStiffness> stiffness);

  /// Adds to mjData.qfrc_passive what takes the place of the springs' force.
  void AddForce(const mjModel* m, mjData* d) const;

  /// True if the model needs `discrete` to be stable and runs with another integrator: no armature
  /// stands for h^2 k.
  bool LacksDiscrete(const mjModel* m) const;

  std::span<const Spring> springs() const { return springs_; }

 private:
  void Cancel(const mjModel* m, mjData* d) const;
  void Damp(const mjModel* m, mjData* d) const;

  std::vector<Spring> springs_;
  bool uneven_ = false;  ///< a share is less than 1
};

}  // namespace strand::mujoco
