#include "model/energy/shell_pressure.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/energy/contact_arms.h"
#include "model/stencil/joint.h"

namespace strand {
ShellPressure::ShellPressure(const Network& network, const Dofs& dofs, int shell) {
  if (shell < 0 || shell >= network.shells()) {
    throw ConfigError("shell", std::to_string(shell),
                      "0 to " + std::to_string(network.shells() - 1));
  }
  for (int e : network.shell(shell).edge) {
    const MeshEdge& edge = network.mesh_edge()[e];
    if (edge.triangle[1] >= 0) continue;
    throw ConfigError("shell",
                      "an open one: its edge from " + network.NodeName(edge.node[0]) + " to " +
                          network.NodeName(edge.node[1]) + " has a triangle on one side only",
                      "closed shells");
  }
  for (int t : network.shell(shell).triangle) {
    Face face{};
    for (int i = 0; i < 3; ++i) face.dof[i] = dofs.node(network.triangle()[t].node[i]);
    face_.push_back(face);
  }
  if (Volume(PositionsAt(network.node(), dofs)) < 0) sign_ = -1;
}

void ShellPressure::Set(double pressure) {
  if (!std::isfinite(pressure))
    throw ConfigError("pressure", Text(pressure), "finite numbers (Pa)");
  pressure_ = pressure;
}

double ShellPressure::Volume(const Configuration& at) const {
  const Vector3 origin = at.position(face_.front().dof[0]);
  double six = 0;
  for (const Face& face : face_) {
    std::array<Vector3, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = at.position(face.dof[i]) - origin;
    six += x[0].dot(x[1].cross(x[2]));
  }
  return sign_ * six / 6;
}

std::array<int, 9> ShellPressure::Face::Group() const {
  std::array<int, 9> group;
  for (int k = 0; k < 9; ++k) group[k] = dof[k / 3] + k % 3;
  return group;
}

void ShellPressure::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Face& face : face_) CoupleBlock(dofs, face.Group(), pattern);
}

void ShellPressure::Bind(const Dofs& dofs, const LinearSystem& system) {
  for (Face& face : face_) BlockOffsets(dofs, system, face.Group(), face.offset);
}

Evaluation ShellPressure::Evaluate(const Motion& motion, const Derivatives& out) {
  if (pressure_ == 0) return {};
  const double p = sign_ * pressure_;
  Evaluation result;
  result.energy = -pressure_ * Volume(motion.at);
  for (const Face& face : face_) {
    std::array<Vector3, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = motion.at.position(face.dof[i]);
    const Vector3 share = p / 6 * AreaVector(x[0], x[1], x[2]);
    result.force = std::max(result.force, share.norm());
    for (int i = 0; out.gradient && i < 3; ++i) {
      for (int c = 0; c < 3; ++c) out.gradient[face.dof[i] + c] -= share[c];
    }
    if (!out.values) continue;
    for (int k = 0; k < 3; ++k) {  // d share / d x_k, the same for all three nodes
      const Eigen::Matrix3d by = p / 6 * CrossMatrix<double>(x[(k + 2) % 3] - x[(k + 1) % 3]);
      for (int c = 0; c < 3; ++c) {
        for (int row = 0; row < 9; ++row) {
          out.values[face.offset[9 * (3 * k + c) + row]] -= by(row % 3, c);
        }
      }
    }
  }
  return result;
}

}  // namespace strand
