#include "model/compat/frozen_mid_edge.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"

namespace strand {

FrozenMidEdge::FrozenMidEdge(const Network& network, const ShellRest& rest, const Dofs& dofs) {
  for (const MeshEdge& edge : rest.edge) {
    EdgeFrame& frame = frame_.emplace_back();
    for (int k : {0, 1}) frame.node[k] = dofs.node(edge.node[k]);
    for (int t : edge.triangle) {
      if (t < 0) continue;
      const auto& node = rest.triangle[t].node;
      frame.triangles.push_back({dofs.node(node[0]), dofs.node(node[1]), dofs.node(node[2])});
    }
  }
  for (size_t t = 0; t < rest.triangle.size(); ++t) {
    if (!network.shell(rest.shell_of_triangle[t]).mid_edge) continue;
    const Triangle& of = rest.triangle[t];
    const ShellMaterial& material = rest.material[rest.shell_of_triangle[t]];
    Facet& facet = facet_.emplace_back();
    for (int k = 0; k < 3; ++k) {
      facet.node[k] = dofs.node(of.node[k]), facet.edge[k] = of.edge[k];
      facet.rotation[k] = dofs.rotation(of.edge[k]), facet.sign[k] = of.sign[k];
      facet.length[k] = rest.rest_length[of.edge[k]];
    }
    facet.area = rest.area[t];
    facet.rest.factor = MidEdgeFactor(material) * rest.area[t];
    facet.rest.poisson = material.poisson;
  }
  offset_.resize(facet_.size());
  Configuration drawn;
  drawn.q.resize(dofs.size());
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) drawn.q[dofs.node(n) + c] = network.node()[n][c];
  }
  Freeze(drawn);
  for (Facet& facet : facet_) {
    const FacetGeometry g(Corners(facet, drawn));
    facet.rest.rest = facet.frozen;
    for (int k = 0; k < 3; ++k) facet.rest.natural[k] = -g.normal.dot(facet.frozen.tau[k]);
  }
}

std::array<Vector3, 3> FrozenMidEdge::Corners(const Facet& facet, const Configuration& at) {
  return {at.position(facet.node[0]), at.position(facet.node[1]), at.position(facet.node[2])};
}

// tau^0 = e x (mean normal), normalised; each triangle applies the sign of the edge.
void FrozenMidEdge::Freeze(const Configuration& at) {
  for (EdgeFrame& frame : frame_) {
    Vector3 mean = Vector3::Zero();
    for (const auto& [a, b, c] : frame.triangles) {
      mean += AreaVector(at.position(a), at.position(b), at.position(c)).normalized();
    }
    const Vector3 along = at.position(frame.node[1]) - at.position(frame.node[0]);
    frame.tau = along.cross(mean).normalized();
  }
  for (Facet& facet : facet_) {
    facet.frozen =
        strand::Freeze(FacetGeometry(Corners(facet, at)), Outward(facet), facet.area, facet.length);
  }
}

std::array<Vector3, 3> FrozenMidEdge::Outward(const Facet& facet) const {
  std::array<Vector3, 3> tau;
  for (int k = 0; k < 3; ++k) tau[k] = facet.sign[k] * frame_[facet.edge[k]].tau;
  return tau;
}

bool FrozenMidEdge::Prepare(const Motion& motion, std::span<const double>, double) {
  Freeze(motion.at);
  return false;
}

bool FrozenMidEdge::Refresh(const Configuration& at) {
  Freeze(at);
  return false;
}

std::array<int, 12> FrozenMidEdge::FacetDofs(const Facet& facet) {
  std::array<int, 12> dofs;
  for (int k = 0; k < 9; ++k) dofs[k] = facet.node[k / 3] + k % 3;
  std::ranges::copy(facet.rotation, dofs.begin() + 9);
  return dofs;
}

void FrozenMidEdge::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Facet& facet : facet_) CoupleBlock(dofs, FacetDofs(facet), pattern);
}

void FrozenMidEdge::Bind(const Dofs& dofs, const LinearSystem& system) {
  for (size_t f = 0; f < facet_.size(); ++f) {
    BlockOffsets(dofs, system, FacetDofs(facet_[f]), offset_[f]);
  }
}

Evaluation FrozenMidEdge::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  FrozenGradient gradient;
  FrozenHessian hessian;
  for (size_t f = 0; f < facet_.size(); ++f) {
    const Facet& facet = facet_[f];
    Vector3 rotation;
    for (int k = 0; k < 3; ++k) rotation[k] = motion.at.q[facet.rotation[k]];
    result.energy += BendFrozen(Corners(facet, motion.at), rotation, facet.sign, facet.frozen,
                                facet.rest, &gradient, out.values ? &hessian : nullptr);
    const std::array<int, 12> dofs = FacetDofs(facet);
    for (int k = 0; k < 12; ++k) {
      double& largest = k < 9 ? result.force : result.moment;
      largest = std::max(largest, std::abs(gradient[k]));
      if (out.gradient) out.gradient[dofs[k]] += gradient[k];
    }
    for (int k = 0; out.values && k < 144; ++k) out.values[offset_[f][k]] += hessian.data()[k];
  }
  return result;
}

}  // namespace strand
