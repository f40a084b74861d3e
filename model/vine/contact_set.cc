#include "model/vine/contact_set.h"

#include <cmath>
#include <limits>

namespace strand {

VineContactSet::VineContactSet(std::vector<PlanarObstacle> obstacles, int capacity, double radius,
                               CornerNormal corner)
    : obstacles_(std::move(obstacles)),
      radius_(radius),
      corner_(corner),
      entry_(static_cast<size_t>(capacity) * obstacles_.size()),
      point_(capacity) {}

void VineContactSet::Linearise(const VineChain& chain, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& w, double dt) {
  points_ = chain.pairs;
  dt_ = dt;
  ++stamp_;
  for (int i = 0; i < points_; ++i) {
    const double* b = q.data() + 6 * i + 3;
    const Vector2 along = chain.half_length[i] * Vector2(std::cos(b[2]), std::sin(b[2]));
    point_[i] = {
        {b[0] + along.x(), b[1] + along.y()}, {-along.y(), along.x()}, w.segment<3>(6 * i + 3)};
  }
}

const PlanarGap& VineContactSet::Gap(int point, int object) {
  Entry& entry = entry_[point * obstacles_.size() + object];
  if (entry.stamp != stamp_) {
    entry = {stamp_, EvaluateGap(obstacles_[object], point_[point].position, corner_)};
    entry.gap.gap -= radius_;
  }
  return entry.gap;
}

ContactRows VineContactSet::Rows(int point, int object) {
  const PlanarGap& gap = Gap(point, object);
  const Point& at = point_[point];
  const Vector2 n = gap.normal, t(-n.y(), n.x());
  ContactRows rows;
  rows.normal << n, n.dot(at.arm);
  rows.tangent << t, t.dot(at.arm) - radius_;  // friction acts on the skin
  rows.least_rate = rows.normal.dot(at.start) - gap.gap / dt_;
  return rows;
}

Eigen::Matrix3d VineContactSet::Curvature(int point, int object) {
  const PlanarGap& gap = Gap(point, object);
  const Point& at = point_[point];
  const Vector2 n = gap.normal, t(-n.y(), n.x());
  const Eigen::Vector3d tangent(t.x(), t.y(), t.dot(at.arm));
  Eigen::Matrix3d curvature = gap.curvature * tangent * tangent.transpose();
  curvature(2, 2) += n.dot(Vector2(-at.arm.y(), at.arm.x()));
  return curvature;
}

double VineContactSet::LeastGap(const VineChain& chain, const Eigen::VectorXd& q,
                                VineContact* found) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < chain.pairs; ++i) {
    const Vector2 p = ContactPoint(chain, q, i);
    for (size_t o = 0; o < obstacles_.size(); ++o) {
      const double far = least + obstacles_[o].radius + radius_;
      if ((p - obstacles_[o].centre).squaredNorm() > far * far && far > 0) continue;
      const PlanarGap at = EvaluateGap(obstacles_[o], p, corner_);
      if (!(at.gap - radius_ < least)) continue;
      least = at.gap - radius_;
      *found = {.point = i, .object = static_cast<int>(o), .gap = least, .normal = at.normal};
    }
  }
  return least;
}

}  // namespace strand
