// Contacts of a growing robot at one linearisation point, and which of them are in reach.
//
// Contact point i is the distal end of body b of pair i; its velocity is linear in that of the
// body, (v_x, v_y, w). A contact is a pair of a point and an object. The object is an obstacle, or
// a segment of the robot's own centreline, whose nearest point moves by the weighted mean of its
// ends (centreline.h). The gap after a step of dt, linearised at positions w dt from the step's
// start, is gap + dt n . (v - w).
//
// Obstacles also touch the segments between the points (segment_touch.h). Segment i, which ends at
// point i, is the straight line of pair i, so that the gap is a function of its body b alone, as if
// the contact point were on this body at the place of contact: gap = sigma n(th) . (c - x) - ...
// Its friction acts on the skin there, whose velocity along the segment is the weighted mean of the
// ends' velocities, since pairs telescope.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "model/vine/centreline.h"

namespace strand {

/// A contact and its impulse (N s).
struct VineContact {
  int point = -1, object = -1;       ///< objects: the obstacles, then the robot's segments
  int corner = -1;                   ///< of the obstacle that the segment touches; -1: the point
  double share = 1;                  ///< of the segment that ends at the point, up to the contact
  double gap = 0;                    ///< (m), at the linearisation point
  Vector2 normal = Vector2::Zero();  ///< from the object to the point
  double impulse = 0;                ///< along the normal, >= 0
  double friction = 0;               ///< along the normal turned by +90 degrees

  bool OnSegment() const { return corner >= 0; }
  bool IsSame(const VineContact& other) const {
    return point == other.point && object == other.object && corner == other.corner;
  }
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
  /// `segments`: whether obstacles touch segments, or points only. `own`: whether the robot has
  /// contact with itself.
  VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                 CornerNormal corner, bool segments, bool own);

  const std::vector<PlanarObstacle>& obstacles() const { return obstacles_; }
  double radius() const { return radius_; }
  int points() const { return line_.points(); }  ///< of the last linearisation
  bool empty() const { return obstacles_.empty() && !own_; }
  /// The segment of the robot that an object is; < 0: an obstacle.
  int Segment(int object) const { return object - static_cast<int>(obstacles_.size()); }

  /// Linearises at positions q, which are those at the step's start plus dt w.
  void Linearise(const VineChain& chain, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                 double dt);

  /// Whether a contact, active at another linearisation point, exists at this one: a segment's
  /// contact moves on to the next segment.
  bool Exists(const VineContact& contact) const;

  /// Gap (m), normal and rows of a contact at the linearisation point, where it exists.
  VineContact At(const VineContact& contact);
  ContactRows Rows(const VineContact& contact);

  /// Second derivatives of the gap (without friction) by the coordinates of the point's body. They
  /// are 0 for the robot's own segments: they would couple bodies far apart and are left out of the
  /// programs; and for a contact that has left its segment since it was active.
  Eigen::Matrix3d Curvature(const VineContact& contact);

  /// The contact with the smallest linearised gap at the velocities `v` of bodies b (three per
  /// pair), if that gap is below -tolerance (m). Contacts for which `skip(contact)` is true are
  /// ignored. Obstacles out of reach cost one comparison.
  template <class Skip>
  std::optional<VineContact> MostViolated(const Eigen::VectorXd& v, double tolerance, Skip&& skip);

  /// Smallest gap (m) of a robot along `line`; `found`: the contact that has it.
  double LeastGap(const Centreline& line, VineContact* found) const;
  /// Gap (m) of a contact of a robot along `line`.
  double GapOn(const Centreline& line, const VineContact& contact) const;
  /// VineContact::share of a contact of a robot along `line`.
  double ShareOn(const Centreline& line, const VineContact& contact) const;

 private:
  struct Entry {
    int stamp = 0;
    PlanarGap gap;
  };
  struct Point {
    Vector2 arm;            // velocity = (v_x, v_y) + w arm
    Eigen::Vector3d start;  // velocity of the body that leads to the linearisation point
    SegmentFrame segment;   // that ends at the point, along the body
    Vector2 move;           // workspace of MostViolated: displacement (m) from there by v,
    double turn;            // and rotation (rad)
  };

  const PlanarGap& ObstacleGap(int point, int object);
  std::optional<SegmentTouch> TouchOf(const VineContact& contact) const;
  ContactRows::Part PartOf(int point, const Vector2& normal, double place = 0) const;
  void AddOwnRows(const VineContact& contact, ContactRows* rows) const;
  void AddSegmentRows(const VineContact& contact, ContactRows* rows) const;
  template <class Consider>
  void ForObstacles(int point, const double& least, Consider&& consider);
  double Move(const Eigen::VectorXd& v);
  // Displacement of a segment's nearest point.
  Vector2 SegmentMove(int segment, double share) const {
    const Vector2 start = segment > 0 ? point_[segment - 1].move : Vector2::Zero();
    return (1 - share) * start + share * point_[segment].move;
  }

  std::vector<PlanarObstacle> obstacles_;
  double radius_;
  CornerNormal corner_;
  bool segments_, own_;
  std::vector<Entry> entry_;
  std::vector<Point> point_;
  Centreline line_;
  int stamp_ = 0;
  bool pinned_ = true;
  double dt_ = 0;
};

// Calls consider(contact, gap after the move) for the contacts of a point and of the segment that
// ends there with obstacles that may be less than `least` away after the move.
template <class Consider>
void VineContactSet::ForObstacles(int i, const double& least, Consider&& consider) {
  const Point& point = point_[i];
  const double reach = point.move.norm() + radius_;
  const double length = segments_ ? point.segment.length : 0;
  const double swing = std::abs(point.turn) * length;  // of the segment's other end
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const PlanarObstacle& obstacle = obstacles_[o];
    const double square = (line_.point(i) - obstacle.centre).squaredNorm();
    const double near = std::max(reach + obstacle.radius + least, 0.0);
    const double far = std::max(reach + obstacle.radius + least + swing, 0.0) + length;
    if (square > far * far) continue;
    if (square <= near * near) {
      const PlanarGap& gap = ObstacleGap(i, o);
      consider(VineContact{.point = i, .object = o, .gap = gap.gap, .normal = gap.normal},
               gap.gap + gap.normal.dot(point.move));
    }
    if (!segments_) continue;
    const Vector2 across = point.segment.Across();
    const double within = reach - radius_ + swing + least;
    ForTouches(obstacle, point.segment, radius_, within, [&](const SegmentTouch& at) {
      consider(VineContact{.point = i,
                           .object = o,
                           .corner = at.corner,
                           .share = 1 + at.place / length,
                           .gap = at.gap,
                           .normal = at.normal},
               at.gap + at.normal.dot(point.move + point.turn * at.place * across));
    });
  }
}

template <class Skip>
std::optional<VineContact> VineContactSet::MostViolated(const Eigen::VectorXd& v, double tolerance,
                                                        Skip&& skip) {
  std::optional<VineContact> worst;
  double least = -tolerance;
  const double farthest = Move(v);
  const int objects = static_cast<int>(obstacles_.size());
  const auto consider = [&](const VineContact& contact, double after) {
    if (!(after < least) || skip(contact)) return;
    least = after;
    worst = contact;
  };
  for (int i = 0; i < line_.points(); ++i) {
    ForObstacles(i, least, consider);
    if (!own_) continue;
    const Vector2& move = point_[i].move;
    const auto near = [&] { return move.norm() + 2 * radius_ + farthest + least; };
    line_.ForNear(i, radius_, near, [&](int j, const CentrelineDistance& at) {
      const double gap = at.distance - 2 * radius_;
      const Vector2 apart = move - SegmentMove(j, at.share);
      consider(VineContact{.point = i, .object = objects + j, .gap = gap, .normal = at.normal},
               gap + at.normal.dot(apart));
    });
  }
  return worst;
}

}  // namespace strand
