#include "model/compat/mid_edge_frozen.h"

#include <gtest/gtest.h>

#include "model/stencil/mid_edge.h"
#include "tests/support/derivative_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace mid_edge_frozen_test {

using testing::ExpectDerivatives;
using testing::Random;
using testing::Vector;

struct Case {
  FrozenFacet frozen;
  FrozenRest rest;
  Vector3 sign{1, -1, 1};
};

std::array<Vector3, 3> Nodes(const Vector& q) {
  return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6)};
}

// Outward vectors, tilted randomly about their edges.
std::array<Vector3, 3> Tilted(const FacetGeometry& g, Random* random) {
  std::array<Vector3, 3> tau;
  for (int k = 0; k < 3; ++k) {
    const double angle = random->Uniform(-0.4, 0.4);
    tau[k] = std::cos(angle) * g.outward[k].normalized() + std::sin(angle) * g.normal;
  }
  return tau;
}

Case MakeCase(const Vector& q, Random* random) {
  const FacetGeometry g(Nodes(q));
  const std::array<double, 3> length = {1.1, 0.9, 1.2};
  Case of;
  of.rest = {Freeze(g, Tilted(g, random), 0.4, length), 0.3 * random->Vector(), 2.5, 0.3};
  of.frozen = Freeze(g, Tilted(g, random), 0.4, length);
  return of;
}

double Evaluate(const Case& of, const Vector& q, FrozenGradient* g, FrozenHessian* h) {
  return BendFrozen(Nodes(q), q.tail<3>(), of.sign, of.frozen, of.rest, g, h);
}

Vector Start(Random* random) {
  Vector q(12);
  q << 0, 0, 0, 1, 0.1, 0, 0.3, 0.9, 0.2, 0.1, -0.2, 0.3;
  for (double& x : q) x += random->Uniform(-0.1, 0.1);
  return q;
}

TEST(MidEdgeFrozen, DerivativesMatchDifferencesOfTheFrozenForm) {
  Random random(1);
  for (int trial = 0; trial < 4; ++trial) {
    const Vector q = Start(&random);
    const Case of = MakeCase(q, &random);
    const auto energy = [&](const Vector& x) { return Evaluate(of, x, nullptr, nullptr); };
    const auto gradient = [&](const Vector& x) {
      FrozenGradient g;
      Evaluate(of, x, &g, nullptr);
      return Vector(g);
    };
    FrozenGradient g;
    FrozenHessian h;
    Evaluate(of, q, &g, &h);
    EXPECT_LT((h - h.transpose()).norm(), 1e-13 * h.norm());
    ExpectDerivatives(energy, gradient, q, g, h, 0.05);
  }
}

// For nearly flat triangles both forms agree: tau points outward, and w_k is the angle alpha_k.
TEST(MidEdgeFrozen, TendsToTheExactForm) {
  Random random(3);
  std::array<Vector3, 6> flat = {Vector3(0, 0, 0),      Vector3(1, 0.1, 0),
                                 Vector3(0.3, 0.8, 0),  Vector3(1.2, 1.1, 0),
                                 Vector3(-0.7, 0.6, 0), Vector3(0.4, -0.9, 0)};
  const double poisson = 0.3, size = 1e-4;
  const FacetGeometry rest({flat[0], flat[1], flat[2]});
  const std::array<double, 3> length = {rest.edge[0].norm(), rest.edge[1].norm(),
                                        rest.edge[2].norm()};
  for (Vector3& x : flat) x.z() = size * random.Uniform(-1, 1);
  const FacetGeometry g({flat[0], flat[1], flat[2]});
  std::array<Vector3, 3> tau;
  for (int k = 0; k < 3; ++k) {
    const Vector3 other =
        (flat[3 + k] - flat[(k + 1) % 3]).cross(g.edge[k]).normalized();  // the neighbour's normal
    tau[k] = g.edge[k].cross((g.normal + other).normalized()).normalized();
  }
  const Vector3 rotation = size * random.Vector();
  const FrozenFacet frozen = Freeze(g, tau, rest.area, length);
  const FrozenRest of{frozen, Vector3::Zero(), 1.7 * rest.area, poisson};
  const double energy = BendFrozen({flat[0], flat[1], flat[2]}, -rotation, Vector3::Ones(), frozen,
                                   of, nullptr, nullptr);
  MidEdgeRest exact;
  exact.stiffness = MidEdgeStiffness({flat[0], flat[1], flat[2]}, 1.7, poisson);
  exact.natural.setZero(), exact.weight.setConstant(0.5), exact.sign.setOnes();
  EXPECT_NEAR(energy, BendMidEdge<double>(flat, rotation, exact), 1e-6 * energy);
}

}  // namespace mid_edge_frozen_test
}  // namespace strand
