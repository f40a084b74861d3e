// Kernels of one joint: value with gradient, and with the Hessian.
#include <benchmark/benchmark.h>

#include "model/stencil/stretch.h"
#include "scripts/benchmarks/random_rod.h"

namespace strand {
namespace {

// Highest derivative to evaluate.
enum Order { kGradient = 1, kHessian = 2 };

class Joint {
 public:
  explicit Joint(double angle) : frames_(RandomFrames(2, angle)) {}

  const Frame& a() const { return frames_[0]; }
  const Frame& b() const { return frames_[1]; }
  JointGeometry geometry() const { return {a().col(0), b().col(0)}; }

 private:
  std::vector<Frame> frames_;
};

void BM_BendIsotropic(benchmark::State& state) {
  const Joint joint(0.2);
  const auto measure = static_cast<CurvatureMeasure>(state.range(1));
  JointGradient gradient;
  JointHessian hessian;
  JointHessian* wanted = state.range(0) == kHessian ? &hessian : nullptr;
  for (auto _ : state) {
    benchmark::DoNotOptimize(BendIsotropic(joint.geometry(), 1.345, measure, &gradient, wanted));
    benchmark::DoNotOptimize(gradient);
    benchmark::DoNotOptimize(hessian);
  }
}

void BM_BendMaterial(benchmark::State& state) {
  const Joint joint(0.2);
  const auto measure = static_cast<CurvatureMeasure>(state.range(1));
  const BendRest rest{{1.345, 0.7}, {}};
  JointGradient gradient;
  JointHessian hessian;
  JointHessian* wanted = state.range(0) == kHessian ? &hessian : nullptr;
  for (auto _ : state) {
    benchmark::DoNotOptimize(BendMaterial(joint.geometry(), joint.a(), joint.b(), rest, measure,
                                          BendAverage::kEnergies, &gradient, wanted));
    benchmark::DoNotOptimize(gradient);
    benchmark::DoNotOptimize(hessian);
  }
}

void BM_Twist(benchmark::State& state) {
  const Joint joint(0.2);
  JointGradient gradient = JointGradient::Zero();
  JointHessian hessian;
  hessian.SetZero();
  JointHessian* wanted = state.range(0) == kHessian ? &hessian : nullptr;
  for (auto _ : state) {
    benchmark::DoNotOptimize(AddTwist(joint.geometry(), 0.3, {0.789, 0.1}, &gradient, wanted));
    benchmark::DoNotOptimize(gradient);
    benchmark::DoNotOptimize(hessian);
  }
}

void BM_Stretch(benchmark::State& state) {
  Vector3 gradient;
  Eigen::Matrix3d hessian;
  Eigen::Matrix3d* wanted = state.range(0) == kHessian ? &hessian : nullptr;
  const Vector3 edge(0.1, 0.2, 0.05);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        StretchEdge<double>(edge.normalized(), edge.norm(), 100.0, 0.2, &gradient, wanted));
    benchmark::DoNotOptimize(gradient);
    benchmark::DoNotOptimize(hessian);
  }
}

void OrdersAndMeasures(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"order", "measure"});
  for (int order : {kGradient, kHessian}) {
    for (CurvatureMeasure measure : {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent}) {
      benchmark->Args({order, static_cast<int>(measure)});
    }
  }
}

BENCHMARK(BM_BendIsotropic)->Apply(OrdersAndMeasures);
BENCHMARK(BM_BendMaterial)->Apply(OrdersAndMeasures);
BENCHMARK(BM_Twist)->ArgName("order")->Arg(kGradient)->Arg(kHessian);
BENCHMARK(BM_Stretch)->ArgName("order")->Arg(kGradient)->Arg(kHessian);

}  // namespace
}  // namespace strand
