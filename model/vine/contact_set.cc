#include "model/vine/contact_set.h"

#include <cmath>
#include <limits>

namespace strand {

VineContactSet::VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                               CornerNormal corner, bool segments, bool own)
    : obstacles_(std::move(obstacles)),
      radius_(radius),
      corner_(corner),
      segments_(segments),
      own_(own && radius > 0),
      entry_(static_cast<size_t>(capacity) * obstacles_.size()),
      point_(capacity),
      line_(capacity) {}

void VineContactSet::Linearise(const VineChain& chain, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& w, double dt) {
  dt_ = dt;
  pinned_ = chain.pinned;
  ++stamp_;
  line_.Place(chain, q);
  for (int i = 0; i < chain.pairs; ++i) {
    Point& point = point_[i];
    const Vector2 along(std::cos(q[6 * i + 5]), std::sin(q[6 * i + 5]));
    point.segment = {line_.point(i), along, line_.Length(i)};
    point.arm = chain.half_length[i] * point.segment.Across();
    point.start = w.segment<3>(6 * i + 3);
  }
}

// Computes the displacements of all points by the velocities v of bodies b. Returns the largest one
// (m).
double VineContactSet::Move(const Eigen::VectorXd& v) {
  double longest = 0;
  for (int i = 0; i < line_.points(); ++i) {
    Point& point = point_[i];
    const Eigen::Vector3d change = v.segment<3>(3 * i) - point.start;
    point.turn = dt_ * change[2];
    point.move = dt_ * (change.head<2>() + change[2] * point.arm);
    longest = std::max(longest, point.move.norm());
  }
  return longest;
}

// Evaluated at most once per linearisation.
const PlanarGap& VineContactSet::ObstacleGap(int point, int object) {
  Entry& entry = entry_[point * obstacles_.size() + object];
  if (entry.stamp != stamp_) {
    entry = {stamp_, EvaluateGap(obstacles_[object], line_.point(point), corner_)};
    entry.gap.gap -= radius_;
  }
  return entry.gap;
}

std::optional<SegmentTouch> VineContactSet::TouchOf(const VineContact& contact) const {
  std::optional<SegmentTouch> found;
  ForTouches(obstacles_[contact.object], point_[contact.point].segment, radius_,
             std::numeric_limits<double>::infinity(), [&](const SegmentTouch& at) {
               if (at.corner == contact.corner) found = at;
             });
  return found;
}

bool VineContactSet::Exists(const VineContact& contact) const {
  return !contact.OnSegment() || TouchOf(contact).has_value();
}

VineContact VineContactSet::At(const VineContact& contact) {
  VineContact now{.point = contact.point, .object = contact.object, .corner = contact.corner};
  if (contact.OnSegment()) {
    const SegmentTouch at = TouchOf(contact).value();
    now.gap = at.gap, now.normal = at.normal;
    now.share = 1 + at.place / point_[contact.point].segment.length;
  } else if (const int segment = Segment(contact.object); segment >= 0) {
    const CentrelineDistance at = line_.Distance(contact.point, segment);
    now.gap = at.distance - 2 * radius_, now.normal = at.normal;
  } else {
    const PlanarGap& gap = ObstacleGap(contact.point, contact.object);
    now.gap = gap.gap, now.normal = gap.normal;
  }
  return now;
}

// Rows of a place on the robot's axis along a normal and along the tangent. `place`: along the body
// from the contact point (m).
ContactRows::Part VineContactSet::PartOf(int point, const Vector2& n, double place) const {
  const Vector2 t(-n.y(), n.x());
  const Vector2 arm = point_[point].arm + place * point_[point].segment.Across();
  return {point, {Eigen::Vector3d(n.x(), n.y(), n.dot(arm)), {t.x(), t.y(), t.dot(arm)}}};
}

// The nearest point of the robot's own segment moves by the weighted mean of its ends.
void VineContactSet::AddOwnRows(const VineContact& contact, ContactRows* rows) const {
  const int segment = Segment(contact.object);
  const double share = line_.Distance(contact.point, segment).share;
  const auto append = [&](int end, double part) {
    ContactRows::Part& added = rows->part[rows->parts++] = PartOf(end, contact.normal);
    for (Eigen::Vector3d& row : added.row) row *= -part;
  };
  append(segment, share);
  rows->part[1].row[1][2] -= radius_;
  if (segment > 0) append(segment - 1, 1 - share);
}

// The rows of the place of contact on a segment. Its start is the base or the point before.
void VineContactSet::AddSegmentRows(const VineContact& contact, ContactRows* rows) const {
  const double place = (contact.share - 1) * point_[contact.point].segment.length;
  rows->part[0] = PartOf(contact.point, contact.normal, place);
  if (contact.point == 0 && !pinned_) return;  // its start moves with the pair's first body
  rows->part[0].row[1] *= contact.share;
  if (contact.point == 0) return;
  ContactRows::Part& start = rows->part[rows->parts++] = PartOf(contact.point - 1, contact.normal);
  start.row[0].setZero();
  start.row[1] *= 1 - contact.share;
}

// Friction acts on the skin, at the distance of the radius from the axis: for the point's body on
// the side that the normal comes from, for the segment on the side to which it points.
ContactRows VineContactSet::Rows(const VineContact& given) {
  const VineContact contact = At(given);
  ContactRows rows;
  if (contact.OnSegment()) {
    AddSegmentRows(contact, &rows);
  } else {
    rows.part[0] = PartOf(contact.point, contact.normal);
    if (Segment(contact.object) >= 0) AddOwnRows(contact, &rows);
  }
  rows.part[0].row[1][2] -= radius_;
  rows.least_rate = -contact.gap / dt_;
  for (int k = 0; k < rows.parts; ++k) {
    rows.least_rate += rows.part[k].row[0].dot(point_[rows.part[k].pair].start);
  }
  return rows;
}

Eigen::Matrix3d VineContactSet::Curvature(const VineContact& contact) {
  if (Segment(contact.object) >= 0) return Eigen::Matrix3d::Zero();
  const Vector2& arm = point_[contact.point].arm;
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();
  if (contact.OnSegment()) {  // of sigma n(th) . (c - x)
    const std::optional<SegmentTouch> found = TouchOf(contact);
    if (!found) return curvature;
    const SegmentTouch& at = *found;
    const SegmentFrame& segment = point_[contact.point].segment;
    const PlanarObstacle& obstacle = obstacles_[contact.object];
    const bool circle = obstacle.shape == PlanarObstacle::Shape::kCircle;
    const double side = -at.normal.dot(segment.Across());
    curvature.topRightCorner<2, 1>() = side * segment.along;
    curvature.bottomLeftCorner<1, 2>() = side * segment.along.transpose();
    curvature(2, 2) = -(at.gap + radius_ + (circle ? obstacle.radius : 0));
    return curvature;
  }
  const PlanarGap& gap = ObstacleGap(contact.point, contact.object);
  const Vector2 n = gap.normal, t(-n.y(), n.x());
  const Eigen::Vector3d tangent(t.x(), t.y(), t.dot(arm));
  curvature = gap.curvature * tangent * tangent.transpose();
  curvature(2, 2) += n.dot(Vector2(-arm.y(), arm.x()));
  return curvature;
}

double VineContactSet::LeastGap(const Centreline& line, VineContact* found) const {
  double least = std::numeric_limits<double>::infinity();
  const int objects = static_cast<int>(obstacles_.size());
  for (int i = 0; i < line.points(); ++i) {
    const Vector2& p = line.point(i);
    const double length = segments_ ? line.Length(i) : 0;
    for (int o = 0; o < objects; ++o) {
      const double far = std::max(least + obstacles_[o].radius + radius_, 0.0) + length;
      if ((p - obstacles_[o].centre).squaredNorm() > far * far) continue;
      const PlanarGap at = EvaluateGap(obstacles_[o], p, corner_);
      if (at.gap - radius_ < least) {
        least = at.gap - radius_;
        *found = {.point = i, .object = o, .gap = least, .normal = at.normal};
      }
      if (!segments_) continue;
      ForTouches(obstacles_[o], line.Segment(i), radius_, least, [&](const SegmentTouch& touch) {
        if (!(touch.gap < least)) return;
        least = touch.gap;
        *found = {
            .point = i, .object = o, .corner = touch.corner, .gap = least, .normal = touch.normal};
        found->share = 1 + touch.place / length;
      });
    }
    if (!own_) continue;
    const auto near = [&] { return std::max(least + 2 * radius_, 0.0); };
    line.ForNear(i, radius_, near, [&](int j, const CentrelineDistance& at) {
      if (!(at.distance - 2 * radius_ < least)) return;
      least = at.distance - 2 * radius_;
      *found = {.point = i, .object = objects + j, .gap = least, .normal = at.normal};
    });
  }
  return least;
}

double VineContactSet::GapOn(const Centreline& line, const VineContact& contact) const {
  if (const int segment = Segment(contact.object); segment >= 0) {
    return line.Distance(contact.point, segment).distance - 2 * radius_;
  }
  const PlanarObstacle& obstacle = obstacles_[contact.object];
  if (contact.OnSegment()) {
    return TouchGap(obstacle, line.Segment(contact.point), contact.corner, radius_);
  }
  return EvaluateGap(obstacle, line.point(contact.point)).gap - radius_;
}

double VineContactSet::ShareOn(const Centreline& line, const VineContact& contact) const {
  if (!contact.OnSegment()) return 1;
  return TouchShare(obstacles_[contact.object], line.Segment(contact.point), contact.corner);
}

}  // namespace strand
