// The old name mujoco.elasticity.cable. A process can register it only once: a second registration
// aborts the process. Each test here needs a process without the adapter, as ctest provides.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "tests/support/plain_mujoco.h"

namespace {

using strand::kAdapter;

constexpr char kOldName[] = "mujoco.elasticity.cable";
constexpr bool kMujocoHasIt = mjVERSION_HEADER < 4000000;

const mjpPlugin* Find(const char* name) {
  int slot = -1;
  return mjp_getPlugin(name, &slot);
}

bool AdapterIsLoaded() { return Find("strand.cable") != nullptr; }

// Stands in for MuJoCo's own library: a plugin of the old name, without attributes.
void RegisterOther() {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = kOldName;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = [](const mjModel*, int) { return 0; };
  plugin.compute = [](const mjModel*, mjData*, int, int) {};
  mjp_registerPlugin(&plugin);
}

TEST(LegacyName, IsRegisteredWhereMujocoDroppedIt) {
  if (AdapterIsLoaded()) GTEST_SKIP() << "needs a process of its own";
  mj_loadPluginLibrary(kAdapter);
  ASSERT_TRUE(AdapterIsLoaded());
  const mjpPlugin* plugin = Find(kOldName);
  EXPECT_EQ(plugin != nullptr, !kMujocoHasIt);
  if (plugin) {
    EXPECT_STREQ(plugin->attributes[0], "twist");
  }
}

TEST(LegacyName, StaysWithTheLibraryThatRegisteredItFirst) {
  if (AdapterIsLoaded()) GTEST_SKIP() << "needs a process of its own";
  RegisterOther();
  mj_loadPluginLibrary(kAdapter);
  ASSERT_TRUE(AdapterIsLoaded());
  EXPECT_EQ(Find(kOldName)->nattribute, 0);
}

TEST(LegacyName, IsLeftToALaterLibraryWhereMujocoHasOne) {
  if (AdapterIsLoaded()) GTEST_SKIP() << "needs a process of its own";
  if (!kMujocoHasIt) GTEST_SKIP() << "MuJoCo " << mj_versionString() << " has none";
  mj_loadPluginLibrary(kAdapter);
  RegisterOther();
  EXPECT_EQ(Find(kOldName)->nattribute, 0);
}

}  // namespace
