// Output of the generator in plain MuJoCo from C: only the adapter library is loaded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>

#include "model/geometry/curve.h"
#include "plugin/mujoco/interface/adapter_api.h"
#include "tests/support/plain_mujoco.h"

namespace {

using strand::CableDescription;
using strand::EndCondition;
using strand::kAdapter;
using strand::mujoco::DataPtr;
using strand::mujoco::ModelPtr;
using strand::mujoco::SpecPtr;

class Generated : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const StrandAdapterApi* const loaded = [] {
      mj_loadPluginLibrary(kAdapter);
      void* library = dlopen(kAdapter, RTLD_NOW);
      using GetApi = const StrandAdapterApi* (*)();
      return reinterpret_cast<GetApi>(dlsym(library, "strand_adapter_api"))();
    }();
    api = loaded;
    ASSERT_NE(api, nullptr);
  }

  static std::string Generate(const CableDescription& cable) {
    std::string mjcf, error;
    strand::Choices recipe;
    EXPECT_EQ(api->generate(cable, &mjcf, &recipe, &error), 0) << error;
    EXPECT_FALSE(recipe.text.empty());
    return mjcf;
  }

  static const StrandAdapterApi* api;
};
const StrandAdapterApi* Generated::api = nullptr;

CableDescription Rope() {
  CableDescription cable;
  cable.nodes = strand::StraightNodes(0.6, 12);
  cable.stiffness.EI = {2e-3, 2e-3};
  cable.stiffness.GJ = 1.5e-3;
  cable.damping.loss_time = 0.02;
  cable.ends[0] = EndCondition::kFixed;
  return cable;
}

SpecPtr Parse(const std::string& mjcf) {
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(mjcf.c_str(), nullptr, error, sizeof(error)));
  EXPECT_NE(spec, nullptr) << error;
  return spec;
}

void ExpectItRuns(mjSpec* spec, double seconds = 0.5) {
  const ModelPtr m(mj_compile(spec, nullptr));
  ASSERT_NE(m, nullptr) << mjs_getError(spec);
  const DataPtr d(mj_makeData(m.get()));
  while (d->time < seconds) mj_step(m.get(), d.get());
  for (const mjWarningStat& warning : d->warning) EXPECT_EQ(warning.number, 0);
}

TEST_F(Generated, TextOfEveryKindLoadsAndRuns) {
  CableDescription both = Rope();
  both.ends[1] = EndCondition::kMocap;
  CableDescription ribbon = Rope();
  ribbon.section.shape = strand::SectionShape::kBox;
  ribbon.section.width = 0.02, ribbon.section.height = 0.002;
  ribbon.stiffness.EI = {1e-3, 1e-1};
  ribbon.skin = true;
  CableDescription ring = Rope();
  ring.nodes = strand::RingNodes(0.2, 20, 0);
  ring.closed = true;
  ring.ends[0] = EndCondition::kFree;
  CableDescription link = both;
  link.clamp = strand::Clamp::kLink;
  link.integrator = strand::Integrator::kImplicitFast;
  for (const CableDescription& cable : {Rope(), both, ribbon, ring, link}) {
    ExpectItRuns(Parse(Generate(cable)).get());
  }
}

TEST_F(Generated, CablesAttachToAScene) {
  const SpecPtr scene = Parse(
      "<mujoco><worldbody><body name='arm' pos='0 0 1'><joint axis='0 1 0' damping='.1'/>"
      "<geom size='.05'/></body><site name='hook' pos='.6 .1 1'/></worldbody></mujoco>");
  std::string error;
  strand::Choices recipe;
  CableDescription cable = Rope();
  EXPECT_EQ(api->attach(cable, scene.get(), "arm", &recipe, &error), 0) << error;
  cable.prefix = "second_";
  cable.pos.y() = 0.1;
  cable.ends[1] = EndCondition::kPin;
  cable.end_to[1] = "hook";
  EXPECT_EQ(api->attach(cable, scene.get(), "arm", &recipe, &error), 0) << error;
  ExpectItRuns(scene.get());
}

TEST_F(Generated, ErrorsAreReturnedAsText) {
  CableDescription cable = Rope();
  cable.section.radius = {-1};
  std::string mjcf, error;
  strand::Choices recipe;
  EXPECT_EQ(api->generate(cable, &mjcf, &recipe, &error), -1);
  EXPECT_EQ(error, "radius: got '-1', allowed: finite, > 0 (m)");
  const SpecPtr scene(mj_makeSpec());
  EXPECT_EQ(api->attach(Rope(), scene.get(), "nobody", &recipe, &error), -1);
  EXPECT_NE(error.find("nobody"), std::string::npos);
}

}  // namespace
