// Contacts of a growing robot at one linearisation point, and which of them are in reach.
//
// Contact point i is the distal end of body b of pair i; its velocity is linear in that body's,
// (v_x, v_y, w). A contact is a pair of point and obstacle. Its gap after a step of dt, linearised
// at positions that lie w dt from the step's start, is gap + dt n . (v - w).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/vine/chain.h"

namespace strand {

/// A contact and its impulse (N s).
struct VineContact {
  int point = -1, object = -1;
  double gap = 0;                    ///< (m), where it was linearised
  Vector2 normal = Vector2::Zero();  ///< from the obstacle to the robot
  double impulse = 0;                ///< along the normal, >= 0
  double friction = 0;               ///< along the normal turned by +90 degrees
};

/// Rows by the velocity of the contact point's body.
struct ContactRows {
  Eigen::Vector3d normal, tangent;
  double least_rate;  ///< normal . v >= this keeps the linearised gap >= 0
};

class VineContactSet {
 public:
  VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                 CornerNormal corner);

  const std::vector<PlanarObstacle>& obstacles() const { return obstacles_; }
  double radius() const { return radius_; }
  int points() const { return points_; }  ///< of the last linearisation

  /// Takes positions q, which lie dt w from those at the step's start.
  void Linearise(const VineChain& chain, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                 double dt);

  /// Gap (m) and normal of a contact; it is evaluated once for every linearisation.
  const PlanarGap& Gap(int point, int object);
  ContactRows Rows(int point, int object);

  /// Second derivatives of the gap (without friction) by its body's coordinates.
  Eigen::Matrix3d Curvature(int point, int object);

  /// The contact whose linearised gap at the bodies' velocities `v` (of bodies b, three a pair) is
  /// least, if it is below -tolerance (m). `skip(point, object)` leaves some out. Obstacles out of
  /// reach cost one comparison.
  template <class Skip>
  std::optional<VineContact> MostViolated(const Eigen::VectorXd& v, double tolerance, Skip&& skip);

  /// The least gap (m) at positions q; `found`: where it is.
  double LeastGap(const VineChain& chain, const Eigen::VectorXd& q, VineContact* found) const;

 private:
  struct Entry {
    int stamp = 0;
    PlanarGap gap;
  };
  struct Point {
    Vector2 position, arm;  // velocity = (v_x, v_y) + w arm
    Eigen::Vector3d start;  // of the body: the velocity that has led here
  };

  std::vector<PlanarObstacle> obstacles_;
  double radius_;
  CornerNormal corner_;
  std::vector<Entry> entry_;
  std::vector<Point> point_;
  int points_ = 0, stamp_ = 0;
  double dt_ = 0;
};

template <class Skip>
std::optional<VineContact> VineContactSet::MostViolated(const Eigen::VectorXd& v, double tolerance,
                                                        Skip&& skip) {
  std::optional<VineContact> worst;
  double least = -tolerance;
  const int objects = static_cast<int>(obstacles_.size());
  for (int i = 0; i < points_; ++i) {
    const Point& point = point_[i];
    const Eigen::Vector3d change = v.segment<3>(3 * i) - point.start;
    const Vector2 move = dt_ * (change.head<2>() + change[2] * point.arm);
    const double reach = move.norm() + radius_;
    for (int o = 0; o < objects; ++o) {
      const double far = std::max(reach + obstacles_[o].radius + least, 0.0);
      if ((point.position - obstacles_[o].centre).squaredNorm() > far * far) continue;
      const PlanarGap& gap = Gap(i, o);
      const double after = gap.gap + gap.normal.dot(move);
      if (!(after < least) || skip(i, o)) continue;
      least = after;
      worst = VineContact{.point = i, .object = o, .gap = gap.gap, .normal = gap.normal};
    }
  }
  return worst;
}

}  // namespace strand
