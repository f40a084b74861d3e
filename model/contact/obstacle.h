// Rigid obstacles as signed gap functions of a point: gap (m, < 0 inside), normal and curvature.
//
// There are three shapes, with p = R^T (x - c) in the obstacle's own axes:
//     half space    gap = p_x
//     rounded box   gap = d(p; h) - r,   d: signed distance of a box of half-extents h;
//                   h = 0 is a sphere, h = (L, 0, 0) a capsule, r = 0 a sharp box.
//     cylinder      the same with the signed distance of a cylinder along x, with half-length h_x
//                   and radius h_y.
// These are exact distances, |grad gap| = 1; a node of radius a has the gap EvaluateGap() - a.
// Outside h the gap is continuously differentiable; its curvature jumps where the nearest face,
// edge or corner changes. Hollow obstacles have the opposite sign: their free side is inside.
//
// Singular sets, where the nearest surface point is not unique: a sphere's centre, a capsule's
// axis, the edges of a sharp box and, inside, planes at equal distances from two faces. Normal and
// curvature stay finite there: the normal is the first of the obstacle's axes that points to a
// nearest surface point (the positive direction at p = 0), the curvature is 0.
#pragma once

#include <Eigen/Dense>
#include <string>

#include "model/geometry/frame.h"

namespace strand {

struct Obstacle {
  /// kNothing: no shape, for bodies whose contact is represented by a mesh (a shell).
  enum class Shape { kHalfSpace, kRoundedBox, kCylinder, kNothing };

  bool touches() const { return shape != Shape::kNothing; }

  Shape shape = Shape::kHalfSpace;
  bool hollow = false;
  Frame rotation = Frame::Identity();      ///< R, its own axes in world axes
  Vector3 position = Vector3::Zero();      ///< c (m); half space: a point of the plane
  Vector3 half_extents = Vector3::Zero();  ///< h (m), of the core
  double radius = 0;                       ///< r (m), about the core
  Vector3 velocity = Vector3::Zero();      ///< of the surface (m/s, world axes), for friction
};

struct ObstacleGap {
  double gap = 0;                                       ///< signed distance (m), > 0: free
  Vector3 normal = Vector3::Zero();                     ///< d gap / dx, unit length
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();  ///< d normal / dx (1/m), symmetric
};

/// Name of the shape in messages: plane, sphere, capsule, box, cylinder, or "hollow ...".
std::string ObstacleName(const Obstacle& obstacle);

/// All points below the plane through `point` (m). `normal`, of any length > 0, points to the free
/// side. Like all functions below, throws ConfigError if a number is not finite.
Obstacle MakeHalfSpace(const Vector3& point, const Vector3& normal);

/// No shape. It has no gap: check `touches` first.
Obstacle MakeNothing();

/// Solid sphere. Throws ConfigError unless radius > 0 (m).
Obstacle MakeSphere(const Vector3& centre, double radius);

/// All points within `radius` of the segment from a to b (m). Throws ConfigError unless radius > 0
/// and a, b differ.
Obstacle MakeCapsule(const Vector3& a, const Vector3& b, double radius);

/// Solid box about the origin, faces normal to the axes. Throws ConfigError unless all three
/// half-extents are > 0 (m).
Obstacle MakeBox(const Vector3& half_extents);

/// Solid cylinder with flat ends, with its axis from a to b (m). Throws ConfigError as MakeCapsule
/// does.
Obstacle MakeCylinder(const Vector3& a, const Vector3& b, double radius);

/// The same surface with its free side inside: a spherical cavity, a pipe with round ends, a room.
Obstacle Hollow(Obstacle obstacle);

/// The obstacle rotated about the world's origin, then translated (m); its velocity is unchanged.
/// Throws ConfigError unless `rotation` is a rotation matrix (to 1e-9).
Obstacle Placed(Obstacle obstacle, const Frame& rotation, const Vector3& translation);

/// The obstacle with a surface velocity (m/s, world axes). It does not move the obstacle (as
/// with a conveyor belt); to make it travel the caller moves `position`.
Obstacle Moving(Obstacle obstacle, const Vector3& velocity);

/// The signed distance (m) only, for finding the few nodes within reach.
double GapValue(const Obstacle& obstacle, const Vector3& x);

/// Whether the free side is convex or the surface flat: if the nodes of an edge or a triangle are
/// free, all of it is free.
bool NodesSuffice(const Obstacle& obstacle);

/// Offset from the core of a solid rounded box or cylinder to a point: the gradient of half the
/// squared distance, and its derivative. Both are 0 inside the core.
struct CoreOffset {
  Vector3 offset = Vector3::Zero();                       ///< m
  Eigen::Matrix3d by_position = Eigen::Matrix3d::Zero();  ///< symmetric, eigenvalues 0 to 1
};
CoreOffset EvaluateCoreOffset(const Obstacle& obstacle, const Vector3& x);

/// Gap with normal and curvature.
ObstacleGap EvaluateGap(const Obstacle& obstacle, const Vector3& x);

/// Largest fraction, 0 to 1, of the straight path from x to x + dx (m) over all of which the gap
/// stays >= min_gap; too large by round-off at most. If the gap is less than min_gap at the start,
/// it must not decrease further: leaving is unlimited, going deeper gives 0.
double FreeFraction(const Obstacle& obstacle, const Vector3& x, const Vector3& dx, double min_gap);

}  // namespace strand
