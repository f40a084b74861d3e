// The equality-constrained part of a step of a growing robot, in time linear in its pairs:
//
//     minimise 1/2 v' H v - f' v   subject to   A v = b
//
// H is block diagonal but for implicit joints, A has five rows a pair (pin, prismatic joint,
// extension). Unknowns and multipliers are numbered along the chain,
//
//     a (3), pin (2), b (3), prismatic joint (2), extension (1):   11 a pair, half-bandwidth 10,
//
// every row after the bodies it acts on. [H A'; A 0] then has L D L^T without pivoting: H is
// positive definite and any first so many rows of A are independent, so that pivots of bodies are
// positive and those of rows negative.
#pragma once

#include <span>
#include <vector>

#include "model/solver/banded.h"
#include "model/vine/chain.h"

namespace strand {

class VineSystem {
 public:
  static constexpr int kUnknowns = 11;  ///< of a pair
  static constexpr int kPin = 3, kBodyB = 5, kPrismatic = 8, kExtension = 10;

  explicit VineSystem(int capacity);

  /// Place of a body's first velocity in a vector of unknowns.
  static int Body(int body) { return kUnknowns * (body / 2) + (body % 2) * kBodyB; }
  int size() const { return banded_.size(); }

  /// H and the rows at their linearisation point, one per pair. `joint`: what the joints add to H,
  /// joint[i] (th_a - th_p)^2 / 2; masses count 1 + proximal times. Pairs of the capacity that the
  /// chain has not are left out.
  void Assemble(const VineChain& chain, std::span<const PairRows> rows,
                std::span<const double> joint, double proximal);

  /// Adds the constraints' own curvature to H: dt times the multipliers, as they stand in the
  /// solution `x`, by the second derivatives of joints and extensions. H is then what Newton's
  /// method asks for, and may be indefinite.
  void AddCurvature(const VineChain& chain, std::span<const PairGeometry> geometry,
                    const Eigen::VectorXd& x, double dt);

  /// Adds `block` to H at a body's own coordinates.
  void AddBlock(int body, const Eigen::Matrix3d& block);

  /// False where the rows are dependent or not finite.
  bool Factor();

  /// x becomes the solution (velocities, and multipliers with the opposite sign) of right-hand side
  /// x; `refined` takes one step of iterative refinement.
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
