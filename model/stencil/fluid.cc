#include "model/stencil/fluid.h"

#include <cmath>

#include "model/stencil/joint.h"

namespace strand {

FluidForce<3> TriangleDrag(const std::array<Vector3, 3>& x, const std::array<Vector3, 3>& velocity,
                           double rate, double factor, FluidDerivative<3>* by_position) {
  const Vector3 opposite[3] = {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
  const Vector3 area = opposite[0].cross(opposite[1]);
  const double size = area.norm();
  const Vector3 n = area / size;
  FluidForce<3> force;
  Vector3 speed;
  for (int i = 0; i < 3; ++i) {
    speed[i] = velocity[i].dot(n);
    force.segment<3>(3 * i) = -factor * std::abs(speed[i]) * speed[i] * n;
  }
  if (!by_position) return force;
  Eigen::Matrix<double, 3, 9> normal_by;
  for (int j = 0; j < 3; ++j) {
    const Eigen::Matrix3d turn = CrossMatrix<double>(opposite[j] / size);
    normal_by.middleCols<3>(3 * j) = turn - n * (n.cross(opposite[j]) / size).transpose();
  }
  for (int i = 0; i < 3; ++i) {
    const double pressure = factor * std::abs(speed[i]);
    Eigen::Matrix<double, 1, 9> speed_by = velocity[i].transpose() * normal_by;
    speed_by.segment<3>(3 * i) += rate * n.transpose();
    by_position->middleRows<3>(3 * i) =
        (-2 * pressure * n) * speed_by - (pressure * speed[i]) * normal_by;
  }
  return force;
}

FluidForce<2> ResistiveEdge(const std::array<Vector3, 2>& x, const std::array<Vector3, 2>& velocity,
                            double rate, double length, const ResistiveCoefficients& c,
                            FluidDerivative<2>* by_position) {
  const Vector3 e = x[1] - x[0];
  const double size = e.norm(), difference = c.tangential - c.normal;
  const Vector3 t = e / size;
  const Eigen::Matrix3d along = t * t.transpose(), unit = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d resistance = 0.5 * length * (difference * along + c.normal * unit);
  FluidForce<2> force;
  force << -resistance * velocity[0], -resistance * velocity[1];
  if (!by_position) return force;
  const Eigen::Matrix3d across = (unit - along) / size;  // dt/de
  for (int i = 0; i < 2; ++i) {
    const Vector3& u = velocity[i];
    const Eigen::Matrix3d turned =
        0.5 * length * difference * (t.dot(u) * across + t * (u.transpose() * across));
    auto rows = by_position->middleRows<3>(3 * i);
    rows << turned, -turned;
    rows.middleCols<3>(3 * i) -= rate * resistance;
  }
  return force;
}

}  // namespace strand
