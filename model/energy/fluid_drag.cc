#include "model/energy/fluid_drag.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"
#include "model/config/error.h"

namespace strand {
namespace {

void CheckNotNegative(const char* field, double value, const char* unit) {
  if (value >= 0 && std::isfinite(value)) return;
  throw ConfigError(field, Text(value), std::string("finite, >= 0 (") + unit + ")");
}

}  // namespace

template <int N>
void FluidDrag<N>::SetFlow(const Vector3& velocity) {
  if (!velocity.allFinite()) throw ConfigError("flow", "not a finite vector", "finite (m/s)");
  flow_ = velocity;
}

template <int N>
std::array<int, 3 * N> FluidDrag<N>::Dofs3(size_t stencil) const {
  std::array<int, 3 * N> dofs;
  for (int k = 0; k < 3 * N; ++k) dofs[k] = dof_[stencil][k / 3] + k % 3;
  return dofs;
}

template <int N>
void FluidDrag<N>::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (size_t s = 0; s < dof_.size(); ++s) CoupleBlock(dofs, Dofs3(s), pattern);
}

template <int N>
void FluidDrag<N>::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(dof_.size());
  for (size_t s = 0; s < dof_.size(); ++s) BlockOffsets(dofs, system, Dofs3(s), offset_[s]);
}

template <int N>
Evaluation FluidDrag<N>::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  FluidDerivative<N> by_position;
  for (size_t s = 0; s < dof_.size(); ++s) {
    std::array<Vector3, N> x, velocity;
    for (int i = 0; i < N; ++i) {
      const int dof = dof_[s][i];
      x[i] = motion.at.position(dof);
      velocity[i] = motion.velocity3(dof) - flow_;
    }
    const FluidForce<N> drag =
        OnStencil(s, x, velocity, motion.rate, out.values ? &by_position : nullptr);
    for (int i = 0; i < N; ++i) {
      for (int c = 0; c < 3; ++c) {
        const double force = drag[3 * i + c];
        result.force = std::max(result.force, std::abs(force));
        if (out.gradient) out.gradient[dof_[s][i] + c] -= force;
        if (out.pathwise) out.pathwise[dof_[s][i] + c] -= force;
      }
    }
    if (!out.values) continue;
    for (int k = 0; k < 9 * N * N; ++k) {
      out.values[offset_[s][k]] -= derivative_factor_ * by_position.data()[k];
    }
  }
  return result;
}

template class FluidDrag<2>;
template class FluidDrag<3>;

AerodynamicDrag::AerodynamicDrag(const ShellRest& rest, const Dofs& dofs, double density,
                                 double coefficient, const Vector3& flow, bool as_published)
    : FluidDrag(flow) {
  CheckNotNegative("drag density", density, "kg/m^3");
  CheckNotNegative("drag coefficient", coefficient, "1");
  derivative_factor_ = as_published ? 2 : 1;
  for (size_t t = 0; t < rest.triangle.size(); ++t) {
    const auto& node = rest.triangle[t].node;
    AddStencil({dofs.node(node[0]), dofs.node(node[1]), dofs.node(node[2])});
    factor_.push_back(0.5 * density * coefficient * rest.area[t] / 3);
  }
}

FluidForce<3> AerodynamicDrag::OnStencil(size_t stencil, const std::array<Vector3, 3>& x,
                                         const std::array<Vector3, 3>& velocity, double rate,
                                         FluidDerivative<3>* by_position) const {
  return TriangleDrag(x, velocity, rate, factor_[stencil], by_position);
}

ResistiveDrag::ResistiveDrag(const Network& network, const Dofs& dofs,
                             const ResistiveCoefficients& coefficients, const Vector3& flow)
    : FluidDrag(flow), coefficients_(coefficients) {
  CheckNotNegative("tangential drag", coefficients.tangential, "Pa s");
  CheckNotNegative("normal drag", coefficients.normal, "Pa s");
  for (int r = 0; r < network.rods(); ++r) {
    for (int e : network.rod(r).edge) {
      const Edge& edge = network.edge()[e];
      AddStencil({dofs.node(edge.node[0]), dofs.node(edge.node[1])});
      length_.push_back(edge.length);
    }
  }
}

FluidForce<2> ResistiveDrag::OnStencil(size_t stencil, const std::array<Vector3, 2>& x,
                                       const std::array<Vector3, 2>& velocity, double rate,
                                       FluidDerivative<2>* by_position) const {
  return ResistiveEdge(x, velocity, rate, length_[stencil], coefficients_, by_position);
}

}  // namespace strand
