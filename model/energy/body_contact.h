// Contact of rigid bodies with rods, shells and each other: penalty, friction, no tunnelling.
#pragma once

#include <tuple>
#include <vector>

#include "model/energy/carried_sites.h"
#include "model/energy/contact_force.h"

namespace strand {

class BodyContact : public ContactForce {
 public:
  /// `radius` (m) per edge of rods, `thickness` (m) per shell, `shape` per body, in its own axes.
  /// Throws ConfigError if a count does not match, an option is out of range, there are two
  /// cylinders (which cannot touch each other) or a cylinder and an obstacle mesh, or if anything
  /// is inside a body at `start` (m, per node; default: the network's positions).
  BodyContact(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
              const std::vector<double>& thickness, const std::vector<Obstacle>& shape,
              const ContactOptions& options, std::span<const Vector3> start = {});

  double stiffness() const { return options_.stiffness; }
  /// Energy (J) that raising the stiffness has added so far.
  double stiffness_work() const { return adaptive_.work(); }

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  bool Refresh(const Configuration& at) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return options_.conservative(); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  bool FreezeFriction(const Motion& motion) override;
  void ReleaseFriction() override { frozen_ = false; }
  void Push(const Configuration& start, double, std::span<double> move) override;
  double Limit(const Configuration& from, std::span<const double> step, const Passage&) override;
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to, const Passage&) override;
  bool Misses(const Configuration& from, std::span<const double> step) override;
  void Accept(const Motion& motion) override;
  void Adapt(double time) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  using AllSites = std::tuple<CarriedSites<2, 2>, CarriedSites<3, 3>, CarriedSites<1, 4>,
                              CarriedSites<2, 4>, CarriedSites<3, 4>>;
  /// Applies a function to the sites of every kind.
  template <class Function>
  void ForSites(Function&& function) {
    std::apply([&](auto&... sites) { (function(sites), ...); }, sites_);
  }
  template <class Function>
  void ForSites(Function&& function) const {
    std::apply([&](const auto&... sites) { (function(sites), ...); }, sites_);
  }

  ContactOptions options_;
  std::vector<CarriedObstacle> bodies_;
  AllSites sites_;
  bool frozen_ = false;
  AdaptiveStiffness adaptive_;
};

}  // namespace strand
