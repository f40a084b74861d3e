// Loops over a whole rod: each must be O(n).
#include <benchmark/benchmark.h>

#include <numeric>

#include "model/reduction/joint_torque.h"
#include "model/reduction/quasistatic_twist.h"
#include "scripts/benchmarks/random_rod.h"

namespace strand {
namespace {

constexpr double kAngle = 0.1;  // rad, between neighbours

void EvaluateRandomRod(benchmark::State& state, double ratio, int order) {
  const int links = static_cast<int>(state.range(0));
  const RodRest rest = StraightRod(links, ratio, order);
  const std::vector<Frame> frames = RandomFrames(links, kAngle);
  const std::vector<double> twists(rest.joints(), 0.05);
  std::vector<Vector3> couples(rest.joints());
  for (auto _ : state) {
    benchmark::DoNotOptimize(EvaluateRod(rest, frames, twists, couples));
    benchmark::DoNotOptimize(couples.data());
    benchmark::ClobberMemory();
  }
  state.SetComplexityN(links);
}

void SolveRandomTwist(benchmark::State& state, double ratio, TwistMode mode, int order = 2) {
  const int links = static_cast<int>(state.range(0));
  const RodRest rest = StraightRod(links, ratio, order);
  const std::vector<Frame> frames = RandomFrames(links, kAngle);
  TwistSolver solver(rest, mode, {});
  std::vector<double> previous(rest.joints(), 0), twists(rest.joints());
  solver.Solve(frames, previous, twists);
  previous = twists;  // as in a simulation, where the previous step is near
  for (auto _ : state) {
    benchmark::DoNotOptimize(solver.Solve(frames, previous, twists));
    benchmark::DoNotOptimize(twists.data());
    benchmark::ClobberMemory();
  }
  state.SetComplexityN(links);
}

void BM_JointTorqueReduction(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  std::vector<int> parent(links + 1), dof_begin(links + 1), dof_count(links + 1, 3);
  for (int body = 1; body <= links; ++body) {
    parent[body] = body - 1;
    dof_begin[body] = 3 * (body - 1);
  }
  dof_count[0] = 0;
  std::vector<int> link_body(links);
  std::iota(link_body.begin(), link_body.end(), 1);
  JointTorqueReduction reduction({parent, dof_begin, dof_count}, link_body, links - 1);
  const std::vector<Vector3> couples(links - 1, Vector3(1, 2, 3));
  const std::vector<double> axes(6 * 3 * links, 0.5);
  std::vector<double> torque(3 * links, 0);
  for (auto _ : state) {
    reduction.AddTorques(couples, axes.data(), 6, torque.data());
    benchmark::DoNotOptimize(torque.data());
    benchmark::ClobberMemory();
  }
  state.SetComplexityN(links);
}

void LinkCounts(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("n");
  for (int links : {10, 40, 100, 400, 1000}) benchmark->Arg(links);
  benchmark->Complexity(benchmark::oN);
}

BENCHMARK_CAPTURE(EvaluateRandomRod, isotropic, 1.0, 2)->Apply(LinkCounts);
BENCHMARK_CAPTURE(EvaluateRandomRod, smooth, 1.0, 6)->Apply(LinkCounts);
BENCHMARK_CAPTURE(EvaluateRandomRod, smooth_anisotropic, 2.0, 6)->Apply(LinkCounts);
BENCHMARK_CAPTURE(EvaluateRandomRod, anisotropic, 2.0, 2)->Apply(LinkCounts);
BENCHMARK_CAPTURE(SolveRandomTwist, uniform, 1.0, TwistMode::kQuasistatic)->Apply(LinkCounts);
BENCHMARK_CAPTURE(SolveRandomTwist, smooth, 1.0, TwistMode::kQuasistatic, 6)->Apply(LinkCounts);
BENCHMARK_CAPTURE(SolveRandomTwist, newton, 2.0, TwistMode::kQuasistatic)->Apply(LinkCounts);
BENCHMARK_CAPTURE(SolveRandomTwist, dynamic, 1.0, TwistMode::kDynamic)->Apply(LinkCounts);
BENCHMARK(BM_JointTorqueReduction)->Apply(LinkCounts);

}  // namespace
}  // namespace strand
