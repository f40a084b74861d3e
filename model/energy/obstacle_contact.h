// Contact of nodes, edges, triangles and rigid bodies with rigid obstacles: penalty, friction, no
// tunnelling.
#pragma once

#include <tuple>
#include <vector>

#include "model/energy/contact_force.h"
#include "model/energy/obstacle_sites.h"

namespace strand {

class ObstacleContact : public ContactForce {
 public:
  /// `radius` per node (m); `shape` per body, in its own axes: balls, capsules, boxes (cylinders
  /// have no corners: throws ConfigError). `nodes_alone`: edges and triangles pass through, as
  /// published codes let them. Throws ConfigError where an option is out of range, or where the
  /// middle of a node, an edge or a triangle starts inside an obstacle (`start`: m, per node; left
  /// out: as drawn).
  ObstacleContact(const Network& network, const Dofs& dofs, std::vector<double> radius,
                  const std::vector<Obstacle>& obstacles, const ContactOptions& options,
                  bool nodes_alone = false, const std::vector<Obstacle>& shape = {},
                  std::span<const Vector3> start = {});

  /// Drives an obstacle to where it is to be at the end of the next step, from where it was made.
  /// Throws ConfigError if there is no such obstacle, or if the pose is not finite.
  void Drive(int obstacle, const ObstaclePose& end);
  /// Where it is, or was at the start of a step under way.
  const ObstaclePose& pose(int obstacle) const { return obstacles_.at(obstacle).pose(); }
  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has put in so far.
  double stiffness_work() const { return adaptive_.work(); }
  /// As of the last report: where the last step was solved (of midpoint steps, in their middle).
  const ContactSummary& summary() const { return summary_; }

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return options_.conservative(); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool FreezeFriction(const Motion& motion) override;
  void ReleaseFriction() override { frozen_ = false; }
  bool drives() const override;
  void Push(const Configuration& start, double part, std::span<double> move) override;
  double Limit(const Configuration& from, std::span<const double> step,
               const Passage& passage) override;
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to,
                       const Passage& passage) override;
  void Accept(const Motion& motion) override;
  void Report() override { summary_ = latest_; }
  void Adapt(double time) override;

  /// Where obstacles are, carried slips (m) and what belongs to them, and the stiffness.
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  void Place(double part);
  /// Applies a function to the sites of every kind.
  template <class Function>
  void ForSites(Function&& function) {
    std::apply([&](auto&... sites) { (function(sites), ...); }, sites_);
  }
  template <class Function>
  void ForSites(Function&& function) const {
    std::apply([&](const auto&... sites) { (function(sites), ...); }, sites_);
  }

  std::vector<DrivenObstacle> obstacles_;
  ContactOptions options_;
  std::tuple<ObstacleSites<1>, ObstacleSites<2>, ObstacleSites<3>, ObstacleSites<1, 4>,
             ObstacleSites<2, 4>, ObstacleSites<3, 4>>
      sites_;
  bool frozen_ = false;
  ContactSummary latest_, summary_;  ///< of the last evaluation, and what is reported
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
