// What an instance of the plugin says through mju_warning, each thing at most once per reset of
// mjData, as MuJoCo's own warnings, which name no cable.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::mujoco {

class Warnings {
 public:
  explicit Warnings(int instance) : instance_(instance) {}

  void Reset() { *this = Warnings(instance_); }

  /// In the first call after a reset, with the contacts of the step known: names the link that is
  /// deepest inside what it touches, if that is more than a quarter of its geom's thickness.
  /// Contacts hold cables at rest less than a hundredth of it deep.
  void CheckStart(const mjModel* m, const mjData* d);

  bool diverges() const { return diverges_; }
  void SayDiverges(const mjModel* m, const mjData* d);

 private:
  int instance_;
  bool started_ = false, diverges_ = false;
};

}  // namespace strand::mujoco
