// A user-defined force on a group of degrees of freedom, with its Jacobian.
#pragma once

#include <functional>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class UserForce : public Force {
 public:
  /// Fills `force` (N, N m; one per dof of the group) and `jacobian` (column-major) at positions
  /// `q`, velocities `v` and time t (s). The Jacobian is the total derivative by q, velocities
  /// included: `per_time` is dv/dq (1/s). Returns the potential (J), which is ignored unless the
  /// force is conservative.
  using Function =
      std::function<double(std::span<const double> q, std::span<const double> v, double t,
                           double per_time, std::span<double> force, std::span<double> jacobian)>;

  /// `conservative`: the force is minus the gradient of the returned potential. Throws ConfigError
  /// if a dof is out of range.
  UserForce(const Dofs& dofs, std::vector<int> group, bool conservative, Function function);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  EnergyKind kind() const override { return EnergyKind::kExternal; }  // no known lower bound
  bool conservative() const override { return conservative_; }
  bool supplies() const override { return !conservative_; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<int> group_;
  bool conservative_;
  Function function_;
  std::vector<bool> angle_;
  std::vector<int> offset_;  ///< of each of the Jacobian's entries
  std::vector<double> q_, v_, force_, jacobian_;
};

}  // namespace strand
