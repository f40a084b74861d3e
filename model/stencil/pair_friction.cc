#include "model/stencil/pair_friction.h"

namespace strand::internal {

ArmTurn::ArmTurn(const Arm& arm) : turn(arm.spin * arm.axis) {
  if (arm.first < 0) return;
  const Vector3& t = arm.axis;
  const Vector3 aside = t.cross(arm.across) / arm.length;
  turn += aside;
  axis_by = (Eigen::Matrix3d::Identity() - t * t.transpose()) / arm.length;
  bend_by =
      (arm.spin * Eigen::Matrix3d::Identity() - CrossMatrix<double>(arm.across) / arm.length) *
          axis_by -
      aside * t.transpose() / arm.length;
  length_by = t;
}

ArmColumn::ArmColumn(const ArmTurn& arm, int component) {
  if (component < 0 || component >= 6) return;
  const double sign = component < 3 ? -1 : 1;
  const int k = component % 3;
  bend = sign * arm.bend_by.col(k), axis = sign * arm.axis_by.col(k);
  length = sign * arm.length_by[k];
}

}  // namespace strand::internal
