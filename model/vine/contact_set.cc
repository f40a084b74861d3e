#include "model/vine/contact_set.h"

#include <cmath>
#include <limits>

namespace strand {

VineContactSet::VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                               CornerNormal corner, bool own)
    : obstacles_(std::move(obstacles)),
      radius_(radius),
      corner_(corner),
      own_(own && radius > 0),
      entry_(static_cast<size_t>(capacity) * obstacles_.size()),
      point_(capacity),
      line_(capacity) {}

void VineContactSet::Linearise(const VineChain& chain, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& w, double dt) {
  dt_ = dt;
  ++stamp_;
  line_.Place(chain, q);
  for (int i = 0; i < chain.pairs; ++i) {
    const double heading = q[6 * i + 5], d = chain.half_length[i];
    point_[i].arm = {-d * std::sin(heading), d * std::cos(heading)};
    point_[i].start = w.segment<3>(6 * i + 3);
  }
}

// Computes the displacements of all points by the velocities v of bodies b. Returns the largest one
// (m).
double VineContactSet::Move(const Eigen::VectorXd& v) {
  double longest = 0;
  for (int i = 0; i < line_.points(); ++i) {
    Point& point = point_[i];
    const Eigen::Vector3d change = v.segment<3>(3 * i) - point.start;
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

VineContact VineContactSet::At(int point, int object) {
  VineContact contact{.point = point, .object = object};
  if (const int segment = Segment(object); segment >= 0) {
    const CentrelineDistance at = line_.Distance(point, segment);
    contact.gap = at.distance - 2 * radius_, contact.normal = at.normal;
  } else {
    const PlanarGap& gap = ObstacleGap(point, object);
    contact.gap = gap.gap, contact.normal = gap.normal;
  }
  return contact;
}

// Rows of a contact point along a normal and along the tangent, on the robot's axis.
ContactRows::Part VineContactSet::PartOf(int point, const Vector2& n) const {
  const Vector2 t(-n.y(), n.x()), &arm = point_[point].arm;
  return {point, {Eigen::Vector3d(n.x(), n.y(), n.dot(arm)), {t.x(), t.y(), t.dot(arm)}}};
}

// Friction acts on the skin, at the distance of the radius from the axis: for the point's body on
// the side that the normal comes from, for the segment on the side to which it points.
ContactRows VineContactSet::Rows(int point, int object) {
  const VineContact contact = At(point, object);
  ContactRows rows;
  rows.part[0] = PartOf(point, contact.normal);
  rows.part[0].row[1][2] -= radius_;
  if (const int segment = Segment(object); segment >= 0) {
    const double share = line_.Distance(point, segment).share;
    const auto append = [&](int end, double part) {
      ContactRows::Part& added = rows.part[rows.parts++] = PartOf(end, contact.normal);
      for (Eigen::Vector3d& row : added.row) row *= -part;
    };
    append(segment, share);
    rows.part[1].row[1][2] -= radius_;
    if (segment > 0) append(segment - 1, 1 - share);
  }
  rows.least_rate = -contact.gap / dt_;
  for (int k = 0; k < rows.parts; ++k) {
    rows.least_rate += rows.part[k].row[0].dot(point_[rows.part[k].pair].start);
  }
  return rows;
}

Eigen::Matrix3d VineContactSet::Curvature(int point, int object) {
  if (Segment(object) >= 0) return Eigen::Matrix3d::Zero();
  const PlanarGap& gap = ObstacleGap(point, object);
  const Vector2 n = gap.normal, t(-n.y(), n.x()), &arm = point_[point].arm;
  const Eigen::Vector3d tangent(t.x(), t.y(), t.dot(arm));
  Eigen::Matrix3d curvature = gap.curvature * tangent * tangent.transpose();
  curvature(2, 2) += n.dot(Vector2(-arm.y(), arm.x()));
  return curvature;
}

double VineContactSet::LeastGap(const Centreline& line, VineContact* found) const {
  double least = std::numeric_limits<double>::infinity();
  const int objects = static_cast<int>(obstacles_.size());
  for (int i = 0; i < line.points(); ++i) {
    const Vector2& p = line.point(i);
    for (int o = 0; o < objects; ++o) {
      const double far = least + obstacles_[o].radius + radius_;
      if ((p - obstacles_[o].centre).squaredNorm() > far * far && far > 0) continue;
      const PlanarGap at = EvaluateGap(obstacles_[o], p, corner_);
      if (!(at.gap - radius_ < least)) continue;
      least = at.gap - radius_;
      *found = {.point = i, .object = o, .gap = least, .normal = at.normal};
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
  return EvaluateGap(obstacles_[contact.object], line.point(contact.point)).gap - radius_;
}

}  // namespace strand
