// A tendon: a cable without mass that runs through points of rods, bodies and space, free of
// friction there.
//
// Its length is L = sum |p_{i+1} - p_i| over the points of its path. A ring on a rod's edge lies at
//     p = (x0 + x1) / 2 + a m1 + b m2          (stencil/frame_offset.h)
// It is driven by its tension T, with the energy T L, which has no least value; or by its natural
// length L0, with the stiffness EA and the energy
//     EA / (2 L0) max(L - L0, 0)^2:
// it pulls only. Gradient and Hessian are exact; where it goes slack the Hessian jumps. L0 changes
// linearly within a step, so that what draws a stiff tendon in works by its tension, and not by
// what a jump between steps would have to stretch it.
//
// |d| has a kink where neighbours of the path coincide: sqrt(d^2 + e^2) stands for it, with e a
// millionth of the path's mean drawn distance, so that lengths are right to 1e-12 elsewhere.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "model/energy/step_force.h"
#include "model/geometry/network.h"
#include "model/stencil/frame_offset.h"

namespace strand {

/// On an edge of a rod, which it goes with.
struct TendonRing {
  int edge;
  Eigen::Vector2d offset;  ///< a, b: m along its m1 and m2
};

/// A node that it runs through: of a rod, a shell or a body.
struct TendonNode {
  int node;
};

/// What it runs through; a vector is a place fixed in space (m).
using TendonPoint = std::variant<TendonRing, TendonNode, Vector3>;

class Tendon : public StepForce {
 public:
  /// Slack: of tension 0. Throws ConfigError on fewer than two points, an edge that is none of a
  /// rod's, a node out of range, numbers that are not finite, a path of places alone or of no
  /// length.
  Tendon(const Network& network, const Dofs& dofs, const std::vector<TendonPoint>& path);

  /// From now on it pulls with this (N, >= 0), whatever its length. Throws ConfigError.
  void SetTension(double tension);
  /// At the end of the next step it has this natural length (m); if tension has driven it so far,
  /// it has it now. From now on it has the stiffness EA (N). Both > 0. Throws ConfigError.
  void SetLength(double length, double stiffness);

  double Length(const Configuration& at) const;  ///< of its path, m
  /// With which it pulls when no step is under way, N.
  double Tension(const Configuration& at) const;

  EnergyKind kind() const override {
    return stiffness_ == 0 ? EnergyKind::kExternal : EnergyKind::kInternal;
  }
  bool drives() const override { return length_at_end_ != length_at_start_; }
  void Accept(const Motion&) override { length_at_start_ = length_at_end_; }
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  static constexpr int kMost = 7;
  using Jacobian = Eigen::Matrix<double, 3, kMost>;
  struct Point {
    int edge = -1;
    Eigen::Vector2d offset = Eigen::Vector2d::Zero();
    Vector3 place = Vector3::Zero();
    int size = 0;                  // of its degrees of freedom: of two nodes and a spin, of a node
    std::array<int, kMost> dof{};  // and
    std::array<int, kMost> row{};  // their places in the group

    FrameOffset OffsetAt(const Configuration& at) const;
    Vector3 At(const Configuration& at) const;
    Jacobian By(const Configuration& at) const;
  };
  /// Energy, its first two derivatives by the path's length, and that by the part of the step.
  struct Pull {
    double energy = 0, tension = 0, stiffness = 0, driven = 0;
  };

  Point Made(const Network& network, const Dofs& dofs, const TendonPoint& given,
             const std::string& name) const;
  void AddToGroup(Point* point);
  double Between(const Vector3& apart) const { return std::sqrt(apart.squaredNorm() + soft_); }
  Pull PullAt(double length, double part) const;
  double Measure(const Configuration& at);
  void Differentiate(const Configuration& at);
  void AddHessian(const Configuration& at, const Pull& pull);
  void AddBlock(size_t a, size_t b, const Eigen::Matrix3d& by);

  std::vector<Point> point_;
  std::vector<int> group_;  ///< degrees of freedom of all points, each once
  std::vector<bool> angle_;
  std::vector<int> offset_;                         ///< of the numbers of the group's block
  double soft_ = 0;                                 ///< e^2, m^2
  double tension_ = 0;                              ///< N, if driven by it
  double length_at_start_ = 0, length_at_end_ = 0;  ///< of a step: m, if driven by it, and
  double stiffness_ = 0;                            ///< N; 0: driven by tension
  // Workspaces: per point; of the length by the group.
  std::vector<Vector3> at_, slope_;
  std::vector<Jacobian> by_;
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd hessian_;
};

}  // namespace strand
