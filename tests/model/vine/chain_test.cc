// Constraints, their rows and their curvature compared with differences.
#include "model/vine/chain.h"

#include <gtest/gtest.h>

#include "model/vine/chain_system.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/finite_difference.h"
#include "tests/support/vines.h"

namespace strand {
namespace chain_test {

using testing::Constraints;
using testing::Matrix;
using testing::Vector;

constexpr int kPairs = 4;

struct Bent {
  VineChain chain = testing::AlikeChain(kPairs, 0.02, 0.001, 1e-5, 0.1, 1e-4);
  Vector q;
};

// The pins and prismatic joints are violated, as between the programs of a step.
Bent MakeBent(std::uint64_t seed) {
  testing::Random random(seed);
  Bent bent;
  for (double& d : bent.chain.half_length) d = random.Uniform(0.015, 0.03);
  bent.q = NaturalState(bent.chain).q;
  for (int k = 0; k < bent.q.size(); ++k) {
    bent.q[k] += (k % 3 == 2 ? 0.5 : 0.005) * random.Uniform(-1, 1);
  }
  return bent;
}

std::vector<PairGeometry> Geometry(const Bent& bent) {
  std::vector<PairGeometry> geometry;
  for (int i = 0; i < kPairs; ++i) geometry.push_back(MakePairGeometry(bent.q, i));
  return geometry;
}

std::vector<PairRows> Rows(const Bent& bent) {
  const std::vector<PairGeometry> geometry = Geometry(bent);
  std::vector<PairRows> rows;
  for (int i = 0; i < kPairs; ++i) {
    rows.push_back(MakePairRows(bent.chain, i, geometry[i > 0 ? i - 1 : 0], geometry[i]));
  }
  return rows;
}

// The dense matrix of a system, column by column.
Matrix Dense(const VineSystem& system) {
  Matrix matrix(system.size(), system.size());
  Vector column(system.size());
  for (int k = 0; k < system.size(); ++k) {
    system.Multiply(Vector::Unit(system.size(), k), &column);
    matrix.col(k) = column;
  }
  return matrix;
}

// Indices of constraints and of velocities among the unknowns.
std::vector<int> ConstraintPlaces() {
  std::vector<int> places;
  for (int i = 0; i < kPairs; ++i) {
    for (const int at : {3, 4, 8, 9, 10}) places.push_back(VineSystem::kUnknowns * i + at);
  }
  return places;
}

std::vector<int> VelocityPlaces() {
  std::vector<int> places;
  for (int body = 0; body < 2 * kPairs; ++body) {
    for (int k = 0; k < 3; ++k) places.push_back(VineSystem::Body(body) + k);
  }
  return places;
}

TEST(VineChain, RowsAreDerivativesOfTheConstraints) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Bent bent = MakeBent(seed);
    VineSystem system(kPairs);
    system.Assemble(bent.chain, Rows(bent), std::vector<double>(kPairs, 0.0), 0);
    const Matrix rows = Dense(system)(ConstraintPlaces(), VelocityPlaces());
    const auto of_q = [&](const Vector& q) { return Constraints(bent.chain, q); };
    const auto error = [&](double h) {
      return (testing::CentralJacobian(of_q, bent.q, h) - rows).norm() / rows.norm();
    };
    testing::ExpectSecondOrder(testing::SweepSteps(4e-3, 14, error), 1e-8);
  }
}

TEST(VineChain, CurvatureIsTheSecondDerivativeOfTheConstraints) {
  const Bent bent = MakeBent(4);
  testing::Random random(5);
  const std::vector<int> places = ConstraintPlaces();
  Vector multipliers(5 * kPairs);
  Vector unknowns = Vector::Zero(VineSystem::kUnknowns * kPairs);
  for (int k = 0; k < multipliers.size(); ++k) {
    unknowns[places[k]] = multipliers[k] = random.Uniform(-1, 1);
  }
  VineSystem system(kPairs);
  const std::vector<double> joint(kPairs, 0.0);
  system.Assemble(bent.chain, Rows(bent), joint, 0);
  const Matrix plain = Dense(system);
  system.AddCurvature(bent.chain, Geometry(bent), unknowns, 0.25);
  const Matrix added = (Dense(system) - plain)(VelocityPlaces(), VelocityPlaces()) / 0.25;
  const auto slope = [&](const Vector& q) -> Vector {
    Bent moved = bent;
    moved.q = q;
    VineSystem at(kPairs);
    at.Assemble(moved.chain, Rows(moved), joint, 0);
    return Dense(at)(ConstraintPlaces(), VelocityPlaces()).transpose() * multipliers;
  };
  const auto error = [&](double h) {
    return (testing::CentralJacobian(slope, bent.q, h) - added).norm() / added.norm();
  };
  testing::ExpectSecondOrder(testing::SweepSteps(4e-3, 12, error), 1e-7);
}

TEST(VineChain, SystemIsSolvedWithoutPivoting) {
  const Bent bent = MakeBent(6);
  VineSystem system(kPairs + 2);  // with room for two more
  system.Assemble(bent.chain, Rows(bent), std::vector<double>(kPairs, 0.01), 0);
  ASSERT_TRUE(system.Factor());
  Vector right(system.size());
  testing::Random random(7);
  for (int k = 0; k < right.size(); ++k) right[k] = random.Uniform(-1, 1);
  const Matrix dense = Dense(system);
  const Vector exact = testing::SolveDense(dense, right);
  Vector x = right;
  system.SolveRefined(&x);
  EXPECT_LT((x - exact).norm(), 1e-10 * exact.norm());
}

TEST(VineChain, ContactRowsAreDerivativesOfGaps) {
  const Bent bent = MakeBent(11);
  const std::vector<PlanarObstacle> obstacles = {MakeCircle({0.2, 0.2}, 0.05),
                                                 MakePlanarBox({0.1, -0.3}, {0.1, 0.1})};
  VineContactSet set(obstacles, kPairs, 0.01, CornerNormal::kGradient, false, false);
  set.Linearise(bent.chain, bent.q, Vector::Zero(bent.q.size()), 0.01);
  const auto total = [&](const auto& of_contact) {
    double sum = 0;
    for (int point = 0; point < kPairs; ++point) {
      for (int object = 0; object < 2; ++object) sum += of_contact(point, object);
    }
    return sum;
  };
  const auto gap_of = [&](int point, int object) {
    return [&, point, object](const Vector& b) {
      Vector q = bent.q;
      q.segment<3>(6 * point + 3) = b;
      return EvaluateGap(obstacles[object], ContactPoint(bent.chain, q, point)).gap - 0.01;
    };
  };
  const auto of_first = [&](double h) {
    return total([&](int point, int object) {
      const Vector at = bent.q.segment<3>(6 * point + 3);
      return (testing::CentralGradient(gap_of(point, object), at, h) -
              set.Rows({.point = point, .object = object}).part[0].row[0])
          .norm();
    });
  };
  const auto of_second = [&](double h) {
    return total([&](int point, int object) {
      const Vector at = bent.q.segment<3>(6 * point + 3);
      return (testing::CentralHessian(gap_of(point, object), at, h) -
              set.Curvature({.point = point, .object = object}))
          .norm();
    });
  };
  testing::ExpectSecondOrder(testing::SweepSteps(5e-4, 12, of_first), 1e-8);
  testing::ExpectSecondOrder(testing::SweepSteps(2e-3, 7, of_second), 1e-3);
  EXPECT_NEAR(gap_of(1, 0)(bent.q.segment<3>(9)), set.At({.point = 1, .object = 0}).gap, 1e-15);
}

}  // namespace chain_test
}  // namespace strand
