// The implicit core: one Newton iteration of a rod, O(n), and its loops by instruction set.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "model/geometry/curve.h"
#include "model/integrator/step_problem.h"
#include "model/solver/make_linear_system.h"

namespace strand {
namespace {

// A deformed helix: every joint bends, twists and stretches. `ratio`: of the two bending
// stiffnesses; 1 also makes the rod straight at rest (the isotropic loop).
SystemParameters Parameters(const Network& network, double ratio) {
  SystemParameters parameters;
  parameters.material.assign(network.edges(), {1e4, {1.345 * ratio, 1.345}, 0.789, 0.1, 1e-5});
  parameters.elastic.rest_straight = ratio == 1;
  return parameters;
}

Network Helix(int nodes) {
  Network network;
  network.AddRod(HelixNodes(0.3, 0.1, nodes / 30.0, nodes - 1), Vector3::UnitZ());
  return network;
}

// Evaluation with the matrix, factorisation and solution: range(1) is the ratio of stiffnesses.
void NewtonIteration(benchmark::State& state) {
  const int nodes = static_cast<int>(state.range(0));
  const Network network = Helix(nodes);
  System system(network, Parameters(network, static_cast<double>(state.range(1))));
  StepWorkspace workspace;
  StepProblem problem(system, TimeRule::BackwardEuler(1e-3), workspace);
  NewtonProblem& equation = problem.equation();
  std::vector<double> step(system.dofs().unknowns());
  for (auto _ : state) {
    benchmark::DoNotOptimize(equation.Evaluate(true));
    const Factorization factors = equation.system().Factor(0, {});
    if (!factors.ok) state.SkipWithError("not factorised");
    std::copy(equation.residual().begin(), equation.residual().end(), step.begin());
    equation.system().Solve(step);
    benchmark::DoNotOptimize(step.data());
    benchmark::ClobberMemory();
  }
  state.SetComplexityN(nodes);
}

void Lengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"nodes", "ratio"})->Unit(benchmark::kMicrosecond);
  for (int nodes : {50, 200, 1000, 10000, 100000}) benchmark->Args({nodes, 2});
  benchmark->Complexity(benchmark::oN);
}
BENCHMARK(NewtonIteration)->Apply(Lengths);
BENCHMARK(NewtonIteration)
    ->ArgNames({"nodes", "ratio"})
    ->Unit(benchmark::kMicrosecond)
    ->Args({1000, 1});

// The loops alone, by instruction set (lanes): moving the frames, derivatives.
class Loops {
 public:
  Loops(const ElasticLoops& loops, double ratio)
      : network_(Helix(1000)),
        dofs_(network_),
        elastic_(network_,
                 ElasticRest(network_, Parameters(network_, ratio).material,
                             Parameters(network_, ratio).elastic),
                 dofs_, loops) {
    Pattern pattern(dofs_.unknowns());
    elastic_.Couple(dofs_, &pattern);
    matrix_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    elastic_.Bind(dofs_, *matrix_);
    at_ = moved_ = elastic_.Drawn(network_, dofs_);
    for (auto* array : {&gradient_, &spin_}) array->assign(dofs_.size(), 1e-3);
  }
  void Move() { elastic_.Move(at_, at_, spin_, &moved_); }
  double Evaluate(bool with_matrix) {
    const Derivatives out{gradient_.data(), with_matrix ? matrix_->values().data() : nullptr};
    return elastic_.Evaluate({at_, at_, 0, 0}, out).energy;
  }

 private:
  Network network_;
  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<LinearSystem> matrix_;
  Configuration at_, moved_;
  std::vector<double> gradient_, spin_;
};

void BM_Loops(benchmark::State& state, const ElasticLoops& set, int order, double ratio) {
  Loops loops(set, ratio);
  for (auto _ : state) {
    if (order == 0) {
      loops.Move();
    } else {
      benchmark::DoNotOptimize(loops.Evaluate(order == 2));
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(1000 * state.iterations());
}

// Benchmarks are named after the lanes: 2, 4 (AVX2), 8 (AVX-512).
const bool registered = [] {
  const char* what[] = {"Move", "Gradient", "Hessian"};
  for (const ElasticLoops* set : AvailableElasticLoops()) {
    for (int order : {0, 1, 2}) {
      for (double ratio : {1.0, 2.0}) {
        const std::string name = std::string("Loops/") + what[order] +
                                 (ratio == 1 ? "/isotropic/lanes:" : "/material/lanes:") +
                                 std::to_string(set->width);
        benchmark::RegisterBenchmark(name.c_str(), BM_Loops, *set, order, ratio)
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace strand
