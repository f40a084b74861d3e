#include "plugin/mujoco/interface/version.h"

namespace strand::mujoco {

const char kBuiltForMujoco[] = STRAND_MUJOCO_VERSION;

}  // namespace strand::mujoco
