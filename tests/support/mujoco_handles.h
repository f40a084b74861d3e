// Owners of what MuJoCo's functions make, for tests.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>

namespace strand {

struct DeleteMujoco {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using SpecPtr = std::unique_ptr<mjSpec, DeleteMujoco>;
using ModelPtr = std::unique_ptr<mjModel, DeleteMujoco>;
using DataPtr = std::unique_ptr<mjData, DeleteMujoco>;

}  // namespace strand
