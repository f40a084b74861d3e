// Smooth curves through the nodes of a rod, one cubic per edge, and where two of them are nearest.
//
// Over an edge x_1-x_2 of length l between the nodes x_0 before and x_3 behind it
//     c(s) = sum_k b_k(s) x_k,   0 <= s <= 1,
// the cubic Hermite interpolant whose slopes at the nodes are those of the parabola through a node
// and its neighbours, by arc length as drawn: with the length l_0 of the edge before
//     c'(0) = [ l_0 (x_1 -> x_2) + l^2 / l_0 (x_0 -> x_1) ] / (l_0 + l)
// and c'(1) alike. It has a continuous tangent, deviates from the rod's centreline by O(l^3), and
// follows every affine motion of the nodes, for the weights b_k are constants of the drawn shape
// and sum to 1. At a rod's end, and at a corner as drawn, c is the parabola of the other slope.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Positions (m) of a curved edge's nodes, as columns; or of a cubic its powers' factors.
using CurveNodes = Eigen::Matrix<double, 3, 4>;

/// How far (of an edge) a curve goes on into the edges that it continues in. There it counts for
/// less and less, and the other's curve for more and more: together always for one.
constexpr double kOverlap = 0.1;

/// The weights of an edge's four nodes as cubics in s.
class EdgeCurve {
 public:
  using Weights = Eigen::Vector4d;

  /// `length` (m, > 0) of the edge; those of the edges before and behind it, 0 where it ends.
  EdgeCurve(double before, double length, double behind);

  Weights At(double s) const { return by_power_ * Eigen::Vector4d(1, s, s * s, s * s * s); }
  Weights Slope(double s) const { return by_power_ * Eigen::Vector4d(0, 1, 2 * s, 3 * s * s); }
  Weights Bend(double s) const { return by_power_ * Eigen::Vector4d(0, 0, 2, 6 * s); }
  /// c(s) as a polynomial: a column (m) per power of s.
  CurveNodes Powers(const CurveNodes& nodes) const { return nodes * by_power_; }
  /// Bezier's control points (m): the curve, with its overlaps, is within their convex hull. They
  /// move as the nodes do, so that the same of displacements holds all displacements of the curve.
  CurveNodes Hull(const CurveNodes& nodes) const { return nodes * hull_; }
  /// No point of the hull moves further than this times the longest way of the nodes.
  double stretch() const { return hull_.cwiseAbs().colwise().sum().maxCoeff(); }

  double length() const { return length_; }  ///< m, as drawn
  /// s runs from `low` to `high`: from 0 to 1 and into the overlaps.
  double low() const { return low_; }
  double high() const { return high_; }
  /// How much what touches at s counts: 1 but in the overlaps; and its derivatives by s.
  struct Count {
    double value, slope, curvature;
  };
  Count CountAt(double s) const;

 private:
  Eigen::Matrix4d by_power_;  // a row per node, a column per power of s
  Eigen::Matrix4d hull_;      // a row per node, a column per control point
  double length_, low_, high_;
};

/// An edge with its curve: x_0 to x_3. An end's missing neighbour is the end itself, of weight 0.
struct CurvedEdge {
  std::array<int, 4> node;
  EdgeCurve shape;
  double stretch = shape.stretch();
};

/// Of a polyline's edges. `node`: their nodes in order, of a closed one each once; `length` (m) per
/// edge; `corner`: per node, where the curve has none of its tangent from the other side.
std::vector<CurvedEdge> CurvesThrough(std::span<const int> node, std::span<const double> length,
                                      const std::vector<bool>& corner, bool closed);

/// The points of two curved edges that are nearest to each other, held to the middles by a spread
/// w (m^2): they make the least of |r|^2 + w |p - p0|^2 over p = (s, t), overlaps included, r the
/// offset of the first from the second. Found from the straight edges' nearest points.
struct CurveMeeting {
  CurveMeeting(const EdgeCurve& a, const CurveNodes& x, const EdgeCurve& b, const CurveNodes& y,
               double spread);

  /// |p - p0|^2.
  double Squares() const { return (p - Eigen::Vector2d::Constant(0.5)).squaredNorm(); }
  /// D (m).
  double Distance() const { return std::sqrt(offset.squaredNorm() + spread * Squares()); }
  /// Whether what is made the least of is convex there, by more than round-off.
  bool convex() const;

  const EdgeCurve *a, *b;  ///< those given, which have to last as long
  Eigen::Vector2d p;       ///< s and t
  double spread;           ///< w (m^2)
  Vector3 offset;          ///< r (m)
  /// c_a and c_b: first, second and third derivatives by s and t (m).
  Vector3 slope_a, slope_b, bend_a, bend_b, third_a, third_b;
  Eigen::Vector2d bend;  ///< r by its second derivatives (m^2)

 private:
  void Take(const CurveNodes& first, const CurveNodes& second, const Eigen::Vector2d& at);
  Eigen::Vector2d Curvature() const;
  double Value() const { return offset.squaredNorm() + spread * Squares(); }
  Eigen::Vector2d Step() const;
};

}  // namespace strand
