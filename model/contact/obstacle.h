// Rigid obstacles as signed gap functions of a point: gap (m, < 0 inside), normal and curvature.
//
// Three shapes cover all, with p = R^T (x - c) in the obstacle's own axes:
//     half space    gap = p_x
//     rounded box   gap = d(p; h) - r,   d the signed distance of a box of half-extents h;
//                   h = 0 is a sphere, h = (L, 0, 0) a capsule, r = 0 a sharp box.
//     cylinder      the same with the signed distance of a cylinder along x: half its length h_x,
//                   its radius h_y.
// These are exact distances, |grad gap| = 1; a node of radius a has the gap EvaluateGap() - a.
// Outside h the gap is once differentiable, and its curvature jumps where the nearest face, edge or
// corner changes. Hollow obstacles have the opposite sign: the rod is inside.
//
// Singular sets, where the nearest surface point is not unique: a sphere's centre, a capsule's
// axis, the edges of a sharp box and, inside, the planes that are as far from two faces. Normal
// and curvature stay finite there: the first of the obstacle's own axes that is a nearest
// direction (its positive side at p = 0), curvature 0.
#pragma once

#include <Eigen/Dense>
#include <string>

#include "model/geometry/frame.h"

namespace strand {

struct Obstacle {
  /// kNothing is nowhere: of bodies that touch by meshes, which are shells.
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

/// What users know its shape by: plane, sphere, capsule, box, cylinder, or hollow ones.
std::string ObstacleName(const Obstacle& obstacle);

/// Everything below the plane through `point` (m); `normal`, of any length but 0, points to the
/// free side. Throws ConfigError, as all that follow, on a number that is not finite.
Obstacle MakeHalfSpace(const Vector3& point, const Vector3& normal);

/// Nothing. No gap is known of it: ask `touches` first.
Obstacle MakeNothing();

/// Solid sphere. Throws ConfigError unless radius > 0 (m).
Obstacle MakeSphere(const Vector3& centre, double radius);

/// All points within `radius` of the segment from a to b (m). Throws ConfigError unless radius > 0
/// and a, b differ.
Obstacle MakeCapsule(const Vector3& a, const Vector3& b, double radius);

/// Solid box about the origin, faces normal to the axes. Throws ConfigError unless all three
/// half-extents are > 0 (m).
Obstacle MakeBox(const Vector3& half_extents);

/// Solid cylinder with flat ends, whose axis goes from a to b (m). Throws ConfigError as
/// MakeCapsule.
Obstacle MakeCylinder(const Vector3& a, const Vector3& b, double radius);

/// The same surface with its free side inside: a ball's cavity, a pipe with round ends, a room.
Obstacle Hollow(Obstacle obstacle);

/// The obstacle turned about the world's origin, then shifted (m); the velocity stays. Throws
/// ConfigError unless `rotation` is one (to 1e-9).
Obstacle Placed(Obstacle obstacle, const Frame& rotation, const Vector3& translation);

/// The obstacle with a surface velocity (m/s, world axes). It does not move the obstacle: for one
/// that travels (unlike a conveyor belt) the caller moves `position`.
Obstacle Moving(Obstacle obstacle, const Vector3& velocity);

/// The signed distance (m) alone: to find the few nodes in reach.
double GapValue(const Obstacle& obstacle, const Vector3& x);

/// Whether the free side is convex or the surface flat: where the nodes of an edge or a triangle
/// are free, all of it is.
bool NodesSuffice(const Obstacle& obstacle);

/// From the core of a solid rounded box or cylinder to a point: the gradient of half the squared
/// distance, and its derivative. Both 0 inside the core.
struct CoreOffset {
  Vector3 offset = Vector3::Zero();                       ///< m
  Eigen::Matrix3d by_position = Eigen::Matrix3d::Zero();  ///< symmetric, eigenvalues 0 to 1
};
CoreOffset EvaluateCoreOffset(const Obstacle& obstacle, const Vector3& x);

/// With normal and curvature.
ObstacleGap EvaluateGap(const Obstacle& obstacle, const Vector3& x);

/// Largest fraction, 0 to 1, of the straight path from x to x + dx (m) over all of which the gap
/// stays >= min_gap; never too large but for round-off. Where the gap is less than min_gap
/// already, it must not get any less: leaving is free, going deeper gives 0.
double FreeFraction(const Obstacle& obstacle, const Vector3& x, const Vector3& dx, double min_gap);

}  // namespace strand
