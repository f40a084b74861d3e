#include "model/vine/centreline.h"

#include <cmath>

namespace strand {

void Centreline::Place(const VineChain& chain, const Eigen::VectorXd& q) {
  points_ = chain.pairs;
  base_ = chain.base;
  if (!chain.pinned && points_ > 0) {
    base_ = q.head<2>() - chain.half_length[0] * Vector2(std::cos(q[2]), std::sin(q[2]));
  }
  for (int i = 0; i < points_; ++i) {
    point_[i] = ContactPoint(chain, q, i);
    arc_[i] = StartArc(i) + (point_[i] - Start(i)).norm();
  }
}

// For a point on the centreline itself the normal points to the segment's left.
CentrelineDistance Centreline::Distance(int point, int segment) const {
  const Vector2 start = Start(segment), along = point_[segment] - start;
  const double square = along.squaredNorm();
  CentrelineDistance at;
  at.share = square > 0 ? along.dot(point_[point] - start) / square : 0;
  at.share = std::clamp(at.share, 0.0, 1.0);
  const Vector2 offset = point_[point] - start - at.share * along;
  at.distance = offset.norm();
  at.normal = Vector2::UnitX();
  if (at.distance > 0) {
    at.normal = offset / at.distance;
  } else if (square > 0) {
    at.normal = Vector2(-along.y(), along.x()) / std::sqrt(square);
  }
  return at;
}

}  // namespace strand
