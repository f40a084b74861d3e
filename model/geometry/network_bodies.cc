// Rigid bodies in networks.
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/geometry/network.h"

namespace strand {
namespace {

// Least spread, as a fraction of the largest one. It increases the moments of inertia of thinner
// bodies by 1e-4.
constexpr double kThinnest = 1e-2;

}  // namespace

Vector3 CarrierSpread(double mass, const Vector3& inertia) {
  if (!(mass > 0) || !std::isfinite(mass)) {
    throw ConfigError("mass", Text(mass), "finite, > 0 (kg)");
  }
  const Vector3 second = Vector3::Constant(inertia.sum() / 2) - inertia;  // integrals of x^2 dm
  if (!inertia.allFinite() || !(inertia.minCoeff() > 0) ||
      !(second.minCoeff() >= -1e-9 * inertia.maxCoeff())) {
    throw ConfigError("inertia",
                      Text(inertia[0]) + ", " + Text(inertia[1]) + ", " + Text(inertia[2]),
                      "finite, > 0 (kg m^2), none larger than the sum of the others");
  }
  const Vector3 spread = (second.cwiseMax(0) / mass).cwiseSqrt();
  return spread.cwiseMax(kThinnest * spread.maxCoeff());
}

int Network::AddBody(const Vector3& centre, const Eigen::Matrix3d& axes, const Vector3& spread) {
  const Eigen::Matrix3d unit = axes.transpose() * axes - Eigen::Matrix3d::Identity();
  if (!centre.allFinite()) throw ConfigError("position", "not a finite vector", "finite (m)");
  if (!(unit.cwiseAbs().maxCoeff() < 1e-9) || !(axes.determinant() > 0)) {
    throw ConfigError("rotation", "a matrix that is not a rotation", "a rotation matrix");
  }
  if (!spread.allFinite() || !(spread.minCoeff() > 0)) {
    throw ConfigError("spread", Text(spread.minCoeff()), "finite, > 0 (m)");
  }
  BodyTopology body;
  body.centre = centre, body.axes = axes, body.spread = spread;
  for (int j = 0; j < 4; ++j) {
    body.carrier[j] = nodes();
    const Vector3 place = kCarrierSigns.row(j).transpose().cwiseProduct(spread);
    node_.push_back(centre + axes * place);
  }
  body_.push_back(std::move(body));
  return bodies() - 1;
}

int Network::AddBodyPoint(int index, const Vector3& place) {
  body(index);
  if (!place.allFinite()) throw ConfigError("point", "not a finite vector", "finite (m)");
  const int node = nodes();
  node_.push_back(place);
  body_[index].point.push_back(node);
  TieTo(index, node);
  return node;
}

void Network::AttachToBody(int rod, int node, int index) {
  AttachNodeToBody(NodeOfRod(rod, node, "node"), index);
}

void Network::AttachShellToBody(int shell_index, int vertex, int index) {
  const std::vector<int>& nodes_of = shell(shell_index).node;
  const int count = static_cast<int>(nodes_of.size());
  if (vertex < 0 || vertex >= count) {
    throw ConfigError("vertex", std::to_string(vertex), "0 to " + std::to_string(count - 1));
  }
  AttachNodeToBody(nodes_of[vertex], index);
}

void Network::AttachNodeToBody(int node, int index) {
  body(index);
  for (const BodyTopology& each : body_) {
    for (const Tie& tie : each.tie) {
      if (tie.node == node) throw ConfigError("node", NodeName(node), "nodes tied to no body yet");
    }
  }
  TieTo(index, node);
}

int Network::AttachToBodyRigidly(int rod, int end, int index) {
  if (end != 0 && end != 1) throw ConfigError("end", std::to_string(end), "0 (first) or 1 (last)");
  AttachToBody(rod, end ? -1 : 0, index);
  const int joint = AddEndEdge(rod, end), edge = edges() - 1;
  BodyTopology& to = body_[index];
  to.point.push_back(nodes() - 1);
  TieTo(index, nodes() - 1);
  to.edge.push_back({edge, to.axes.transpose() * frame_[edge].col(1)});
  rib_.push_back(edge);
  return joint;
}

CarrierSlopes SlopesOf(const BodyTopology& body) {
  return kCarrierSigns * (4 * body.spread).cwiseInverse().asDiagonal();
}

void Network::TieTo(int index, int node) {
  BodyTopology& to = body_[index];
  const Vector3 local = to.axes.transpose() * (node_[node] - to.centre);
  Tie tie{node, {}};
  Eigen::Vector4d::Map(tie.weight.data()) = (SlopesOf(to) * local).array() + 0.25;
  to.tie.push_back(tie);
}

const BodyTopology& Network::body(int index) const {
  if (index < 0 || index >= bodies()) {
    throw ConfigError("body", std::to_string(index), "0 to " + std::to_string(bodies() - 1));
  }
  return body_[index];
}

}  // namespace strand
