// Source of the loops (shell_loops.h), with STRAND_WIDTH lanes; the anonymous namespace keeps each
// instruction set's copy separate.
#include "model/energy/lanes.inl"
#include "model/energy/shell_loops.h"
#include "model/stencil/membrane.h"
#include "model/stencil/mid_edge.h"
#include "model/stencil/stretch.h"

namespace strand {
namespace {

// The mesh edges or triangles of the lanes.
template <size_t N>
struct ItemLanes : Lanes {
  ItemLanes(const StencilList<N>& of, int first, int end) : Lanes(first, end), list(of) {
    for (int lane = 0; lane < kWidth; ++lane) thing[lane] = list.item[item[lane]];
  }
  int dof(int lane, int node) const { return list.dof[item[lane]][node]; }
  // Position of `node`, or of `instead` where that node does not exist.
  Vector3P Position(const Configuration& at, int node, int instead) const {
    double x[3][kWidth];
    for (int lane = 0; lane < kWidth; ++lane) {
      const int given = dof(lane, node), first = given < 0 ? dof(lane, instead) : given;
      for (int c = 0; c < 3; ++c) x[c][lane] = at.q[first + c];
    }
    return {P(x[0]), P(x[1]), P(x[2])};
  }
  void AddForce(const P* gradient, int node, const Derivatives& out) const {
    for (int lane = 0; lane < count; ++lane) {
      const int first = dof(lane, node);
      for (int c = 0; first >= 0 && c < 3; ++c) out.gradient[first + c] += gradient[c][lane];
    }
  }
  const StencilList<N>& list;
  int thing[kWidth];
};

Evaluation Springs(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                   const StencilRange& range, const Derivatives& out) {
  Evaluation result;
  P largest(0);
  for (int first = range.first; first < range.end; first += kWidth) {
    const ItemLanes<2> lanes(index.spring, first, range.end);
    const Vector3P e = lanes.Position(at, 1, 0) - lanes.Position(at, 0, 0);
    const P length = Norm<P>(e);
    Vector3P force;
    Matrix3P block;
    const P energy =
        StretchEdge<P>(Vector3P(e / length), length, Load(rest.axial_stiffness, lanes.thing),
                       Load(rest.rest_length, lanes.thing), &force, out.values ? &block : nullptr);
    result.energy += Sum(energy, lanes);
    if (!out.gradient) continue;
    largest = Max(largest, Norm<P>(force));
    const Vector3P opposite = -force;
    lanes.AddForce(opposite.data(), 0, out);
    lanes.AddForce(force.data(), 1, out);
    if (!out.values) continue;
    Eigen::Matrix<P, 6, 6> hessian;
    hessian << block, -block, -block, block;
    Scatter(hessian, index.spring.plan, lanes, out.values);
  }
  result.force = Largest(largest);
  return result;
}

// A symmetric matrix per lane, from its lower triangle.
Matrix3P LoadSymmetric(const std::vector<std::array<double, 6>>& lower, const int (&item)[kWidth]) {
  Matrix3P matrix;
  for (int r = 0, k = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c, ++k) {
      double number[kWidth];
      for (int lane = 0; lane < kWidth; ++lane) number[lane] = lower[item[lane]][k];
      matrix(r, c) = matrix(c, r) = P(number);
    }
  }
  return matrix;
}

MembraneRestOf<P> LoadMembrane(const ShellRest& rest, const ItemLanes<3>& lanes) {
  MembraneRestOf<P> membrane;
  membrane.stiffness = LoadSymmetric(rest.membrane_stiffness, lanes.thing);
  for (int k = 0; k < 3; ++k) {
    int edge[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) edge[lane] = rest.triangle[lanes.thing[lane]].edge[k];
    membrane.length[k] = Load(rest.rest_length, edge);
  }
  return membrane;
}

Evaluation Membranes(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                     const StencilRange& range, const Derivatives& out) {
  Evaluation result;
  P largest(0);
  MembraneGradientOf<P> gradient;
  MembraneHessianOf<P> hessian;
  for (int first = range.first; first < range.end; first += kWidth) {
    const ItemLanes<3> lanes(index.membrane, first, range.end);
    const std::array<Vector3P, 3> x = {lanes.Position(at, 0, 0), lanes.Position(at, 1, 1),
                                       lanes.Position(at, 2, 2)};
    const P energy =
        StretchMembrane<P>(x, LoadMembrane(rest, lanes), out.gradient ? &gradient : nullptr,
                           out.values ? &hessian : nullptr);
    result.energy += Sum(energy, lanes);
    if (!out.gradient) continue;
    for (int k = 0; k < kMembraneSize; ++k) largest = Max(largest, Abs(gradient[k]));
    for (int node = 0; node < 3; ++node) lanes.AddForce(&gradient[3 * node], node, out);
    if (out.values) Scatter(hessian, index.membrane.plan, lanes, out.values);
  }
  result.force = Largest(largest);
  return result;
}

Evaluation Hinges(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                  const StencilRange& range, const Derivatives& out) {
  Evaluation result;
  P largest(0);
  HingeGradientOf<P> gradient;
  HingeHessianOf<P> hessian;
  for (int first = range.first; first < range.end; first += kWidth) {
    const ItemLanes<4> lanes(index.hinge, first, range.end);
    const HingeOf<P> hinge(lanes.Position(at, 0, 0), lanes.Position(at, 1, 1),
                           lanes.Position(at, 2, 2), lanes.Position(at, 3, 3));
    const P energy =
        BendHinge<P>(hinge, Load(rest.hinge_stiffness, lanes.thing),
                     Load(rest.natural_angle, lanes.thing), Load(rest.near_angle, lanes.thing),
                     out.gradient ? &gradient : nullptr, out.values ? &hessian : nullptr);
    result.energy += Sum(energy, lanes);
    if (!out.gradient) continue;
    for (int k = 0; k < 12; ++k) largest = Max(largest, Abs(gradient[k]));
    for (int node = 0; node < 4; ++node) lanes.AddForce(&gradient[3 * node], node, out);
    if (out.values) Scatter(hessian, index.hinge.plan, lanes, out.values);
  }
  result.force = Largest(largest);
  return result;
}

MidEdgeRestOf<P> LoadFacet(const ShellRest& rest, const ItemLanes<9>& lanes) {
  MidEdgeRestOf<P> facet;
  double weight[3][kWidth], sign[3][kWidth], natural[3][kWidth], near[3][kWidth];
  for (int lane = 0; lane < kWidth; ++lane) {
    const int t = lanes.thing[lane];
    for (int k = 0; k < 3; ++k) {
      weight[k][lane] = rest.facet_weight[t][k];
      sign[k][lane] = rest.triangle[t].sign[k];
      const int edge = rest.triangle[t].edge[k];
      natural[k][lane] =
          weight[k][lane] * rest.natural_angle[edge] + sign[k][lane] * rest.natural_rotation[edge];
      near[k][lane] = rest.near_angle[edge];
    }
  }
  for (int k = 0; k < 3; ++k) {
    facet.weight[k] = P(weight[k]), facet.sign[k] = P(sign[k]), facet.natural[k] = P(natural[k]);
    facet.near[k] = P(near[k]);
  }
  facet.stiffness = LoadSymmetric(rest.facet_stiffness, lanes.thing);
  return facet;
}

Vector3P LoadRotations(const Configuration& at, const ItemLanes<9>& lanes) {
  double angle[3][kWidth];
  for (int lane = 0; lane < kWidth; ++lane) {
    for (int k = 0; k < 3; ++k) angle[k][lane] = at.q[lanes.dof(lane, 6 + k)];
  }
  return {P(angle[0]), P(angle[1]), P(angle[2])};
}

Evaluation Facets(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                  const StencilRange& range, const Derivatives& out) {
  Evaluation result;
  P force(0), moment(0);
  MidEdgeGradientOf<P> gradient;
  MidEdgeHessianOf<P> hessian;
  for (int first = range.first; first < range.end; first += kWidth) {
    const ItemLanes<9> lanes(index.facet, first, range.end);
    MidEdgeNodesOf<P> x;
    for (int node = 0; node < 6; ++node) x[node] = lanes.Position(at, node, node % 3);
    const P energy =
        BendMidEdge<P>(x, LoadRotations(at, lanes), LoadFacet(rest, lanes),
                       out.gradient ? &gradient : nullptr, out.values ? &hessian : nullptr);
    result.energy += Sum(energy, lanes);
    if (!out.gradient) continue;
    for (int k = 0; k < 18; ++k) force = Max(force, Abs(gradient[k]));
    for (int k = 18; k < kMidEdgeSize; ++k) moment = Max(moment, Abs(gradient[k]));
    for (int node = 0; node < 6; ++node) lanes.AddForce(&gradient[3 * node], node, out);
    for (int lane = 0; lane < lanes.count; ++lane) {
      for (int k = 0; k < 3; ++k) out.gradient[lanes.dof(lane, 6 + k)] += gradient[18 + k][lane];
    }
    if (out.values) Scatter(hessian, index.facet.plan, lanes, out.values);
  }
  result.force = Largest(force), result.moment = Largest(moment);
  return result;
}

}  // namespace

extern const ShellLoops STRAND_SHELL_LOOPS;
const ShellLoops STRAND_SHELL_LOOPS = {Springs, Membranes, Hinges, Facets, kWidth};

}  // namespace strand
