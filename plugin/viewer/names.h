// Names of a model's parts in the window.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

namespace strand::viewer {

/// The name of a part, or, if it has none, its kind and number.
inline std::string NameOf(const mjModel* m, mjtObj type, int id, const std::string& kind) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : kind + " " + std::to_string(id);
}

}  // namespace strand::viewer
