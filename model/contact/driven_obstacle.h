// An obstacle that is driven through a time step, and the motion of points that it carries.
//
// Its pose is a shift s and a rotation vector w relative to its original placement, about its own
// position. In a step both change linearly with the fraction of the step (0: start, 1: end), for
// any time stepping rule. A point that sticks to it is carried from fraction a to fraction b by
//     T(x) = c_b + R_b R_a^T (x - c_a).
#pragma once

#include "model/contact/obstacle.h"

namespace strand {

/// Pose of an obstacle relative to its original placement.
struct ObstaclePose {
  Vector3 shift = Vector3::Zero();  ///< s (m)
  Vector3 turn = Vector3::Zero();   ///< w (rad, world axes): axis times angle, of any size
};

/// x -> turn x + shift
struct RigidMotion {
  Frame turn = Frame::Identity();
  Vector3 shift = Vector3::Zero();  ///< m

  Vector3 operator()(const Vector3& x) const { return turn * x + shift; }
  Vector3 Back(const Vector3& x) const { return turn.transpose() * (x - shift); }
};

class DrivenObstacle {
 public:
  /// Largest rotation in one step (rad). A larger one cannot be checked for collisions.
  static constexpr double kLargestTurn = 1;

  explicit DrivenObstacle(const Obstacle& home) : home_(home), shape_(home) {}

  /// Sets the pose at the end of the next step. Throws ConfigError unless it is finite.
  void Drive(const ObstaclePose& end);
  /// Sets the velocity of its surface (m/s, world axes) in the pose in which it was made.
  void SetVelocity(const Vector3& velocity);
  /// Ends the step: its end pose becomes the start of the next.
  void Accept() { start_ = end_; }
  /// Pose at the start of the step, which is the current one when no step is in progress.
  const ObstaclePose& pose() const { return start_; }
  void SetPose(const ObstaclePose& pose) { start_ = end_ = pose; }

  /// Whether it moves in this step.
  bool moves() const { return start_.shift != end_.shift || start_.turn != end_.turn; }
  /// Angle (rad) of its rotation over the whole step.
  double Angle() const { return (end_.turn - start_.turn).norm(); }
  /// Motion of points that it carries between two fractions of the step.
  RigidMotion Carry(double from, double to) const;

  /// Moves it to its pose at a fraction of the step, which the following functions refer to.
  void Place(double part);
  const Obstacle& shape() const { return shape_; }
  /// Motion from the start of the step to the current pose.
  const RigidMotion& come() const { return come_; }
  /// Displacement (m) over the whole step of the obstacle's point that is now at x.
  Vector3 WholeWay(const Vector3& x) const { return go_(x) - come_.Back(x); }

 private:
  ObstaclePose PoseAt(double part) const;
  Obstacle ShapeAt(double part) const;

  Obstacle home_, shape_;
  ObstaclePose start_, end_;
  RigidMotion come_, go_;  ///< from the start to the current pose, and from there to the end
};

}  // namespace strand
