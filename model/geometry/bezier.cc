#include "model/geometry/bezier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/geometry/segment.h"

namespace strand {
namespace {

constexpr double kWithin = 0.01;  // relative accuracy of the distance
constexpr int kHalvings = 60;     // of both curves together: enough for 1e-9 of a length

struct Bezier {
  explicit Bezier(const ControlPoints& points) : control(points) {
    const Vector3 third = (control.col(3) - control.col(0)) / 3;
    const double first = (control.col(1) - control.col(0) - third).squaredNorm();
    const double second = (control.col(3) - control.col(2) - third).squaredNorm();
    off_chord = 0.75 * std::sqrt(std::max(first, second));
  }

  Vector3 At(double s) const {
    const double r = 1 - s;
    return r * r * (r * control.col(0) + 3 * s * control.col(1)) +
           s * s * (3 * r * control.col(2) + s * control.col(3));
  }

  std::array<Bezier, 2> Halves() const {
    const auto x = [&](int k) { return control.col(k); };
    const Vector3 ab = 0.5 * (x(0) + x(1)), bc = 0.5 * (x(1) + x(2)), cd = 0.5 * (x(2) + x(3));
    const Vector3 abc = 0.5 * (ab + bc), bcd = 0.5 * (bc + cd), middle = 0.5 * (abc + bcd);
    ControlPoints first, last;
    first << x(0), ab, abc, middle;
    last << middle, bcd, cd, x(3);
    return {Bezier(first), Bezier(last)};
  }

  ControlPoints control;
  double off_chord;  // m, largest distance from the chord's point of the same parameter
};

// Lowers `least` to a lower bound of the distance of these two curves, if that is smaller and
// `least` is still above `enough`.
void Lower(const Bezier& a, const Bezier& b, double enough, int halvings, Apart* least) {
  const ClosestPoints near(a.control.col(0), a.control.col(3), b.control.col(0), b.control.col(3));
  const Vector3 between = a.At(near.s) - b.At(near.t);
  const double most = between.norm();
  const Vector3 direction = most > 0 ? Vector3(between / most) : Vector3::Zero();
  const double by_chords = near.offset.norm() - a.off_chord - b.off_chord;
  const double by_hulls = (direction.transpose() * a.control).minCoeff() -
                          (direction.transpose() * b.control).maxCoeff();
  const double bound = std::max({by_chords, by_hulls, 0.0});
  if (bound >= least->distance || least->distance <= enough) return;
  if (bound >= (1 - kWithin) * most || most <= enough || halvings == 0) {
    *least = {bound, direction};
    return;
  }
  if (a.off_chord > b.off_chord) {
    for (const Bezier& half : a.Halves()) Lower(half, b, enough, halvings - 1, least);
  } else {
    for (const Bezier& half : b.Halves()) Lower(a, half, enough, halvings - 1, least);
  }
}

}  // namespace

Apart CurvesApart(const ControlPoints& a, const ControlPoints& b, double enough) {
  Apart least{std::numeric_limits<double>::infinity(), Vector3::Zero()};
  Lower(Bezier(a), Bezier(b), enough, kHalvings, &least);
  return least;
}

}  // namespace strand
