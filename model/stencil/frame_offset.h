// Derivatives of a vector o = a m1 + b m2 that is fixed in an edge's frame, perpendicular to the
// edge.
//
// With the edge vector e = l t, a change (de, psi) of edge vector and spin, and n = t x o,
//     do = n psi - t (o . de) / l,
// and for any constant vector v with the component w = v - (v . t) t perpendicular to the edge,
//     d2(v . o) / de de   = ((v . t) (o t^T + t o^T) - (o w^T + w o^T) / 2) / l^2
//     d2(v . o) / de dpsi = -(v . t) n / l
//     d2(v . o) / dpsi2   = -v . o.
// These hold for a frame that is parallel-transported directly to the new edge direction and then
// spun. That frame is a function of the change alone, so that the second derivatives are symmetric.
// The Jacobian of the gradient with frames that move along has an additional antisymmetric part,
// the holonomy.
#pragma once

#include "model/geometry/frame.h"

namespace strand {

struct FrameOffset {
  struct Second {
    Eigen::Matrix3d edge;  ///< 1/m per m of v . o
    Vector3 mixed;
    double spin;
  };

  /// `length` (m) of the edge; offset (m) along m1 and m2.
  FrameOffset(const Frame& frame, double length_of_edge, const Eigen::Vector2d& offset)
      : t(frame.col(0)),
        value(frame.rightCols<2>() * offset),
        by_spin(offset[0] * frame.col(2) - offset[1] * frame.col(1)),
        length(length_of_edge) {}

  /// do/de.
  Eigen::Matrix3d ByEdge() const { return -t * value.transpose() / length; }

  /// Second derivatives of v . o.
  Second SecondAlong(const Vector3& v) const {
    const double along = v.dot(t);
    const Vector3 across = v - along * t;
    const Eigen::Matrix3d turned = (along * t - 0.5 * across) * value.transpose();
    return {(turned + turned.transpose()) / (length * length), -along / length * by_spin,
            -v.dot(value)};
  }

  Vector3 t, value, by_spin;
  double length;
};

}  // namespace strand
