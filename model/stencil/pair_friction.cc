#include "model/stencil/pair_friction.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/stencil/joint.h"

namespace strand::internal {
namespace {

using Column = Eigen::Map<const Vector3>;

constexpr int kMostNodes = FrictionStencil::kMostNodes, kMostArms = FrictionStencil::kMostArms;

// Rotation w of an arm's edge, and derivatives by its second node: of w, beyond the first-order
// term in FillWays, of the axis and of the length. Those by its first node are the opposite.
struct ArmTurn {
  ArmTurn() = default;
  explicit ArmTurn(const Arm& arm);

  Vector3 turn = Vector3::Zero();  // w (rad)
  Eigen::Matrix3d bend_by = Eigen::Matrix3d::Zero(), axis_by = Eigen::Matrix3d::Zero();
  Vector3 length_by = Vector3::Zero();
};

ArmTurn::ArmTurn(const Arm& arm) : turn(arm.spin * arm.axis) {
  if (arm.node[0] < 0) return;
  const Vector3& t = arm.axis;
  const Vector3 aside = t.cross(arm.across) / arm.length;
  turn += aside;
  axis_by = (Eigen::Matrix3d::Identity() - t * t.transpose()) / arm.length;
  bend_by =
      (arm.spin * Eigen::Matrix3d::Identity() - CrossMatrix<double>(arm.across) / arm.length) *
          axis_by -
      aside * t.transpose() / arm.length;
  length_by = t;
}

// The derivatives of an arm by unknown c. Unless that is of a node of its edge, they are zero.
struct ArmColumn {
  ArmColumn() = default;
  ArmColumn(const Arm& arm, const ArmTurn& turn, int c);

  Vector3 bend = Vector3::Zero(), axis = Vector3::Zero();
  double length = 0;
};

ArmColumn::ArmColumn(const Arm& arm, const ArmTurn& turn, int c) {
  if (c / 3 != arm.node[0] && c / 3 != arm.node[1]) return;
  const double sign = c / 3 == arm.node[0] ? -1 : 1;
  const int k = c % 3;
  bend = sign * turn.bend_by.col(k), axis = sign * turn.axis_by.col(k);
  length = sign * turn.length_by[k];
}

// Friction at a point of contact and, with derivatives, what those by all unknowns have in common.
class Rubbing {
 public:
  Rubbing(const FrictionLaw& law, const FrictionStencil& at, const Penalty& penalty,
          const double* moved, const Vector3& beside, double rate, LaggedDirection* lagged);

  void PrepareDerivatives();
  // The forces on the unknowns, and their derivatives by unknown c. Returns the magnitude.
  double Force(double* force) const;
  void Differentiate(int c, double* by) const;

 private:
  Vector3 way(int c) const { return Column(ways_.data() + 3 * c); }
  // Whether an arm or its axis depends on unknown c: on all nodes of the gap, and on those of its
  // edge.
  bool Moves(int c, const Arm& arm) const {
    return arm.exists() && (c < 3 * at_.nodes || c / 3 == arm.node[0] || c / 3 == arm.node[1]);
  }
  // Derivative of the normal force by unknown c of a node.
  double PressureBy(int c, const Vector3& offset_by) const;
  // Derivative of the couple of arm k.
  void AddCouple(int k, const Vector3& arm_by, const ArmColumn& column, double* by) const;

  const FrictionStencil& at_;
  const Penalty& penalty_;
  const double* moved_;
  double rate_, share_;
  Eigen::Matrix3d across_;
  std::array<double, 3 * (3 * kMostNodes + kMostArms)> ways_;
  Vector3 d_;
  FrictionForce friction_;
  std::array<ArmTurn, kMostArms> turn_;
  std::array<Vector3, kMostArms> along_, couple_;
};

Rubbing::Rubbing(const FrictionLaw& law, const FrictionStencil& at, const Penalty& penalty,
                 const double* moved, const Vector3& beside, double rate, LaggedDirection* lagged)
    : at_(at),
      penalty_(penalty),
      moved_(moved),
      rate_(rate),
      share_(at.direct / at.distance),
      across_(Eigen::Matrix3d::Identity() - at.normal * at.normal.transpose()) {
  FillWays(at.weight, at.nodes, at.extra, at.normal, at.direct, at.arms, ways_.data());
  d_ = DisplacementAlong(ways_.data(), moved, at.positions(), at.arms, beside);
  friction_ = EvaluateFriction(law, rate * across_ * d_, -penalty.slope * share_, lagged);
}

double Rubbing::Force(double* force) const {
  for (int k = 0; k < at_.size(); ++k) force[k] = way(k).dot(friction_.force);
  return friction_.force.norm();
}

void Rubbing::PrepareDerivatives() {
  for (size_t k = 0; k < at_.arms.size(); ++k) {
    turn_[k] = ArmTurn(at_.arms[k]);
    along_[k] = at_.arms[k].Along(at_.normal, at_.direct);
    couple_[k] = along_[k].cross(friction_.force);
  }
}

void Rubbing::Differentiate(int c, double* by) const {
  const bool of_node = c < 3 * at_.nodes;
  Vector3 offset_by = Vector3::Zero(), normal_by = Vector3::Zero();
  if (of_node) {
    offset_by = Column(at_.offset_by + 3 * c);
    normal_by = across_ * offset_by / at_.direct;
  }
  const bool weighs = of_node && at_.nodes > 1;
  const double* weight_by = weighs ? at_.weight_by + at_.nodes * c : nullptr;
  // Derivative of d, through weights, normal and arms.
  Vector3 d_by = way(c);
  for (int i = 0; weighs && i < at_.nodes; ++i) d_by += weight_by[i] * Column(moved_ + 3 * i);
  std::array<Vector3, kMostArms> arm_by;
  std::array<ArmColumn, kMostArms> column;
  for (size_t k = 0; k < at_.arms.size(); ++k) {
    const Arm& arm = at_.arms[k];
    if (!Moves(c, arm)) continue;
    arm_by[k] = arm.reach * normal_by + arm.part * offset_by;
    column[k] = ArmColumn(arm, turn_[k], c);
    d_by += turn_[k].turn.cross(arm_by[k]) - along_[k].cross(column[k].bend);
  }
  // Derivatives of the slip and the force.
  const Vector3& n = at_.normal;
  Vector3 slip_by = across_ * d_by;
  if (of_node) slip_by = slip_by - n.dot(d_) * normal_by - n * d_.dot(normal_by);
  Vector3 force_by = friction_.by_slip * (rate_ * slip_by).eval();
  if (of_node) force_by += friction_.by_normal_force * PressureBy(c, offset_by);
  for (int k = 0; k < at_.size(); ++k) by[k] = way(k).dot(force_by);
  for (int i = 0; weighs && i < at_.nodes; ++i) {
    Eigen::Map<Vector3>(by + 3 * i) += weight_by[i] * friction_.force;
  }
  for (size_t k = 0; k < at_.arms.size(); ++k) {
    if (Moves(c, at_.arms[k])) AddCouple(static_cast<int>(k), arm_by[k], column[k], by);
  }
}

double Rubbing::PressureBy(int c, const Vector3& offset_by) const {
  return -penalty_.curvature * share_ * at_.distance_by[c] -
         penalty_.slope * share_ * at_.count_by[c] -
         penalty_.slope * (at_.normal.dot(offset_by) - share_ * at_.distance_by[c]) / at_.distance;
}

void Rubbing::AddCouple(int k, const Vector3& arm_by, const ArmColumn& column, double* by) const {
  const Arm& arm = at_.arms[k];
  const Vector3 couple_by = arm_by.cross(friction_.force);
  by[at_.positions() + k] += arm.axis.dot(couple_by) + couple_[k].dot(column.axis);
  if (arm.node[0] < 0) return;
  const Vector3 push_by = (couple_[k].cross(column.axis) - arm.axis.cross(couple_by) -
                           couple_[k].cross(arm.axis) / arm.length * column.length) /
                          arm.length;
  Eigen::Map<Vector3>(by + 3 * arm.node[0]) -= push_by;
  Eigen::Map<Vector3>(by + 3 * arm.node[1]) += push_by;
}

// A node without an arm: weights are constant, and |r| = D.
double FillPointFriction(const FrictionLaw& law, const FrictionStencil& at, const Penalty& penalty,
                         const Vector3& displacement, double rate, double* force,
                         double* by_position, LaggedDirection* lagged) {
  using Block = Eigen::Map<Eigen::Matrix3d>;
  const Eigen::Map<const Eigen::Matrix3d> offset_by(at.offset_by);
  const PointContact contact{at.normal, (offset_by - at.normal * at.normal.transpose()) / at.direct,
                             -penalty.slope, -penalty.curvature};
  const PointFriction friction = EvaluatePointFriction(law, contact, displacement, rate, lagged);
  Eigen::Map<Vector3>{force} = friction.force;
  if (by_position) Block{by_position} = friction.by_position;
  return friction.force.norm();
}

}  // namespace

void FillWays(const double* weight, int nodes, int extra, const Vector3& normal, double direct,
              std::span<const Arm> arms, double* ways) {
  using Block = Eigen::Map<Eigen::Matrix3d>;
  for (int i = 0; i < nodes; ++i) Block(ways + 9 * i) = weight[i] * Eigen::Matrix3d::Identity();
  double* spin = ways + 9 * (nodes + extra);
  std::fill(ways + 9 * nodes, spin, 0.0);
  for (const Arm& arm : arms) {
    const Vector3 a = arm.Along(normal, direct);
    Eigen::Map<Vector3>(std::exchange(spin, spin + 3)) = arm.axis.cross(a);
    if (arm.node[0] < 0) continue;
    const Eigen::Matrix3d way =  // -[a] [t] / l, of the matrices of cross products
        (a.dot(arm.axis) * Eigen::Matrix3d::Identity() - arm.axis * a.transpose()) / arm.length;
    Block(ways + 9 * arm.node[0]) -= way;
    Block(ways + 9 * arm.node[1]) += way;
  }
}

Vector3 DisplacementAlong(const double* ways, const double* moved, int positions,
                          std::span<const Arm> arms, const Vector3& beside) {
  Vector3 d = beside;
  for (int k = 0; k < positions; ++k) d += moved[k] * Column(ways + 3 * k);
  for (size_t k = 0; k < arms.size(); ++k) d += arms[k].spin * Column(ways + 3 * (positions + k));
  return d;
}

double FillFriction(const FrictionLaw& law, const FrictionStencil& at, const Penalty& penalty,
                    const double* moved, const Vector3& beside, double rate, double* force,
                    double* by_position, LaggedDirection* lagged) {
  if (at.nodes == 1 && at.arms.empty()) {
    return FillPointFriction(law, at, penalty, Column(moved) + beside, rate, force, by_position,
                             lagged);
  }
  Rubbing rubbing(law, at, penalty, moved, beside, rate, lagged);
  if (by_position) rubbing.PrepareDerivatives();
  for (int c = 0; by_position && c < at.size(); ++c) {
    rubbing.Differentiate(c, by_position + at.size() * c);
  }
  return rubbing.Force(force);
}

}  // namespace strand::internal
