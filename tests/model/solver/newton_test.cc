#include "model/solver/newton.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "model/compat/published_stop.h"
#include "model/solver/make_linear_system.h"

namespace strand {
namespace newton_test {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A problem evaluated at x: potential (arbitrary if there is none), residual and Jacobian.
struct Value {
  double potential;
  Vector residual;
  Matrix jacobian;
};

// A problem of a few unknowns that records the points it has visited.
class Problem : public NewtonProblem {
 public:
  using Function = std::function<Value(const Vector&)>;

  Problem(const Vector& start, Function function, bool has_potential = true)
      : function_(std::move(function)), base_(start), trial_(start), potential_(has_potential) {
    const int size = static_cast<int>(start.size());
    Pattern pattern(size);
    std::vector<int> all(size);
    std::iota(all.begin(), all.end(), 0);
    pattern.Couple(all);
    system_ = MakeLinearSystem(pattern, potential_ ? Symmetry::kSymmetric : Symmetry::kGeneral);
    weight_.assign(size, 1.0);
    accepted.push_back(start);
  }

  LinearSystem& system() override { return *system_; }
  std::span<const double> residual() const override {
    return {residual_.data(), static_cast<size_t>(residual_.size())};
  }
  std::span<const double> weight() const override { return weight_; }
  bool has_potential() const override { return potential_; }
  TrialValue Evaluate(bool with_matrix) override {
    const Value value = function_(trial_);
    residual_ = value.residual;
    if (with_matrix) {
      for (double& entry : system_->values()) entry = 0;
      for (int c = 0; c < trial_.size(); ++c) {
        for (int r = 0; r < trial_.size(); ++r) {
          system_->values()[system_->Offset(r, c)] = value.jacobian(r, c);
        }
      }
    }
    ++evaluations;
    if (with_matrix) slope_ = residual_;
    path_ = base_path_ + 0.5 * (slope_ + residual_).dot(trial_ - base_);
    const double merit = potential_ ? value.potential : path_;
    return {merit, residual_.lpNorm<Eigen::Infinity>(), 1e-15 * std::abs(merit)};
  }
  double LargestMove(std::span<const double> step) const override {
    return Eigen::Map<const Vector>(step.data(), trial_.size()).lpNorm<Eigen::Infinity>();
  }
  double Correction(std::span<const double> step) const override {
    const double largest = LargestMove(step);
    return largest <= smallest_change ? 0 : largest;
  }
  double Limit(std::span<const double>) override { return limit; }
  void Move(std::span<const double> step, double scale) override {
    trial_ = base_ + scale * Eigen::Map<const Vector>(step.data(), trial_.size());
    scales.push_back(scale);
  }
  // Points accepted between SaveBase and RestoreBase, or before the next Accept, are only
  // intermediate.
  bool Accept() override {
    base_ = trial_, base_path_ = path_;
    if (!passing_) accepted.push_back(base_);
    passing_ = false;
    return !loses_factors;
  }
  void SaveBase() override {
    kept_ = base_, kept_path_ = base_path_, kept_slope_ = slope_, passing_ = true;
  }
  void RestoreBase() override { base_ = kept_, base_path_ = kept_path_, slope_ = kept_slope_; }

  std::vector<Vector> accepted;
  std::vector<double> scales;
  int evaluations = 0;
  double limit = 1, smallest_change = 1e-16;
  bool loses_factors = false;

 private:
  Function function_;
  bool passing_ = false;
  Vector base_, kept_, trial_, residual_, slope_, kept_slope_;
  bool potential_;  ///< if false, the merit is the work along the path
  double path_ = 0, base_path_ = 0, kept_path_ = 0;
  std::vector<double> weight_;
  std::unique_ptr<LinearSystem> system_;
};

// f = (1 - x)^2 + 100 (y - x^2)^2: minimum 0 at (1, 1), where the Hessian is well away from
// singular; indefinite for y > x^2 + 0.005.
Value Rosenbrock(const Vector& at) {
  const double x = at[0], y = at[1], valley = y - x * x;
  Value value{(1 - x) * (1 - x) + 100 * valley * valley, Vector(2), Matrix(2, 2)};
  value.residual << -2 * (1 - x) - 400 * x * valley, 200 * valley;
  value.jacobian << 2 - 400 * valley + 800 * x * x, -400 * x, -400 * x, 200;
  return value;
}

SolveReport Solve(Problem* problem, NewtonOptions options = {.tolerance = 1e-9}) {
  NewtonSolver solver(options);
  return solver.Solve(*problem);
}

Vector At(double x, double y) { return Eigen::Vector2d(x, y); }
Vector At(double x) { return Vector::Constant(1, x); }
Matrix One(double a) { return Matrix::Constant(1, 1, a); }

TEST(Newton, QuadraticConvergence) {
  int doubled = 0;
  for (const Vector& start : {At(-1.2, 1), At(1.3, 1.4), At(0.6, 0.6)}) {
    Problem problem(start, Rosenbrock);
    const SolveReport report = Solve(&problem, {.tolerance = 1e-13});
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.reason, SolveReason::kCorrection);
    EXPECT_LE(report.correction, 1e-13);
    // The first step may be taken back.
    EXPECT_LE(std::abs(report.iterations - static_cast<int>(problem.accepted.size()) + 1), 1);
    EXPECT_LT(report.iterations, 30);
    EXPECT_LT((problem.accepted.back() - At(1, 1)).norm(), 1e-13);
    // |x_{k+1} - x*| <= C |x_k - x*|^2 over the last steps: the number of correct digits doubles.
    // Beside the valley, Newton's own step has a C of 32, and one with what is left of a shift, 62.
    for (size_t k = 1; k < problem.accepted.size(); ++k) {
      const double before = (problem.accepted[k - 1] - At(1, 1)).norm();
      const double after = (problem.accepted[k] - At(1, 1)).norm();
      if (before > 0.1 || before < 1e-8) continue;
      EXPECT_LT(after, 100 * before * before);
      ++doubled;
    }
    // Every step lowered the potential.
    for (size_t k = 1; k < problem.accepted.size(); ++k) {
      EXPECT_LT(Rosenbrock(problem.accepted[k]).potential,
                Rosenbrock(problem.accepted[k - 1]).potential);
    }
  }
  EXPECT_GE(doubled, 3);
}

TEST(Newton, QuadraticProblemInOneStep) {
  Problem problem(At(3, -4), [](const Vector& x) {
    Matrix a(2, 2);
    a << 4, 1, 1, 3;
    return Value{0.5 * x.dot(a * x), a * x, a};
  });
  const SolveReport report = Solve(&problem);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorizations, 1);
}

TEST(Newton, NothingToDo) {
  Problem problem(At(1, 1), Rosenbrock);
  const SolveReport report = Solve(&problem);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.factorizations, 0);
  EXPECT_EQ(problem.evaluations, 1);
}

// E = -x^2 / 2 + x^4 / 4 near the saddle at 0: the shift leads to a minimum, x = +-1.
TEST(Newton, ShiftLeadsAwayFromASaddle) {
  const auto well = [](const Vector& x) {
    const double s = x.squaredNorm();
    return Value{-0.5 * s + 0.25 * s * s, (s - 1) * x,
                 (s - 1) * Matrix::Identity(2, 2) + 2 * x * x.transpose()};
  };
  Problem problem(At(1e-3, 2e-3), well);
  const SolveReport report = Solve(&problem);
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(problem.accepted.back().norm(), 1, 1e-9);
  EXPECT_GT(report.factorizations, report.iterations);
}

// E = (x^2 - 1)^2 / 4 + y^2 / 2: the shift that leads away from the saddle at 0 is still there when
// the minimum is reached, which is stable nevertheless. From 0 itself nothing leads away.
TEST(Newton, StabilityIsJudgedWithoutALeftOverShift) {
  const auto well = [](const Vector& at) {
    const double x = at[0], y = at[1], s = x * x - 1;
    Value value{0.25 * s * s + 0.5 * y * y, Vector(2), Matrix(2, 2)};
    value.residual << s * x, y;
    value.jacobian << 3 * x * x - 1, 0, 0, 1;
    return value;
  };
  for (const double x : {1e-3, 0.0}) {
    Problem problem(At(x, 100 * x), well);
    const SolveReport report = Solve(&problem, {.tolerance = 1e-4, .to_the_end = true});
    EXPECT_TRUE(report.converged) << x;
    EXPECT_EQ(report.stable, x > 0);
    EXPECT_NEAR(problem.accepted.back()[0], x > 0 ? 1 : 0, 1e-4);
  }
}

// E = s (y^2 - 1)^2 / 4 + z^2 / 2, in axes at 45 degrees to the unknowns: the saddle at 0 is so
// flat that the first shift would hold the solution there. Still it is told from a neutral motion,
// whose stiffness is round-off, and left where there is anything that leads away.
TEST(Newton, AFlatSaddleIsNoNeutralMotion) {
  const double turn = std::sqrt(0.5);
  const Matrix axes = turn * (Matrix(2, 2) << 1, -1, 1, 1).finished();
  const auto solve = [&](double softness, double start) {
    Problem problem(axes * At(start, 0), [&](const Vector& x) {
      const Vector at = axes.transpose() * x;
      const double y = at[0], z = at[1], s = y * y - 1;
      const Vector slope = At(softness * s * y, z);
      const Vector stiffness = At(softness * (3 * y * y - 1), 1);
      return Value{0.25 * softness * s * s + 0.5 * z * z, axes * slope,
                   axes * stiffness.asDiagonal() * axes.transpose()};
    });
    const SolveReport report = Solve(&problem, {.tolerance = 1e-9, .to_the_end = true});
    EXPECT_TRUE(report.converged) << softness;
    return std::pair(report.stable, (axes.transpose() * problem.accepted.back())[0]);
  };
  for (const double softness : {1e-9, 1e-10, 1e-12}) {
    EXPECT_EQ(solve(softness, 0), std::pair(false, 0.0)) << softness;
    const auto [stable, y] = solve(softness, 1e-8);
    EXPECT_TRUE(stable) << softness;
    EXPECT_NEAR(y, 1, 1e-3) << softness;
  }
  for (const double softness : {1e-15, -1e-15}) EXPECT_TRUE(solve(softness, 0).first);
}

// E = (1e-4 x^2 - 1e-3 y^2) / 2 at y = 0, which nothing leads away from: the shift that y needs
// makes the steps along x a hundred times too short.
TEST(Newton, ShiftedStepsAreExtended) {
  const auto saddle = [](const Vector& at) {
    const Eigen::Vector2d stiffness(1e-4, -1e-3);
    return Value{0.5 * at.dot(stiffness.cwiseProduct(at)), stiffness.cwiseProduct(at),
                 stiffness.asDiagonal()};
  };
  Problem problem(At(1, 0), saddle);
  const SolveReport report = Solve(&problem, {.tolerance = 1e-6, .to_the_end = true});
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.stable);
  EXPECT_LE(report.iterations, 4);
  EXPECT_NEAR(problem.accepted.back()[0], 0, 1e-6);
}

// A constant slope has no zero to extend a step to.
TEST(Newton, StepsAreNotExtendedAlongAConstantSlope) {
  const auto falls = [](const Vector& at) { return Value{at[0], At(1), One(0)}; };
  Problem problem(At(0), falls);
  const SolveReport report = Solve(&problem, {.max_iterations = 5});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(problem.scales, std::vector<double>(5, 1.0));
}

// Near equilibrium in a soft direction a shifted step is short. This does not mean convergence.
TEST(Newton, ShortShiftedStepIsNotConvergence) {
  // Concave at x > 0, where the shift is needed, and nearly flat with a slope at x < 0.
  const auto flat = [](const Vector& at) {
    const double x = at[0], slope = 1e-6;
    if (x > 0) return Value{slope * x - 0.005 * x * x, At(slope - 0.01 * x), One(-0.01)};
    const double a = 1e-9;
    return Value{slope * x + 0.5 * a * x * x, At(slope + a * x), One(a)};
  };
  Problem problem(At(1e-6), flat);
  problem.smallest_change = 1e-4;
  const SolveReport report = Solve(&problem, {.tolerance = 1e-12});
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(problem.accepted.back()[0], -1000, 1e-2);
}

// E = sqrt(1 + x^2): the full Newton step from |x| > 1 leads farther away.
TEST(Newton, LineSearchHalves) {
  const auto slope = [](const Vector& at) {
    const double x = at[0], r = std::sqrt(1 + x * x);
    return Value{r, At(x / r), One(1 / (r * r * r))};
  };
  Problem problem(At(3), slope);
  EXPECT_TRUE(Solve(&problem).converged);
  EXPECT_LT(std::abs(problem.accepted.back()[0]), 1e-9);
  EXPECT_LT(*std::min_element(problem.scales.begin(), problem.scales.end()), 1);
  for (size_t k = 1; k < problem.accepted.size(); ++k) {
    EXPECT_LT(std::abs(problem.accepted[k][0]), std::abs(problem.accepted[k - 1][0]));
  }
  Problem stuck(At(3), slope);
  EXPECT_EQ(Solve(&stuck, {.tolerance = 1e-9, .max_trials = 1}).reason, SolveReason::kLineSearch);
}

// For E = sqrt(1 + x^2) a second step from the end of the first leads even farther away. After
// failures it is tried in few solutions only, until one has helped.
TEST(Newton, FailedSecondStepsAreRare) {
  const auto round = [](const Vector& at) {
    const double x = at[0], r = std::sqrt(1 + x * x);
    return Value{r, At(x / r), One(1 / (r * r * r))};
  };
  NewtonSolver solver({.tolerance = 1e-9});
  const auto factorizations = [&] {
    Problem problem(At(3), round);
    const SolveReport report = solver.Solve(problem);
    EXPECT_TRUE(report.converged);
    return report.factorizations;
  };
  const int first = factorizations();
  for (int k = 0; k < 8; ++k) factorizations();
  int fewest = first, more = 0;
  for (int k = 0; k < 32; ++k) {
    const int taken = factorizations();
    fewest = std::min(fewest, taken), more += taken - fewest;
  }
  EXPECT_LE(fewest + 2, first);
  EXPECT_EQ(more, 4);  // in one of eight solutions
  for (int k = 0; k < 9; ++k) {
    Problem valley(At(-1.2, 1), Rosenbrock);
    EXPECT_TRUE(solver.Solve(valley).converged);
  }
  EXPECT_GT(solver.credit, 9);  // more than solutions alone add
}

// A chain of springs on a floor, E = 1/2 x.K x - f.x + sum_i |x_i - c_i|, with the kinks smoothed
// over eps: like friction at many contacts, each of which may stick. Halving steps until the merit
// decreases makes the iterates oscillate across the kinks.
TEST(Newton, KinksOfManyUnknowns) {
  constexpr int kSize = 12;
  constexpr double kEps = 1e-4;
  const auto energy = [](const Vector& at) {
    Value value{0, Vector::Zero(kSize), Matrix::Zero(kSize, kSize)};
    for (int i = 0; i < kSize; ++i) {
      const double next = i + 1 < kSize ? at[i + 1] : 0, stretch = at[i] - next;
      const double off = at[i] - std::sin(3.0 * i), round = std::hypot(off, kEps);
      value.potential += 0.5 * stretch * stretch - 0.3 * at[i] + round;
      value.residual[i] += stretch - 0.3 + off / round;
      value.jacobian(i, i) += 1 + kEps * kEps / (round * round * round);
      if (i + 1 == kSize) continue;
      value.residual[i + 1] -= stretch;
      value.jacobian(i + 1, i + 1) += 1;
      value.jacobian(i, i + 1) -= 1, value.jacobian(i + 1, i) -= 1;
    }
    return value;
  };
  int iterations = 0;
  for (double start : {-2.0, 0.4, 1.0, 3.0}) {
    SCOPED_TRACE(start);
    Problem problem(Vector::Constant(kSize, start), energy);
    const SolveReport report = Solve(&problem, {.tolerance = 1e-6, .max_iterations = 200});
    EXPECT_TRUE(report.converged) << Describe(report.reason);
    iterations += report.iterations;
  }
  EXPECT_LT(iterations, 190);  // 250 with halved steps
}

// E = x . A x / 2 + sum x^4 / 4 - b . x with so many unknowns that the matrix is not banded: once
// Newton's method is known to take a few steps, the last ones repeat a step with the same matrix.
TEST(Newton, StepsAreRepeatedWithTheSameMatrix) {
  constexpr int kSize = 16;
  const auto quartic = [](const Vector& x) {
    Matrix a = Matrix::Constant(kSize, kSize, 0.1);
    a.diagonal().array() += 2;
    const Vector cubes = x.array().cube();
    Value value{0.5 * x.dot(a * x) + 0.25 * x.dot(cubes) - x.sum(), a * x + cubes, a};
    value.residual.array() -= 1;
    value.jacobian.diagonal() += 3 * x.cwiseAbs2();
    return value;
  };
  for (const bool loses : {false, true}) {
    NewtonSolver solver({.tolerance = 1e-12});
    SolveReport report;
    for (int k = 0; k < 3; ++k) {  // the solver learns how many iterations are usual
      Problem problem(Vector::Zero(kSize), quartic);
      problem.loses_factors = loses;
      report = solver.Solve(problem);
      EXPECT_TRUE(report.converged);
      EXPECT_LT(quartic(problem.accepted.back()).residual.norm(), 1e-11);
    }
    EXPECT_EQ(report.factorizations, loses ? 4 : 2);
    EXPECT_EQ(report.factorizations, report.iterations);
  }
}

TEST(Newton, IterationsUsedUp) {
  Problem problem(At(-1.2, 1), Rosenbrock);
  const SolveReport report = Solve(&problem, {.tolerance = 1e-9, .max_iterations = 3});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, SolveReason::kIterations);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, 1e-9);
}

// The shift handles any singular matrix except one that contains NaN.
TEST(Newton, SingularMatrices) {
  const auto cubic = [](const Vector& at) {
    const double x = at[0] - 2;  // no curvature at the start, x = 2
    return Value{at[0] + x * x * x * x, At(1 + 4 * x * x * x), One(12 * x * x)};
  };
  Problem problem(At(2), cubic);
  EXPECT_TRUE(Solve(&problem).converged);
  Problem broken(At(2), [&](const Vector& x) {
    Value value = cubic(x);
    value.jacobian(0, 0) = kNan;
    return value;
  });
  const SolveReport report = Solve(&broken);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, SolveReason::kSingular);
  EXPECT_EQ(report.factorizations, 41);
  EXPECT_EQ(broken.accepted.size(), 1u);
}

TEST(Newton, NotFinite) {
  Problem from_start(At(0, 0), [](const Vector& x) {
    Value value = Rosenbrock(x);
    value.potential = kNan;
    return value;
  });
  EXPECT_EQ(Solve(&from_start).reason, SolveReason::kNotFinite);
  Problem residual(At(0, 0), [](const Vector& x) {
    Value value = Rosenbrock(x);
    value.residual[1] = kNan;
    return value;
  });
  // The norm of a residual that contains NaN has to be NaN.
  residual.limit = 1;
  const SolveReport report = Solve(&residual);
  EXPECT_FALSE(report.converged);
  // Every step leads to NaN: none is accepted.
  Problem cliff(At(2), [](const Vector& x) {
    return x[0] == 2 ? Value{2, At(1), One(1)} : Value{kNan, At(0), One(1)};
  });
  const SolveReport from_cliff = Solve(&cliff);
  EXPECT_FALSE(from_cliff.converged);
  EXPECT_EQ(from_cliff.reason, SolveReason::kNotFinite);
  EXPECT_EQ(cliff.accepted.size(), 1u);
}

// A bounded domain: E = x - log(x) from x = 2.5, where the full step leads to x = -1.25.
TEST(Newton, LineSearchStaysInTheDomain) {
  Problem problem(At(2.5), [](const Vector& at) {
    const double x = at[0];
    return Value{x - std::log(x), At(1 - 1 / x), One(1 / (x * x))};
  });
  EXPECT_TRUE(Solve(&problem).converged);
  EXPECT_NEAR(problem.accepted.back()[0], 1, 1e-9);
}

// A rotation field has no potential and an unsymmetric Jacobian; Newton still finds its root.
TEST(Newton, WithoutAPotential) {
  const auto swirl = [](const Vector& at) {
    const double x = at[0], y = at[1];
    Value value{kNan, Vector(2), Matrix(2, 2)};
    value.residual << x + 3 * y - 1 + 0.1 * x * x * x, -3 * x + y - 2;
    value.jacobian << 1 + 0.3 * x * x, 3, -3, 1;
    return value;
  };
  Problem problem(At(10, -10), swirl, false);
  const SolveReport report = Solve(&problem, {.tolerance = 1e-12});
  EXPECT_TRUE(report.converged);
  EXPECT_LT(swirl(problem.accepted.back()).residual.norm(), 1e-12);
  EXPECT_EQ(report.factorizations, report.iterations);
  // Newton steps for atan overshoot from |x| > 1.39: the work along the path has to decrease.
  Problem atan(
      At(5),
      [](const Vector& x) { return Value{kNan, At(std::atan(x[0])), One(1 / (1 + x[0] * x[0]))}; },
      false);
  EXPECT_TRUE(Solve(&atan).converged);
  EXPECT_LT(std::abs(atan.accepted.back()[0]), 1e-9);
  // x^2 + 1 has no root.
  Problem none(
      At(2), [](const Vector& x) { return Value{kNan, At(x[0] * x[0] + 1), One(2 * x[0])}; },
      false);
  EXPECT_FALSE(Solve(&none).converged);
}

// The unknowns cannot resolve a smaller step, whatever the tolerance.
TEST(Newton, RoundOff) {
  Problem problem(At(3), [](const Vector& at) {
    const double x = at[0];
    return Value{0.5e6 * x * x, At(1e6 * x + 1e-3), One(1e6)};
  });
  problem.smallest_change = 1e-9;
  SolveReport report = Solve(&problem, {.tolerance = 1e-30});
  EXPECT_EQ(report.reason, SolveReason::kCorrection);
  EXPECT_EQ(report.correction, 0);
  EXPECT_EQ(report.iterations, 1);
  // Noise in the residual also ends the iteration: the steps do not get shorter.
  int calls = 0;
  Problem noisy(At(3), [&calls](const Vector& x) {
    return Value{1 + 0.5 * x[0] * x[0], At(x[0] + 1e-9 * std::sin(37.0 * ++calls)), One(1)};
  });
  report = Solve(&noisy, {.tolerance = 1e-30});
  EXPECT_EQ(report.reason, SolveReason::kRoundOff);
  EXPECT_LT(std::abs(noisy.accepted.back()[0]), 1e-8);
  // A step cut short by a limit is also short, but is not converged.
  Problem blocked(At(3), [](const Vector& x) { return Value{0.5 * x[0] * x[0], x, One(1)}; });
  blocked.limit = 0;
  EXPECT_FALSE(Solve(&blocked).converged);
}

// The published rule tests the residual before the last step, so that it takes one step more than
// it needs. It takes full steps, whatever the merit.
TEST(Newton, StopsInCompatibilityMode) {
  const auto parabola = [](const Vector& at) {
    const double x = at[0];
    return Value{x * x * x / 3 - x, At(x * x - 1), One(2 * x)};
  };
  std::vector<double> residuals;  // of plain Newton's method from 3
  for (double x = 3; residuals.size() < 8; x -= (x * x - 1) / (2 * x)) {
    residuals.push_back(std::abs(x * x - 1));
  }
  for (int last = 1; last < 5; ++last) {
    const double between = std::sqrt(residuals[last - 1] * residuals[last]);
    for (const PublishedStop& stop :
         {PublishedStop{between, 0, 0}, PublishedStop{0, between / residuals[0], 0}}) {
      Problem problem(At(3), parabola);
      const SolveReport report = SolveAsPublished(problem, stop, 50);
      EXPECT_EQ(report.reason, SolveReason::kPublished);
      EXPECT_EQ(report.iterations, last + 1);
      EXPECT_NEAR(residuals[last + 1], std::abs(std::pow(problem.accepted.back()[0], 2) - 1),
                  1e-12);
    }
  }
  Problem moves(At(3), parabola);
  EXPECT_TRUE(SolveAsPublished(moves, {0, 0, 1e-3}, 50).converged);
  Problem endless(At(3), parabola);
  EXPECT_FALSE(SolveAsPublished(endless, {0, 0, 0}, 3).converged);
}

TEST(Newton, ReasonsHaveDescriptions) {
  for (int reason = 0; reason <= static_cast<int>(SolveReason::kBlocked); ++reason) {
    EXPECT_GT(std::string(Describe(static_cast<SolveReason>(reason))).size(), 10u) << reason;
  }
}

}  // namespace newton_test
}  // namespace strand
