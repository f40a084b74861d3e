// Stretching of the link of a rod that passes through a mouth, a small fixed ring.
//
//     E = k / 2 (D - l)^2,   D = (m - x_0) . a + r(x_1 - m)
// The link goes from node 0, which is held on the axis a behind the mouth m, to the mouth, and
// straight on to the free node 1: its tension acts from the mouth, about which the rod turns. r is
// the distance of node 1 from the mouth. While that is small, and at the start of a step perhaps on
// the other side, r is expanded about the axis,
//
//     r = d . a + |d - (d . a) a|^2 / (2 h),   d = x_1 - m
// with the length h (`near`) of the link outside. Exact derivatives; singular: d = 0 with h = 0.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class Mouth : public Force {
 public:
  /// `node`: the dof of x of each node of the rod, in order; `place` m; `axis` a, a unit vector.
  Mouth(const Dofs& dofs, std::vector<int> node, const Vector3& place, const Vector3& axis);

  /// The mouth holds link `link` (between nodes `link` and `link` + 1) of the natural length l (m),
  /// with the stiffness k (N/m); `near` (m): h, or 0 for the distance itself. Throws ConfigError if
  /// a value is out of range.
  void Set(int link, double length, double stiffness, double near);
  void Release() { stiffness_ = 0; }

  double Energy(const Configuration& at) const;  ///< J
  double ByNear(const Configuration& at) const;  ///< dE/dh (N)

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Terms {
    double tension, energy;  ///< N, J
    Vector3 slope;           ///< dr/dx_1
    Eigen::Matrix3d curve;   ///< its derivative (1/m)
  };
  Terms At(const Configuration& at) const;
  Vector3 Across(const Configuration& at) const;

  std::vector<int> node_;
  Vector3 place_, axis_;
  int link_ = 0;
  double length_ = 0, stiffness_ = 0, near_ = 0;
  std::vector<std::array<int, 36>> entry_;  ///< offsets in the matrix of each link's block
};

}  // namespace strand
