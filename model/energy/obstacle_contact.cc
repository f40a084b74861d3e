#include "model/energy/obstacle_contact.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"

namespace strand {
namespace {

// A node's middle keeps at least this part of its way to the surface in one Newton step.
constexpr double kKeep = 0.1;

}  // namespace

ObstacleContact::ObstacleContact(const Network& network, const Dofs& dofs,
                                 std::vector<double> radius, std::vector<Obstacle> obstacles,
                                 const ContactOptions& options)
    : dof_(dofs.nodes().begin(), dofs.nodes().end()),
      radius_(std::move(radius)),
      obstacles_(std::move(obstacles)),
      options_(options),
      memory_(dof_.size() * obstacles_.size()),
      held_(memory_.size()) {
  CheckContactOptions(options);
  if (radius_.size() != dof_.size()) {
    throw ConfigError("radius", std::to_string(radius_.size()),
                      "one per node: " + std::to_string(dof_.size()));
  }
  for (size_t n = 0; n < dof_.size(); ++n) {
    for (size_t o = 0; o < obstacles_.size(); ++o) {
      const double gap = GapValue(obstacles_[o], network.node()[n]);
      if (gap > 0 || dofs.locked(dof_[n])) continue;
      throw ConfigError("positions",
                        network.NodeName(static_cast<int>(n)) + " at " + Text(gap) +
                            " m from the surface of obstacle " + std::to_string(o) + " (" +
                            ObstacleName(obstacles_[o]) + ")",
                        "more than 0 m, at the start");
    }
  }
}

void ObstacleContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (int x : dof_) CoupleBlock(dofs, std::array{x, x + 1, x + 2}, pattern);
}

void ObstacleContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(dof_.size());
  for (size_t n = 0; n < dof_.size(); ++n) {
    const int x = dof_[n];
    BlockOffsets(dofs, system, std::array{x, x + 1, x + 2}, offset_[n]);
  }
}

double ObstacleContact::Gap(const Obstacle& obstacle, const Configuration& at, size_t n) const {
  return GapValue(obstacle, at.position(dof_[n])) - radius_[n];
}

Evaluation ObstacleContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  latest_ = {};
  for (size_t o = 0; o < obstacles_.size(); ++o) {
    for (size_t n = 0; n < dof_.size(); ++n) {
      const double gap = Gap(obstacles_[o], motion.at, n);
      latest_.gap = std::min(latest_.gap, gap);
      memory(o, n).force = 0;
      if (gap < options_.tolerance) result += AddContact(motion, o, n, out);
      if (holds_) result.energy += AddHeldFriction(motion, o, n, out);
    }
  }
  return result;
}

Evaluation ObstacleContact::AddContact(const Motion& motion, size_t o, size_t n,
                                       const Derivatives& out) {
  const int dof = dof_[n];
  const ObstacleGap at = EvaluateGap(obstacles_[o], motion.at.position(dof));
  const Penalty penalty = PenaltyAt(options_, at.gap - radius_[n], radius_[n]);
  Memory& of = memory(o, n);
  of.force = -penalty.slope;
  Vector3 gradient = penalty.slope * at.normal;
  Eigen::Matrix3d hessian =
      penalty.curvature * at.normal * at.normal.transpose() + penalty.slope * at.curvature;
  ++latest_.contacts;
  latest_.normal_force += of.force;
  latest_.energy += penalty.energy;
  if (options_.friction.coefficient > 0 && !holds_) {
    const auto [displacement, rate] = Displacement(motion, o, n);
    const PointFriction friction = EvaluatePointFriction(
        options_.friction, {at.normal, at.curvature, of.force, -penalty.curvature}, displacement,
        rate);
    gradient -= friction.force;
    hessian -= friction.by_position;
    latest_.friction_force += friction.force.norm();
    for (int c = 0; out.pathwise && c < 3; ++c) out.pathwise[dof + c] -= friction.force[c];
  }
  if (out.gradient) {
    for (int c = 0; c < 3; ++c) out.gradient[dof + c] += gradient[c];
  }
  if (out.values) {
    for (int k = 0; k < 9; ++k) out.values[offset_[n][k]] += hessian.data()[k];
  }
  return {penalty.energy, of.force, 0};
}

std::pair<Vector3, double> ObstacleContact::Displacement(const Motion& motion, size_t o,
                                                         size_t n) const {
  const bool anchored = options_.friction.kind == FrictionLaw::Kind::kAnchored;
  if (!(motion.per_time > 0) && !(anchored && memory(o, n).touched())) return {Vector3::Zero(), 0};
  const double time = motion.per_time > 0 ? 1 / motion.per_time : 0;
  Vector3 moved = motion.at.position(dof_[n]) - motion.start.position(dof_[n]);
  moved -= time * obstacles_[o].velocity;
  if (anchored) moved += memory(o, n).slip;
  return {moved, anchored ? 1 : motion.per_time};
}

bool ObstacleContact::Hold(const Motion& motion) {
  holds_ = options_.friction.coefficient > 0;
  for (size_t o = 0; o < obstacles_.size(); ++o) {
    for (size_t n = 0; n < dof_.size(); ++n) {
      const ObstacleGap at = EvaluateGap(obstacles_[o], motion.at.position(dof_[n]));
      const Penalty penalty = PenaltyAt(options_, at.gap - radius_[n], radius_[n]);
      held_[o * dof_.size() + n] = {at.normal, -penalty.slope};
    }
  }
  return true;
}

double ObstacleContact::AddHeldFriction(const Motion& motion, size_t o, size_t n,
                                        const Derivatives& out) {
  const HeldContact& held = held_[o * dof_.size() + n];
  if (!(held.force > 0)) return 0;
  const auto [displacement, rate] = Displacement(motion, o, n);
  if (!(rate > 0)) return 0;
  const HeldFriction friction = EvaluateHeldFriction(options_.friction, held, displacement, rate);
  for (int c = 0; out.gradient && c < 3; ++c) out.gradient[dof_[n] + c] -= friction.force[c];
  for (int k = 0; out.values && k < 9; ++k) {
    out.values[offset_[n][k]] -= friction.by_displacement.data()[k];
  }
  return friction.energy;
}

double ObstacleContact::Limit(const Configuration& from, std::span<const double> step) {
  double part = 1;
  for (size_t n = 0; n < dof_.size(); ++n) {
    const Vector3 x = from.position(dof_[n]);
    const Vector3 dx(step[dof_[n]], step[dof_[n] + 1], step[dof_[n] + 2]);
    const double length = dx.norm();
    for (const Obstacle& obstacle : obstacles_) {
      const double gap = GapValue(obstacle, x);
      if (gap <= 0 || (1 - kKeep) * gap > part * length) continue;
      part = std::min(part, FreeFraction(obstacle, x, dx, kKeep * gap));
    }
  }
  return part;
}

bool ObstacleContact::MayEnd(const Configuration& from, const Configuration& to) {
  for (const Obstacle& obstacle : obstacles_) {
    for (size_t n = 0; n < dof_.size(); ++n) {
      const double gap = Gap(obstacle, to, n);
      if (gap >= 0) continue;
      if (!MayEndAt(gap, Gap(obstacle, from, n), options_.tolerance)) return false;
    }
  }
  return true;
}

void ObstacleContact::Accept(const Motion& motion) {
  for (size_t o = 0; o < obstacles_.size(); ++o) {
    for (size_t n = 0; n < dof_.size(); ++n) {
      Memory& of = memory(o, n);
      if (!(of.force > 0)) {
        of = {};
        continue;
      }
      const Vector3 normal = EvaluateGap(obstacles_[o], motion.at.position(dof_[n])).normal;
      Vector3 slip = Displacement(motion, o, n).first;
      slip -= normal.dot(slip) * normal;
      of.slip = AdvanceAnchor(options_.friction, slip, of.force);
      of.normal = normal;
    }
  }
}

void ObstacleContact::Adapt(double time) { adaptive_.Adapt(summary_, time, &options_); }

void ObstacleContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  for (const Memory& of : memory_) {
    memory->insert(memory->end(), of.slip.begin(), of.slip.end());
    memory->insert(memory->end(), of.normal.begin(), of.normal.end());
  }
}

void ObstacleContact::Load(std::span<const double>* memory) {
  const std::span<const double> saved =
      TakeMemory(memory, AdaptiveStiffness::kSaved + 6 * memory_.size());
  adaptive_.Load(saved, &options_);
  for (size_t k = 0; k < memory_.size(); ++k) {
    const double* of = &saved[AdaptiveStiffness::kSaved + 6 * k];
    memory_[k].slip = {of[0], of[1], of[2]}, memory_[k].normal = {of[3], of[4], of[5]};
  }
}

}  // namespace strand
