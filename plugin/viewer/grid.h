// A grid of lines below a scene that has no floor, for orientation. Nothing rests on it.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::viewer {

class Grid {
 public:
  bool shown = false;

  /// Not shown at first if the model has a floor, i.e. a plane or a height field.
  explicit Grid(const mjModel* m);

  /// Puts it under the box from `least` to `most` (m).
  void Place(const mjtNum least[3], const mjtNum most[3]);
  void Add(mjvScene* scene) const;

 private:
  double middle_[2] = {}, height_ = 0, cell_ = 0;  // m; cell 0: not placed
};

}  // namespace strand::viewer
