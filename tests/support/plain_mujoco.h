// Plain MuJoCo in tests, with the adapter loaded once.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/handles.h"

namespace strand {

/// Tests in a process that has loaded the adapter STRAND_ADAPTER.
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
