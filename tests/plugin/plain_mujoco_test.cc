// The adapter in plain MuJoCo, from C: loading, stepping, errors at load time, reset and copy.
#include "tests/support/plain_mujoco.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <string>
#include <vector>

// On an error during mj_makeData, MuJoCo's compiler leaves by longjmp and leaks that mjData. The
// sanitizer's library only finds a function that is visible.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions() {
  return "leak:mj_makeRawData\n";
}

namespace {

using strand::kAdapterVersion;
using strand::mujoco::DataPtr;
using strand::mujoco::ModelPtr;

class PlainMujoco : public strand::AdapterTest {};

// A chain of links along x, clamped at its first link.
std::string Chain(int links, const std::string& keys) {
  std::string xml = "<mujoco><extension><plugin plugin='strand.cable'><instance name='rope'>" +
                    keys + "</instance></plugin></extension><worldbody>";
  for (int k = 0; k < links; ++k) {
    xml += k == 0 ? "<body>" : "<body pos='.05 0 0'><joint type='ball' damping='1e-3'/>";
    xml += "<geom type='capsule' fromto='0 0 0 .05 0 0' size='.005'/><plugin instance='rope'/>";
  }
  for (int k = 0; k < links; ++k) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

std::string Key(const std::string& name, const std::string& value) {
  return "<config key='" + name + "' value='" + value + "'/>";
}

const std::string kGood = Key("EI", "0.02") + Key("GJ", "0.015");

ModelPtr Load(const std::string& xml, std::string* problem = nullptr) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error));
  ModelPtr model(spec ? mj_compile(spec, nullptr) : nullptr);
  if (problem) *problem = spec ? mjs_getError(spec) : error;
  mj_deleteSpec(spec);
  return model;
}

TEST_F(PlainMujoco, IsTheVersionItWasBuiltFor) {
  EXPECT_STREQ(mj_versionString(), kAdapterVersion);
  int slot = -1;
  ASSERT_NE(mjp_getPlugin("strand.cable", &slot), nullptr);
}

TEST_F(PlainMujoco, CableHangsAndPullsBack) {
  const ModelPtr m = Load(Chain(20, kGood));
  ASSERT_TRUE(m);
  const DataPtr d(mj_makeData(m.get()));
  for (int i = 0; i < 2000; ++i) mj_step(m.get(), d.get());
  double torque = 0;
  for (int i = 0; i < m->nv; ++i) torque += std::abs(d->qfrc_passive[i]);
  EXPECT_GT(torque, 1e-3);
  EXPECT_LT(d->xpos[3 * (m->nbody - 1) + 2], -0.05);
  EXPECT_EQ(d->warning[mjWARN_BADQACC].number, 0);
}

// A rod whose first node is clamped at a site: link 0 hangs on its own ball joint.
std::string Clamped(int links, const std::string& keys) {
  std::string xml = Chain(links, keys);
  const std::string first = "<worldbody><body>";
  xml.insert(xml.find(first) + first.size(), "<joint type='ball' damping='1e-3'/>");
  xml.insert(xml.find("<body>"), "<site name='wall'/>");
  return xml;
}

TEST_F(PlainMujoco, AClampAtASiteSupportsTheCable) {
  const std::string clamp = Key("clamp_start", "wall");
  const ModelPtr m = Load(Clamped(20, kGood + clamp)), loose = Load(Clamped(20, kGood));
  ASSERT_TRUE(m && loose);
  EXPECT_EQ(m->npluginstate, 9 * 21 + 4);  // twists; motion; the change of the material
  const mjModel* models[] = {m.get(), loose.get()};
  for (const mjModel* model : models) {
    const DataPtr d(mj_makeData(model));
    d->qpos[0] = std::cos(0.05), d->qpos[2] = std::sin(0.05);
    mj_forward(model, d.get());
    // Half a link between the clamp and link 0: stiffness 2 EI / l.
    EXPECT_NEAR(d->qfrc_passive[1], model == m.get() ? -0.1 * 2 * 0.02 / 0.05 : 0, 1e-12);
    for (int step = 0; step < 1000; ++step) mj_step(model, d.get());
    EXPECT_EQ(d->warning[mjWARN_BADQACC].number, 0);
  }
  std::string problem;
  EXPECT_FALSE(Load(Clamped(5, kGood + Key("clamp_end", "nowhere")), &problem));
  EXPECT_NE(problem.find("clamp_end"), std::string::npos) << problem;
  EXPECT_NE(problem.find("'nowhere'"), std::string::npos) << problem;
}

TEST_F(PlainMujoco, BadKeysFailTheLoadWithAMessage) {
  struct Case {
    std::string keys, word;
  };
  const std::vector<Case> cases = {{Key("EI", "-1") + Key("GJ", "1"), "EI"},
                                   {Key("EI", "1"), "GJ"},
                                   {kGood + Key("twist", "wild"), "quasistatic"},
                                   {kGood + Key("closed", "true"), "closed"},
                                   {kGood + Key("holds", "nobody"), "holds"}};
  for (const Case& bad : cases) {
    std::string problem;
    EXPECT_FALSE(Load(Chain(5, bad.keys), &problem)) << bad.keys;
    EXPECT_NE(problem.find("'rope'"), std::string::npos) << problem;
    EXPECT_NE(problem.find(bad.word), std::string::npos) << problem;
  }
}

TEST_F(PlainMujoco, ResetAndCopyAreExact) {
  const ModelPtr m = Load(Chain(12, kGood + Key("rest_twist", "40")));
  ASSERT_TRUE(m);
  const DataPtr d(mj_makeData(m.get()));
  const DataPtr fresh(mj_makeData(m.get()));
  for (int i = 0; i < 100; ++i) mj_step(m.get(), d.get());
  const DataPtr copy(mj_copyData(nullptr, m.get(), d.get()));
  for (int i = 0; i < 50; ++i) {
    mj_step(m.get(), d.get());
    mj_step(m.get(), copy.get());
  }
  for (int i = 0; i < m->nq; ++i) EXPECT_EQ(d->qpos[i], copy->qpos[i]);
  d->qpos[5] = NAN;
  mj_forward(m.get(), d.get());
  mj_resetData(m.get(), d.get());
  for (int i = 0; i < 50; ++i) {
    mj_step(m.get(), d.get());
    mj_step(m.get(), fresh.get());
  }
  for (int i = 0; i < m->nq; ++i) EXPECT_EQ(d->qpos[i], fresh->qpos[i]);
}

TEST_F(PlainMujoco, StressColoursGoToTheScene) {
  const ModelPtr m = Load(Chain(6, kGood + Key("color", "0 1e6")));
  ASSERT_TRUE(m);
  const DataPtr d(mj_makeData(m.get()));
  mj_forward(m.get(), d.get());
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_makeScene(m.get(), &scene, 100);
  mjv_updateScene(m.get(), d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
  EXPECT_EQ(scene.ngeom, 12);  // six links and six overlays
  mjv_freeScene(&scene);
}

}  // namespace
