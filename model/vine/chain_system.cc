#include "model/vine/chain_system.h"

#include <array>
#include <numeric>
#include <stdexcept>

namespace strand {
namespace {

Pattern ChainPattern(int capacity) {
  Pattern pattern(VineSystem::kUnknowns * capacity);
  std::array<int, VineSystem::kUnknowns> pair;
  for (int i = 0; i < capacity; ++i) {
    std::iota(pair.begin(), pair.end(), VineSystem::kUnknowns * i);
    pattern.Couple(pair);
  }
  return pattern;
}

std::span<double> Span(Eigen::VectorXd* x) { return {x->data(), static_cast<size_t>(x->size())}; }
std::span<const double> Span(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<size_t>(x.size())};
}

}  // namespace

VineSystem::VineSystem(int capacity)
    : banded_(ChainPattern(capacity)),
      zero_(banded_.size()),
      right_(banded_.size()),
      residual_(banded_.size()),
      stride_(banded_.Offset(1, 1) - banded_.Offset(0, 0)) {
  if (banded_.Offset(10, 0) - banded_.Offset(0, 0) != 10) {
    throw std::logic_error("VineSystem: columns of a banded matrix are not consecutive");
  }
}

void VineSystem::Assemble(const VineChain& chain, std::span<const PairRows> rows,
                          std::span<const double> joint, double proximal) {
  for (int i = chain.pairs * kUnknowns; i < size(); ++i) zero_[i] = 1;
  std::fill(zero_.begin(), zero_.begin() + chain.pairs * kUnknowns, 0.0);
  banded_.SetDiagonal(zero_);
  double* values = banded_.values().data();
  expected_negative_ = 5 * chain.pairs;
  for (int i = 0; i < chain.pairs; ++i) {
    const int a = kUnknowns * i, b = a + kBodyB, p = b - kUnknowns, pin = a + kPin;
    for (const int body : {a, b}) {
      At(values, body, body) = At(values, body + 1, body + 1) = (1 + proximal) * chain.mass[i];
      At(values, body + 2, body + 2) += (1 + proximal) * chain.inertia[i];
    }
    if (chain.HasJoint(i)) {
      At(values, a + 2, a + 2) += joint[i];
      if (i > 0) {
        At(values, p + 2, p + 2) += joint[i];
        At(values, a + 2, p + 2) = -joint[i];
      }
      for (int axis = 0; axis < 2; ++axis) {
        At(values, pin + axis, a + axis) = 1;
        At(values, pin + axis, a + 2) = rows[i].pin_a[axis];
        if (i == 0) continue;
        At(values, pin + axis, p + axis) = -1;
        At(values, pin + axis, p + 2) = rows[i].pin_p[axis];
      }
    } else {
      At(values, pin, pin) = At(values, pin + 1, pin + 1) = -1;
    }
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) {
        At(values, a + kPrismatic + r, a + k) = rows[i].on_a(r, k);
        At(values, a + kPrismatic + r, b + k) = rows[i].on_b(r, k);
      }
    }
  }
}

void VineSystem::AddCurvature(const VineChain& chain, std::span<const PairGeometry> geometry,
                              const Eigen::VectorXd& x, double dt) {
  double* values = banded_.values().data();
  for (int i = 0; i < chain.pairs; ++i) {
    const PairGeometry& g = geometry[i];
    const int a = kUnknowns * i, b = a + kBodyB, p = b - kUnknowns;
    const double pin_x = dt * x[a + kPin], pin_y = dt * x[a + kPin + 1];
    At(values, a + 2, a + 2) += chain.half_length[i] * (pin_x * g.cos_a + pin_y * g.sin_a);
    if (i > 0) {
      const PairGeometry& before = geometry[i - 1];
      At(values, p + 2, p + 2) +=
          chain.half_length[i - 1] * (pin_x * before.cos_b + pin_y * before.sin_b);
    }
    const double on_a = dt * x[a + kPrismatic], on_b = dt * x[a + kPrismatic + 1];
    At(values, a + 2, a + 2) += on_a * (g.sin_a * g.dx - g.cos_a * g.dy);
    At(values, b + 2, b + 2) += on_b * (g.sin_b * g.dx - g.cos_b * g.dy);
    At(values, a + 2, a) += on_a * g.cos_a;
    At(values, a + 2, a + 1) += on_a * g.sin_a;
    At(values, b, a + 2) -= on_a * g.cos_a;
    At(values, b + 1, a + 2) -= on_a * g.sin_a;
    At(values, b + 2, a) += on_b * g.cos_b;
    At(values, b + 2, a + 1) += on_b * g.sin_b;
    At(values, b + 2, b) -= on_b * g.cos_b;
    At(values, b + 2, b + 1) -= on_b * g.sin_b;
    const double across = dt * x[a + kExtension] / g.extension;
    const Vector2 t(-g.dy / g.extension, g.dx / g.extension);
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 2; ++c) {
        const double entry = across * t[r] * t[c];
        if (c <= r) At(values, a + r, a + c) += entry;
        if (c <= r) At(values, b + r, b + c) += entry;
        At(values, b + r, a + c) -= entry;
      }
    }
  }
}

void VineSystem::AddBlock(int body, const Eigen::Matrix3d& block) {
  double* values = banded_.values().data();
  const int at = Body(body);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) At(values, at + r, at + c) += block(r, c);
  }
}

bool VineSystem::Factor() {
  const Factorization done = banded_.Factor(0, {});
  return done.ok && done.negative_pivots == expected_negative_;
}

void VineSystem::Solve(Eigen::VectorXd* x) const { banded_.Solve(Span(x)); }

void VineSystem::SolveRefined(Eigen::VectorXd* x) {
  right_ = *x;
  banded_.Solve(Span(x));
  banded_.Multiply(Span(*x), Span(&residual_));
  residual_ = right_ - residual_;
  banded_.Solve(Span(&residual_));
  *x += residual_;
}

void VineSystem::Multiply(const Eigen::VectorXd& x, Eigen::VectorXd* y) const {
  banded_.Multiply(Span(x), Span(y));
}

}  // namespace strand
