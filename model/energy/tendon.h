// A tendon: a massless cable that runs without friction through points of rods, shells, bodies and
// space.
//
// Its length is L = sum |p_{i+1} - p_i| over the points of its path. A ring on a rod's edge lies at
//     p = (x0 + x1) / 2 + a m1 + b m2          (stencil/frame_offset.h)
// It is driven by its tension T, with the energy T L, which is not bounded below, or by its natural
// length L0, with the stiffness EA and the energy
//     EA / (2 L0) max(L - L0, 0)^2:
// it can only pull. Gradient and Hessian are exact; the Hessian jumps where the tendon becomes
// slack. L0 changes linearly within a step. The work of shortening a stiff tendon is then that of
// its tension; a jump of L0 between steps would count as stretching it.
//
// |d| has a kink where neighbouring points of the path coincide. It is replaced by sqrt(d^2 + e^2),
// with e a millionth of the initial mean distance of neighbouring points, so that lengths are
// correct to 1e-12 elsewhere.
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

/// A ring that is fixed to an edge of a rod.
struct TendonRing {
  int edge;
  Eigen::Vector2d offset;  ///< a, b: m along m1 and m2 of the edge
};

/// A node of a rod, a shell or a body.
struct TendonNode {
  int node;
};

/// A point of the path; a vector is a place fixed in space (m).
using TendonPoint = std::variant<TendonRing, TendonNode, Vector3>;

class Tendon : public StepForce {
 public:
  /// Slack at first: driven by a tension of 0. Throws ConfigError if the path has fewer than two
  /// points, zero length or only points fixed in space, if an edge belongs to no rod, if a node is
  /// out of range, or if a number is not finite.
  Tendon(const Network& network, const Dofs& dofs, const std::vector<TendonPoint>& path);

  /// From now on the tendon has this tension (N, >= 0), whatever its length. Throws ConfigError if
  /// it is negative or not finite.
  void SetTension(double tension);
  /// Sets the natural length (m) at the end of the next step, and the stiffness EA (N) from now on.
  /// If the tendon has been driven by tension so far, the length applies at once. Throws
  /// ConfigError unless both are finite and > 0.
  void SetLength(double length, double stiffness);

  double Length(const Configuration& at) const;  ///< of the path, m
  /// Tension (N) when no step is in progress.
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
    int size = 0;                  // number of its degrees of freedom: ring 7, node 3, place 0
    std::array<int, kMost> dof{};  // its degrees of freedom
    std::array<int, kMost> row{};  // their indices in the group

    FrameOffset OffsetAt(const Configuration& at) const;
    Vector3 At(const Configuration& at) const;
    Jacobian By(const Configuration& at) const;
  };
  /// Energy, its first two derivatives by the path's length, and that by the fraction of the step.
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
  std::vector<int> group_;  ///< degrees of freedom of all points, without repetition
  std::vector<bool> angle_;
  std::vector<int> offset_;                         ///< of the entries of the group's block
  double soft_ = 0;                                 ///< e^2, m^2
  double tension_ = 0;                              ///< N, if driven by tension
  double length_at_start_ = 0, length_at_end_ = 0;  ///< m, natural length at both ends of a step
  double stiffness_ = 0;                            ///< EA (N); 0: driven by tension
  // Workspaces: data per point; derivatives by the group.
  std::vector<Vector3> at_, slope_;
  std::vector<Jacobian> by_;
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd hessian_;
};

}  // namespace strand
