// The loops over edges and joints, W of them side by side. Compiled once for each instruction set
// (elastic_loops_*.cc), chosen when the program runs (elastic_energy.cc).
//
// Nothing but arithmetic on plain arrays belongs here: an inline function of the library, compiled
// for a newer instruction set, could otherwise end up in code that runs on every machine.
#pragma once

#include "model/assembly/hessian_plan.h"
#include "model/energy/configuration.h"
#include "model/energy/elastic.h"
#include "model/energy/evaluation.h"
#include "model/stencil/edge.h"
#include "model/stencil/stretch.h"
#include "model/stencil/twist.h"

namespace strand {

/// Where the degrees of freedom of each edge and joint are.
struct ElasticIndex {
  std::vector<std::array<int, 2>> edge_node;  ///< dof of x at the edge's ends
  std::vector<int> edge_angle;                ///< dof of theta
  /// dofs of (x_0, theta_a, x_1, theta_b, x_2): those of the stencil's first four entries follow
  std::vector<std::array<int, 5>> joint;
  HessianPlan edge_plan, joint_plan;  ///< filled where a Hessian is wanted
};

/// One set of the loops.
struct ElasticLoops {
  /// Directions, lengths and frames of `to` from its positions: `from`'s frames parallel-
  /// transported and turned by `spin` (rad, per dof).
  void (*move)(const ElasticIndex& index, const Configuration& from, const double* spin,
               Configuration* to);
  /// Twist of the joints of `to`, unwrapped next to `from`'s plus what the spins add.
  void (*twist)(const ElasticIndex& index, const ElasticRest& rest, const Configuration& from,
                const double* spin, Configuration* to);
  /// Angle (rad) of each edge's frame in `at` against `from`'s, parallel-transported: added to
  /// from's theta, next to the guess that stands in `at`.
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
