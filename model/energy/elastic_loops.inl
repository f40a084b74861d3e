// Source of the loops (elastic_loops.h), with STRAND_WIDTH lanes; the anonymous namespace keeps
// each instruction set's copy separate.
#include "model/energy/elastic_loops.h"
#include "model/energy/lanes.inl"

namespace strand {
namespace {

using FrameP = Matrix3Of<P>;

Vector3P Load(const Components& vectors, const int (&item)[kWidth]) {
  return {Load(vectors[0], item), Load(vectors[1], item), Load(vectors[2], item)};
}

void Store(const P& pack, const Lanes& lanes, std::vector<double>* array) {
  for (int lane = 0; lane < lanes.count; ++lane) (*array)[lanes.item[lane]] = pack[lane];
}

void Store(const Vector3P& vector, const Lanes& lanes, Components* vectors) {
  for (int c = 0; c < 3; ++c) Store(vector[c], lanes, &(*vectors)[c]);
}

FrameP LoadFrame(const Configuration& at, const int (&item)[kWidth]) {
  FrameP frame;
  frame << Load(at.t, item), Load(at.m1, item), Load(at.m2, item);
  return frame;
}

// cos and sin of the turn in one step; series with an error of 3e-18 where it is small.
void CosSin(const P& angle, P* cosine, P* sine) {
  const P s = angle * angle;
  if (All(s < P(1.0 / 64))) {
    *cosine =
        P(1) +
        s * (P(-1.0 / 2) +
             s * (P(1.0 / 24) + s * (P(-1.0 / 720) + s * (P(1.0 / 40320) - s * P(1.0 / 3628800)))));
    *sine = angle * (P(1) + s * (P(-1.0 / 6) +
                                 s * (P(1.0 / 120) + s * (P(-1.0 / 5040) + s * P(1.0 / 362880)))));
    return;
  }
  double c[kWidth], n[kWidth];
  for (int lane = 0; lane < kWidth; ++lane) {
    c[lane] = std::cos(angle[lane]), n[lane] = std::sin(angle[lane]);
  }
  *cosine = P(c), *sine = P(n);
}

void Move(const ElasticIndex& index, const Configuration& from, const double* spin,
          Configuration* to) {
  const int edges = static_cast<int>(index.edge_angle.size());
  for (int first = 0; first < edges; first += kWidth) {
    const Lanes lanes(first, edges);
    double apart[3][kWidth], turn[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) {
      const auto& node = index.edge_node[lanes.item[lane]];
      const double *x0 = &to->q[node[0]], *x1 = &to->q[node[1]];
      for (int c = 0; c < 3; ++c) apart[c][lane] = x1[c] - x0[c];
      turn[lane] = spin[index.edge_angle[lanes.item[lane]]];
    }
    const Vector3P e{P(apart[0]), P(apart[1]), P(apart[2])};
    const P length = Norm<P>(e);
    const Vector3P t = e * (P(1) / length);
    const Vector3P t_from = Load(from.t, lanes.item), m1_from = Load(from.m1, lanes.item);
    Vector3P d1 = ParallelTransport<P>(m1_from, t_from, t);
    d1 -= t.dot(d1) * t;
    d1 *= P(1) / Norm<P>(d1);
    const Vector3P d2 = t.cross(d1);
    P cosine(1), sine(0);
    CosSin(P(turn), &cosine, &sine);
    Store(length, lanes, &to->length);
    Store(t, lanes, &to->t);
    Store(Vector3P(cosine * d1 + sine * d2), lanes, &to->m1);
    Store(Vector3P(cosine * d2 - sine * d1), lanes, &to->m2);
  }
}

// The edges of joints as seen in the direction a -> b, with sign -1 for edges that point against
// it.
struct JointLanes : Lanes {
  JointLanes(const ElasticRest& rest, int first, int end) : Lanes(first, end) {
    double signs[2][kWidth];
    for (int lane = 0; lane < kWidth; ++lane) {
      const Joint& joint = rest.joint[item[lane]];
      for (int s = 0; s < 2; ++s) edge[s][lane] = joint.edge[s], signs[s][lane] = joint.sign[s];
    }
    for (int s = 0; s < 2; ++s) sign[s] = P(signs[s]);
  }
  FrameP Frame(const Configuration& at, int s) const {
    FrameP frame = LoadFrame(at, edge[s]);
    frame.col(0) *= sign[s], frame.col(2) *= sign[s];
    return frame;
  }
  int edge[2][kWidth];
  P sign[2];
};

void Twist(const ElasticIndex& index, const ElasticRest& rest, const Configuration& from,
           const double* spin, Configuration* to) {
  for (int first = 0; first < rest.joints(); first += kWidth) {
    const JointLanes lanes(rest, first, rest.joints());
    int angle_dof[2][kWidth];
    for (int lane = 0; lane < kWidth; ++lane) {
      const auto& joint = index.joint[lanes.item[lane]];
      angle_dof[0][lane] = joint[1], angle_dof[1][lane] = joint[3];
    }
    const P guess = Load(from.twist, lanes.item) + lanes.sign[1] * Load(spin, angle_dof[1]) -
                    lanes.sign[0] * Load(spin, angle_dof[0]);
    const P angle = TwistAngle<P>(lanes.Frame(*to, 0), lanes.Frame(*to, 1));
    Store(Unwrap<P>(angle, guess), lanes, &to->twist);
  }
}

void Angle(const ElasticIndex& index, const Configuration& from, Configuration* at) {
  const int edges = static_cast<int>(index.edge_angle.size());
  for (int first = 0; first < edges; first += kWidth) {
    const Lanes lanes(first, edges);
    int dof[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) dof[lane] = index.edge_angle[lanes.item[lane]];
    const P before = Load(from.q, dof);
    const P turn = TwistAngle<P>(LoadFrame(from, lanes.item), LoadFrame(*at, lanes.item));
    const P angle = before + Unwrap<P>(turn, Load(at->q, dof) - before);
    for (int lane = 0; lane < lanes.count; ++lane) at->q[dof[lane]] = angle[lane];
  }
}

Evaluation StretchEdges(const ElasticIndex& index, const ElasticRest& rest, const Configuration& at,
                        const StencilRange& edges, const Derivatives& out) {
  Evaluation result;
  P largest(0);
  for (int first = edges.first; first < edges.end; first += kWidth) {
    const Lanes lanes(first, edges.end);
    Vector3P force;
    FrameP block;
    const P energy = StretchEdge<P>(
        Load(at.t, lanes.item), Load(at.length, lanes.item), Load(rest.axial_stiffness, lanes.item),
        Load(rest.rest_length, lanes.item), &force, out.values ? &block : nullptr);
    result.energy += Sum(energy, lanes);
    if (!out.gradient) continue;
    largest = Max(largest, Norm<P>(force));
    for (int lane = 0; lane < lanes.count; ++lane) {
      const auto& node = index.edge_node[lanes.item[lane]];
      for (int c = 0; c < 3; ++c) {
        out.gradient[node[0] + c] -= force[c][lane];
        out.gradient[node[1] + c] += force[c][lane];
      }
    }
    if (!out.values) continue;
    Eigen::Matrix<P, 6, 6> hessian;
    hessian << block, -block, -block, block;
    Scatter(hessian, index.edge_plan, lanes, out.values);
  }
  result.force = Largest(largest);
  return result;
}

struct JointValue {
  P energy;
  JointGradientOf<P> gradient;
  JointHessianOf<P> hessian;
};

// Turns edge b's frame back by ElasticRest::turned_back, and its natural curvatures unless null.
void TurnBack(const ElasticRest& rest, const JointLanes& lanes, FrameP* b,
              std::array<P, 2>* natural) {
  const P cosine = Load(rest.drawn_turn[0], lanes.item);
  const P sine = -Load(rest.drawn_turn[1], lanes.item);
  const auto directors = TurnedPair<Vector3P>({b->col(1), b->col(2)}, cosine, sine);
  b->col(1) = directors[0], b->col(2) = directors[1];
  if (natural) *natural = TurnedPair(*natural, cosine, sine);
}

// Bending and twisting of a joint, with edge directions oriented along a -> b.
template <BendAverage average>
void EvaluateKernels(const ElasticRest& rest, const Configuration& at, const JointLanes& lanes,
                     const JointGeometryOf<P>& geometry, bool wants_hessian, JointValue* value) {
  JointHessianOf<P>* hessian = wants_hessian ? &value->hessian : nullptr;
  const P stiffness = Load(rest.bend_stiffness[0], lanes.item);
  if (rest.isotropic_straight) {
    value->energy =
        BendIsotropic<P>(geometry, stiffness, rest.options.measure, &value->gradient, hessian);
  } else {
    BendRestOf<P> bend;
    bend.stiffness = {stiffness, Load(rest.bend_stiffness[1], lanes.item)};
    for (int n = 0; n < 4; ++n) bend.natural[n / 2][n % 2] = Load(rest.natural[n], lanes.item);
    const FrameP a = lanes.Frame(at, 0);
    FrameP b = lanes.Frame(at, 1);
    if constexpr (average == BendAverage::kMiddle) {
      TurnBack(rest, lanes, &b, nullptr);
      const P twist = Load(at.twist, lanes.item) - Load(rest.turned_back, lanes.item);
      value->energy = BendMiddle<P>(geometry, a, b, twist, bend, rest.options.measure,
                                    &value->gradient, hessian);
    } else {
      if (average == BendAverage::kCurvatures) TurnBack(rest, lanes, &b, &bend.natural[1]);
      value->energy = BendMaterial<P>(geometry, a, b, bend, rest.options.measure, average,
                                      &value->gradient, hessian);
    }
  }
  if (!rest.options.twist) return;
  const TwistRestOf<P> twist = {Load(rest.twist_stiffness, lanes.item),
                                Load(rest.natural_twist, lanes.item)};
  value->energy +=
      AddTwist<P>(geometry, Load(at.twist, lanes.item), twist, &value->gradient, hessian);
}

template <BendAverage average>
Evaluation EvaluateJointsBy(const ElasticIndex& index, const ElasticRest& rest,
                            const Configuration& at, const StencilRange& joints,
                            const Derivatives& out) {
  Evaluation result;
  P force(0), moment(0);
  const bool wants_hessian = out.values != nullptr;
  JointValue value;
  NodeGradientOf<P> gradient;
  NodeHessianOf<P> hessian;
  for (int first = joints.first; first < joints.end; first += kWidth) {
    const JointLanes lanes(rest, first, joints.end);
    const Vector3P a = lanes.sign[0] * Load(at.t, lanes.edge[0]);
    const Vector3P b = lanes.sign[1] * Load(at.t, lanes.edge[1]);
    const JointGeometryOf<P> geometry(a, b);
    EvaluateKernels<average>(rest, at, lanes, geometry, wants_hessian, &value);
    result.energy += Sum(value.energy, lanes);
    if (!out.gradient) continue;
    const P per_length[2] = {P(1) / Load(at.length, lanes.edge[0]),
                             P(1) / Load(at.length, lanes.edge[1])};
    DirectionsToEdges<P>(geometry, per_length, &value.gradient,
                         wants_hessian ? &value.hessian : nullptr);
    // The nodes are already ordered from a's far end to b's; only the angles' signs remain.
    EdgesToNodes<P>(value.gradient, &gradient);
    gradient[3] *= lanes.sign[0], gradient[7] *= lanes.sign[1];
    for (int n : {0, 1, 2, 4, 5, 6, 8, 9, 10}) force = Max(force, Abs(gradient[n]));
    moment = Max(moment, Max(Abs(gradient[3]), Abs(gradient[7])));
    for (int lane = 0; lane < lanes.count; ++lane) {
      const auto& dof = index.joint[lanes.item[lane]];
      for (int c = 0; c < 3; ++c) {
        out.gradient[dof[0] + c] += gradient[c][lane];
        out.gradient[dof[2] + c] += gradient[4 + c][lane];
        out.gradient[dof[4] + c] += gradient[8 + c][lane];
      }
      out.gradient[dof[1]] += gradient[3][lane];
      out.gradient[dof[3]] += gradient[7][lane];
    }
    if (!wants_hessian) continue;
    EdgesToNodes<P>(value.hessian, &hessian);
    hessian.row(3) *= lanes.sign[0], hessian.col(3) *= lanes.sign[0];
    hessian.row(7) *= lanes.sign[1], hessian.col(7) *= lanes.sign[1];
    Scatter(hessian, index.joint_plan, lanes, out.values);
  }
  result.force = Largest(force), result.moment = Largest(moment);
  return result;
}

Evaluation EvaluateJoints(const ElasticIndex& index, const ElasticRest& rest,
                          const Configuration& at, const StencilRange& joints,
                          const Derivatives& out) {
  switch (rest.options.average) {
    case BendAverage::kMiddle:
      return EvaluateJointsBy<BendAverage::kMiddle>(index, rest, at, joints, out);
    case BendAverage::kEnergies:
      return EvaluateJointsBy<BendAverage::kEnergies>(index, rest, at, joints, out);
    case BendAverage::kCurvatures:
      return EvaluateJointsBy<BendAverage::kCurvatures>(index, rest, at, joints, out);
  }
  return {};
}

}  // namespace

extern const ElasticLoops STRAND_LOOPS;
const ElasticLoops STRAND_LOOPS = {Move, Twist, Angle, StretchEdges, EvaluateJoints, kWidth};

}  // namespace strand
