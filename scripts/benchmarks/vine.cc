// A step of a growing robot: O(n) in the number of bodies, contact included.
#include <benchmark/benchmark.h>

#include "tests/support/vines.h"

namespace strand {
namespace {

// The published scene, from its start to the end of its growth, repeatedly.
void Step(benchmark::State& state, bool published) {
  testing::VineScene scene = testing::RuntimeScene(static_cast<int>(state.range(0)));
  if (published) testing::UsePublishedStep(&scene.options);
  Vine vine = scene.Make();
  int step = 0;
  for (auto _ : state) {
    if (step++ == scene.steps) {
      state.PauseTiming();
      vine.SetState(scene.state);
      step = 1;
      state.ResumeTiming();
    }
    const VineReport report = vine.Step(scene.growth);
    if (!report.ok()) state.SkipWithError(vine.Describe(report).c_str());
  }
  state.SetComplexityN(state.range(0));
}

void VinePublishedStep(benchmark::State& state) { Step(state, true); }
void VineConvergedStep(benchmark::State& state) { Step(state, false); }

void Bodies(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bodies")->Unit(benchmark::kMicrosecond);
  for (int bodies : {30, 100, 300, 1000, 2000}) benchmark->Arg(bodies);
  benchmark->Complexity(benchmark::oN);
}

BENCHMARK(VinePublishedStep)->Apply(Bodies);
BENCHMARK(VineConvergedStep)->Apply(Bodies);

}  // namespace
}  // namespace strand
