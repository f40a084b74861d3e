// Tension of a cable, as far as the forces of equalities show it: those that hold its ends, and
// those between the trees into which it is cut. A cable in one tree with no such hold shows none.
#pragma once

#include <mujoco/mujoco.h>

#include <span>
#include <vector>

#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

class Pull {
 public:
  Pull(const mjModel* m, int instance, const Chain& chain);

  /// The least tension (N) of these equalities in the last solution of the constraints: that of a
  /// cable taut from end to end; less than 0 where one is pressed, 0 if there are none. `frames`:
  /// of the links at that time.
  double Tension(const mjData* d, std::span<const Frame> frames) const;

 private:
  struct Hold {
    int link = -1;    ///< along whose axis the force counts; -1: not of this cable
    double sign = 1;  ///< of the tension in that force
  };
  std::vector<Hold> of_equality_;
};

}  // namespace strand::mujoco
