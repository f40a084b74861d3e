#include "model/contact/driven_obstacle.h"

#include "model/config/error.h"

namespace strand {
namespace {

Frame RotationBy(const Vector3& turn) {
  const double angle = turn.norm();
  if (!(angle > 0)) return Frame::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

void CheckPose(const char* field, const Vector3& value, const char* allowed) {
  if (value.allFinite()) return;
  throw ConfigError(field, Text(value.x()) + " " + Text(value.y()) + " " + Text(value.z()),
                    allowed);
}

}  // namespace

void DrivenObstacle::Drive(const ObstaclePose& end) {
  CheckPose("displacement", end.shift, "finite (m)");
  CheckPose("rotation", end.turn, "finite (rad)");
  end_ = end;
}

void DrivenObstacle::SetVelocity(const Vector3& velocity) {
  CheckPose("velocity", velocity, "finite (m/s)");
  home_.velocity = velocity;
  shape_.velocity = RotationBy(start_.turn) * velocity;
}

ObstaclePose DrivenObstacle::PoseAt(double part) const {
  if (part == 0) return start_;
  if (part == 1) return end_;
  return {start_.shift + part * (end_.shift - start_.shift),
          start_.turn + part * (end_.turn - start_.turn)};
}

Obstacle DrivenObstacle::ShapeAt(double part) const {
  const ObstaclePose pose = PoseAt(part);
  const Frame turn = RotationBy(pose.turn);
  Obstacle shape = home_;
  shape.rotation = turn * home_.rotation;
  shape.position = home_.position + pose.shift;
  shape.velocity = turn * home_.velocity;
  return shape;
}

RigidMotion DrivenObstacle::Carry(double from, double to) const {
  const ObstaclePose a = PoseAt(from), b = PoseAt(to);
  RigidMotion carried;
  if (a.turn != b.turn) carried.turn = RotationBy(b.turn) * RotationBy(a.turn).transpose();
  const Vector3 position = home_.position + a.shift;
  carried.shift = home_.position + b.shift - carried.turn * position;
  return carried;
}

void DrivenObstacle::Place(double part) {
  if (!moves()) {
    const bool away = !start_.shift.isZero(0) || !start_.turn.isZero(0);
    shape_ = away ? ShapeAt(0) : home_;
    come_ = go_ = {};
    return;
  }
  shape_ = ShapeAt(part);
  come_ = Carry(0, part);
  go_ = Carry(part, 1);
}

}  // namespace strand
