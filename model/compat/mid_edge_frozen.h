// Bending by mid-edge normals as in MAT-DiSMech, for reproducing its figures only; otherwise use
// stencil/mid_edge.h.
//
//     w_k = s_k xi_k - n . tau_k,   c_k = 1 / (A l_k t^_k . tau_k),
//     Lambda = sum_k c_k w_k t_k (x) t_k,
//     E = k_b A [(1 - nu) Tr (Lambda - Lambdabar)^2 + nu Tr^2(Lambda - Lambdabar)]   [eq. 18 - 20]
// tau_k = s_k tau_k^0 (unit, outward, normal to the mean of the two triangles' normals), c_k and
// t_k are frozen at a given configuration; only n varies. With these frozen, derivatives are exact:
//     dn.tau / dx_a = (tau . t_a) n / (2 A)
//     d2n.tau / dx_a dx_b = (tau . t_a)(n (x) t_b + t_b (x) n) / (4 A^2)             [as printed]
//         + n (x) [D_ab (n x tau) + (tau . (v_a x t_b)) n / (2 A)] / (2 A)         [missing there]
// v_a: the edge opposite node a, D = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]. The paper prints c_k
// with A at rest, and k_b without the factor 24; its code has both as here.
#pragma once

#include "model/stencil/joint.h"

namespace strand {

/// Frozen quantities of a triangle, or their values at rest.
struct FrozenFacet {
  std::array<Vector3, 3> outward;  ///< t_k (m)
  std::array<Vector3, 3> tau;      ///< s_k tau_k^0
  Vector3 scale;                   ///< c_k (1/m^3)
};

/// Unknowns: the triangle's nodes and the rotations of its edges.
using FrozenGradient = Eigen::Matrix<double, 12, 1>;
using FrozenHessian = Eigen::Matrix<double, 12, 12>;

/// n and the outward vectors t_k of a triangle (m).
struct FacetGeometry {
  Vector3 normal;
  double area;                     ///< m^2
  std::array<Vector3, 3> edge;     ///< v_k, opposite node k
  std::array<Vector3, 3> outward;  ///< t_k = v_k x n

  explicit FacetGeometry(const std::array<Vector3, 3>& x)
      : edge{x[2] - x[1], x[0] - x[2], x[1] - x[0]} {
    const Vector3 vector = edge[2].cross(-edge[1]);
    area = 0.5 * vector.norm();
    normal = vector / (2 * area);
    for (int k = 0; k < 3; ++k) outward[k] = edge[k].cross(normal);
  }
};

/// Freezes a triangle at `at`. `tau`: s_k tau_k^0 there; `area` (m^2) and `length` (m): at rest.
inline FrozenFacet Freeze(const FacetGeometry& at, const std::array<Vector3, 3>& tau, double area,
                          const std::array<double, 3>& length) {
  FrozenFacet facet{at.outward, tau, {}};
  for (int k = 0; k < 3; ++k) {
    facet.scale[k] = 1 / (area * length[k] * at.outward[k].normalized().dot(tau[k]));
  }
  return facet;
}

/// m_ij = c_i c'_j [(1 - nu) (t_i . t'_j)^2 + nu |t_i|^2 |t'_j|^2]: traces of products of Lambda's
/// terms.
inline Eigen::Matrix3d TraceProducts(const FrozenFacet& a, const FrozenFacet& b, double poisson) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double along = a.outward[i].dot(b.outward[j]);
      m(i, j) = a.scale[i] * b.scale[j] *
                ((1 - poisson) * along * along +
                 poisson * a.outward[i].squaredNorm() * b.outward[j].squaredNorm());
    }
  }
  return m;
}

/// Rest state and stiffness of a triangle.
struct FrozenRest {
  FrozenFacet rest;
  Vector3 natural;  ///< wbar_k at rest
  double factor;    ///< k_b A (J m^2)
  double poisson;
};

/// Second derivative of n . tau by x_a, x_b.
inline Eigen::Matrix3d NormalSecond(const FacetGeometry& g, const Vector3& tau, int a, int b) {
  const int d = a == b ? 0 : ((b - a + 3) % 3 == 1 ? -1 : 1);
  const double twice = 2 * g.area;
  const Vector3& t_b = g.outward[b];
  const Eigen::Matrix3d mixed = g.normal * t_b.transpose() + t_b * g.normal.transpose();
  const Vector3 missing =
      d * g.normal.cross(tau) + (tau.dot(g.edge[a].cross(t_b)) / twice) * g.normal;
  return tau.dot(g.outward[a]) * mixed / (twice * twice) + g.normal * missing.transpose() / twice;
}

/// Energy (J) up to a constant, for the nodes x (m), the rotations xi_k (rad) and the signs s_k.
/// Gradient and Hessian are overwritten unless null.
inline double BendFrozen(const std::array<Vector3, 3>& x, const Vector3& rotation,
                         const Vector3& sign, const FrozenFacet& frozen, const FrozenRest& of,
                         FrozenGradient* gradient, FrozenHessian* hessian) {
  const FacetGeometry g(x);
  Vector3 w;
  for (int k = 0; k < 3; ++k) w[k] = sign[k] * rotation[k] - g.normal.dot(frozen.tau[k]);
  const Eigen::Matrix3d own = TraceProducts(frozen, frozen, of.poisson);
  const Vector3 natural = TraceProducts(frozen, of.rest, of.poisson) * of.natural;
  const Vector3 moment = 2 * of.factor * (own * w - natural);
  Eigen::Matrix<double, 3, 12> slope = Eigen::Matrix<double, 3, 12>::Zero();  // derivatives of w
  for (int k = 0; k < 3; ++k) {
    for (int a = 0; a < 3; ++a) {
      slope.block<1, 3>(k, 3 * a) =
          -frozen.tau[k].dot(g.outward[a]) / (2 * g.area) * g.normal.transpose();
    }
    slope(k, 9 + k) = sign[k];
  }
  if (gradient) *gradient = slope.transpose() * moment;
  if (hessian) {
    *hessian = slope.transpose() * (2 * of.factor * own) * slope;
    for (int k = 0; k < 3; ++k) {
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          hessian->block<3, 3>(3 * a, 3 * b) -= moment[k] * NormalSecond(g, frozen.tau[k], a, b);
        }
      }
    }
  }
  return of.factor * w.dot(own * w - 2 * natural);
}

}  // namespace strand
