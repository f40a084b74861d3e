// Factor and solve of a chain's Newton system: O(n) in both storages.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/solver/banded.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

// Positions and material angles interleaved: node i at 4 i to 4 i + 2, edge i at 4 i + 3. A bending
// stencil has three nodes and the two edges between them.
Pattern ChainPattern(int nodes) {
  Pattern pattern(4 * nodes - 1);
  for (int i = 0; i + 2 < nodes; ++i) {
    std::array<int, 11> unknowns;
    for (int k = 0; k < 11; ++k) unknowns[k] = 4 * i + k;
    pattern.Couple(unknowns);
  }
  return pattern;
}

// Diagonally dominant; unsymmetric if the storage is.
void Fill(const Pattern& pattern, LinearSystem* system) {
  const Pattern::Columns lower = pattern.LowerColumns();
  for (int c = 0; c < pattern.size(); ++c) {
    for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
      const int r = lower.rows[k];
      system->values()[system->Offset(r, c)] = r == c ? 12.0 : std::sin(r + 2.0 * c);
      if (r != c) system->values()[system->Offset(c, r)] = std::sin(r + 2.0 * c);
    }
  }
}

template <class System>
void FactorAndSolve(benchmark::State& state) {
  const int nodes = static_cast<int>(state.range(0));
  const Pattern pattern = ChainPattern(nodes);
  System system(pattern);
  Fill(pattern, &system);
  std::vector<double> x(pattern.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(system.Factor(0, {}));
    std::fill(x.begin(), x.end(), 1.0);
    system.Solve(x);
    benchmark::DoNotOptimize(x.data());
    benchmark::ClobberMemory();
  }
  state.SetComplexityN(nodes);
}

void NodeCounts(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("nodes")->Unit(benchmark::kMicrosecond);
  for (int nodes : {50, 201, 1000, 10000, 100000}) benchmark->Arg(nodes);
  benchmark->Complexity(benchmark::oN);
}

BENCHMARK_TEMPLATE(FactorAndSolve, BandedSymmetric)->Apply(NodeCounts);
BENCHMARK_TEMPLATE(FactorAndSolve, BandedGeneral)->Apply(NodeCounts);
BENCHMARK_TEMPLATE(FactorAndSolve, SparseSymmetric)->Apply(NodeCounts);
BENCHMARK_TEMPLATE(FactorAndSolve, SparseGeneral)->Apply(NodeCounts);

}  // namespace
}  // namespace strand
