#include "model/vine/friction_problem.h"

#include <algorithm>
#include <cmath>

namespace strand {
namespace {

// A pivot below this fraction of the largest entry of its matrix counts as zero.
constexpr double kNil = 1e-12;

// Ratios whose relative difference is below this are equal.
constexpr double kTie = 1e-10;

constexpr int kVariables = 4;  // per contact in Lemke's method: normal, two tangential, speed

// Friction impulse of a sliding contact per normal impulse.
double Ratio(FrictionMode mode, double mu) {
  if (mode == FrictionMode::kSlidePositive) return -mu;
  return mode == FrictionMode::kSlideNegative ? mu : 0;
}

// Solves A x = b (its leading n unknowns) by elimination with row exchanges. Undetermined unknowns
// become zero. Overwrites A.
void Eliminate(int n, Eigen::MatrixXd* A, Eigen::VectorXd* b) {
  const double least = kNil * A->topLeftCorner(n, n).cwiseAbs().maxCoeff();
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int r = k + 1; r < n; ++r) {
      if (std::abs((*A)(r, k)) > std::abs((*A)(best, k))) best = r;
    }
    if (!(std::abs((*A)(best, k)) > least)) {
      for (int r = k; r < n; ++r) (*A)(r, k) = 0;
      continue;
    }
    if (best != k) {
      for (int c = k; c < n; ++c) std::swap((*A)(k, c), (*A)(best, c));
      std::swap((*b)[k], (*b)[best]);
    }
    for (int r = k + 1; r < n; ++r) {
      const double l = (*A)(r, k) / (*A)(k, k);
      for (int c = k; c < n; ++c) (*A)(r, c) -= l * (*A)(k, c);
      (*b)[r] -= l * (*b)[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = (*b)[k];
    for (int c = k + 1; c < n; ++c) sum -= (*A)(k, c) * (*b)[c];
    (*b)[k] = (*A)(k, k) != 0 ? sum / (*A)(k, k) : 0;
  }
}

// Row with the smallest ratio of right-hand side to entering column. Ties are broken by the ratios
// of the next columns (lexicographic order: no basis occurs twice), except that the row of the
// covering variable, `cover`, wins a tie, because the method ends with it. -1: a ray.
int LeavingRow(const Eigen::MatrixXd& tableau, int n, int entering, int cover) {
  const int right = 2 * n + 1;
  int best = -1;
  for (int r = 0; r < n; ++r) {
    const double pivot = tableau(r, entering);
    if (!(pivot > kNil)) continue;
    if (best < 0) {
      best = r;
      continue;
    }
    const double other = tableau(best, entering);
    double difference = tableau(r, right) / pivot - tableau(best, right) / other;
    for (int c = 0; c < n && difference == 0; ++c) {
      difference = tableau(r, c) / pivot - tableau(best, c) / other;
    }
    if (difference < 0) best = r;
  }
  if (best < 0 || !(tableau(cover, entering) > kNil)) return best;
  const double end = tableau(cover, right) / tableau(cover, entering);
  const double least = tableau(best, right) / tableau(best, entering);
  return end <= least + kTie * std::abs(least) ? cover : best;
}

void Pivot(Eigen::MatrixXd* tableau, int n, int row, int column) {
  const int width = 2 * n + 2;
  const double inverse = 1 / (*tableau)(row, column);
  for (int c = 0; c < width; ++c) (*tableau)(row, c) *= inverse;
  for (int r = 0; r < n; ++r) {
    const double l = (*tableau)(r, column);
    if (r == row || l == 0) continue;
    for (int c = 0; c < width; ++c) (*tableau)(r, c) -= l * (*tableau)(row, c);
  }
}

}  // namespace

void FrictionProblem::Reserve(int contacts) {
  if (2 * contacts <= right_.size()) return;
  const int room = std::max(32, 4 * contacts);
  matrix_.resize(room, room);
  right_.resize(room);
  velocity_.resize(room);
  unknown_.reserve(room);
}

bool FrictionProblem::SolveModes(const std::vector<FrictionMode>& modes, Eigen::VectorXd* impulse) {
  unknown_.clear();
  for (int i = 0; i < contacts_; ++i) {
    if (modes[i] == FrictionMode::kOpen) continue;
    unknown_.push_back(2 * i);
    if (modes[i] == FrictionMode::kStick) unknown_.push_back(2 * i + 1);
  }
  const int n = static_cast<int>(unknown_.size());
  for (int c = 0; c < n; ++c) {
    const double ratio = unknown_[c] % 2 == 0 ? Ratio(modes[unknown_[c] / 2], mu_) : 0;
    for (int r = 0; r < n; ++r) {
      matrix_(r, c) = (*S_)(unknown_[r], unknown_[c]);
      if (ratio != 0) matrix_(r, c) += ratio * (*S_)(unknown_[r], unknown_[c] + 1);
    }
    right_[c] = -(*c_)[unknown_[c]];
  }
  if (n > 0) Eliminate(n, &matrix_, &right_);
  for (int k = 0; k < 2 * contacts_; ++k) (*impulse)[k] = 0;
  for (int c = 0; c < n; ++c) {
    if (!std::isfinite(right_[c])) return false;
    (*impulse)[unknown_[c]] = right_[c];
    if (unknown_[c] % 2 != 0) continue;
    const double ratio = Ratio(modes[unknown_[c] / 2], mu_);
    if (ratio != 0) (*impulse)[unknown_[c] + 1] = ratio * right_[c];
  }
  for (int r = 0; r < 2 * contacts_; ++r) {
    velocity_[r] = (*c_)[r];
    for (int k = 0; k < 2 * contacts_; ++k) velocity_[r] += (*S_)(r, k) * (*impulse)[k];
  }
  return true;
}

// The contact that violates its mode most, and the mode that it should have. Violations of impulses
// are compared as the velocities that they would cause. -1: none.
int FrictionProblem::WorstContact(const std::vector<FrictionMode>& modes,
                                  const Eigen::VectorXd& impulse, FrictionMode* better) {
  int worst = -1;
  double most = tolerance_;
  const auto consider = [&](int contact, double violation, FrictionMode mode) {
    if (!(violation > most)) return;
    most = violation;
    worst = contact;
    *better = mode;
  };
  for (int i = 0; i < contacts_; ++i) {
    const double un = velocity_[2 * i], ut = velocity_[2 * i + 1];
    const double ln = impulse[2 * i], lt = impulse[2 * i + 1];
    const double compliance = (*S_)(2 * i, 2 * i);
    if (modes[i] == FrictionMode::kOpen) {
      consider(i, -un, FrictionMode::kStick);
      continue;
    }
    consider(i, std::abs(un), modes[i]);  // not 0 if its row depends on others and contradicts them
    consider(i, -ln * compliance, FrictionMode::kOpen);
    if (modes[i] == FrictionMode::kStick) {
      consider(i, std::abs(ut), modes[i]);
      consider(i, (std::abs(lt) - mu_ * ln) * compliance,
               lt > 0 ? FrictionMode::kSlideNegative : FrictionMode::kSlidePositive);
    } else {
      consider(i, modes[i] == FrictionMode::kSlidePositive ? -ut : ut, FrictionMode::kStick);
    }
  }
  return worst;
}

bool FrictionProblem::SolveLemke(std::vector<FrictionMode>* modes) {
  const int n = kVariables * contacts_, cover = 2 * n, right = 2 * n + 1;
  if (tableau_.rows() < n) tableau_.resize(2 * n, 4 * n + 2);
  tableau_.topLeftCorner(n, 2 * n + 2).setZero();
  double scale = 0;  // impulses are scaled so that S is about 1
  for (int k = 0; k < 2 * contacts_; ++k) scale = std::max(scale, (*S_)(k, k));
  scale = 1 / scale;
  double least = 0;
  int leaving = -1;
  for (int i = 0; i < contacts_; ++i) {
    const int row = kVariables * i;
    for (int j = 0; j < contacts_; ++j) {
      const int z = n + kVariables * j;
      const auto S = [&](int a, int b) { return scale * (*S_)(2 * i + a, 2 * j + b); };
      tableau_.block<3, 3>(row, z) << -S(0, 0), -S(0, 1), S(0, 1),  //
          -S(1, 0), -S(1, 1), S(1, 1),                              //
          S(1, 0), S(1, 1), -S(1, 1);
    }
    const int z = n + row;
    tableau_(row + 1, z + 3) = tableau_(row + 2, z + 3) = -1;
    tableau_(row + 3, z) = -mu_;
    tableau_(row + 3, z + 1) = tableau_(row + 3, z + 2) = 1;
    tableau_(row, right) = (*c_)[2 * i];
    tableau_(row + 1, right) = (*c_)[2 * i + 1];
    tableau_(row + 2, right) = -(*c_)[2 * i + 1];
  }
  basis_.resize(n);
  for (int r = 0; r < n; ++r) {
    tableau_(r, r) = 1;
    tableau_(r, cover) = -1;
    basis_[r] = r;
    if (tableau_(r, right) < least) least = tableau_(r, right), leaving = r;
  }
  int entering = cover;
  for (int left = 50 + 20 * n; leaving >= 0 && left > 0; --left) {
    ++pivots_;
    Pivot(&tableau_, n, leaving, entering);
    const int left_basis = basis_[leaving];
    basis_[leaving] = entering;
    if (left_basis == cover) break;
    entering = left_basis < n ? left_basis + n : left_basis - n;
    const auto cover_row = std::find(basis_.begin(), basis_.end(), cover) - basis_.begin();
    leaving = LeavingRow(tableau_, n, entering, static_cast<int>(cover_row));
    if (leaving < 0) return false;
  }
  std::fill(modes->begin(), modes->end(), FrictionMode::kOpen);
  for (int pass = 0; pass < 2; ++pass) {
    for (int r = 0; r < n; ++r) {
      const int z = basis_[r] - n;
      if (z < 0 || z >= n || !(tableau_(r, right) > 0)) continue;
      FrictionMode& mode = (*modes)[z / kVariables];
      const int what = z % kVariables;
      if (pass == 0 && what == 0) mode = FrictionMode::kStick;
      if (pass == 1 && what == 3 && mode != FrictionMode::kOpen) {
        mode = velocity_[2 * (z / kVariables) + 1] > 0 ? FrictionMode::kSlidePositive
                                                       : FrictionMode::kSlideNegative;
      }
    }
  }
  for (int r = 0; r < n; ++r) {
    const int z = basis_[r] - n;
    if (z < 0 || z >= n || !(tableau_(r, right) > 0)) continue;
    FrictionMode& mode = (*modes)[z / kVariables];
    if (mode == FrictionMode::kOpen || mode == FrictionMode::kStick) continue;
    if (z % kVariables == 1) mode = FrictionMode::kSlideNegative;
    if (z % kVariables == 2) mode = FrictionMode::kSlidePositive;
  }
  return true;
}

bool FrictionProblem::Solve(const Eigen::MatrixXd& S, const Eigen::VectorXd& c, int contacts,
                            double mu, double tolerance, std::vector<FrictionMode>* modes,
                            Eigen::VectorXd* impulse) {
  S_ = &S, c_ = &c;
  contacts_ = contacts, mu_ = mu, tolerance_ = tolerance;
  pivots_ = 0;
  if (contacts == 0) return true;
  Reserve(contacts);
  FrictionMode better;
  for (int left = 10 + 6 * contacts; left > 0; --left) {
    if (!SolveModes(*modes, impulse)) break;
    const int worst = WorstContact(*modes, *impulse, &better);
    if (worst < 0) return true;
    if ((*modes)[worst] == better) break;
    (*modes)[worst] = better;
    ++pivots_;
  }
  if (!SolveLemke(modes) || !SolveModes(*modes, impulse)) return false;
  tolerance_ = 100 * tolerance;  // Lemke's method may choose either mode at a near tie
  return WorstContact(*modes, *impulse, &better) < 0;
}

}  // namespace strand
