#include "model/vine/chain.h"

#include <cmath>

namespace strand {

PairGeometry MakePairGeometry(const Eigen::VectorXd& q, int pair) {
  const double* a = q.data() + 6 * pair;
  const double* b = a + 3;
  PairGeometry g;
  g.cos_a = std::cos(a[2]), g.sin_a = std::sin(a[2]);
  g.cos_b = std::cos(b[2]), g.sin_b = std::sin(b[2]);
  g.dx = b[0] - a[0], g.dy = b[1] - a[1];
  g.extension = std::sqrt(g.dx * g.dx + g.dy * g.dy);
  return g;
}

double Extension(const Eigen::VectorXd& q, int pair) {
  return (q.segment<2>(6 * pair + 3) - q.segment<2>(6 * pair)).norm();
}

Eigen::Vector4d JointErrors(const VineChain& chain, const Eigen::VectorXd& q, int pair,
                            const PairGeometry& previous, const PairGeometry& here) {
  const double* a = q.data() + 6 * pair;
  const double d = chain.half_length[pair];
  Eigen::Vector4d c(a[0] - d * here.cos_a, a[1] - d * here.sin_a,
                    -here.sin_a * here.dx + here.cos_a * here.dy,
                    -here.sin_b * here.dx + here.cos_b * here.dy);
  if (pair > 0) {
    const double* p = a - 3;
    const double reach = chain.half_length[pair - 1];
    c[0] -= p[0] + reach * previous.cos_b;
    c[1] -= p[1] + reach * previous.sin_b;
  } else if (chain.pinned) {
    c.head<2>() -= chain.base;
  } else {
    c.head<2>().setZero();
  }
  return c;
}

PairRows MakePairRows(const VineChain& chain, int pair, const PairGeometry& previous,
                      const PairGeometry& here) {
  PairRows rows;
  const double d = chain.half_length[pair];
  rows.pin_a[0] = d * here.sin_a;
  rows.pin_a[1] = -d * here.cos_a;
  const double reach = pair > 0 ? chain.half_length[pair - 1] : 0;
  rows.pin_p[0] = pair > 0 ? reach * previous.sin_b : 0;
  rows.pin_p[1] = pair > 0 ? -reach * previous.cos_b : 0;
  const double x = here.dx / here.extension, y = here.dy / here.extension;
  rows.on_a << here.sin_a, -here.cos_a, -(here.cos_a * here.dx + here.sin_a * here.dy),  //
      here.sin_b, -here.cos_b, 0,                                                        //
      -x, -y, 0;
  rows.on_b << -here.sin_a, here.cos_a, 0,                                      //
      -here.sin_b, here.cos_b, -(here.cos_b * here.dx + here.sin_b * here.dy),  //
      x, y, 0;
  return rows;
}

double JointAngle(const VineChain& chain, const Eigen::VectorXd& q, int pair) {
  const double proximal = pair > 0 ? q[6 * pair - 1] : chain.base_heading;
  return q[6 * pair + 2] - proximal - chain.natural_angle[pair];
}

double JointRate(const Eigen::VectorXd& v, int pair) {
  return v[6 * pair + 2] - (pair > 0 ? v[6 * pair - 1] : 0);
}

Vector2 ContactPoint(const VineChain& chain, const Eigen::VectorXd& q, int pair) {
  const double* b = q.data() + 6 * pair + 3;
  const double d = chain.half_length[pair];
  return {b[0] + d * std::cos(b[2]), b[1] + d * std::sin(b[2])};
}

VineEnergy EvaluateEnergy(const VineChain& chain, const VineState& state, const Vector2& gravity) {
  VineEnergy energy;
  for (int k = 0; k < chain.bodies(); ++k) {
    const double m = chain.mass[k / 2];
    const auto v = state.v.segment<3>(3 * k);
    energy.kinetic += 0.5 * m * v.head<2>().squaredNorm();
    energy.kinetic += 0.5 * chain.inertia[k / 2] * v[2] * v[2];
    energy.gravity -= m * gravity.dot(state.q.segment<2>(3 * k));
  }
  for (int i = 0; i < chain.pairs; ++i) {
    if (!chain.HasJoint(i)) continue;
    const double phi = JointAngle(chain, state.q, i);
    energy.bending += 0.5 * chain.stiffness[i] * phi * phi;
  }
  return energy;
}

double ChainLength(const VineChain& chain, const Eigen::VectorXd& q) {
  double length = 0;
  for (int i = 0; i < chain.pairs; ++i) {
    length += Extension(q, i) + 2 * chain.half_length[i];
  }
  return length;
}

void PlacePair(double half_length, const Vector2& start, double heading, double extension, int pair,
               Eigen::VectorXd* q) {
  const Vector2 along(std::cos(heading), std::sin(heading));
  const Vector2 a = start + half_length * along, b = a + extension * along;
  q->segment<6>(6 * pair) << a, heading, b, heading;
}

}  // namespace strand
