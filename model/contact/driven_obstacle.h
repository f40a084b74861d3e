// An obstacle that is driven through a time step, and what goes with it.
//
// Its pose is a shift s and a rotation vector w from where it was made, about its own position; in
// a step both change linearly with its parts (0: the start, 1: the end), whatever the time stepping
// rule makes of the end. A point that sticks to it is carried from part a to part b:
//     T(x) = c_b + R_b R_a^T (x - c_a).
#pragma once

#include "model/contact/obstacle.h"

namespace strand {

/// Where an obstacle is, from where it was made.
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
  /// It turns by no more than this in one step (rad): farther, its way is not certain.
  static constexpr double kLargestTurn = 1;

  explicit DrivenObstacle(const Obstacle& home) : home_(home), shape_(home) {}

  /// Where it is to be at the end of the next step. Throws ConfigError unless that is finite.
  void Drive(const ObstaclePose& end);
  /// The step has ended: what was its end is the start of the next.
  void Accept() { start_ = end_; }
  /// Where it is, when no step is under way; as of a checkpoint.
  const ObstaclePose& pose() const { return start_; }
  void SetPose(const ObstaclePose& pose) { start_ = end_ = pose; }

  /// Whether it moves in this step.
  bool moves() const { return start_.shift != end_.shift || start_.turn != end_.turn; }
  /// Angle (rad) that it turns by in the whole step.
  double Angle() const { return (end_.turn - start_.turn).norm(); }
  /// What it carries along between two parts of the step.
  RigidMotion Carry(double from, double to) const;

  /// To where it is at a part of the step; what follows is then of there.
  void Place(double part);
  const Obstacle& shape() const { return shape_; }
  /// From the start of the step to here.
  const RigidMotion& come() const { return come_; }
  /// Displacement (m) over the whole step of its point that is here at x.
  Vector3 WholeWay(const Vector3& x) const { return go_(x) - come_.Back(x); }

 private:
  ObstaclePose PoseAt(double part) const;
  Obstacle ShapeAt(double part) const;

  Obstacle home_, shape_;
  ObstaclePose start_, end_;
  RigidMotion come_, go_;  ///< from the start to here, and on to the end
};

}  // namespace strand
