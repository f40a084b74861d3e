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
  /// `radius` per node (m); `shape` per body, in its own axes: spheres, capsules or boxes.
  /// `nodes_alone`: only nodes touch obstacles; edges and triangles pass through, as in published
  /// codes. Throws ConfigError if an option is out of range, if a shape is a cylinder (it has no
  /// corners), or if the middle of a node, an edge or a triangle is inside an obstacle at `start`
  /// (m, per node; default: the network's positions).
  ObstacleContact(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
                  const std::vector<Obstacle>& obstacles, const ContactOptions& options,
                  bool nodes_alone = false, const std::vector<Obstacle>& shape = {},
                  std::span<const Vector3> start = {});

  /// Drives an obstacle to its pose at the end of the next step, relative to where it was made.
  /// Throws ConfigError if `obstacle` is out of range or the pose is not finite.
  void Drive(int obstacle, const ObstaclePose& end);
  /// Sets the velocity (m/s) of an obstacle's surface. Throws ConfigError as Drive does.
  void SetVelocity(int obstacle, const Vector3& velocity);
  /// Current pose of an obstacle; during a step, the pose at its start.
  const ObstaclePose& pose(int obstacle) const { return obstacles_.at(obstacle).pose(); }
  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has added so far.
  double stiffness_work() const { return adaptive_.work(); }

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return options_.conservative(); }
  bool supplies() const override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool FreezeFriction(const Motion& motion) override;
  void ReleaseFriction() override { frozen_ = false; }
  bool drives() const override;
  void Push(const Configuration& start, double part, std::span<double> move) override;
  double Limit(const Configuration& from, std::span<const double> step,
               const Passage& passage) override;
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to,
                       const Passage& passage) override;
  bool Misses(const Configuration& from, std::span<const double> step) override;
  void Accept(const Motion& motion) override;
  void Adapt(double time) override;

  /// The adaptive stiffness, the obstacles' poses, carried slips (m) and their data.
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  DrivenObstacle& At(int obstacle);
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
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
