#include "model/solver/sparse.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace strand {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

// The lower triangle, with all entries 1.
Matrix LowerTriangle(const Pattern& pattern) {
  const Pattern::Columns columns = pattern.LowerColumns();
  const std::vector<double> ones(columns.rows.size(), 1.0);
  return Eigen::Map<const Matrix>(pattern.size(), pattern.size(),
                                  static_cast<Eigen::Index>(ones.size()), columns.begin.data(),
                                  columns.rows.data(), ones.data());
}

// Sorted rows, zeros, and room for one value more behind those of the matrix.
void Clear(Matrix* matrix) {
  *matrix = Matrix(Eigen::SparseMatrix<double, Eigen::RowMajor>(*matrix));  // sorts
  matrix->makeCompressed();
  matrix->data().reserve(1);
  std::fill_n(matrix->valuePtr(), matrix->nonZeros() + 1, 0.0);
}

std::span<double> Values(Matrix* matrix) {
  return {matrix->valuePtr(), static_cast<std::size_t>(matrix->nonZeros()) + 1};
}

// The place of an entry among the values; -1 if there is none.
int Find(const Matrix& matrix, int row, int column) {
  const int* begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column];
  const int* end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column + 1];
  const int* found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - matrix.innerIndexPtr()) : -1;
}

int Checked(int found, int row, int column) {
  if (found < 0) {
    throw std::out_of_range("entry (" + std::to_string(row) + ", " + std::to_string(column) +
                            ") of a sparse matrix");
  }
  return found;
}

}  // namespace

void SparseSymmetric::Solver::Analyze(const Matrix& lower, Matrix* permuted) {
  ConstCholMatrixPtr same;
  ordering(lower, same, *permuted);
  analyzePattern_preordered(*permuted, true);
}

bool SparseSymmetric::Solver::FactorPermuted(const Matrix& permuted) {
  factorize_preordered<true>(permuted);
  return m_info == Eigen::Success;
}

void SparseSymmetric::Solver::SolvePermuted(Eigen::VectorXd* x) const {
  matrixL().solveInPlace(*x);
  x->array() /= m_diag.array();
  matrixU().solveInPlace(*x);
}

SparseSymmetric::SparseSymmetric(const Pattern& pattern)
    : place_(pattern.size()),
      diagonal_(pattern.size()),
      kept_(pattern.size()),
      least_(pattern.size()),
      work_(pattern.size()),
      product_(pattern.size()) {
  solver_.Analyze(LowerTriangle(pattern), &matrix_);
  Clear(&matrix_);
  const auto& place = solver_.permutationP().indices();
  for (int i = 0; i < pattern.size(); ++i) {
    place_[i] = place.size() > 0 ? place[i] : i;
    diagonal_[i] = Find(matrix_, i, i);
  }
}

int SparseSymmetric::Offset(int row, int column) const {
  if (row < 0 || column < 0) return discard();
  if (std::max(row, column) >= size()) return Checked(-1, row, column);
  const auto [first, last] = std::minmax({place_[row], place_[column]});
  return Checked(Find(matrix_, first, last), row, column);
}

std::span<double> SparseSymmetric::values() { return Values(&matrix_); }

void SparseSymmetric::SetDiagonal(std::span<const double> diagonal) {
  std::ranges::fill(values(), 0.0);
  for (int i = 0; i < size(); ++i) matrix_.valuePtr()[diagonal_[place_[i]]] = diagonal[i];
}

Factorization SparseSymmetric::Factor(double shift, std::span<const double> weight) {
  double* values = matrix_.valuePtr();
  if (shift != 0) {
    for (int i = 0; i < size(); ++i) kept_[i] = values[diagonal_[i]];
    for (int i = 0; i < size(); ++i) values[diagonal_[place_[i]]] += shift * weight[i];
  }
  // A row of the upper triangle is a column of the lower one.
  least_.setZero();
  for (int k = 0; k < matrix_.nonZeros(); ++k) {
    least_[matrix_.innerIndexPtr()[k]] += kTinyPivot * kTinyPivot * values[k] * values[k];
  }
  bool ok = solver_.FactorPermuted(matrix_);
  if (shift != 0) {
    for (int i = 0; i < size(); ++i) values[diagonal_[i]] = kept_[i];
  }
  int negative = 0;
  for (int i = 0; ok && i < size(); ++i) {
    const double pivot = solver_.pivots()[i];
    ok = GoodPivot(pivot, least_[i]);
    negative += pivot < 0;
  }
  return {ok, ok ? negative : 0};
}

void SparseSymmetric::Solve(std::span<double> x) const {
  for (int i = 0; i < size(); ++i) work_[place_[i]] = x[i];
  solver_.SolvePermuted(&work_);
  for (int i = 0; i < size(); ++i) x[i] = work_[place_[i]];
}

void SparseSymmetric::Multiply(std::span<const double> x, std::span<double> y) const {
  for (int i = 0; i < size(); ++i) work_[place_[i]] = x[i];
  product_.setZero();
  for (int column = 0; column < size(); ++column) {
    for (Matrix::InnerIterator it(matrix_, column); it; ++it) {
      product_[it.row()] += it.value() * work_[column];
      if (it.row() != column) product_[column] += it.value() * work_[it.row()];
    }
  }
  for (int i = 0; i < size(); ++i) y[i] = product_[place_[i]];
}

bool SparseGeneral::Solver::GoodPivots(const Eigen::VectorXd& least) const {
  for (int column = 0; column < cols(); ++column) {
    SCMatrix::InnerIterator it(m_Lstore, m_perm_c.indices()[column]);
    while (it && it.index() != m_perm_c.indices()[column]) ++it;
    if (!it || !GoodPivot(it.value(), least[column])) return false;
  }
  return true;
}

SparseGeneral::SparseGeneral(const Pattern& pattern)
    : matrix_(LowerTriangle(pattern).selfadjointView<Eigen::Lower>()),
      diagonal_(pattern.size()),
      kept_(pattern.size()),
      least_(pattern.size()),
      work_(pattern.size()) {
  Clear(&matrix_);
  solver_.analyzePattern(matrix_);
  for (int i = 0; i < pattern.size(); ++i) diagonal_[i] = Find(matrix_, i, i);
}

int SparseGeneral::Offset(int row, int column) const {
  if (row < 0 || column < 0) return discard();
  const bool inside = std::max(row, column) < size();
  return Checked(inside ? Find(matrix_, row, column) : -1, row, column);
}

std::span<double> SparseGeneral::values() { return Values(&matrix_); }

void SparseGeneral::SetDiagonal(std::span<const double> diagonal) {
  std::ranges::fill(values(), 0.0);
  for (int i = 0; i < size(); ++i) matrix_.valuePtr()[diagonal_[i]] = diagonal[i];
}

Factorization SparseGeneral::Factor(double shift, std::span<const double> weight) {
  double* values = matrix_.valuePtr();
  if (shift != 0) {
    for (int i = 0; i < size(); ++i) kept_[i] = values[diagonal_[i]];
    for (int i = 0; i < size(); ++i) values[diagonal_[i]] += shift * weight[i];
  }
  bool finite = true;
  for (int column = 0; column < size(); ++column) {
    double sum = 0;
    for (Matrix::InnerIterator it(matrix_, column); it; ++it) sum += it.value() * it.value();
    finite = finite && std::isfinite(sum);
    least_[column] = kTinyPivot * kTinyPivot * sum;
  }
  if (finite) solver_.factorize(matrix_);
  if (shift != 0) {
    for (int i = 0; i < size(); ++i) values[diagonal_[i]] = kept_[i];
  }
  return {finite && solver_.info() == Eigen::Success && solver_.GoodPivots(least_), 0};
}

void SparseGeneral::Solve(std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> map(x.data(), static_cast<Eigen::Index>(x.size()));
  work_ = map;
  map = solver_.solve(work_);
}

void SparseGeneral::Multiply(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (int column = 0; column < size(); ++column) {
    for (Matrix::InnerIterator it(matrix_, column); it; ++it) {
      y[it.row()] += it.value() * x[column];
    }
  }
}

}  // namespace strand
