#include "model/contact/primitives.h"

namespace strand {

double Primitives::Distance(const PrimitivePair& pair, std::span<const Vector3> points) const {
  if (kind(pair) == PairKind::kCurves)
    return Meeting(pair, CurvesOf(pair, points), 0).offset.norm();
  const std::array<int, 4> n = nodes(pair);
  return NearestOffset(kind(pair), points[n[0]], points[n[1]], points[n[2]], points[n[3]]).norm();
}

bool Primitives::Within(double reach, const PrimitivePair& pair,
                        std::span<const Vector3> points) const {
  const bool curves = kind(pair) == PairKind::kCurves;
  return curves ? CurvesWithin(reach, pair, CurvesOf(pair, points))
                : Distance(pair, points) <= reach;
}

CurvePairNodes Primitives::CurvesOf(const PrimitivePair& pair,
                                    std::span<const Vector3> values) const {
  CurvePairNodes x;
  const std::array<int, 8> n = curve_nodes(pair);
  for (int k = 0; k < 8; ++k) x[k] = values[n[k]];
  return x;
}

std::array<CurveNodes, 2> Primitives::Halves(const CurvePairNodes& x) {
  std::array<CurveNodes, 2> halves;
  for (int k = 0; k < 8; ++k) halves[k / 4].col(k % 4) = x[k];
  return halves;
}

CurveMeeting Primitives::Meeting(const PrimitivePair& pair, const CurvePairNodes& x,
                                 double spread) const {
  const auto [a, b] = Halves(x);
  return {curve[pair.a].shape, a, curve[pair.b].shape, b, spread};
}

CurvePairNodes Primitives::Hulls(const PrimitivePair& pair, const CurvePairNodes& x) const {
  const auto [a, b] = Halves(x);
  const CurveNodes of_a = curve[pair.a].shape.Hull(a), of_b = curve[pair.b].shape.Hull(b);
  CurvePairNodes hulls;
  for (int k = 0; k < 4; ++k) hulls[k] = of_a.col(k), hulls[4 + k] = of_b.col(k);
  return hulls;
}

Vector3 Primitives::StraightMeeting(const PrimitivePair& pair, const CurvePairNodes& x) const {
  const ClosestPoints straight(x[1], x[2], x[5], x[6]);
  const EdgeCurve::Weights a = curve[pair.a].shape.At(straight.s),
                           b = curve[pair.b].shape.At(straight.t);
  Vector3 offset = Vector3::Zero();
  for (int k = 0; k < 4; ++k) offset += a[k] * x[k] - b[k] * x[4 + k];
  return offset;
}

double Primitives::LeastDistance(const PrimitivePair& pair, const CurvePairNodes& x) const {
  const Vector3 offset = ClosestPoints(x[1], x[2], x[5], x[6]).offset, n = offset.normalized();
  const CurvePairNodes hull = Hulls(pair, x);
  double first = n.dot(hull[0]), second = n.dot(hull[4]);
  for (int k = 1; k < 4; ++k) {
    first = std::min(first, n.dot(hull[k])), second = std::max(second, n.dot(hull[4 + k]));
  }
  return first - second;
}

bool Primitives::CurvesWithin(double reach, const PrimitivePair& pair,
                              const CurvePairNodes& x) const {
  constexpr double kNearer = 0.98;  // closer than the meeting by more than the bounds' error
  if (LeastDistance(pair, x) > reach) return false;
  const double found = Meeting(pair, x, 0).offset.norm();
  if (found <= reach) return true;
  const auto [a, b] = Halves(Hulls(pair, x));
  return CurvesApart(a, b, kNearer * reach).distance <= std::min(reach, kNearer * found);
}

}  // namespace strand
