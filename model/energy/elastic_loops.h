// The loops over edges and joints, W of them side by side. They are compiled once for each
// instruction set (elastic_loops_*.cc) and chosen at run time (elastic_loops.cc).
//
// Only arithmetic on plain arrays belongs here. Otherwise the linker could pick the copy of an
// inline library function that was compiled for a newer instruction set for code that runs on all
// machines.
#pragma once

#include "model/assembly/hessian_plan.h"
#include "model/energy/configuration.h"
#include "model/energy/elastic.h"
#include "model/energy/evaluation.h"
#include "model/stencil/edge.h"
#include "model/stencil/stretch.h"
#include "model/stencil/twist.h"

namespace strand {

/// Degrees of freedom of each edge and joint.
struct ElasticIndex {
  std::vector<std::array<int, 2>> edge_node;  ///< dof of x at the edge's ends
  std::vector<int> edge_angle;                ///< dof of theta
  /// First dofs of (x_0, theta_a, x_1, theta_b, x_2); y and z follow x.
  std::vector<std::array<int, 5>> joint;
  HessianPlan edge_plan, joint_plan;  ///< filled by Bind
};

/// One set of the loops.
struct ElasticLoops {
  /// Computes directions, lengths and frames of `to` from its positions: the frames of `from` are
  /// parallel-transported and turned by `spin` (rad, per dof).
  void (*move)(const ElasticIndex& index, const Configuration& from, const double* spin,
               Configuration* to);
  /// Twist of the joints of `to`, unwrapped next to the twist of `from` plus the change by `spin`.
  void (*twist)(const ElasticIndex& index, const ElasticRest& rest, const Configuration& from,
                const double* spin, Configuration* to);
  /// Sets theta of each edge in `at`: theta of `from` plus the angle (rad) of the frame in `at`
  /// against the parallel-transported frame of `from`, unwrapped next to the guess in `at`.
  void (*angle)(const ElasticIndex& index, const Configuration& from, Configuration* at);
  Evaluation (*stretch)(const ElasticIndex& index, const ElasticRest& rest, const Configuration& at,
                        const StencilRange& edges, const Derivatives& out);
  Evaluation (*joints)(const ElasticIndex& index, const ElasticRest& rest, const Configuration& at,
                       const StencilRange& joints, const Derivatives& out);
  int width;
};

/// The sets that this machine can run, the widest last.
std::vector<const ElasticLoops*> AvailableElasticLoops();
/// The widest of them.
const ElasticLoops& ChooseElasticLoops();

}  // namespace strand
