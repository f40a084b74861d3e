// Sparse systems: rings, trees and nets of rods, and rods that touch. The elimination order and the
// fronts depend on the pattern alone and are computed at construction or by Fit; nothing is
// allocated later.
#pragma once

#include <span>
#include <vector>

#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"
#include "model/solver/frontal.h"

namespace strand {

/// Base of both kinds: A by rows in the order of elimination, and its factors.
class SparseSystem : public LinearSystem {
 public:
  /// Takes another pattern, in the same memory; the result is that of a new system.
  virtual void Fit(const Pattern& pattern);

  Symmetry stored() const override { return stored_; }
  int size() const override { return static_cast<int>(diagonal_.size()); }
  int discard() const override { return static_cast<int>(column_.size()); }
  std::span<double> values() override { return values_; }
  void SetDiagonal(std::span<const double> diagonal) override;
  void Solve(std::span<double> x) const override;

 protected:
  /// `stored`: symmetric systems store the upper triangle only.
  explicit SparseSystem(Symmetry stored) : stored_(stored) {}

  std::span<const int> place() const { return factors_.fronts().place; }
  int Find(int row, int column) const;  // indices in the order of elimination; -1: not stored
  int Checked(int row, int column) const;
  void Load(double shift, std::span<const double> weight);

  /// The pattern between blocks, in the order of elimination. Columns of a row of blocks b:
  /// column[row[b]] to column[row[b + 1] - 1], ascending, and the places of their first unknowns
  /// in the rows of b.
  struct BlockRows {
    std::vector<int> begin;  ///< first unknown of each block
    std::vector<int> block_of;
    std::vector<int> row, column, at;
  };

  FrontalFactors factors_;
  FrontalFactors::Entries entries_;
  BlockRows blocks_;
  mutable std::vector<int> found_;   // per row of blocks: place in blocks_.column of the last Find
  std::vector<int> begin_, column_;  // row r: begin_[r] to begin_[r + 1] - 1, columns ascending
  std::vector<int> diagonal_;        // places in values()
  std::vector<double> values_;       // the last one is discard()
  std::vector<double> factored_;     // the values at the last Factor, with the shift
  std::vector<double> least_;        // lower bounds of the squares of the pivots
  mutable std::vector<double> work_, product_;

  template <class Use>
  void ForEachEntry(const Use& use) const;

 private:
  void ListBlocks(const Pattern::Blocks& blocks);
  void ListEntries();
  int LeftOut(int row) const;

  Symmetry stored_;
};

/// L D L^T without pivoting.
class SparseSymmetric : public SparseSystem {
 public:
  explicit SparseSymmetric(const Pattern& pattern);

  int Offset(int row, int column) const override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;
};

/// L U with pivots that rarely leave the diagonal. Iterative refinement recovers the accuracy that
/// this costs (X. Li, J. Demmel, "Making sparse Gaussian elimination scalable by static pivoting",
/// SC98). A regular matrix may have no such pivots, for instance if its diagonal has zeros. Factor
/// then reports it as not ok, like a singular one, and Newton's method adds its shift to the
/// diagonal. Replacing the small pivot instead would amount to a shift of a single unknown.
class SparseGeneral : public SparseSystem {
 public:
  explicit SparseGeneral(const Pattern& pattern);
  void Fit(const Pattern& pattern) override;

  /// Symmetric: the lower triangle is factorised as in SparseSymmetric, from the next Factor on.
  void Treat(Symmetry symmetry) override { treated_ = symmetry; }

  int Offset(int row, int column) const override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  double Residual(std::span<const double> x) const;

  Symmetry treated_ = Symmetry::kGeneral, factored_as_ = Symmetry::kGeneral;
  FrontalFactors::Entries lower_;  // the lower triangle, as upper one in the order of elimination
  mutable std::vector<double> right_, residual_;
};

}  // namespace strand
