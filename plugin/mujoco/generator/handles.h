// Owning pointers for objects that MuJoCo allocates.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>

namespace strand::mujoco {

struct Delete {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using SpecPtr = std::unique_ptr<mjSpec, Delete>;
using ModelPtr = std::unique_ptr<mjModel, Delete>;
using DataPtr = std::unique_ptr<mjData, Delete>;

}  // namespace strand::mujoco
