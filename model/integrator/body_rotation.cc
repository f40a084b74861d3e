#include "model/integrator/body_rotation.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace strand {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Points = Eigen::Matrix<double, 3, 4>;
using Masses = Eigen::Vector4d;
using Carriers = std::array<int, 4>;

constexpr int kMostIterations = 20;
// rad; Newton's method squares it in the step that it accepts. With a thin body, rounding of the
// carriers does not allow much less.
constexpr double kLastStep = 1e-8;
constexpr double kTurn = 0.25;    // rad, of a free body in one step of its own
constexpr int kMostParts = 1024;  // of a step

Points Gather(std::span<const double> values, const Carriers& carrier) {
  Points points;
  for (int j = 0; j < 4; ++j) {
    for (int c = 0; c < 3; ++c) points(c, j) = values[carrier[j] + c];
  }
  return points;
}

void Scatter(const Points& points, const Carriers& carrier, std::span<double> values) {
  for (int j = 0; j < 4; ++j) {
    for (int c = 0; c < 3; ++c) values[carrier[j] + c] = points(c, j);
  }
}

Masses MassesOf(const System& system, const Carriers& carrier) {
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

// J^-1 of point masses at these arms; of a body that can only turn about `normal` (>= 0), about it.
Matrix3 InverseInertia(const Points& arm, const Masses& mass, int normal) {
  const Matrix3 second = arm * mass.asDiagonal() * arm.transpose();
  const Matrix3 inertia = second.trace() * Matrix3::Identity() - second;
  if (normal < 0) return inertia.inverse();
  Matrix3 about = Matrix3::Zero();
  about(normal, normal) = 1 / inertia(normal, normal);
  return about;
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

// The rotation (as a quaternion) of points that have moved from these arms.
Eigen::Quaterniond TurnOf(const Points& before, const Points& moved, const Masses& mass) {
  const Matrix3 second = before * mass.asDiagonal() * before.transpose();
  const Matrix3 change = moved * mass.asDiagonal() * before.transpose() * second.inverse();
  return Eigen::Quaterniond(Matrix3::Identity() + change).normalized();
}

// The same as a vector (rad).
Vector3 RotationOf(const Points& before, const Points& moved, const Masses& mass) {
  const Eigen::AngleAxisd turn(TurnOf(before, moved, mass));
  return turn.angle() * turn.axis();
}

// theta = t w, where w is the angular velocity with this momentum after the rotation exp(theta),
// and J^-1 the inverse inertia before it; empty if Newton's method does not find it.
std::optional<Vector3> TurnWith(const Vector3& momentum, const Matrix3& inverse_inertia, double t) {
  Vector3 theta = t * (inverse_inertia * momentum);
  for (int i = 0; i < kMostIterations; ++i) {
    const Exponential exp(theta);
    const Matrix3 turn = Matrix3::Identity() + exp.less_one;
    const Matrix3 inverse = turn * inverse_inertia * turn.transpose();
    const Vector3 spin = inverse * momentum;
    const Matrix3 slope = (inverse * Cross(momentum) - Cross(spin)) * exp.slope;
    const Vector3 step = (Matrix3::Identity() - t * slope).inverse() * (theta - t * spin);
    if (!step.allFinite()) return {};
    theta -= step;
    if (step.norm() <= kLastStep) return theta;
  }
  return {};
}

// F(t) - 1, by the midpoint rule in as many parts as it takes; empty if none are enough.
std::optional<Matrix3> FreeTurn(const Vector3& momentum, const Matrix3& inverse_inertia, double t) {
  const double turn = std::abs(t) * (inverse_inertia * momentum).norm();
  int parts = 1 + static_cast<int>(std::min<double>(turn / kTurn, kMostParts));
  for (; parts <= kMostParts; parts *= 2) {
    Matrix3 turned = Matrix3::Zero(), inverse = inverse_inertia;
    bool found = true;
    for (int part = 0; part < parts; ++part) {
      const auto half = TurnWith(momentum, inverse, 0.5 * t / parts);
      found = half.has_value();
      if (!found) break;
      const Matrix3 less_one = Exponential(2 * *half).less_one;
      turned += less_one + less_one * turned;
      inverse += less_one * inverse;
      inverse += (inverse * less_one.transpose()).eval();
    }
    if (found) return turned;
  }
  return {};
}

// The normal of the plane in which a body can move, or -1: in space; empty if it is held.
std::optional<int> PlaneOf(const Dofs& dofs, const Carriers& carrier) {
  std::array<int, 3> locked{};
  for (int first : carrier) {
    for (int c = 0; c < 3; ++c) locked[c] += dofs.locked(first + c);
  }
  int normal = -1;
  for (int c = 0; c < 3; ++c) {
    if (locked[c] == 0) continue;
    if (locked[c] < 4 || normal >= 0) return {};
    normal = c;
  }
  return normal;
}

// Makes `move` take what is tied to a body along with its carriers, which turn by `turn`: all of
// it, or only what has no mass. The angles of edges turn by the part of `turn` about them: the rest
// is parallel transport.
enum class Tied { kAll, kMassless };
void Follow(const System& system, Tied what, const BodyTopology& body, const Carriers& carrier,
            const Eigen::Quaterniond& turn, std::span<const double> start, std::span<double> move) {
  const Dofs& dofs = system.dofs();
  const auto stays = [&](int dof) {
    return dofs.locked(dof) || (what == Tied::kMassless && system.mass()[dof] > 0);
  };
  for (const Tie& tie : body.tie) {
    const int node = dofs.node(tie.node);
    for (int c = 0; c < 3; ++c) {
      if (stays(node + c)) continue;
      move[node + c] = 0;
      for (int j = 0; j < 4; ++j) move[node + c] += tie.weight[j] * move[carrier[j] + c];
    }
  }
  for (const TiedEdge& tied : body.edge) {
    const int angle = dofs.edge(tied.edge);
    if (stays(angle)) continue;
    const auto& [first, last] = system.network().edge()[tied.edge].node;
    Vector3 along;
    for (int c = 0; c < 3; ++c) along[c] = start[dofs.node(last) + c] - start[dofs.node(first) + c];
    move[angle] = 2 * std::atan2(turn.vec().dot(along.normalized()), turn.w());
  }
}

struct Ahead {
  Matrix3 turn;      // R_hat - 1
  Vector3 momentum;  // L_hat
};

// What the rule predicts for a body; empty if it turns too far.
std::optional<Ahead> LookAhead(const System& system, const TimeRule& rule, const Carriers& carrier,
                               int normal) {
  const State& state = system.state();
  const Masses mass = MassesOf(system, carrier);
  const Points arm = Arms(Gather(state.at.q, carrier), mass);
  const Matrix3 inverse = InverseInertia(arm, mass, normal);
  const Vector3 momentum = Moment(arm, Gather(state.velocity, carrier), mass);
  if (rule.goes_on()) {
    const auto half = TurnWith(momentum, inverse, rule.tau);
    if (!half) return {};
    return Ahead{Exponential(*half).less_one, momentum};
  }
  if (rule.carry == 0) {
    const auto turn = FreeTurn(momentum, inverse, rule.dt);
    if (!turn) return {};
    return Ahead{*turn, momentum};
  }
  const Points before = arm - Arms(Gather(state.moved, carrier), mass);
  const Vector3 momentum_before = Moment(before, Gather(state.velocity_before, carrier), mass);
  const Vector3 gain = rule.carry * (momentum - momentum_before);
  const auto led = FreeTurn(momentum, InverseInertia(before, mass, normal), state.dt_before);
  const auto turn = FreeTurn(momentum + rule.tau / rule.dt * gain, inverse, rule.dt);
  if (!led || !turn) return {};
  const Points free = before + *led * before;
  const Matrix3 off = Exponential(rule.carry * RotationOf(free, arm - free, mass)).less_one;
  return Ahead{*turn + off + off * *turn, momentum + gain};
}

}  // namespace

void BodyRotations::Predict(const System& system, const TimeRule& rule,
                            std::span<double> predicted) {
  const Network& network = system.network();
  turn_.clear();
  if (rule.tau == 0) return;
  turn_.reserve(network.bodies());
  for (int b = 0; b < network.bodies(); ++b) {
    const Carriers carrier = system.dofs().carriers(network.body(b));
    const std::optional<int> normal = PlaneOf(system.dofs(), carrier);
    if (!normal) continue;
    const std::optional<Ahead> ahead = LookAhead(system, rule, carrier, *normal);
    if (!ahead) continue;
    const Masses mass = MassesOf(system, carrier);
    const Points start = Gather(system.state().at.q, carrier);
    const Vector3 shift = Mean(Gather(predicted, carrier) - start, mass);
    Scatter(start + ((ahead->turn * Arms(start, mass)).colwise() + shift), carrier, predicted);
    turn_.push_back({b, carrier, *normal, ahead->momentum});
  }
}

void BodyRotations::Lead(const System& system, std::span<const double> start,
                         std::span<const double> predicted, std::span<double> move) const {
  for (const Turn& turn : turn_) {
    const Masses mass = MassesOf(system, turn.carrier);
    const Points from = Gather(start, turn.carrier);
    const Points way = Gather(predicted, turn.carrier) - from;
    Scatter(way, turn.carrier, move);
    Follow(system, Tied::kAll, system.network().body(turn.body), turn.carrier,
           TurnOf(Arms(from, mass), Arms(way, mass), mass), start, move);
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
    Follow(system, Tied::kMassless, system.network().body(turn.body), turn.carrier,
           TurnOf(arm, moved, mass), middle, move);
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
    if (rule.goes_on()) momentum = 2 * momentum - turn.ahead;
    const Points arm = Arms(Gather(end, turn.carrier), mass);
    const Vector3 spin = InverseInertia(arm, mass, turn.normal) * momentum;
    Points v;
    for (int j = 0; j < 4; ++j) v.col(j) = spin.cross(arm.col(j));
    Scatter(v.colwise() + Mean(Gather(velocity, turn.carrier), mass), turn.carrier, velocity);
  }
}

}  // namespace strand
