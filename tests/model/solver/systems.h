// Linear systems for tests of solvers: all kinds, for patterns of rods, with dense reference
// matrices.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "model/solver/banded.h"
#include "model/solver/sparse.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/random.h"

namespace strand::testing {

/// Groups of `width` + 1 consecutive unknowns, each `shift` after the previous one: a chain of
/// rods.
inline Pattern ChainPattern(int size, int width, int shift = 1) {
  Pattern pattern(size);
  std::vector<int> group(width + 1);
  for (int first = 0; first < size; first += shift) {
    for (int k = 0; k <= width; ++k) group[k] = first + k < size ? first + k : -1;
    pattern.Couple(group);
  }
  return pattern;
}

inline Pattern RingPattern(int size, int width) {
  Pattern pattern(size);
  std::vector<int> group(width + 1);
  for (int first = 0; first < size; ++first) {
    for (int k = 0; k <= width; ++k) group[k] = (first + k) % size;
    pattern.Couple(group);
  }
  return pattern;
}

inline Pattern StarPattern(int size) {
  Pattern pattern(size);
  for (int i = 1; i < size; ++i) pattern.Couple(std::array{0, i});
  return pattern;
}

inline Pattern TreePattern(int size) {
  Pattern pattern(size);
  for (int i = 1; i < size; ++i) pattern.Couple(std::array{(i - 1) / 2, i});
  return pattern;
}

/// A square grid of nodes with three unknowns each, coupled to their neighbours.
inline Pattern NetPattern(int side) {
  Pattern pattern(3 * side * side);
  for (int i = 0; i < side * side; ++i) {
    for (int next : {i + 1, i + side}) {
      if (next >= side * side || (next == i + 1 && next % side == 0)) continue;
      pattern.Couple(std::array{3 * i, 3 * i + 1, 3 * i + 2, 3 * next, 3 * next + 1, 3 * next + 2});
    }
  }
  return pattern;
}

inline Pattern RandomPattern(int size, int groups, Random* random) {
  Pattern pattern(size);
  for (int g = 0; g < groups; ++g) {
    std::array<int, 4> group;
    for (int& unknown : group) unknown = static_cast<int>(random->Bits() % (size + 1)) - 1;
    pattern.Couple(group);
  }
  return pattern;
}

struct NamedPattern {
  std::string name;
  Pattern pattern;
};

inline std::vector<NamedPattern> Patterns() {
  Random random(7);
  std::vector<NamedPattern> all;
  for (int size : {1, 2, 3, 7, 10, 11, 12, 13, 14, 40, 203}) {
    for (int width : {1, 2, 5, 8, 10, 13}) {
      all.push_back({"chain of " + std::to_string(size) + ", width " + std::to_string(width),
                     ChainPattern(size, width)});
    }
  }
  all.push_back({"rod of 51 nodes", ChainPattern(203, 10, 4)});
  all.push_back({"diagonal", Pattern(5)});
  all.push_back({"ring", RingPattern(60, 10)});
  all.push_back({"star", StarPattern(31)});
  all.push_back({"tree", TreePattern(63)});
  all.push_back({"net", NetPattern(6)});
  all.push_back({"wide net", NetPattern(12)});
  for (int size : {70, 139, 150}) {  // wider than any front
    all.push_back({"dense " + std::to_string(size), ChainPattern(size, size - 1)});
  }
  for (int size : {4, 30, 90}) {
    all.push_back({"random " + std::to_string(size), RandomPattern(size, size / 2, &random)});
  }
  return all;
}

enum class Storage { kBanded, kSparse };

inline std::unique_ptr<LinearSystem> Make(const Pattern& pattern, Symmetry symmetry,
                                          Storage storage) {
  if (symmetry == Symmetry::kSymmetric) {
    if (storage == Storage::kBanded) return std::make_unique<BandedSymmetric>(pattern);
    return std::make_unique<SparseSymmetric>(pattern);
  }
  if (storage == Storage::kBanded) return std::make_unique<BandedGeneral>(pattern);
  return std::make_unique<SparseGeneral>(pattern);
}

/// Random entries from -1 to 1 over the whole pattern; `diagonal` is added to the diagonal.
inline Eigen::MatrixXd RandomMatrix(const Pattern& pattern, Symmetry symmetry, double diagonal,
                                    Random* random) {
  const Pattern::Columns lower = pattern.LowerColumns();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(pattern.size(), pattern.size());
  for (int c = 0; c < pattern.size(); ++c) {
    for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
      const int r = lower.rows[k];
      a(r, c) = random->Uniform(-1, 1);
      a(c, r) = symmetry == Symmetry::kSymmetric ? a(r, c) : random->Uniform(-1, 1);
    }
    a(c, c) += diagonal;
  }
  return a;
}

inline void Fill(const Pattern& pattern, const Eigen::MatrixXd& a, LinearSystem* system) {
  const Pattern::Columns lower = pattern.LowerColumns();
  for (int c = 0; c < pattern.size(); ++c) {
    for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
      const int r = lower.rows[k];
      system->values()[system->Offset(r, c)] = a(r, c);
      system->values()[system->Offset(c, r)] = a(c, r);
    }
  }
}

inline Eigen::VectorXd RandomVector(int size, Random* random) {
  Eigen::VectorXd x(size);
  for (double& e : x) e = random->Uniform(-1, 1);
  return x;
}

inline Eigen::VectorXd Solution(const LinearSystem& system, Eigen::VectorXd right) {
  system.Solve({right.data(), static_cast<std::size_t>(right.size())});
  return right;
}

inline Eigen::VectorXd Product(const LinearSystem& system, const Eigen::VectorXd& x) {
  Eigen::VectorXd y(x.size());
  const std::size_t size = x.size();
  system.Multiply({x.data(), size}, {y.data(), size});
  return y;
}

inline Factorization FactorShifted(double shift, const Eigen::VectorXd& weight,
                                   LinearSystem* system) {
  return system->Factor(shift, {weight.data(), static_cast<std::size_t>(weight.size())});
}

/// Number of negative eigenvalues.
inline int NegativeEigenvalues(const Eigen::MatrixXd& a) {
  return static_cast<int>((Eigenvalues(a).array() < 0).count());
}

}  // namespace strand::testing
