// The version of MuJoCo that a library is built for. Versions whose structs are the same share all
// other code.
#pragma once

namespace strand::mujoco {

/// "X.Y.Z", as mj_versionString().
extern const char kBuiltForMujoco[];

}  // namespace strand::mujoco
