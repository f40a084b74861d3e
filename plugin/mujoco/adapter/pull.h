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

  struct Strain {
    /// The least tension (N) at these places: that of a cable taut from end to end; less than 0
    /// where one is pressed, 0 if there are none.
    double tension = 0;
    double opening = 0;  ///< m: of all cuts that give way
  };
  /// In the last solution of the constraints. `frames`: of the links at that time.
  Strain Measure(const mjData* d, std::span<const Frame> frames);

  /// The first equality across a cut that MuJoCo does not apply, so that the cable comes apart
  /// there; -1: none.
  int Loose(const mjModel* m, const mjData* d) const;

 private:
  struct Tie {
    int place = -1;      ///< -1: not of this cable
    double sign = 1;     ///< of the tension in its force
    bool cut = false;    ///< holds the halves of a link together
    bool gives = false;  ///< opens under too much
  };
  struct Place {
    int link;            ///< along whose axis the forces count
    double tension = 0;  ///< N, of all its equalities; workspace of Measure
    bool held = false;   ///< by any that is active; likewise
  };
  int PlaceOf(int link);

  std::vector<Tie> of_equality_;
  std::vector<Place> places_;
};

}  // namespace strand::mujoco
