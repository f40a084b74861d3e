#include "model/stencil/curve_distance.h"

namespace strand {
namespace {

constexpr double kBegin = 0.02;   // width (in e) of the smooth start of the ramp
constexpr double kMost = 0.05;    // of l^2: largest spread of straight edges
constexpr double kSmall = 0.005;  // of l^2 / d: smooths n where it is near zero
// Largest spread: of d^2, so that D is at most 2 % too large, and of that of straight edges.
constexpr double kLargest = 0.05, kStraight = 4;

struct Ramp {
  double value = 0, slope = 0, curvature = 0;
};

// Zero for x <= 0, x - kBegin / 2 for x >= kBegin, twice continuously differentiable.
Ramp RampAt(double x) {
  if (x <= 0) return {};
  if (x >= kBegin) return {x - 0.5 * kBegin, 1, 0};
  const double part = x / kBegin;
  return {part * part * x * (1 - 0.5 * part), part * part * (3 - 2 * part),
          6 * part * (1 - part) / kBegin};
}

}  // namespace

CurveSpread::Size::Size(const EdgeCurve& curve, const CurveNodes& nodes, double small)
    : weight{curve.Bend(0), curve.Bend(1)}, end{nodes * weight[0], nodes * weight[1]} {
  value = std::sqrt(end[0].squaredNorm() + end[1].squaredNorm() + small * small);
}

Eigen::Matrix<double, 12, 1> CurveSpread::Size::Gradient() const {
  Eigen::Matrix<double, 12, 1> gradient;
  for (int k = 0; k < 4; ++k) {
    gradient.segment<3>(3 * k) = (weight[0][k] * end[0] + weight[1][k] * end[1]) / value;
  }
  return gradient;
}

CurveSpread::CurveSpread(const EdgeCurve& a, const CurveNodes& x, const EdgeCurve& b,
                         const CurveNodes& y, double touching, double least)
    : u_(x.col(2) - x.col(1)),
      v_(y.col(2) - y.col(1)),
      length_u_(u_.norm()),
      length_v_(v_.norm()),
      by_a_(touching / (a.length() * a.length())),
      by_b_(touching / (b.length() * b.length())),
      size_a_(a, x, kSmall / by_a_),
      size_b_(b, y, kSmall / by_b_) {
  u_ /= length_u_, v_ /= length_v_;
  cosine_ = u_.dot(v_);
  const double squared = 2 * touching / (by_a_ + by_b_);  // l^2 if the lengths are equal
  const double largest = kLargest * touching * touching + kStraight * least;
  const double bent = by_a_ * size_a_.value + by_b_ * size_b_.value - 2 * kSmall;
  const double straight = std::min(least / squared, kMost) + 0.5 * kBegin;
  const Ramp ramp = RampAt(straight + bent - 0.5 * (1 - cosine_ * cosine_));
  const double unbounded = squared * ramp.value, part = 1 / (1 + unbounded / largest);
  value_ = part * unbounded, slope_ = part * part * squared * ramp.slope;
  curvature_ = part * part * squared *
               (ramp.curvature - 2 * part * squared * ramp.slope * ramp.slope / largest);
}

CurveSpread::Gradients CurveSpread::CosineGradient() const {
  const Vector3 by_u = (v_ - cosine_ * u_) / length_u_, by_v = (u_ - cosine_ * v_) / length_v_;
  const Vector3 none = Vector3::Zero();
  Gradients gradient;
  gradient << none, -by_u, by_u, none, none, -by_v, by_v, none;
  return gradient;
}

// Gradient of e.
CurveSpread::Gradients CurveSpread::RampedGradient() const {
  Gradients gradient = cosine_ * CosineGradient();
  gradient.head<12>() += by_a_ * size_a_.Gradient();
  gradient.tail<12>() += by_b_ * size_b_.Gradient();
  return gradient;
}

CurveSpread::Gradients CurveSpread::Gradient() const { return slope_ * RampedGradient(); }

CurveSpread::Hessians CurveSpread::Hessian() const {
  const Gradients by = RampedGradient(), cosine_by = CosineGradient();
  const Vector3 by_u = cosine_by.segment<3>(6), by_v = cosine_by.segment<3>(18);
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  const auto own = [&](const Vector3& along, const Vector3& by_own, double length) {
    return Eigen::Matrix3d(-(by_own * along.transpose() + along * by_own.transpose()) / length -
                           cosine_ / (length * length) * (one - along * along.transpose()));
  };
  const Eigen::Matrix3d of_u = own(u_, by_u, length_u_), of_v = own(v_, by_v, length_v_);
  const Eigen::Matrix3d mixed =
      ((one - v_ * v_.transpose()) / length_v_ - u_ * by_v.transpose()) / length_u_;
  Hessians hessian = cosine_by * cosine_by.transpose();
  for (int i : {0, 1}) {
    for (int j : {0, 1}) {  // the nodes at the ends of an edge
      const double sign = i == j ? cosine_ : -cosine_;
      hessian.block<3, 3>(3 + 3 * i, 3 + 3 * j) += sign * of_u;
      hessian.block<3, 3>(15 + 3 * i, 15 + 3 * j) += sign * of_v;
      hessian.block<3, 3>(3 + 3 * i, 15 + 3 * j) += sign * mixed;
      hessian.block<3, 3>(15 + 3 * i, 3 + 3 * j) += sign * mixed.transpose();
    }
  }
  for (int half : {0, 1}) {
    const Size& size = half ? size_b_ : size_a_;
    const double factor = (half ? by_b_ : by_a_) / size.value;
    auto block = hessian.block<12, 12>(12 * half, 12 * half);
    const auto size_by = size.Gradient();
    block -= factor * size_by * size_by.transpose();
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const double both = factor * (size.weight[0][i] * size.weight[0][j] +
                                      size.weight[1][i] * size.weight[1][j]);
        for (int k = 0; k < 3; ++k) block(3 * i + k, 3 * j + k) += both;
      }
    }
  }
  return slope_ * hessian + curvature_ * by * by.transpose();
}

CurvePair::CurvePair(const CurveMeeting& meeting, const CurveSpread& of_angle)
    : meeting_(meeting), spread_(of_angle), off_(meeting.p - Eigen::Vector2d::Constant(0.5)) {
  const EdgeCurve &a = *meeting.a, &b = *meeting.b;
  const double s = meeting.p[0], t = meeting.p[1];
  const bool free_s = s > a.low() && s<a.high(), free_t = t> b.low() && t < b.high();
  spread = meeting.spread;
  ways << meeting.slope_a, -meeting.slope_b;
  const EdgeCurve::Weights at_s = a.At(s), at_t = b.At(t);
  for (int k = 0; k < 4; ++k) weight[k] = at_s[k], weight[4 + k] = -at_t[k];
  weight_by << a.Slope(s), Eigen::Vector4d::Zero(), Eigen::Vector4d::Zero(), -b.Slope(t);
  freedoms = free_s + free_t;
  free_way = free_s ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 1);
  Measure(meeting.offset, meeting.Squares());

  const EdgeCurve::Count of_a = a.CountAt(s), of_b = b.CountAt(t);
  count_ = of_a.value * of_b.value;
  count_by_ = {of_a.slope * of_b.value, of_a.value * of_b.slope};
  const double mixed = of_a.slope * of_b.slope;
  count_second_ << of_a.curvature * of_b.value, mixed, mixed, of_a.value * of_b.curvature;
  const auto own = [](const EdgeCurve& curve, double x) {
    return x >= 0 && (x < 1 || curve.high() == 1);
  };
  owns_ = own(a, s) && own(b, t);
  // In a tight bend two points may be equally close, so that neither is an isolated
  // minimum: the weight is then treated as constant.
  if (meeting.convex()) {
    bend = meeting.bend;
  } else {
    count_by_.setZero();
  }
}

CurvePair::Mixed CurvePair::MixedByNodes() const {
  Mixed b = MixedDerivatives();
  if (spread_.exists()) b += spread_.Gradient() * off_.transpose();
  return b;
}

CurvePair::Gradients CurvePair::Gradient() const {
  Gradients gradient = PairDistance::Gradient();
  if (spread_.exists()) gradient += 0.5 * off_.squaredNorm() / distance * spread_.Gradient();
  return gradient;
}

CurvePair::Hessians CurvePair::Hessian() const {
  Hessians hessian = HessianOf(Gradient(), MixedByNodes());
  if (spread_.exists()) hessian += 0.5 * off_.squaredNorm() / distance * spread_.Hessian();
  return hessian;
}

Eigen::Matrix<double, 2, CurvePair::kSize> CurvePair::ParametersByNodes() const {
  return -Mobility() * MixedByNodes().transpose();
}

// p is the solution of F(p, q) = W^T r + w (p - p0) = 0. With dp/dq and mu = -K dchi/dp
//     dchi/dp . d2p/dq2 = mu . [F_qq + F_qp dp/dq + (F_qp dp/dq)^T + (dp/dq)^T F_pp dp/dq].
CurvePair::Hessians CurvePair::CountHessian() const {
  const Eigen::Matrix<double, 2, kSize> points = ParametersByNodes();
  const Eigen::Vector2d mu = -Mobility() * count_by_;
  // Derivatives by s and by t; mixed ones are zero.
  const std::array<Vector3, 2> first = {ways.col(0), ways.col(1)};
  const std::array<Vector3, 2> second = {meeting_.bend_a, -meeting_.bend_b};
  const std::array<Vector3, 2> third = {meeting_.third_a, -meeting_.third_b};
  Eigen::Matrix<double, 8, 2> weight_second = Eigen::Matrix<double, 8, 2>::Zero();
  weight_second.col(0).head<4>() = meeting_.a->Bend(meeting_.p[0]);
  weight_second.col(1).tail<4>() = -meeting_.b->Bend(meeting_.p[1]);

  const Vector3 way = ways * mu;
  const Eigen::Matrix<double, 8, 1> weight_way = weight_by * mu;
  Mixed by_both;  // mu . F_qp
  for (int i = 0; i < 8; ++i) {
    for (int n : {0, 1}) {
      by_both.block<3, 1>(3 * i, n) =
          mu[n] * (weight_second(i, n) * offset + weight[i] * second[n]) +
          weight_way[i] * first[n] + weight_by(i, n) * way;
    }
  }
  if (spread_.exists()) by_both += spread_.Gradient() * mu.transpose();
  Eigen::Matrix2d twice;  // mu . F_pp
  for (int n : {0, 1}) {
    twice(n, n) = mu[n] * (offset.dot(third[n]) + 2 * first[n].dot(second[n])) + way.dot(second[n]);
  }
  twice(0, 1) = twice(1, 0) = mu[0] * second[0].dot(first[1]) + mu[1] * second[1].dot(first[0]);

  Hessians hessian = by_both * points;
  hessian += Hessians(hessian.transpose());
  hessian += points.transpose() * (count_second_ + twice) * points;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      const double both = weight_way[i] * weight[j] + weight[i] * weight_way[j];
      for (int k = 0; k < 3; ++k) hessian(3 * i + k, 3 * j + k) += both;
    }
  }
  if (spread_.exists()) hessian += mu.dot(off_) * spread_.Hessian();
  return hessian;
}

}  // namespace strand
