// Configuration of a network: positions, and the data of edges and joints that the energies need.
//
// Positions and accumulated material angles are stored in one vector in the order of the degrees of
// freedom (assembly/dofs.h). Frames are part of the configuration, not functions of q: they are
// parallel-transported from a nearby configuration and turned by the spin.
#pragma once

#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// One array per component of the edges' vectors, so that SIMD packs can load them.
using Components = std::array<std::vector<double>, 3>;

struct Configuration {
  /// x of nodes (m) and theta of edges (rad, spin since the start of the simulation).
  std::vector<double> q;
  Components t, m1, m2;        ///< of each edge: unit direction, directors
  std::vector<double> length;  ///< |e| (m) of each edge
  std::vector<double> twist;   ///< m of each joint (rad, full turns counted)

  void Resize(int dofs, int edges, int joints) {
    q.resize(dofs), length.resize(edges), twist.resize(joints);
    for (Components* vectors : {&t, &m1, &m2}) {
      for (auto& array : *vectors) array.resize(edges);
    }
  }

  Vector3 position(int dof) const { return {q[dof], q[dof + 1], q[dof + 2]}; }
  void SetPosition(int dof, const Vector3& x) {
    for (int c = 0; c < 3; ++c) q[dof + c] = x[c];
  }
  void SetFrame(int edge, const Frame& frame) {
    for (int c = 0; c < 3; ++c) {
      t[c][edge] = frame(c, 0), m1[c][edge] = frame(c, 1), m2[c][edge] = frame(c, 2);
    }
  }
  Vector3 direction(int edge) const { return {t[0][edge], t[1][edge], t[2][edge]}; }
  Frame frame(int edge) const {
    Frame frame;
    for (int c = 0; c < 3; ++c) frame.row(c) << t[c][edge], m1[c][edge], m2[c][edge];
    return frame;
  }
};

}  // namespace strand
