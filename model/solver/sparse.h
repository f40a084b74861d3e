// Sparse systems: rings, trees and nets of rods, on Eigen's direct solvers. The ordering and all
// else that depends on the pattern alone is done at construction.
#pragma once

#include <Eigen/Sparse>
#include <span>
#include <vector>

#include "model/assembly/pattern.h"
#include "model/solver/linear_system.h"

namespace strand {

/// L D L^T without pivoting, by approximate minimum degree: Eigen's SimplicialLDLT, whose matrix is
/// filled already permuted. Factor allocates only Eigen's scratch, and that only for more than
/// 16384 unknowns, where it does not fit on the stack; Solve allocates nothing.
class SparseSymmetric : public LinearSystem {
 public:
  explicit SparseSymmetric(const Pattern& pattern);

  int size() const override { return static_cast<int>(matrix_.cols()); }
  int Offset(int row, int column) const override;
  int discard() const override { return static_cast<int>(matrix_.nonZeros()); }
  std::span<double> values() override;
  void SetDiagonal(std::span<const double> diagonal) override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  struct Solver : Eigen::SimplicialLDLT<Matrix> {
    void Analyze(const Matrix& lower, Matrix* permuted);
    bool FactorPermuted(const Matrix& permuted);
    const Eigen::VectorXd& pivots() const { return m_diag; }  // vectorD() makes a copy
    void SolvePermuted(Eigen::VectorXd* x) const;
  };

  Matrix matrix_;  // upper triangle, permuted, with room for the discarded value behind it
  Solver solver_;
  std::vector<int> place_;     // of each unknown in the permuted order
  std::vector<int> diagonal_;  // places in values(), in the permuted order
  Eigen::VectorXd kept_, least_;
  mutable Eigen::VectorXd work_, product_;
};

/// L U with partial pivoting and column approximate minimum degree: Eigen's SparseLU. Its fill
/// depends on the pivots, so that it allocates anew in every Factor, and some scratch in Solve.
class SparseGeneral : public LinearSystem {
 public:
  explicit SparseGeneral(const Pattern& pattern);

  int size() const override { return static_cast<int>(matrix_.cols()); }
  int Offset(int row, int column) const override;
  int discard() const override { return static_cast<int>(matrix_.nonZeros()); }
  std::span<double> values() override;
  void SetDiagonal(std::span<const double> diagonal) override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  using Matrix = Eigen::SparseMatrix<double>;

  struct Solver : Eigen::SparseLU<Matrix> {
    bool GoodPivots(const Eigen::VectorXd& least) const;
  };

  Matrix matrix_;  // with room for the discarded value behind it
  Solver solver_;
  std::vector<int> diagonal_;  // places in values()
  Eigen::VectorXd kept_, least_;
  mutable Eigen::VectorXd work_;
};

}  // namespace strand
