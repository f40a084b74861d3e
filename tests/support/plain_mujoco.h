// Plain MuJoCo in tests: owners of what its functions make, and the adapter loaded once.
#pragma once

#include <gtest/gtest.h>
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

/// Tests with the adapter STRAND_ADAPTER in the process.
class AdapterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool loaded = [] {
      mj_loadPluginLibrary(STRAND_ADAPTER);
      return true;
    }();
    ASSERT_TRUE(loaded);
  }
};

}  // namespace strand
