#include "model/stencil/carried_touch.h"

#include <algorithm>
#include <type_traits>

namespace strand {
namespace {

using internal::kNodes, internal::kPoints, internal::Offset, internal::TouchNumbers;

// Blocks of three rows and columns, or three columns, of a matrix with `rows` rows.
template <class Number>
auto Block(Number* matrix, int rows, int i, int j) {
  using Square =
      std::conditional_t<std::is_const_v<Number>, const Eigen::Matrix3d, Eigen::Matrix3d>;
  return Eigen::Map<Square, 0, Eigen::OuterStride<>>(matrix + 3 * i + 3 * j * rows,
                                                     Eigen::OuterStride<>(rows));
}
Eigen::Map<Vector3> Part(double* vector, int i) { return Eigen::Map<Vector3>(vector + 3 * i); }

// Weights b of the nodes (columns) in the points of the simplex (rows), m_i, and derivatives of the
// points' weights by the nodes.
struct Points {
  int count;
  Eigen::Matrix<double, kPoints, kNodes> b = Eigen::Matrix<double, kPoints, kNodes>::Zero();
  std::array<Vector3, kPoints> m;
  Eigen::Matrix<double, kPoints, 3 * kNodes> share_by =
      Eigen::Matrix<double, kPoints, 3 * kNodes>::Zero();
};

Points WeightedPoints(int count, const Vector3* x, int own, const double* weights,
                      const BodyPlace* carrier) {
  Points points;
  points.count = count;
  for (int i = 0; i < count; ++i) {
    if (!weights) points.b(i, i) = 1;
    for (int j = 0; weights && j < 4; ++j) points.b(i, j) = weights[i + count * j];
    if (!carrier) continue;
    const Eigen::Vector4d w = carrier->Weights(x[i]);
    for (int j = 0; j < 4; ++j) points.b(i, own + j) = -w[j];
  }
  return points;
}

// J^T (first derivatives) and J^T H J, with J of blocks b_ik F^-1: products with J are summed over
// the points.
void Transform(const TouchNumbers<const double>& from, const Eigen::Matrix3d& inverse,
               const TouchNumbers<double>& to, Points* points) {
  const int count = from.nodes, nodes = to.nodes, size = 3 * nodes;
  const Eigen::Matrix3d turn = inverse.transpose();
  for (int i = 0; i < count; ++i) {
    const Vector3 m = points->m[i] = turn * Eigen::Map<const Vector3>(from.distance_by + 3 * i);
    const Eigen::Matrix3d moved = turn * Block(from.offset_by, 3, 0, i) * inverse;
    for (int k = 0; k < nodes; ++k) {
      Part(to.distance_by, k) += points->b(i, k) * m;
      Block(to.offset_by, 3, 0, k) += points->b(i, k) * moved;
    }
    for (int j = 0; j < count; ++j) {
      const double* by = from.weight_by + j + 3 * count * i;
      const Vector3 shared = turn * Vector3(by[0], by[count], by[2 * count]);
      const Eigen::Matrix3d curved = turn * Block(from.hessian, 3 * count, i, j) * inverse;
      for (int k = 0; k < nodes; ++k) {
        for (int c = 0; c < 3; ++c) points->share_by(j, 3 * k + c) += points->b(i, k) * shared[c];
        for (int l = 0; l < nodes; ++l) {
          Block(to.hessian, size, k, l) += points->b(i, k) * points->b(j, l) * curved;
        }
      }
    }
  }
}

// The terms with u, of the obstacle's carriers.
void TurnWith(const BodyPlace& carrier, const Vector3& offset, const Points& points,
              const TouchNumbers<double>& to) {
  const int nodes = to.nodes, size = 3 * nodes;
  for (int l = 0; l < 4; ++l) {
    const Vector3 u = carrier.turned.row(l);
    const int last = nodes - 4 + l;
    Block(to.offset_by, 3, 0, last) -= u * offset.transpose();
    for (int i = 0; i < points.count; ++i) {
      for (int k = 0; k < nodes; ++k) {
        const Eigen::Matrix3d turn = points.b(i, k) * u * points.m[i].transpose();
        Block(to.hessian, size, k, last) -= turn;
        Block(to.hessian, size, last, k) -= turn.transpose();
      }
    }
  }
}

// The point where friction acts, and its derivatives by the nodes.
struct FrictionPoint {
  Vector3 z;
  std::array<Vector3, 3 * kNodes> by;
};

FrictionPoint PointOfFriction(const TouchNumbers<const double>& from, const Vector3* x, int own,
                              const Offset& offset, double reach, const Points& points,
                              const TouchNumbers<double>& to) {
  FrictionPoint at{-reach * offset.normal, {}};
  for (int i = 0; i < points.count; ++i) at.z += from.weight[i] * x[i];
  for (int c = 0; c < 3 * to.nodes; ++c) {
    const Vector3 offset_by = Part(to.offset_by, c);
    at.by[c] = -reach / offset.direct * (offset_by - offset.normal * offset.normal.dot(offset_by));
    for (int i = 0; i < points.count; ++i) {
      at.by[c] += points.share_by(i, c) * (x[i] - x[0]);
      if (c < 3 * own) at.by[c][c % 3] += from.weight[i] * points.b(i, c / 3);
    }
  }
  return at;
}

// Weights of the point on a body whose carriers are the four nodes from `first` on.
void Weigh(const BodyPlace& place, const FrictionPoint& point, int first, double sign,
           const TouchNumbers<double>& to) {
  using Weights = Eigen::Map<Eigen::Vector4d>;
  const Eigen::Vector4d w = place.Weights(point.z);
  Weights(to.weight + first) = sign * w;
  for (int c = 0; c < 3 * to.nodes; ++c) {
    Vector3 apart_by = point.by[c];
    const int j = c / 3 - first;
    if (j >= 0 && j < 4) apart_by[c % 3] -= w[j];
    Weights(to.weight_by + to.nodes * c + first) = sign * (place.turned * apart_by);
  }
}

}  // namespace

BodyPlace::BodyPlace(const Carriers& carrier, const CarrierSlopes& slope)
    : centre((carrier[0] + carrier[1] + carrier[2] + carrier[3]) / 4) {
  F.setZero();
  for (int j = 0; j < 4; ++j) F += (carrier[j] - centre) * slope.row(j);
  inverse = F.inverse();
  turned = slope * inverse;
}

Vector3 BodyPlace::In(const Vector3& z) const { return inverse * (z - centre); }

Vector3 BodyPlace::Out(const Vector3& p) const { return centre + F * p; }

Eigen::Vector4d BodyPlace::Weights(const Vector3& z) const {
  return (turned * (z - centre)).array() + 0.25;
}

namespace internal {

Offset Carry(const TouchNumbers<const double>& from, const Vector3& offset, const Vector3* x,
             const BodyPlace* of, const double* weights, const BodyPlace* carrier, double reach,
             const TouchNumbers<double>& to) {
  const int count = from.nodes, nodes = to.nodes, own = of ? 4 : count;
  const Eigen::Matrix3d inverse = carrier ? carrier->inverse : Eigen::Matrix3d::Identity();
  const Vector3 turned = inverse.transpose() * offset;
  const Offset result{turned / turned.norm(), turned.norm()};
  std::fill_n(to.distance_by, 3 * nodes, 0.0);
  std::fill_n(to.offset_by, 9 * nodes, 0.0);
  std::fill_n(to.hessian, 9 * nodes * nodes, 0.0);
  Points points = WeightedPoints(count, x, own, of ? weights : nullptr, carrier);
  Transform(from, inverse, to, &points);
  if (carrier) TurnWith(*carrier, turned, points, to);

  const FrictionPoint at = PointOfFriction(from, x, own, result, reach, points, to);
  for (int i = 0; !of && i < count; ++i) {
    to.weight[i] = from.weight[i];
    for (int c = 0; c < 3 * nodes; ++c) to.weight_by[i + nodes * c] = points.share_by(i, c);
  }
  if (of) Weigh(*of, at, 0, 1, to);
  if (carrier) Weigh(*carrier, at, own, -1, to);
  return result;
}

}  // namespace internal
}  // namespace strand
