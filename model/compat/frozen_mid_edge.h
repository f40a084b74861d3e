// Mid-edge bending as in MAT-DiSMech (compat/mid_edge_frozen.h), for reproducing its figures.
//
// The quantities that the kernel freezes are updated at every iterate, as in the Python code: when
// Newton's method has converged, the forces are those of the configuration itself. Energies of
// different iterates are not comparable, so that no line search may use them.
#pragma once

#include <vector>

#include "model/compat/mid_edge_frozen.h"
#include "model/energy/shell.h"
#include "model/energy/step_force.h"

namespace strand {

class FrozenMidEdge : public StepForce {
 public:
  FrozenMidEdge(const Network& network, const ShellRest& rest, const Dofs& dofs);

  bool Prepare(const Motion& motion, std::span<const double> velocity, double dt) override;
  bool Refresh(const Configuration& at) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Facet {
    std::array<int, 3> node, edge, rotation;  ///< dofs of x, indices into frame_, dofs of xi
    Vector3 sign;
    double area;                   ///< m^2, at rest
    std::array<double, 3> length;  ///< m, at rest
    FrozenRest rest;
    FrozenFacet frozen;
  };
  /// Data for tau^0 of an edge, which follows from its direction and the normals of its triangles.
  struct EdgeFrame {
    std::array<int, 2> node;                    ///< dofs of x
    std::vector<std::array<int, 3>> triangles;  ///< dofs of their nodes' x
    Vector3 tau;
  };
  static std::array<Vector3, 3> Corners(const Facet& facet, const Configuration& at);
  static std::array<int, 12> FacetDofs(const Facet& facet);
  std::array<Vector3, 3> Outward(const Facet& facet) const;
  void Freeze(const Configuration& at);

  std::vector<Facet> facet_;
  std::vector<EdgeFrame> frame_;  ///< per mesh edge
  std::vector<std::array<int, 144>> offset_;
};

}  // namespace strand
