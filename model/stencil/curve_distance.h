// Distance of two curved edges (geometry/edge_curve.h), over q = (x_0 .. x_3, y_0 .. y_3), the
// nodes of each edge and their neighbours: pair_distance.h with
//     m = (b(s), -b(t)),   p = (s, t),   p0 = (1/2, 1/2).
//
// Straight edges that cross under a load are closest at a node: every node of a polyline is the
// bottom of a trough, where a rod that should slide freely stops, half an edge off. Curves are
// accurate to second order. Where the curves of successive edges overlap, a pair has the weight
//     chi = chi_a(s) chi_b(t);
// the weights of all overlapping pairs sum to one, since nodes would be ridges otherwise.
//
// As for straight edges (segment_distance.h) a spread w attracts the points to the middles. It acts
// where edges lie side by side, or where curves are concave towards each other so that they would
// touch twice; for crossing edges it is zero. With d the distance at which they touch, l the length
// of an edge and n the norm of its second derivatives (at both ends together)
//     w0 = 2 ramp(e) / (1 / l_a^2 + 1 / l_b^2),
//     e = e0 + d (n_a / l_a^2 + n_b / l_b^2) - sin^2 / 2,
// so that the Hessian of f, [l_a^2 - d n_a, l_a l_b cos; l_a l_b cos, l_b^2 - d n_b] + w0, is
// positive. But D exceeds the distance by up to w / (4 d): where edges are long beside their radius
// of curvature and d, w0 would hide a contact away from the middles. Hence
//     w = w0 / (1 + w0 / (c d^2 + 4 w_s)),   w_s: of straight edges side by side.
// Where w is much smaller than w0, two points may be equally near. Since w depends on q, dD/dq has
// the additional term (dw/dq) |p - p0|^2 / (2 D), and B the term (dw/dq) (p - p0)^T.
#pragma once

#include "model/geometry/edge_curve.h"
#include "model/stencil/pair_distance.h"

namespace strand {

/// The spread w (m^2) of two curves and its derivatives by their nodes.
class CurveSpread {
 public:
  using Gradients = Eigen::Matrix<double, 24, 1>;
  using Hessians = Eigen::Matrix<double, 24, 24>;

  /// `touching` (m): d; `least` (m^2): w for straight edges side by side.
  CurveSpread(const EdgeCurve& a, const CurveNodes& x, const EdgeCurve& b, const CurveNodes& y,
              double touching, double least);

  double value() const { return value_; }
  bool exists() const { return value_ > 0; }
  Gradients Gradient() const;
  Hessians Hessian() const;

 private:
  /// n of one edge.
  struct Size {
    Size(const EdgeCurve& curve, const CurveNodes& nodes, double small);
    Eigen::Matrix<double, 12, 1> Gradient() const;
    double value;
    std::array<EdgeCurve::Weights, 2> weight;  // of the second derivatives at the ends
    std::array<Vector3, 2> end;                // second derivatives at the ends (m)
  };
  Gradients CosineGradient() const;
  Gradients RampedGradient() const;

  Vector3 u_, v_;               // along the edges, unit
  double length_u_, length_v_;  // m
  double by_a_, by_b_;          // de/dn (1/m)
  double cosine_;
  Size size_a_, size_b_;
  double value_, slope_, curvature_;  // w and its derivatives by e
};

class CurvePair : public PairDistance<8> {
 public:
  /// `spread`: the one that the meeting was computed with.
  CurvePair(const CurveMeeting& meeting, const CurveSpread& spread);

  /// dD/dq, second derivatives of D and dp/dq, as in PairDistance.
  Gradients Gradient() const;
  Hessians Hessian() const;
  Eigen::Matrix<double, 2, kSize> ParametersByNodes() const;

  /// Weight chi of the pair.
  double count() const { return count_; }
  /// Whether chi varies, and its derivatives by the nodes.
  bool counts_change() const { return !count_by_.isZero(0); }
  Gradients CountGradient() const { return ParametersByNodes().transpose() * count_by_; }
  Hessians CountHessian() const;
  /// Whether the nearest points lie in this pair's own edges. Of the overlapping pairs that contain
  /// the points only one owns them.
  bool owns() const { return owns_; }

 private:
  Mixed MixedByNodes() const;

  CurveMeeting meeting_;
  CurveSpread spread_;
  Eigen::Vector2d off_;  // p - p0
  double count_;
  Eigen::Vector2d count_by_;  // by p
  Eigen::Matrix2d count_second_;
  bool owns_;
};

}  // namespace strand
