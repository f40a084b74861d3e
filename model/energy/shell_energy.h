// The elastic energy of shells as a force: stretching, and bending by hinges or mid-edge normals.
// Its history are the hinges' angles, in which full turns count: a sheet without contact can fold
// through itself.
#pragma once

#include <memory>

#include "model/assembly/colouring.h"
#include "model/assembly/workers.h"
#include "model/energy/shell_loops.h"
#include "model/energy/step_force.h"

namespace strand {

class ShellEnergy : public StepForce {
 public:
  ShellEnergy(const Network& network, ShellRest rest, const Dofs& dofs,
              const ShellLoops& loops = *AvailableShellLoops().back());

  ShellRest& rest() { return rest_; }
  const ShellRest& rest() const { return rest_; }

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  void Accept(const Motion& motion) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

  /// Counts no full turns at `at`: angles are those nearest to the natural ones.
  void CountFromRest(const Configuration& at);

  /// Number of threads that share the stencils of large meshes; default: one per core.
  void UseThreads(int threads);

 private:
  /// Blocks of one list of stencils, and the result of each.
  struct Blocks {
    Colouring colouring;
    std::vector<Evaluation> value;
  };
  double AngleNear(int hinge, const Configuration& at, double near) const;
  template <size_t N>
  void Arrange(StencilList<N>* list, Blocks* blocks);
  template <class Loop>
  Evaluation EvaluateAll(Loop loop, Blocks* blocks, const Motion& motion, const Derivatives& out);

  ShellRest rest_;
  ShellIndex index_;
  std::vector<int> folding_;                ///< mesh edges with a hinge
  std::vector<std::array<int, 4>> corner_;  ///< of each: dofs of x of its nodes and wings
  const ShellLoops& loops_;
  Blocks springs_, membranes_, hinges_, facets_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace strand
