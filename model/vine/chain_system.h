// The equality-constrained part of a step of a growing robot, in time linear in its pairs:
//
//     minimise 1/2 v' H v - f' v   subject to   A v = b
//
// H is block diagonal except for implicit joints, A has five rows per pair (pin, prismatic joint,
// extension). Unknowns and multipliers are numbered along the chain,
//
//     a (3), pin (2), b (3), prismatic joint (2), extension (1):   11 per pair, half-bandwidth 10,
//
// with every row after the bodies it acts on. [H A'; A 0] then has a factorisation L D L^T without
// pivoting: H is positive definite and the first k rows of A are independent for any k, so that the
// pivots of bodies are positive and those of rows negative.
#pragma once

#include <span>
#include <vector>

#include "model/solver/banded.h"
#include "model/vine/chain.h"

namespace strand {

class VineSystem {
 public:
  static constexpr int kUnknowns = 11;  ///< per pair
  static constexpr int kPin = 3, kBodyB = 5, kPrismatic = 8, kExtension = 10;

  explicit VineSystem(int capacity);

  /// Index of a body's first velocity in a vector of unknowns.
  static int Body(int body) { return kUnknowns * (body / 2) + (body % 2) * kBodyB; }
  int size() const { return banded_.size(); }

  /// Assembles H and the rows, one PairRows per pair, at their linearisation point. `joint`:
  /// stiffness of the joints in H, joint[i] (th_a - th_p)^2 / 2. Masses are multiplied by
  /// 1 + proximal. Unused pairs of the capacity get a unit diagonal.
  void Assemble(const VineChain& chain, std::span<const PairRows> rows,
                std::span<const double> joint, double proximal);

  /// Adds the curvature of the constraints to H: dt times the sum of the multipliers in the
  /// solution `x` times the second derivatives of joints and extensions. H is then the Hessian of
  /// Newton's method, and may be indefinite.
  void AddCurvature(const VineChain& chain, std::span<const PairGeometry> geometry,
                    const Eigen::VectorXd& x, double dt);

  /// Adds `block` to H at a body's own coordinates.
  void AddBlock(int body, const Eigen::Matrix3d& block);

  /// Returns false if the rows are dependent or not finite, or H is not positive definite on their
  /// null space.
  bool Factor();

  /// x becomes the solution (velocities, and multipliers with the opposite sign) for right-hand
  /// side x. SolveRefined takes one step of iterative refinement.
  void Solve(Eigen::VectorXd* x) const;
  void SolveRefined(Eigen::VectorXd* x);

  /// y = [H A'; A 0] x.
  void Multiply(const Eigen::VectorXd& x, Eigen::VectorXd* y) const;

 private:
  double& At(double* values, int row, int column) const {
    return values[stride_ * column + row - column];
  }

  BandedSymmetric banded_;
  std::vector<double> zero_;
  Eigen::VectorXd right_, residual_;
  int stride_, expected_negative_ = 0;
};

}  // namespace strand
