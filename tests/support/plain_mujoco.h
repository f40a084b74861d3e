// Plain MuJoCo in tests, with the adapter loaded once.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/handles.h"

namespace strand {

/// The path of the adapter under test, and the version "X.Y.Z" of MuJoCo that it is for.
extern const char kAdapter[], kAdapterVersion[];

/// Tests in a process that has loaded the adapter.
class AdapterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool loaded = [] {
      mj_loadPluginLibrary(kAdapter);
      return true;
    }();
    ASSERT_TRUE(loaded);
  }
};

}  // namespace strand
