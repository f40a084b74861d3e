// A position and orientation.
#pragma once

#include "model/geometry/frame.h"

namespace strand::mujoco {

struct Pose {
  Vector3 position = Vector3::Zero();  ///< m
  Frame rotation = Frame::Identity();

  Pose operator*(const Pose& inner) const {
    return {position + rotation * inner.position, rotation * inner.rotation};
  }
  Pose Inverse() const { return {-(rotation.transpose() * position), rotation.transpose()}; }
};

}  // namespace strand::mujoco
