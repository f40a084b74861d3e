// Errors and warnings of MuJoCo while a viewer is open. MuJoCo's own handlers would end the
// process.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/viewer/messages.h"

namespace strand::viewer {

/// While it exists, MuJoCo's warnings become messages, and errors within Guarded are caught. One at
/// a time.
class Guard {
 public:
  explicit Guard(Messages* messages);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Runs `work`, a function of MuJoCo. On an error resets the data, adds a message and returns
  /// false.
  bool Run(void (*work)(const mjModel*, mjData*), const mjModel* m, mjData* d) const;

 private:
  Messages* messages_;
};

}  // namespace strand::viewer
