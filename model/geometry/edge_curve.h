// Smooth curves through the nodes of a rod, one cubic per edge, and the nearest points of two.
//
// Over an edge x_1-x_2 of length l, with the node x_0 before and x_3 behind it, the curve is
//     c(s) = sum_k b_k(s) x_k,   0 <= s <= 1,
// the cubic Hermite interpolant whose slope at a node is that of the parabola through the node and
// its neighbours, parametrised by arc length in the drawn shape: with the length l_0 of the edge
// before
//     c'(0) = [ l_0 (x_1 -> x_2) + l^2 / l_0 (x_0 -> x_1) ] / (l_0 + l)
// and c'(1) likewise. It has a continuous tangent, deviates from the rod's centreline by O(l^3),
// and follows every affine motion of the nodes, because the weights b_k are constants of the drawn
// shape and sum to 1. If one node is an end of the rod or a corner of the drawn shape, c is the
// parabola with the slope at the other node.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Positions (m) of a curved edge's nodes, as columns; or the coefficients of a cubic's powers.
using CurveNodes = Eigen::Matrix<double, 3, 4>;

/// Overlap, as a fraction of an edge: how far a curve extends into its neighbours' edges. In the
/// overlap its weight falls while that of the neighbour's curve rises; their sum is always 1.
constexpr double kOverlap = 0.1;

/// The weights of an edge's four nodes as cubics in s.
class EdgeCurve {
 public:
  using Weights = Eigen::Vector4d;

  /// `length` (m, > 0) of the edge; `before`, `behind`: lengths (m) of its neighbours, 0: none.
  EdgeCurve(double before, double length, double behind);

  Weights At(double s) const { return by_power_ * Eigen::Vector4d(1, s, s * s, s * s * s); }
  Weights Slope(double s) const { return by_power_ * Eigen::Vector4d(0, 1, 2 * s, 3 * s * s); }
  Weights Bend(double s) const { return by_power_ * Eigen::Vector4d(0, 0, 2, 6 * s); }
  /// c(s) as a polynomial: a column (m) per power of s.
  CurveNodes Powers(const CurveNodes& nodes) const { return nodes * by_power_; }
  /// Bezier control points (m): the curve, with its overlaps, is within their convex hull. They are
  /// linear in the nodes, so that Hull of the nodes' displacements bounds all displacements of the
  /// curve.
  CurveNodes Hull(const CurveNodes& nodes) const { return nodes * hull_; }
  /// No point of the hull moves further than this times the largest displacement of the nodes.
  double stretch() const { return hull_.cwiseAbs().colwise().sum().maxCoeff(); }

  double length() const { return length_; }  ///< m, in the drawn shape
  /// s runs from `low` to `high`: from 0 to 1 and into the overlaps.
  double low() const { return low_; }
  double high() const { return high_; }
  /// Weight of a contact at s (1 outside the overlaps), and its derivatives by s.
  struct Count {
    double value, slope, curvature;
  };
  Count CountAt(double s) const;

 private:
  Eigen::Matrix4d by_power_;  // a row per node, a column per power of s
  Eigen::Matrix4d hull_;      // a row per node, a column per control point
  double length_, low_, high_;
};

/// An edge with its curve through nodes x_0 to x_3. At an end, the end node itself, with weight 0,
/// replaces the missing neighbour.
struct CurvedEdge {
  std::array<int, 4> node;
  EdgeCurve shape;
  double stretch = shape.stretch();
};

/// The curves of a polyline's edges. `node`: their nodes in order, in a closed polyline each once;
/// `length` (m): per edge; `corner`: per node, true if the tangent is not continuous there.
std::vector<CurvedEdge> CurvesThrough(std::span<const int> node, std::span<const double> length,
                                      const std::vector<bool>& corner, bool closed);

/// The nearest points of two curved edges, pulled towards the middles of the edges by a spread
/// w (m^2): they minimise |r|^2 + w |p - p0|^2 over p = (s, t), overlaps included. r is the offset
/// of the first point from the second, p0 = (1/2, 1/2). The iteration starts from the nearest
/// points of the straight edges.
struct CurveMeeting {
  CurveMeeting(const EdgeCurve& a, const CurveNodes& x, const EdgeCurve& b, const CurveNodes& y,
               double spread);

  /// |p - p0|^2.
  double Squares() const { return (p - Eigen::Vector2d::Constant(0.5)).squaredNorm(); }
  /// D (m).
  double Distance() const { return std::sqrt(offset.squaredNorm() + spread * Squares()); }
  /// Whether the minimised function is convex at p, by more than round-off.
  bool convex() const;

  const EdgeCurve *a, *b;  ///< the given curves, which must outlive this object
  Eigen::Vector2d p;       ///< s and t
  double spread;           ///< w (m^2)
  Vector3 offset;          ///< r (m)
  /// c_a and c_b: first, second and third derivatives by s and t (m).
  Vector3 slope_a, slope_b, bend_a, bend_b, third_a, third_b;
  Eigen::Vector2d bend;  ///< products of r with its second derivatives by s and by t (m^2)

 private:
  void Take(const CurveNodes& first, const CurveNodes& second, const Eigen::Vector2d& at);
  Eigen::Vector2d Curvature() const;
  double Value() const { return offset.squaredNorm() + spread * Squares(); }
  Eigen::Vector2d Step() const;
};

}  // namespace strand
