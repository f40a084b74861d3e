// Checks for the distance of every kind of pair: exact derivatives and invariance under rigid
// motion.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand::testing {

/// A pair as functions of its nodes q, made of any `at(q)` that returns the pair.
struct PairFunctions {
  template <class At>
  PairFunctions(const At& at)
      : distance([at](const Vector& q) { return at(q).distance; }),
        gradient([at](const Vector& q) -> Vector { return at(q).Gradient(); }),
        hessian([at](const Vector& q) -> Matrix { return at(q).Hessian(); }),
        weight([at](const Vector& q) {
          const auto pair = at(q);
          return std::vector<double>(pair.weight.begin(), pair.weight.end());
        }) {}

  ScalarFunction distance;
  VectorFunction gradient;
  std::function<Matrix(const Vector&)> hessian;
  std::function<std::vector<double>(const Vector&)> weight;
};

/// Compares gradient and Hessian with central differences, the latter also with differences of the
/// value. `first_step` (m); `distance` (m) scales the errors of second derivatives.
void CheckPairDerivatives(const PairFunctions& pair, const Vector& q, double first_step,
                          double distance);

/// Net force and net moment are zero; a rigid motion rotates gradient and Hessian.
void CheckPairInvariance(const PairFunctions& pair, const Vector& q, Random* random);

/// Finite, with a unit normal: for pairs that touch or have no direction.
template <class Pair>
void CheckPairIsFinite(const Pair& pair) {
  EXPECT_TRUE(std::isfinite(pair.distance));
  EXPECT_NEAR(pair.normal.norm(), 1, 1e-12);
  EXPECT_TRUE(pair.Gradient().allFinite());
  EXPECT_TRUE(pair.Hessian().allFinite());
}

}  // namespace strand::testing
