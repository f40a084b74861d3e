#include "model/vine/planar_obstacle.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "model/vine/checks.h"

namespace strand {
namespace {

// Sine of a corner's angle below which three vertices count as collinear.
constexpr double kStraight = 1e-9;

std::string Text2(const Vector2& value) { return Text(value.x()) + " " + Text(value.y()); }

void CheckFinite(const std::string& field, const Vector2& value) {
  if (!value.allFinite()) throw ConfigError(field, Text2(value), "finite numbers (m)");
}

double Cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

// The circle about the mean of the vertices. It is not the smallest one, but good enough to discard
// obstacles that are out of reach.
void Bound(PlanarObstacle* polygon) {
  for (const Vector2& v : polygon->vertex) polygon->centre += v;
  polygon->centre /= static_cast<double>(polygon->vertex.size());
  for (const Vector2& v : polygon->vertex) {
    polygon->radius = std::max(polygon->radius, (v - polygon->centre).norm());
  }
}

PlanarGap CircleGap(const PlanarObstacle& circle, const Vector2& p) {
  const Vector2 away = p - circle.centre;
  const double distance = away.norm();
  if (!(distance > 0)) return {-circle.radius, Vector2::UnitX(), 0};
  return {distance - circle.radius, away / distance, 1 / distance};
}

// One edge as its end points and normal.
struct Edge {
  const Vector2 &a, &b, &n;
};

Edge EdgeOf(const PlanarObstacle& polygon, size_t k) {
  const size_t next = k + 1 == polygon.vertex.size() ? 0 : k + 1;
  return {polygon.vertex[k], polygon.vertex[next], polygon.normal[k]};
}

PlanarGap PolygonGap(const PlanarObstacle& polygon, const Vector2& p, CornerNormal corner) {
  PlanarGap inside{-INFINITY, {}, 0}, outside{INFINITY, {}, 0};
  for (size_t k = 0; k < polygon.vertex.size(); ++k) {
    const Edge edge = EdgeOf(polygon, k);
    const Vector2 along = edge.b - edge.a;
    const double depth = (p - edge.b).dot(edge.n);
    if (depth > inside.gap) inside = {depth, edge.n, 0};
    const bool before = along.dot(p - edge.a) < 0, after = along.dot(p - edge.b) > 0;
    if (!before && !after) {
      if (depth >= 0 && depth < outside.gap) outside = {depth, edge.n, 0};
      continue;
    }
    const Vector2 away = p - (before ? edge.a : edge.b);
    const double distance = away.norm();
    if (!(distance < outside.gap)) continue;
    const bool face = corner == CornerNormal::kPublished || !(distance > 0);
    outside = {distance, face ? edge.n : Vector2(away / distance), face ? 0 : 1 / distance};
  }
  return inside.gap < 0 ? inside : outside;
}

}  // namespace

PlanarObstacle MakeCircle(const Vector2& centre, double radius) {
  CheckFinite("centre", centre);
  CheckPositive("radius", radius);
  PlanarObstacle circle;
  circle.centre = centre;
  circle.radius = radius;
  return circle;
}

PlanarObstacle MakePolygon(const std::vector<Vector2>& vertices) {
  const size_t count = vertices.size();
  if (count < 3) throw ConfigError("vertices", std::to_string(count), "three or more");
  const auto name = [](size_t k) { return "vertices, " + std::to_string(k); };
  for (size_t k = 0; k < count; ++k) CheckFinite(name(k), vertices[k]);
  PlanarObstacle polygon;
  polygon.shape = PlanarObstacle::Shape::kPolygon;
  polygon.vertex = vertices;
  double turned = 0;  // total angle: one turn, unless the outline winds around twice
  int sense = 0;
  for (size_t k = 0; k < count; ++k) {
    const Vector2 in = vertices[k] - vertices[(k + count - 1) % count];
    const Vector2 out = vertices[(k + 1) % count] - vertices[k];
    if (!(out.norm() > 0)) throw ConfigError(name(k), Text2(vertices[k]), "other than the next");
    const double sine = Cross(in, out) / (in.norm() * out.norm());
    const int side = sine > kStraight ? 1 : sine < -kStraight ? -1 : 0;
    if (side == 0 || (sense != 0 && side != sense)) {
      throw ConfigError(name(k), Text2(vertices[k]), "corners of a convex polygon");
    }
    sense = side;
    turned += std::atan2(Cross(in, out), in.dot(out));
    polygon.normal.push_back(Vector2(out.y(), -out.x()) / out.norm());
  }
  if (std::abs(turned) > 7) throw ConfigError("vertices", "two turns", "one turn of the outline");
  for (Vector2& n : polygon.normal) n *= sense;
  Bound(&polygon);
  return polygon;
}

PlanarObstacle MakePlanarBox(const Vector2& corner, const Vector2& size) {
  CheckFinite("corner", corner);
  CheckPositive("size, x", size.x());
  CheckPositive("size, y", size.y());
  const double x = corner.x(), y = corner.y(), right = x + size.x(), top = y + size.y();
  return MakePolygon({{x, y}, {x, top}, {right, top}, {right, y}});
}

PlanarObstacle MakeRotatedBox(const Vector2& centre, double angle, double length, double width) {
  CheckFinite("centre", centre);
  if (!std::isfinite(angle)) throw ConfigError("angle", Text(angle), "finite numbers (rad)");
  CheckPositive("length", length);
  CheckPositive("width", width);
  const Vector2 along = length / 2 * Vector2(std::cos(angle), std::sin(angle));
  const Vector2 across = width / 2 * Vector2(std::sin(angle), -std::cos(angle));
  return MakePolygon({centre + along + across, centre + along - across, centre - along - across,
                      centre - along + across});
}

const char* ObstacleName(const PlanarObstacle& obstacle) {
  return obstacle.shape == PlanarObstacle::Shape::kCircle ? "circle" : "polygon";
}

PlanarGap EvaluateGap(const PlanarObstacle& obstacle, const Vector2& p, CornerNormal corner) {
  if (obstacle.shape == PlanarObstacle::Shape::kCircle) return CircleGap(obstacle, p);
  return PolygonGap(obstacle, p, corner);
}

}  // namespace strand
