// Cable files in MJCF, <model file="*.cable.toml"/> and <attach>, in plain MuJoCo from C.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <string>
#include <vector>

#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "tests/support/plain_mujoco.h"

namespace {

using strand::mujoco::DataPtr;
using strand::mujoco::ModelPtr;
using strand::mujoco::SpecPtr;

const std::string kWire =
    "prefix = ''\n"
    "[shape]\ntype = 'straight'\nlength = 0.6\nsegments = 12\n"
    "[section]\nradius = 0.004\n"
    "[material]\ndensity = 1100.0\nyoung = 5e6\npoisson = 0.45\n"
    "[damping]\nloss_time = 0.02\n";

// Why a file is not decoded is part of MuJoCo's error, or in older versions a warning.
constexpr bool kReasonIsWarning = mjVERSION_HEADER < 3017000;
std::string warning;
void Keep(const char* said) { warning = said; }

// A scene in which the fixed body `arm` attaches the file.
std::string Scene(const std::string& file, const std::string& option = "") {
  return "<mujoco><option " + option + "/><asset><model name='wire' file='" + file +
         "'/></asset><worldbody><body name='arm' pos='0 0 1'><geom size='.01'/>"
         "<attach model='wire' prefix='w_'/></body></worldbody></mujoco>";
}

class Decoder : public strand::AdapterTest {
 protected:
  // Loads the scene with a file of that text. Sets `problem` to the reason of a failure.
  static ModelPtr Load(const std::string& scene, const std::string& text, std::string* problem,
                       const std::string& file = "wire.cable.toml") {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, file.c_str(), text.data(), static_cast<int>(text.size()));
    mj_addBufferVFS(&vfs, "scene.xml", scene.data(), static_cast<int>(scene.size()));
    char error[1000] = "";
    warning.clear();
    mju_user_warning = Keep;
    ModelPtr model(mj_loadXML("scene.xml", &vfs, error, sizeof(error)));
    mju_user_warning = nullptr;
    mj_deleteVFS(&vfs);
    *problem = kReasonIsWarning && !model ? warning : error;
    return model;
  }

  static void ExpectError(const std::string& text, const std::string& words) {
    std::string problem;
    EXPECT_EQ(Load(Scene("wire.cable.toml"), text, &problem), nullptr);
    EXPECT_NE(problem.find("wire.cable.toml: " + words), std::string::npos) << problem;
  }
};

TEST_F(Decoder, AFileAloneIsASpec) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "wire.cable.toml", kWire.data(), static_cast<int>(kWire.size()));
  char error[1000] = "";
  const SpecPtr spec(mj_parse("wire.cable.toml", nullptr, &vfs, error, sizeof(error)));
  ASSERT_NE(spec, nullptr) << error;
  const ModelPtr model(mj_compile(spec.get(), nullptr));
  ASSERT_NE(model, nullptr) << mjs_getError(spec.get());
  EXPECT_EQ(model->nbody, 1 + 12 + 1);  // one link is cut in two
  EXPECT_EQ(ModelPtr(mj_loadXML("wire.cable.toml", &vfs, error, sizeof(error))), nullptr);
  EXPECT_NE(std::string(error).find("XML parse error"), std::string::npos) << error;
  mj_deleteVFS(&vfs);
}

double Tip(const mjModel* m, int steps) {
  const DataPtr d(mj_makeData(m));
  for (int k = 0; k < steps; ++k) mj_step(m, d.get());
  const int site = mj_name2id(m, mjOBJ_SITE, "w_site_end");
  return d->site_xpos[3 * site + 2];
}

TEST_F(Decoder, TheCableIsStableWithAnyIntegrator) {
  std::vector<std::string> integrators = {"Euler", "implicit", "implicitfast"};
  if (strand::mujoco::kDiscrete) integrators.push_back("discrete");
  std::vector<double> hangs;
  for (const std::string& integrator : integrators) {
    std::string problem;
    const std::string option = "integrator='" + integrator + "' timestep='0.002' viscosity='2'";
    const ModelPtr model =
        Load(Scene("wire.cable.toml", option), kWire + "[ends]\nstart = 'fixed'\n", &problem);
    ASSERT_NE(model, nullptr) << problem;
    EXPECT_EQ(problem, "");
    EXPECT_EQ(model->nplugin, 1);
    EXPECT_EQ(model->nbody, 2 + 12);
    EXPECT_GE(mj_name2id(model.get(), mjOBJ_BODY, "w_link11"), 0);
    EXPECT_NEAR(mj_getTotalmass(model.get()) - model->body_mass[1],
                1100 * std::acos(-1) * 0.004 * 0.004 * 0.6, 1e-12);
    hangs.push_back(Tip(model.get(), 5000));
  }
  EXPECT_LT(hangs[0], 0.7);
  for (double other : hangs) EXPECT_NEAR(other, hangs[0], 1e-5);
}

TEST_F(Decoder, AFreeCableFalls) {
  std::string problem;
  const std::string scene =
      "<mujoco><asset><model name='wire' file='wire.cable.toml'/></asset>"
      "<worldbody><frame pos='0 0 2'><attach model='wire' "
      "prefix='w_'/></frame></worldbody></mujoco>";
  const ModelPtr model = Load(scene, kWire, &problem);
  ASSERT_NE(model, nullptr) << problem;
  EXPECT_NEAR(Tip(model.get(), 100), 2 - 0.5 * 9.81 * 0.2 * 0.2, 5e-3);
}

TEST_F(Decoder, OtherTomlFilesAreIgnored) {
  std::string problem;
  EXPECT_EQ(Load(Scene("wire.toml"), kWire, &problem, "wire.toml"), nullptr);
  EXPECT_NE(problem.find("ould not find decoder"), std::string::npos) << problem;
}

TEST_F(Decoder, ErrorsNameTheField) {
  ExpectError(kWire + "radius = 1\n", "damping.radius: got 'a key that is not known', allowed: ");
  ExpectError("a = [1,\n[b]", "syntax: got 'line 2, column ");
  ExpectError("", "shape: got 'nothing', allowed: a table with type");
  ExpectError(kWire + "[ends]\nend = 'weld'\nend_to = 'table'\n",
              "ends.end: got 'weld', allowed: free, ");
  ExpectError(kWire + "[ends]\nend = 'weld'\n", "ends.end_to: got '', allowed: the name of ");
  ExpectError(kWire + "[simulation]\ntimestep = -1\n",
              "simulation.timestep: got '-1', allowed: finite, > 0");
  const std::string straight = "[shape]\ntype = 'straight'\nlength = 1\nsegments = ";
  ExpectError(straight + "2000000000\n",
              "shape.segments: got '2000000000', allowed: at least 2, at most");
  ExpectError(straight + "20000\n", "nodes: got '20001', allowed: at most 10001");
  ExpectError(straight + "1e99\n", "shape.segments: got '1e+99', allowed: an integer");
  ExpectError(straight + "99999999999999999999\n", "syntax: got 'line 4");
  ExpectError(std::string(2000, '['), "syntax: got 'a table header");
  ExpectError("[[[a]]]", "syntax: got 'a table header");
  ExpectError("[&", "syntax: got 'a table header");
  ExpectError("a = " + std::string(2000, '['), "syntax: got 'line 1");
  ExpectError(std::string("\xff\xfe\0\1", 4), "syntax: got 'line 1");
}

TEST_F(Decoder, AMissingFileIsReported) {
  std::string problem;
  EXPECT_EQ(Load(Scene("other.cable.toml"), kWire, &problem), nullptr);
  EXPECT_NE(problem.find("other.cable.toml"), std::string::npos) << problem;
}

}  // namespace
