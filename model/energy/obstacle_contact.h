// Contact of nodes with rigid obstacles: penalty, friction, no tunnelling.
//
// Every node is a ball of its own radius. Its stencil is the node alone, so that a chain's matrix
// keeps its band.
#pragma once

#include <vector>

#include "model/contact/obstacle.h"
#include "model/energy/contact_options.h"
#include "model/energy/force.h"

namespace strand {

class ObstacleContact : public Force {
 public:
  /// `radius` per node (m). Throws ConfigError where an option is out of range, or where the middle
  /// of a node starts inside an obstacle.
  ObstacleContact(const Network& network, const Dofs& dofs, std::vector<double> radius,
                  std::vector<Obstacle> obstacles, const ContactOptions& options);

  std::vector<Obstacle>& obstacles() { return obstacles_; }
  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has put in so far.
  double stiffness_work() const { return adaptive_.work(); }
  /// As of the last report: where the last step was solved (of midpoint steps, in their middle).
  const ContactSummary& summary() const { return summary_; }

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return !(options_.friction.coefficient > 0); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool Hold(const Motion& motion) override;
  void LetGo() override { holds_ = false; }
  double Limit(const Configuration& from, std::span<const double> step) override;
  bool collides() const override { return true; }
  bool MayEnd(const Configuration& from, const Configuration& to) override;
  void Accept(const Motion& motion) override;
  void Report() override { summary_ = latest_; }
  void Adapt(double time) override;

  /// Carried slips (m) and the normals they belong to, and the stiffness.
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  /// What friction remembers of a node at an obstacle.
  struct Memory {
    Vector3 slip = Vector3::Zero(), normal = Vector3::Zero();
    double force = 0;                                   ///< normal force of the last evaluation (N)
    bool touched() const { return !normal.isZero(0); }  ///< at the end of the step before
  };

  const Memory& memory(size_t obstacle, size_t node) const {
    return memory_[obstacle * dof_.size() + node];
  }
  Memory& memory(size_t obstacle, size_t node) { return memory_[obstacle * dof_.size() + node]; }
  /// How far a node has moved over an obstacle in this step, with what it carries (m); the second
  /// number turns it into slip. Both 0 at rest for what did not touch before: the way to its place
  /// is none over the obstacle.
  std::pair<Vector3, double> Displacement(const Motion& motion, size_t obstacle, size_t node) const;
  double Gap(const Obstacle& obstacle, const Configuration& at, size_t node) const;
  Evaluation AddContact(const Motion& motion, size_t obstacle, size_t node, const Derivatives& out);
  double AddHeldFriction(const Motion& motion, size_t obstacle, size_t node,
                         const Derivatives& out);

  std::vector<int> dof_;  ///< of each node's x
  std::vector<double> radius_;
  std::vector<Obstacle> obstacles_;
  ContactOptions options_;
  std::vector<std::array<int, 9>> offset_;  ///< of each node's block
  std::vector<Memory> memory_;
  bool holds_ = false;
  std::vector<HeldContact> held_;    ///< as memory_
  ContactSummary latest_, summary_;  ///< of the last evaluation, and what is reported
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
