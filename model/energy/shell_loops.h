// The loops over a shell's edges, hinges and triangles, W of them side by side. They are compiled
// and chosen like those of rods (energy/elastic_loops.h).
#pragma once

#include "model/assembly/hessian_plan.h"
#include "model/energy/configuration.h"
#include "model/energy/evaluation.h"
#include "model/energy/shell.h"

namespace strand {

/// Stencils of one kind in the order of evaluation, with their degrees of freedom: of each node's
/// x, or of a rotation.
template <size_t N>
struct StencilList {
  std::vector<int> item;                ///< mesh edge or triangle
  std::vector<std::array<int, N>> dof;  ///< -1: does not exist
  HessianPlan plan;                     ///< filled by Bind
};

struct ShellIndex {
  StencilList<2> spring;    ///< x0, x1
  StencilList<3> membrane;  ///< x0, x1, x2
  StencilList<4> hinge;     ///< x0, x1, the wings
  StencilList<9> facet;     ///< stencil/mid_edge.h: nodes, far nodes, rotations
};

/// One set of the loops.
struct ShellLoops {
  Evaluation (*springs)(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                        const StencilRange& range, const Derivatives& out);
  Evaluation (*membranes)(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                          const StencilRange& range, const Derivatives& out);
  Evaluation (*hinges)(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                       const StencilRange& range, const Derivatives& out);
  Evaluation (*facets)(const ShellIndex& index, const ShellRest& rest, const Configuration& at,
                       const StencilRange& range, const Derivatives& out);
  int width;
};

/// The sets that this machine can run, the widest last.
std::vector<const ShellLoops*> AvailableShellLoops();

}  // namespace strand
