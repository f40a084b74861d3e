// The engine plugin's call through mj_passive. Subtract the time of the same chain without the
// plugin to get the plugin's own time.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <random>
#include <vector>

#include "model/geometry/curve.h"
#include "plugin/mujoco/generator/generate.h"
#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {
namespace {

CableDescription Describe(int links, Root root, bool anisotropic) {
  CableDescription cable;
  cable.nodes = StraightNodes(9.29, links);
  cable.stiffness.EI = {anisotropic ? 2.69 : 1.345, 1.345};
  cable.stiffness.GJ = 0.789;
  cable.section.radius = {0.02};
  cable.twist = Twist::kQuasistatic;
  cable.root = root;
  cable.ends[0] = root == Root::kEnd ? EndCondition::kFixed : EndCondition::kFree;
  cable.clamp = Clamp::kLink;
  cable.stabilize = false;
  cable.contact.collide = false;
  return cable;
}

void RemovePlugin(mjSpec* spec) {
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_BODY); e; e = mjs_nextElement(spec, e)) {
    mjs_asBody(e)->plugin.active = 0;
  }
  mjs_delete(spec, mjs_firstElement(spec, mjOBJ_PLUGIN));
}

// Accepts the twists of the pose, as a step does, so that the next call starts near its solution.
void Advance(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; ++i) mjp_getPluginAtSlot(m->plugin[i])->advance(m, d, i);
}

void Passive(benchmark::State& state, Root root, bool anisotropic, bool plugin) {
  const int links = static_cast<int>(state.range(0));
  SpecPtr spec = MakeCable(Describe(links, root, anisotropic), nullptr);
  if (!plugin) RemovePlugin(spec.get());
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  if (!m) {
    state.SkipWithError(mjs_getError(spec.get()));
    return;
  }
  const DataPtr d(mj_makeData(m.get()));
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0, 0.1);
  std::vector<double> turns(m->nv);
  for (double& turn : turns) turn = normal(generator);
  mj_integratePos(m.get(), d->qpos, turns.data(), 1);
  mj_kinematics(m.get(), d.get());
  mj_comPos(m.get(), d.get());
  mj_passive(m.get(), d.get());
  Advance(m.get(), d.get());
  for (auto _ : state) mj_passive(m.get(), d.get());
  state.SetComplexityN(links);
}

// MuJoCo takes half a minute to compile a chain of 1000 links that is rooted at its end.
void Lengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("n")->Unit(benchmark::kMicrosecond);
  for (int links : {10, 40, 100, 200, 400, 1000}) benchmark->Arg(links);
  benchmark->Complexity(benchmark::oN);
}

BENCHMARK_CAPTURE(Passive, end, Root::kEnd, false, true)->Apply(Lengths);
BENCHMARK_CAPTURE(Passive, middle, Root::kMiddle, false, true)->Apply(Lengths);
BENCHMARK_CAPTURE(Passive, middle_anisotropic, Root::kMiddle, true, true)->Apply(Lengths);
BENCHMARK_CAPTURE(Passive, middle_without_plugin, Root::kMiddle, false, false)->Apply(Lengths);

}  // namespace
}  // namespace strand::mujoco
