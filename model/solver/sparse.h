// Sparse systems: rings, trees and nets of rods, and rods that touch. Order and fronts, all that
// depends on the pattern alone, are found at construction; nothing is allocated after it.
#pragma once

#include <span>
#include <vector>

#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"
#include "model/solver/frontal.h"

namespace strand {

/// What both kinds share: A by rows in the order of elimination, and its factors.
class SparseSystem : public LinearSystem {
 public:
  int size() const override { return static_cast<int>(diagonal_.size()); }
  int discard() const override { return static_cast<int>(column_.size()); }
  std::span<double> values() override { return values_; }
  void SetDiagonal(std::span<const double> diagonal) override;
  void Solve(std::span<double> x) const override;

 protected:
  /// `stored`: of a symmetric one the upper triangle.
  SparseSystem(const Pattern::Columns& lower, Symmetry stored);

  std::span<const int> place() const { return factors_.fronts().place; }
  int Find(int row, int column) const;  // by the order of elimination; -1: not stored
  int Checked(int row, int column) const;
  void Load(double shift, std::span<const double> weight);

  FrontalFactors factors_;
  FrontalFactors::Entries entries_;
  std::vector<int> begin_, column_;  // row r: begin_[r] to begin_[r + 1] - 1, columns ascending
  std::vector<int> diagonal_;        // places in values()
  std::vector<double> values_;       // one more: the discarded value
  std::vector<double> factored_;     // what they were in Factor, with the shift
  std::vector<double> least_;        // squares of what the pivots must exceed
  mutable std::vector<double> work_, product_;
};

/// L D L^T without pivoting.
class SparseSymmetric : public SparseSystem {
 public:
  explicit SparseSymmetric(const Pattern& pattern);

  int Offset(int row, int column) const override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;
};

/// L U with pivots that hardly leave the diagonal, and iterative refinement: what they lose is won
/// back from the residual (X. Li, J. Demmel, "Making sparse Gaussian elimination scalable by static
/// pivoting", SC98). A matrix may be regular without them: one with zeros on its diagonal, say.
/// Then it is not ok, as a singular one, and Newton's shift, which is there for that, makes the
/// diagonal; to replace the pivot would only solve for another shift, of a single unknown.
class SparseGeneral : public SparseSystem {
 public:
  explicit SparseGeneral(const Pattern& pattern);

  /// Symmetric: the lower triangle is factorised as in SparseSymmetric, from the next Factor on.
  void Treat(Symmetry symmetry) override { treated_ = symmetry; }

  int Offset(int row, int column) const override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  double Residual(std::span<const double> x) const;

  Symmetry treated_ = Symmetry::kGeneral, factored_as_ = Symmetry::kGeneral;
  FrontalFactors::Entries lower_;  // the lower triangle, as the upper one by order of elimination
  mutable std::vector<double> right_, residual_;
};

}  // namespace strand
