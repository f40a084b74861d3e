#include "model/geometry/spline.h"

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/geometry/curve.h"

namespace strand {
namespace {

using Points = Eigen::Matrix<double, Eigen::Dynamic, 3>;
using Eigen::Index;

// Relative difference of the longest and shortest link up to which links count as equal.
constexpr double kEqual = 1e-12;
constexpr int kSteps = 100;

// A cubic in every span between two knots, given by the points and slopes at the knots.
class CubicSpline {
 public:
  CubicSpline(const std::vector<Vector3>& points, bool closed)
      : points_(points.size(), 3), closed_(closed) {
    for (Index k = 0; k < points_.rows(); ++k) points_.row(k) = points[k].transpose();
    for (Index k = 0; k < spans(); ++k) {
      place_.push_back(place_.back() + (Point(k + 1) - Point(k)).norm());
    }
    Solve();
  }

  double length() const { return place_.back(); }

  Vector3 operator()(double s) const {
    const auto after = std::upper_bound(place_.begin() + 1, place_.end() - 1, s);
    const Index k = after - place_.begin() - 1;
    const double t = (s - place_[k]) / Span(k), u = 1 - t;
    return u * u * (1 + 2 * t) * Point(k) + t * t * (3 - 2 * t) * Point(k + 1) +
           Span(k) * t * u * (u * Slope(k) - t * Slope(k + 1));
  }

 private:
  Index knots() const { return points_.rows(); }
  Index spans() const { return closed_ ? knots() : knots() - 1; }
  Index Wrapped(Index k) const { return (k + knots()) % knots(); }
  Vector3 Point(Index k) const { return points_.row(Wrapped(k)).transpose(); }
  Vector3 Slope(Index k) const { return slopes_.row(Wrapped(k)).transpose(); }
  double Span(Index k) const {
    const Index span = (k + spans()) % spans();
    return place_[span + 1] - place_[span];
  }
  Vector3 Mean(Index k) const { return (Point(k + 1) - Point(k)) / Span(k); }

  // The slopes make the second derivative continuous, and at open ends the third.
  void Solve() {
    rows_.clear();
    slopes_ = Points::Zero(knots(), 3);  // the right-hand side first
    for (Index k = 0; k < knots(); ++k) {
      if (closed_ || (k > 0 && k + 1 < knots())) {
        AddKnot(k);
      } else {
        AddEnd(k, k == 0 ? 1 : -1);
      }
    }
    Eigen::SparseMatrix<double> matrix(knots(), knots());
    matrix.setFromTriplets(rows_.begin(), rows_.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
    const Points right = slopes_;
    slopes_ = factors.solve(right);
  }

  void AddKnot(Index k) {
    const double before = Span(k - 1), after = Span(k);
    rows_.emplace_back(k, Wrapped(k - 1), after);
    rows_.emplace_back(k, k, 2 * (before + after));
    rows_.emplace_back(k, Wrapped(k + 1), before);
    slopes_.row(k) = 3 * (after * Mean(k - 1) + before * Mean(k)).transpose();
  }

  // Not a knot: the first two spans are one cubic. If there are only two spans, each is a parabola.
  void AddEnd(Index k, Index inwards) {
    const Index near = inwards > 0 ? k : k - 1, far = near + inwards;
    const double l = Span(near);
    if (spans() == 2) {
      rows_.emplace_back(k, k, 1);
      rows_.emplace_back(k, k + inwards, 1);
      slopes_.row(k) = 2 * Mean(near).transpose();
      return;
    }
    const double r = Span(far), both = l + r;
    rows_.emplace_back(k, k, r);
    rows_.emplace_back(k, k + inwards, both);
    slopes_.row(k) = ((l + 2 * both) * r * Mean(near) + l * l * Mean(far)).transpose() / both;
  }

  Points points_, slopes_;
  bool closed_;
  std::vector<double> place_{0.0};  // of the knots: the chord length up to them
  std::vector<Eigen::Triplet<double>> rows_;
};

// Inverse of a piecewise linear function: the parameter at which `reached` has this value.
double Inverse(const std::vector<double>& reached, const std::vector<double>& parameter,
               double value) {
  const auto after = std::upper_bound(reached.begin() + 1, reached.end() - 1, value);
  const size_t k = after - reached.begin() - 1;
  const double t = (value - reached[k]) / (reached[k + 1] - reached[k]);
  return parameter[k] + t * (parameter[k + 1] - parameter[k]);
}

// Nodes at parameters that make all chords equal, by fixed-point iteration.
std::vector<Vector3> EqualChords(const CubicSpline& curve, int links) {
  std::vector<double> parameter(links + 1), reached(links + 1, 0.0);
  std::vector<Vector3> nodes(links + 1);
  for (int k = 0; k < links; ++k) parameter[k] = curve.length() * k / links;
  parameter[links] = curve.length();
  for (int step = 0; step < kSteps; ++step) {
    double shortest = curve.length(), longest = 0;
    for (int k = 0; k <= links; ++k) {
      nodes[k] = curve(parameter[k]);
      if (k == 0) continue;
      const double chord = (nodes[k] - nodes[k - 1]).norm();
      shortest = std::min(shortest, chord), longest = std::max(longest, chord);
      reached[k] = reached[k - 1] + chord;
    }
    if (longest - shortest <= kEqual * longest || !(shortest > 0)) break;
    std::vector<double> next(parameter);
    for (int k = 1; k < links; ++k)
      next[k] = Inverse(reached, parameter, reached[links] * k / links);
    parameter = next;
  }
  return nodes;
}

void Check(const std::vector<Vector3>& points, int links, bool closed) {
  if (points.size() < (closed ? 3 : 2)) {
    throw ConfigError("points", std::to_string(points.size()),
                      "at least 2, or 3 of a closed curve");
  }
  CheckLinkCount(links);
  for (size_t k = 0; k < points.size(); ++k) {
    if (!points[k].allFinite()) {
      throw ConfigError("points", "point " + std::to_string(k) + " that is not finite",
                        "finite ones");
    }
    const size_t next = (k + 1) % points.size();
    if ((next > 0 || closed) && points[k] == points[next]) {
      throw ConfigError(
          "points",
          "points " + std::to_string(k) + " and " + std::to_string(next) + " in one place",
          "distinct neighbours");
    }
  }
}

}  // namespace

std::vector<Vector3> SplineNodes(const std::vector<Vector3>& points, int links, bool closed) {
  Check(points, links, closed);
  if (points.size() > 2) return EqualChords(CubicSpline(points, closed), links);
  std::vector<Vector3> nodes;
  for (int k = 0; k <= links; ++k) {
    nodes.push_back(points[0] + double(k) / links * (points[1] - points[0]));
  }
  return nodes;
}

}  // namespace strand
