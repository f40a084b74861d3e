// Contacts of a growing robot at one linearisation point, and which of them are in reach.
//
// Contact point i is the distal end of body b of pair i; its velocity is linear in that of the
// body, (v_x, v_y, w). A contact is a pair of a point and an object. The object is an obstacle, or
// a segment of the robot's own centreline, whose nearest point moves by the weighted mean of its
// ends (centreline.h). The gap after a step of dt, linearised at positions w dt from the step's
// start, is gap + dt n . (v - w).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/vine/centreline.h"

namespace strand {

/// A contact and its impulse (N s).
struct VineContact {
  int point = -1, object = -1;       ///< objects: the obstacles, then the robot's segments
  double gap = 0;                    ///< (m), at the linearisation point
  Vector2 normal = Vector2::Zero();  ///< from the object to the point
  double impulse = 0;                ///< along the normal, >= 0
  double friction = 0;               ///< along the normal turned by +90 degrees
};

/// A contact's velocities, 0 along its normal and 1 along its tangent, as rows that multiply the
/// velocities of bodies b.
struct ContactRows {
  struct Part {
    int pair;                            ///< the pair of the body b
    std::array<Eigen::Vector3d, 2> row;  ///< by its (v_x, v_y, w)
  };

  /// `bodies`: velocities of bodies b, three per pair.
  template <class Vector>
  double Rate(int direction, const Vector& bodies) const {
    double rate = 0;
    for (int k = 0; k < parts; ++k) {
      rate += part[k].row[direction].dot(bodies.template segment<3>(3 * part[k].pair));
    }
    return rate;
  }

  std::array<Part, 3> part;
  int parts = 1;
  double least_rate;  ///< the rate along the normal that keeps the linearised gap at 0
};

class VineContactSet {
 public:
  /// `own`: whether the robot has contact with itself.
  VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                 CornerNormal corner, bool own);

  const std::vector<PlanarObstacle>& obstacles() const { return obstacles_; }
  double radius() const { return radius_; }
  int points() const { return line_.points(); }  ///< of the last linearisation
  bool empty() const { return obstacles_.empty() && !own_; }
  /// The segment of the robot that an object is; < 0: an obstacle.
  int Segment(int object) const { return object - static_cast<int>(obstacles_.size()); }

  /// Linearises at positions q, which are those at the step's start plus dt w.
  void Linearise(const VineChain& chain, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                 double dt);

  /// Gap (m), normal and rows of a contact at the linearisation point.
  VineContact At(int point, int object);
  ContactRows Rows(int point, int object);

  /// Second derivatives of the gap (without friction) by the coordinates of the point's body. They
  /// are 0 for the robot's own segments: they would couple bodies far apart and are left out of the
  /// programs.
  Eigen::Matrix3d Curvature(int point, int object);

  /// The contact with the smallest linearised gap at the velocities `v` of bodies b (three per
  /// pair), if that gap is below -tolerance (m). Contacts for which `skip(point, object)` is true
  /// are ignored. Obstacles out of reach cost one comparison.
  template <class Skip>
  std::optional<VineContact> MostViolated(const Eigen::VectorXd& v, double tolerance, Skip&& skip);

  /// Smallest gap (m) of a robot along `line`; `found`: the contact that has it.
  double LeastGap(const Centreline& line, VineContact* found) const;
  /// Gap (m) of a contact of a robot along `line`.
  double GapOn(const Centreline& line, const VineContact& contact) const;

 private:
  struct Entry {
    int stamp = 0;
    PlanarGap gap;
  };
  struct Point {
    Vector2 arm;            // velocity = (v_x, v_y) + w arm
    Eigen::Vector3d start;  // velocity of the body that leads to the linearisation point
    Vector2 move;           // workspace of MostViolated: displacement (m) from there by v
  };

  const PlanarGap& ObstacleGap(int point, int object);
  ContactRows::Part PartOf(int point, const Vector2& normal) const;
  double Move(const Eigen::VectorXd& v);
  // Displacement of a segment's nearest point.
  Vector2 SegmentMove(int segment, double share) const {
    const Vector2 start = segment > 0 ? point_[segment - 1].move : Vector2::Zero();
    return (1 - share) * start + share * point_[segment].move;
  }

  std::vector<PlanarObstacle> obstacles_;
  double radius_;
  CornerNormal corner_;
  bool own_;
  std::vector<Entry> entry_;
  std::vector<Point> point_;
  Centreline line_;
  int stamp_ = 0;
  double dt_ = 0;
};

template <class Skip>
std::optional<VineContact> VineContactSet::MostViolated(const Eigen::VectorXd& v, double tolerance,
                                                        Skip&& skip) {
  std::optional<VineContact> worst;
  double least = -tolerance;
  const double farthest = Move(v);
  const int objects = static_cast<int>(obstacles_.size());
  const auto consider = [&](int i, int object, double gap, const Vector2& normal, double after) {
    if (!(after < least) || skip(i, object)) return;
    least = after;
    worst = VineContact{.point = i, .object = object, .gap = gap, .normal = normal};
  };
  for (int i = 0; i < line_.points(); ++i) {
    const Vector2& move = point_[i].move;
    const double reach = move.norm() + radius_;
    for (int o = 0; o < objects; ++o) {
      const double far = std::max(reach + obstacles_[o].radius + least, 0.0);
      if ((line_.point(i) - obstacles_[o].centre).squaredNorm() > far * far) continue;
      const PlanarGap& gap = ObstacleGap(i, o);
      consider(i, o, gap.gap, gap.normal, gap.gap + gap.normal.dot(move));
    }
    if (!own_) continue;
    const auto near = [&] { return reach + radius_ + farthest + least; };
    line_.ForNear(i, radius_, near, [&](int j, const CentrelineDistance& at) {
      const double gap = at.distance - 2 * radius_;
      const Vector2 apart = move - SegmentMove(j, at.share);
      consider(i, objects + j, gap, at.normal, gap + at.normal.dot(apart));
    });
  }
  return worst;
}

}  // namespace strand
