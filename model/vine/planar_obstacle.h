// Rigid obstacles in the plane as signed gap functions of a point: circles and convex polygons.
//
//     circle    gap = |p - o| - r
//     polygon   gap = distance of the nearest point of the boundary, < 0 inside
//
// These are exact distances. The normal is their true gradient, |grad gap| = 1. Inside a polygon
// the gap is that of the nearest face's line (largest of (p - a) . n, which is minus the distance
// of the boundary), and the normal is that of this face: a point is pushed out the shortest way.
//
// Singular sets: a circle's centre (normal +x), and inside a polygon the lines that are equally far
// from two faces (normal of the first of them).
//
// Published normals (Jitosho et al., ICRA 2021, and their program): outside, where a corner is the
// nearest point, the gap is the distance of the corner, but the normal is that of one of its faces:
// the first edge, in the order of the vertices, that ends there. It is not a gradient, and is kept
// for comparison only.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

namespace strand {

using Vector2 = Eigen::Vector2d;

struct PlanarObstacle {
  enum class Shape { kCircle, kPolygon };

  Shape shape = Shape::kCircle;
  Vector2 centre = Vector2::Zero();  ///< o (m); polygon: centre of a circle around all vertices
  double radius = 0;                 ///< r (m); polygon: of that circle
  std::vector<Vector2> vertex;       ///< a_k (m), of polygons
  std::vector<Vector2> normal;       ///< n_k, outward, of the edge from vertex k to vertex k + 1
};

enum class CornerNormal { kGradient, kPublished };

struct PlanarGap {
  double gap = 0;                    ///< signed distance (m), > 0: free
  Vector2 normal = Vector2::Zero();  ///< unit length, from the obstacle to the point
  double curvature = 0;              ///< of the gap's level line (1/m): 0 along a face
};

/// Solid disc. Throws ConfigError unless all numbers are finite and radius > 0 (m).
PlanarObstacle MakeCircle(const Vector2& centre, double radius);

/// Solid convex polygon, vertices (m) in either sense of rotation. Throws ConfigError on fewer than
/// three, on numbers that are not finite, on edges of no length and on corners that are not convex.
PlanarObstacle MakePolygon(const std::vector<Vector2>& vertices);

/// Box from its lower left corner (m), sides along the axes. Throws ConfigError unless both of
/// `size` are > 0.
PlanarObstacle MakePlanarBox(const Vector2& corner, const Vector2& size);

/// Box about `centre` (m), `length` (m) along (cos angle, sin angle), `width` (m) across. Throws
/// ConfigError unless length and width are > 0. The published program turns the other way: its
/// angle is minus this one.
PlanarObstacle MakeRotatedBox(const Vector2& centre, double angle, double length, double width);

/// Name of its shape for users: circle or polygon.
const char* ObstacleName(const PlanarObstacle& obstacle);

PlanarGap EvaluateGap(const PlanarObstacle& obstacle, const Vector2& p,
                      CornerNormal corner = CornerNormal::kGradient);

}  // namespace strand
