// A force of the user's own on a group of degrees of freedom, with its Jacobian.
#pragma once

#include <functional>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class UserForce : public Force {
 public:
  /// Fills `force` (N, N m; one per dof of the group) and `jacobian` (its derivative by the
  /// group's positions, with velocities moving along: column-major) at positions `q`, velocities
  /// `v` and time t (s). `per_time` is dv/dq (1/s). Returns its potential (J), which counts if it
  /// is conservative.
  using Function =
      std::function<double(std::span<const double> q, std::span<const double> v, double t,
                           double per_time, std::span<double> force, std::span<double> jacobian)>;

  /// `conservative`: the force is minus the gradient of the potential returned. Throws ConfigError
  /// on a dof out of range.
  UserForce(const Dofs& dofs, std::vector<int> group, bool conservative, Function function);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  EnergyKind kind() const override { return EnergyKind::kExternal; }  // of no known least value
  bool conservative() const override { return conservative_; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<int> group_;
  bool conservative_;
  Function function_;
  std::vector<bool> angle_;
  std::vector<int> offset_;  ///< of each of the Jacobian's numbers
  std::vector<double> q_, v_, force_, jacobian_;
};

}  // namespace strand
