#include "model/integrator/body_rotation.h"

#include <cmath>
#include <optional>

namespace strand {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Points = Eigen::Matrix<double, 3, 4>;
using Masses = Eigen::Vector4d;

constexpr int kMostIterations = 20;  // 5 are enough for a turn of 3 rad
// rad; Newton's method squares it in the step that it accepts. With a thin body, rounding of the
// carriers does not allow much less.
constexpr double kLastStep = 1e-8;

Points Gather(std::span<const double> values, const std::array<int, 4>& carrier) {
  Points points;
  for (int j = 0; j < 4; ++j) {
    for (int c = 0; c < 3; ++c) points(c, j) = values[carrier[j] + c];
  }
  return points;
}

void Scatter(const Points& points, const std::array<int, 4>& carrier, std::span<double> values) {
  for (int j = 0; j < 4; ++j) {
    for (int c = 0; c < 3; ++c) values[carrier[j] + c] = points(c, j);
  }
}

Masses MassesOf(const System& system, const std::array<int, 4>& carrier) {
  Masses mass;
  for (int j = 0; j < 4; ++j) mass[j] = system.mass()[carrier[j]];
  return mass;
}

Vector3 Mean(const Points& points, const Masses& mass) { return points * mass / mass.sum(); }

Points Arms(const Points& points, const Masses& mass) {
  return points.colwise() - Mean(points, mass);
}

// sum_j m_j a_j x b_j
Vector3 Moment(const Points& a, const Points& b, const Masses& mass) {
  Vector3 sum = Vector3::Zero();
  for (int j = 0; j < 4; ++j) sum += mass[j] * a.col(j).cross(b.col(j));
  return sum;
}

// J^-1 of point masses at these arms.
Matrix3 InverseInertia(const Points& arm, const Masses& mass) {
  const Matrix3 second = arm * mass.asDiagonal() * arm.transpose();
  return (second.trace() * Matrix3::Identity() - second).inverse();
}

// The rotation (rad) of points that have moved from these arms.
Vector3 RotationOf(const Points& before, const Points& moved, const Masses& mass) {
  const Matrix3 second = before * mass.asDiagonal() * before.transpose();
  const Matrix3 change = moved * mass.asDiagonal() * before.transpose() * second.inverse();
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(Matrix3::Identity() + change).normalized());
  return turn.angle() * turn.axis();
}

Matrix3 Cross(const Vector3& a) {
  Matrix3 cross;
  cross << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return cross;
}

// exp(theta) - 1, and dexp: exp(theta + d theta) is exp(theta), turned further by dexp d theta.
struct Exponential {
  explicit Exponential(const Vector3& theta) {
    const double angle = theta.norm(), square = angle * angle;
    const auto sinc = [](double x) { return x == 0 ? 1 : std::sin(x) / x; };
    const double half = sinc(0.5 * angle), cosine_part = 0.5 * half * half;
    const double sine_part = angle < 1e-2 ? 1. / 6 - square / 120 : (1 - sinc(angle)) / square;
    const Matrix3 cross = Cross(theta), twice = cross * cross;
    less_one = sinc(angle) * cross + cosine_part * twice;
    slope = Matrix3::Identity() + cosine_part * cross + sine_part * twice;
  }
  Matrix3 less_one, slope;
};

// R_hat - 1, from c theta_0, L_hat and J^-1 at the start; empty if the body turns too far.
std::optional<Matrix3> TurnAhead(const Vector3& carried, const Vector3& momentum,
                                 const Matrix3& inverse_inertia, const TimeRule& rule) {
  const double tau = rule.tau, bend = rule.goes_on() ? 0 : 0.5;
  Vector3 theta = carried + tau * (inverse_inertia * momentum);
  for (int i = 0; i < kMostIterations; ++i) {
    const Exponential exp(theta);
    const Matrix3 turn = Matrix3::Identity() + exp.less_one;
    const Matrix3 inverse = turn * inverse_inertia * turn.transpose();
    const Vector3 spin = inverse * momentum;
    const Matrix3 spin_slope = (inverse * Cross(momentum) - Cross(spin)) * exp.slope;
    const Matrix3 rate_slope = spin_slope + bend * (Cross(spin) - Cross(theta) * spin_slope);
    const Vector3 off = theta - carried - tau * (spin - bend * theta.cross(spin));
    const Vector3 step = (Matrix3::Identity() - tau * rate_slope).inverse() * off;
    if (!step.allFinite()) return {};
    theta -= step;
    if (step.norm() <= kLastStep) return Exponential(theta).less_one;
  }
  return {};
}

}  // namespace

void BodyRotations::Predict(const System& system, const TimeRule& rule,
                            std::span<double> predicted) {
  const Network& network = system.network();
  const Dofs& dofs = system.dofs();
  const State& state = system.state();
  turn_.clear();
  if (rule.tau == 0) return;
  turn_.reserve(network.bodies());
  for (int b = 0; b < network.bodies(); ++b) {
    std::array<int, 4> carrier;
    bool free = true;
    for (int j = 0; j < 4; ++j) {
      carrier[j] = dofs.node(network.body(b).carrier[j]);
      for (int c = 0; c < 3; ++c) free = free && !dofs.locked(carrier[j] + c);
    }
    if (!free) continue;
    const Masses mass = MassesOf(system, carrier);
    const Points start = Gather(state.at.q, carrier), arm = Arms(start, mass);
    const Vector3 momentum = Moment(arm, Gather(state.velocity, carrier), mass);
    Vector3 ahead = momentum, carried = Vector3::Zero();
    if (rule.carry > 0) {
      const Points moved = Arms(Gather(state.moved, carrier), mass), before = arm - moved;
      const Points velocity_before = Gather(state.velocity_before, carrier);
      ahead += rule.carry * (momentum - Moment(before, velocity_before, mass));
      carried = rule.carry * RotationOf(before, moved, mass);
    }
    const auto turned = TurnAhead(carried, ahead, InverseInertia(arm, mass), rule);
    if (!turned) continue;
    const Points shifted = Gather(predicted, carrier) - start;
    const Points change = (*turned * arm).colwise() + Mean(shifted, mass);
    Scatter(start + change, carrier, predicted);
    turn_.push_back({carrier, momentum, ahead});
  }
}

void BodyRotations::Lead(std::span<const double> start, std::span<const double> predicted,
                         std::span<double> move) const {
  for (const Turn& turn : turn_) {
    const Points way = Gather(predicted, turn.carrier) - Gather(start, turn.carrier);
    Scatter(way, turn.carrier, move);
  }
}

void BodyRotations::Extrapolate(const System& system, std::span<const double> middle,
                                std::span<double> move) const {
  for (const Turn& turn : turn_) {
    const Masses mass = MassesOf(system, turn.carrier);
    const Points start = Gather(system.state().at.q, turn.carrier), arm = Arms(start, mass);
    const Points half = Gather(middle, turn.carrier) - start, moved = Arms(half, mass);
    const Points turned = Exponential(RotationOf(arm, moved, mass)).less_one * (arm + moved);
    Scatter(turned.colwise() + Mean(half, mass), turn.carrier, move);
  }
}

void BodyRotations::FindVelocities(const System& system, const TimeRule& rule,
                                   std::span<const double> predicted,
                                   std::span<const double> solved, std::span<const double> end,
                                   std::span<double> velocity) const {
  for (const Turn& turn : turn_) {
    const Masses mass = MassesOf(system, turn.carrier);
    const Points ahead = Arms(Gather(predicted, turn.carrier), mass);
    const Points off = Arms(Gather(solved, turn.carrier), mass) - ahead;
    Vector3 momentum = turn.ahead + rule.per_tau() * Moment(ahead, off, mass);
    if (rule.goes_on()) momentum = 2 * momentum - turn.start;
    const Points arm = Arms(Gather(end, turn.carrier), mass);
    const Vector3 spin = InverseInertia(arm, mass) * momentum;
    Points v;
    for (int j = 0; j < 4; ++j) v.col(j) = spin.cross(arm.col(j));
    Scatter(v.colwise() + Mean(Gather(velocity, turn.carrier), mass), turn.carrier, velocity);
  }
}

}  // namespace strand
