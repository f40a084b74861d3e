#include "plugin/mujoco/description/branches.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/config/error.h"
#include "model/output/number.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/description/rod.h"

namespace strand::mujoco {
namespace {

constexpr double kBeyond = 1e-9;  // of a cable's length: rounding of an arclength
constexpr double kApart = 0.02;   // rad: least angle between cables at a junction

// Index of the arm of that name, or -1.
int FindArm(const std::vector<Arm>& arms, const std::string& name) {
  const auto found = std::ranges::find(arms, name, &Arm::name);
  return found == arms.end() ? -1 : static_cast<int>(found - arms.begin());
}

// The branches, each after the one on which it starts.
std::vector<const Branch*> InOrder(const std::vector<Branch>& branches) {
  std::set<std::string> names;
  for (const Branch& branch : branches) {
    if (branch.name.empty() || branch.name.find('\0') != std::string::npos ||
        !names.insert(branch.name).second) {
      throw ConfigError("branch.name", branch.name,
                        "a text that is not empty, different for each branch");
    }
  }
  std::vector<const Branch*> order;
  std::set<std::string> placed{""};
  while (order.size() < branches.size()) {
    const size_t before = order.size();
    for (const Branch& branch : branches) {
      if (placed.contains(branch.name) || !placed.contains(branch.on)) continue;
      placed.insert(branch.name);
      order.push_back(&branch);
    }
    if (order.size() > before) continue;
    const auto& lost = *std::ranges::find_if(
        branches, [&](const Branch& branch) { return !placed.contains(branch.name); });
    const bool loop = names.contains(lost.on);
    throw ConfigError(InBranch(lost.name) + "on", lost.on,
                      loop ? "a branch that does not start, itself or by others, on this one (a "
                             "loop of branches)"
                           : "the name of another branch, or nothing: the cable itself");
  }
  return order;
}

// The node at an arclength along a cable.
int NodeAt(const CableDescription& on, double at) {
  double length = 0, nearest = HUGE_VAL;
  int node = 0;
  for (size_t k = 0; k < on.nodes.size(); ++k) {
    if (k > 0) length += (on.nodes[k] - on.nodes[k - 1]).norm();
    if (std::abs(length - at) >= nearest) continue;
    nearest = std::abs(length - at);
    node = static_cast<int>(k);
  }
  if (!(at >= 0) || at > length * (1 + kBeyond)) {
    throw ConfigError("at", Number(at),
                      "0 to " + Number(length) + " m, the length of the cable it starts on");
  }
  return node;
}

// Throws ConfigError if the cable cannot have a junction at that node.
void CheckNode(const Arm& on, int node, double at) {
  const int last = static_cast<int>(on.cable.nodes.size()) - 1;
  if (node > 0 && node < last) return;
  if (on.cable.closed) {
    throw ConfigError("at", Number(at),
                      "other places than the first node of a ring: draw it from another one");
  }
  if (on.on >= 0 && node == 0) {
    throw ConfigError("at", Number(at),
                      "other places than the start of a branch: the cable that this one starts on");
  }
  const EndCondition end = on.cable.ends[node > 0];
  const bool turns = end == EndCondition::kBall || end == EndCondition::kPin;
  if (turns || (end != EndCondition::kFree && on.cable.clamp == Clamp::kLink)) {
    throw ConfigError(
        "at", Number(at),
        "an inner node, or an end that is free or clamped at its node (not ball, pin, "
        "or clamp = link)");
  }
}

// The junction at a node, in the frame of the cable's nodes.
Pose JunctionPose(const DrawnRod& rod, int node) {
  if (node == 0 || node == rod.links()) return {rod.nodes[node], rod.ClampFrame(node > 0)};
  return {rod.nodes[node], rod.JunctionFrame(node)};
}

// Rotation of the branch's drawing in the frame of the junction. `drawn`: axes of the drawing of
// the whole cable in that frame.
Frame Turn(const Branch& branch, const Frame& drawn) {
  if (!branch.angle) return drawn;
  return (Eigen::AngleAxisd(branch.azimuth, Vector3::UnitX()) *
          Eigen::AngleAxisd(*branch.angle, Vector3::UnitZ()))
      .toRotationMatrix();
}

// Directions in which the links at a node lead away from it, in the frame of its junction.
std::vector<Vector3> Directions(const DrawnRod& rod, int node, const Frame& junction) {
  std::vector<Vector3> directions;
  if (node < rod.links()) directions.push_back(junction.transpose() * rod.frames[node].col(0));
  if (node > 0) directions.push_back(-junction.transpose() * rod.frames[node - 1].col(0));
  return directions;
}

class Arms {
 public:
  explicit Arms(const CableDescription& cable) : whole_(cable) {
    arms_.push_back({cable, "", -1, 0, {}});
    arms_[0].cable.branches.clear();
  }

  void Add(const Branch& branch);
  std::vector<Arm> Finished();

 private:
  void CheckApart(const Branch& branch, const Arm& arm, const DrawnRod& rod,
                  const Pose& junction) const;

  const CableDescription& whole_;
  std::vector<Arm> arms_;
};

// Throws ConfigError if the branch starts along another cable at its junction.
void Arms::CheckApart(const Branch& branch, const Arm& arm, const DrawnRod& rod,
                      const Pose& junction) const {
  std::vector<Vector3> others = Directions(rod, arm.node, junction.rotation);
  for (const Arm& other : arms_) {
    if (other.on != arm.on || other.node != arm.node) continue;
    others.push_back(DrawRod(other.cable).frames[0].col(0));
  }
  const Vector3 own = DrawRod(arm.cable).frames[0].col(0);
  for (const Vector3& other : others) {
    if (AngleBetween(own, other) > kApart) continue;
    throw ConfigError(
        "angle", branch.angle ? Number(*branch.angle) : "nothing",
        "one that leads away from the other cables at that node (by .02 rad or more)");
  }
}

void Arms::Add(const Branch& branch) {
  const int on = FindArm(arms_, branch.on);
  const int node = NodeAt(arms_[on].cable, branch.at);
  CheckNode(arms_[on], node, branch.at);
  const DrawnRod rod = DrawRod(arms_[on].cable);
  const Pose junction = JunctionPose(rod, node);
  Arm arm{branch.cable, branch.name, on, node, arms_[on].pose * junction};
  const auto& q = whole_.quat;
  const Frame drawing = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  const Frame turn = Turn(branch, arm.pose.rotation.transpose() * drawing);
  const Eigen::Quaterniond quat(turn);
  arm.cable.quat = {quat.w(), quat.x(), quat.y(), quat.z()};
  arm.cable.pos = -(turn * branch.cable.nodes[0]);
  arm.cable.prefix = whole_.prefix + branch.name + "_";
  arm.cable.junctions.at_start = true;
  const bool hinged = branch.junction && (*branch.junction)[0] == 0;
  arm.cable.ends[0] = hinged ? EndCondition::kBall : EndCondition::kFixed;
  if (!hinged) {
    arm.cable.junctions.nodes.push_back(0);  // a clamp at the node, whatever holds the other end
    arm.cable.junctions.stiffness = branch.junction;
  }
  CheckApart(branch, arm, rod, junction);
  arms_.push_back(std::move(arm));
}

std::vector<Arm> Arms::Finished() {
  for (const Arm& arm : arms_) {
    if (arm.on >= 0) arms_[arm.on].cable.junctions.nodes.push_back(arm.node);
  }
  for (Arm& arm : arms_) {
    auto& nodes = arm.cable.junctions.nodes;
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return std::move(arms_);
}

}  // namespace

std::string InBranch(const std::string& name) { return "branch " + name + ": "; }

std::vector<Arm> ArmsOf(const CableDescription& cable) {
  Arms arms(cable);
  for (const Branch* branch : InOrder(cable.branches)) {
    try {
      arms.Add(*branch);
    } catch (const ConfigError& error) {
      throw ConfigError(InBranch(branch->name), error);
    }
  }
  return arms.Finished();
}

}  // namespace strand::mujoco
