// The unsymmetric sparse solver, whose pivots rarely leave the diagonal: friction, for which it is
// made, and cases for which it is not.
#include "model/solver/sparse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/solver/systems.h"
#include "tests/support/dense_algebra.h"

namespace strand {
namespace sparse_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ChainPattern;
using testing::FactorShifted;
using testing::Fill;
using testing::Patterns;
using testing::Random;
using testing::RandomMatrix;
using testing::RandomVector;
using testing::Solution;

/// Componentwise backward error of a solution; 1 if a row is not solved at all.
double BackwardError(const MatrixXd& a, const VectorXd& x, const VectorXd& b) {
  const VectorXd size = a.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
  return ((a * x - b).cwiseAbs().array() / size.array()).maxCoeff();
}

constexpr int kNodes = 60, kUnknowns = 4 * kNodes;

using Group = std::array<int, 12>;

/// Random pairs of non-adjacent edges of a ring.
std::vector<Group> Touching(int count, Random* random) {
  std::vector<Group> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    const int a = static_cast<int>(random->Bits() % kNodes);
    const int b = static_cast<int>(random->Bits() % kNodes);
    if (std::abs(a - b) < 2 || std::abs(a - b) > kNodes - 2) continue;
    Group& group = pairs.emplace_back();
    for (int k = 0; k < 12; ++k) group[k] = 4 * (((k < 6 ? a : b) + k / 3 % 2) % kNodes) + k % 3;
  }
  return pairs;
}

Pattern RingWith(const std::vector<Group>& pairs) {
  Pattern pattern(kUnknowns);
  std::array<int, 11> group;
  for (int i = 0; i < kNodes; ++i) {
    for (int k = 0; k < 11; ++k) group[k] = (4 * i + k) % kUnknowns;
    pattern.Couple(group);
  }
  for (const Group& pair : pairs) pattern.Couple(pair);
  return pattern;
}

/// Stretching (1e4), bending and twist (about 1) and inertia (0.3) of a ring.
MatrixXd ElasticRing(Random* random) {
  MatrixXd a = 0.3 * MatrixXd::Identity(kUnknowns, kUnknowns);
  for (int i = 0; i < kNodes; ++i) {
    VectorXd stretch = VectorXd::Zero(11);
    const Vector3 direction = random->Direction();
    stretch << 100 * direction, 0, -100 * direction, VectorXd::Zero(4);
    for (int mode = 0; mode < 4; ++mode) {
      const VectorXd v = mode == 0 ? stretch : RandomVector(11, random);
      for (int k = 0; k < 121; ++k) {
        a((4 * i + k % 11) % kUnknowns, (4 * i + k / 11) % kUnknowns) += v[k % 11] * v[k / 11];
      }
    }
  }
  return a;
}

/// Sliding friction: k (n - mu d) n^T, plus less than 1 in the tangent plane. For some of the
/// normals diagonal entries nearly cancel.
Matrix3d Sliding(double stiffness, double mu, Random* random) {
  const bool slanted = random->Uniform(0, 1) < 0.3;
  const Vector3 normal = slanted ? Vector3(1, 1, 0).normalized() : random->Direction();
  const Vector3 across = slanted ? Vector3::UnitZ() : random->Direction();
  const Vector3 slip = normal.cross(across).normalized();
  return stiffness * (normal - mu * slip) * normal.transpose() +
         random->Uniform(0, 1) * (Matrix3d::Identity() - normal * normal.transpose());
}

void AddToNodes(double stiffness, double mu, Random* random, MatrixXd* a) {
  for (int i = 0; i < kNodes; ++i) {
    if (random->Uniform(0, 1) > 0.7) continue;
    a->block<3, 3>(4 * i, 4 * i) += Sliding(stiffness, mu, random);
  }
}

void AddToPair(const Group& pair, double stiffness, double mu, Random* random, MatrixXd* a) {
  double share[2];  // some very close to an end of the edge
  for (double& s : share) {
    s = random->Uniform(0, 1);
    if (random->Uniform(0, 1) < 0.3) s = std::pow(10, random->Uniform(-8, 0));
  }
  const double weight[4] = {1 - share[0], share[0], -share[1], share[1] - 1};
  const Matrix3d block = Sliding(stiffness, mu, random);
  for (int k = 0; k < 144; ++k) {
    const int row = k % 12, column = k / 12;
    (*a)(pair[row], pair[column]) +=
        weight[row / 3] * weight[column / 3] * block(row % 3, column % 3);
  }
}

// Normal stiffness up to a hundred million times the tangential one.
TEST(SparseGeneral, SolvesFriction) {
  for (double stiffness : {1e2, 1e4, 1e6, 1e8}) {
    for (double mu : {0.3, 1.0, 1.5}) {
      Random random(1);
      for (int run = 0; run < 12; ++run) {
        SCOPED_TRACE(::testing::Message() << stiffness << ", " << mu << ", " << run);
        const std::vector<Group> pairs = Touching(run % 2 ? 40 : 0, &random);
        const Pattern pattern = RingWith(pairs);
        MatrixXd a = ElasticRing(&random);
        if (pairs.empty()) AddToNodes(stiffness, mu, &random, &a);
        for (const Group& pair : pairs) AddToPair(pair, stiffness, mu, &random, &a);
        SparseGeneral system(pattern);
        Fill(pattern, a, &system);
        ASSERT_TRUE(system.Factor(0, {}).ok);
        const VectorXd b = RandomVector(kUnknowns, &random), x = Solution(system, b);
        EXPECT_LT(BackwardError(a, x, b), 1e-13);
      }
    }
  }
}

TEST(SparseGeneral, SolvesIndefinite) {
  Random random(2);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const MatrixXd a = RandomMatrix(pattern, Symmetry::kGeneral, 0, &random);
    SparseGeneral system(pattern);
    Fill(pattern, a, &system);
    ASSERT_TRUE(system.Factor(0, {}).ok);
    const VectorXd b = RandomVector(pattern.size(), &random);
    EXPECT_LT(BackwardError(a, Solution(system, b), b), 1e-13);
  }
}

// The smaller the pivots, the more digits cancel in the numbers that they are subtracted from;
// refinement has to recover them.
TEST(SparseGeneral, SolvesWithTinyDiagonal) {
  Random random(3);
  int solved = 0;
  for (double diagonal : {1e-4, 1e-8, 1e-12}) {
    for (const auto& [name, pattern] : Patterns()) {
      SCOPED_TRACE(::testing::Message() << name << ", " << diagonal);
      MatrixXd a = RandomMatrix(pattern, Symmetry::kGeneral, 0, &random);
      a.diagonal() *= diagonal;
      if (testing::ReciprocalCondition(a) < 1e-10) continue;
      SparseGeneral system(pattern);
      Fill(pattern, a, &system);
      ASSERT_TRUE(system.Factor(0, {}).ok);
      const VectorXd b = RandomVector(pattern.size(), &random);
      EXPECT_LT(BackwardError(a, Solution(system, b), b), 1e-13);
      ++solved;
    }
  }
  EXPECT_GT(solved, 180);
}

// Rows are exchanged within a front but not between fronts; Newton's shift handles the rest.
TEST(SparseGeneral, WithoutADiagonal) {
  Random random(4);
  for (bool one_front : {true, false}) {
    const Pattern pattern = one_front ? ChainPattern(8, 7) : testing::StarPattern(31);
    MatrixXd a = RandomMatrix(pattern, Symmetry::kGeneral, 0, &random);
    if (one_front) {
      a.diagonal().setZero();
    } else {
      a.diagonal().tail(30).setZero();
      a(0, 0) = 0, a(30, 30) = 1;
    }
    SparseGeneral system(pattern);
    Fill(pattern, a, &system);
    EXPECT_EQ(system.Factor(0, {}).ok, one_front);
    const double shift = one_front ? 0 : 1e-6;
    const VectorXd weight = VectorXd::Ones(pattern.size());
    ASSERT_TRUE(FactorShifted(shift, weight, &system).ok);
    a.diagonal().array() += shift;
    const VectorXd b = RandomVector(pattern.size(), &random);
    EXPECT_LT(BackwardError(a, Solution(system, b), b), 1e-13);
  }
}

// Treated as symmetric, L D L^T reports the inertia; there is no refinement.
TEST(SparseGeneral, TreatedAsSymmetricTellsTheInertia) {
  Random random(5);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const MatrixXd a = RandomMatrix(pattern, Symmetry::kSymmetric, 0.5, &random);
    SparseGeneral system(pattern);
    SparseSymmetric symmetric(pattern);
    Fill(pattern, a, &system);
    Fill(pattern, a, &symmetric);
    system.Treat(Symmetry::kSymmetric);
    ASSERT_TRUE(symmetric.Factor(0, {}).ok);
    EXPECT_EQ(system.Factor(0, {}).negative_pivots, symmetric.Factor(0, {}).negative_pivots);
    const VectorXd b = RandomVector(pattern.size(), &random);
    EXPECT_EQ(Solution(system, b), Solution(symmetric, b));
  }
}

}  // namespace sparse_test
}  // namespace strand
