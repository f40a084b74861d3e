#include "model/energy/obstacle_contact.h"

#include <algorithm>
#include <string>

#include "model/config/error.h"
#include "model/contact/bodies.h"

namespace strand {
namespace {

std::vector<std::array<int, 3>> BodyTriangles(const Network& network) {
  std::vector<std::array<int, 3>> triangles;
  for (const auto& triangle : network.triangle()) triangles.push_back(triangle.node);
  return triangles;
}

// All nodes except those of bodies, which are represented by their shapes.
std::vector<std::array<int, 1>> AllNodes(const Network& network) {
  std::vector<bool> hidden(network.nodes(), false);
  for (int b = 0; b < network.bodies(); ++b) {
    for (int n : network.body(b).carrier) hidden[n] = true;
    for (int n : network.body(b).point) hidden[n] = true;
  }
  for (int n : network.clamp_nodes()) hidden[n] = true;
  std::vector<std::array<int, 1>> nodes;
  for (int n = 0; n < network.nodes(); ++n) {
    if (!hidden[n]) nodes.push_back({n});
  }
  return nodes;
}

BodySites AllBodySites(const Network& network, const std::vector<Obstacle>& shape) {
  CheckShapes(network, shape);
  BodySites all;
  const auto append = [](const auto& from, auto* to) {
    to->insert(to->end(), from.begin(), from.end());
  };
  for (int b = 0; b < network.bodies(); ++b) {
    if (!shape[b].touches()) continue;
    const BodySites sites = SitesOf(b, shape[b]);
    if (sites.corner.empty()) {
      throw ConfigError("body " + std::to_string(b), "a " + ObstacleName(shape[b]),
                        "a sphere, a capsule or a box, where there are obstacles");
    }
    append(sites.corner, &all.corner), append(sites.axis, &all.axis), append(sites.face, &all.face);
  }
  return all;
}

template <size_t N>
void Mark(const std::vector<std::array<int, N>>& sites, std::vector<bool>* marked) {
  for (const auto& nodes : sites) {
    for (int n : nodes) (*marked)[n] = true;
  }
}

// If only nodes touch the obstacles, edges and triangles have no sites.
auto MakeSites(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
               std::span<const Obstacle> obstacles, const ContactOptions& options, bool nodes_alone,
               const std::vector<Obstacle>& shape, std::span<const Vector3> start) {
  if (static_cast<int>(radius.size()) != network.nodes()) {
    throw ConfigError("radius", std::to_string(radius.size()),
                      "one per node: " + std::to_string(network.nodes()));
  }
  std::vector<int> edges;
  std::vector<std::array<int, 3>> triangles;
  if (!nodes_alone && !std::ranges::all_of(obstacles, NodesSuffice)) {
    edges = BodyEdges(network), triangles = BodyTriangles(network);
  }
  std::vector<std::array<int, 2>> edge_nodes;
  std::vector<std::array<TurningEdge, 1>> turning;
  for (int e : edges) {
    edge_nodes.push_back(network.edge()[e].node);
    turning.push_back({TurningEdgeOf(network, dofs, e)});
  }
  std::vector<bool> has_face(network.nodes(), false);
  Mark(edge_nodes, &has_face);
  Mark(triangles, &has_face);
  const auto make = [&]<size_t N>(const std::vector<std::array<int, N>>& nodes) {
    return ObstacleSites<N>(network, dofs, nodes, radius, has_face, obstacles, options.tolerance,
                            start);
  };
  // Nodes are checked first, so that errors name a node rather than its edge or triangle.
  const std::vector<std::array<int, 1>> nodes = AllNodes(network);
  ObstacleSites<1> of_nodes = make(nodes);
  ObstacleSites<2> of_edges = make(edge_nodes);
  if (options.rolls()) {
    const auto at_nodes = TurningEdgesAtNodes(network, dofs);
    std::vector<std::array<TurningEdge, 2>> of_each;
    for (const auto& [node] : nodes) of_each.push_back(at_nodes[node]);
    of_nodes.SetTurning(of_each);
    of_edges.SetTurning(turning);
  }
  const BodySites bodies = AllBodySites(network, shape);
  const double tolerance = options.tolerance;
  return std::tuple(std::move(of_nodes), std::move(of_edges), make(triangles),
                    ObstacleSites<1, 4>(network, dofs, bodies.corner, obstacles, tolerance, start),
                    ObstacleSites<2, 4>(network, dofs, bodies.axis, obstacles, tolerance, start),
                    ObstacleSites<3, 4>(network, dofs, bodies.face, obstacles, tolerance, start));
}

}  // namespace

ObstacleContact::ObstacleContact(const Network& network, const Dofs& dofs,
                                 const std::vector<double>& radius,
                                 const std::vector<Obstacle>& obstacles,
                                 const ContactOptions& options, bool nodes_alone,
                                 const std::vector<Obstacle>& shape, std::span<const Vector3> start)
    : obstacles_(obstacles.begin(), obstacles.end()),
      options_((CheckContactOptions(options), options)),
      sites_(MakeSites(network, dofs, radius, obstacles, options, nodes_alone, shape,
                       start.empty() ? std::span(network.node()) : start)) {}

bool ObstacleContact::Prepare(const Motion&, std::span<const double>, double) {
  ForSites([](auto& sites) { sites.ForgetLags(); });
  return false;
}

void ObstacleContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  ForSites([&](const auto& sites) { sites.Couple(dofs, pattern); });
}

void ObstacleContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  ForSites([&](auto& sites) { sites.Bind(dofs, system); });
}

Evaluation ObstacleContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Place(motion.part);
  Evaluation result;
  ContactSummary summary;
  ForSites([&](auto& sites) {
    result += sites.Evaluate(obstacles_, options_, frozen_, motion, out, &summary);
  });
  Keep(summary, out);
  return result;
}

bool ObstacleContact::FreezeFriction(const Motion& motion) {
  Place(motion.part);
  frozen_ = options_.rubs();
  ForSites([&](auto& sites) { sites.FreezeFriction(obstacles_, options_, motion); });
  return true;
}

DrivenObstacle& ObstacleContact::At(int obstacle) {
  const int count = static_cast<int>(obstacles_.size());
  if (obstacle < 0 || obstacle >= count) {
    throw ConfigError("obstacle", std::to_string(obstacle), "0 to " + std::to_string(count - 1));
  }
  return obstacles_[obstacle];
}

void ObstacleContact::Drive(int obstacle, const ObstaclePose& end) { At(obstacle).Drive(end); }

void ObstacleContact::SetVelocity(int obstacle, const Vector3& velocity) {
  At(obstacle).SetVelocity(velocity);
}

void ObstacleContact::Place(double part) {
  for (DrivenObstacle& obstacle : obstacles_) obstacle.Place(part);
}

bool ObstacleContact::supplies() const {
  return options_.rubs() && std::ranges::any_of(obstacles_, [](const DrivenObstacle& obstacle) {
           return !obstacle.shape().velocity.isZero(0);
         });
}

bool ObstacleContact::drives() const {
  return std::ranges::any_of(obstacles_, [](const auto& obstacle) { return obstacle.moves(); });
}

void ObstacleContact::Push(const Configuration& start, double part, std::span<double> move) {
  if (!drives()) return;
  Place(part);
  ForSites([&](auto& sites) { sites.Push(obstacles_, start, move); });
}

double ObstacleContact::Limit(const Configuration& from, std::span<const double> step,
                              const Passage& passage) {
  Place(passage.to);
  double part = 1;
  ForSites([&](auto& sites) { part = sites.Limit(obstacles_, from, step, passage, part); });
  return part;
}

bool ObstacleContact::AcceptsEndpoint(const Configuration& from, const Configuration& to,
                                      const Passage& passage) {
  Place(passage.to);
  bool may = true;
  ForSites([&](auto& sites) {
    may = may && sites.AcceptsEndpoint(obstacles_, options_.tolerance, from, to, passage);
  });
  return may;
}

bool ObstacleContact::Misses(const Configuration& from, std::span<const double> step) {
  Place(1);
  bool any = false;
  ForSites([&](auto& sites) { any = any || sites.Misses(obstacles_, from, step); });
  return any;
}

void ObstacleContact::Accept(const Motion& motion) {
  Place(motion.part);
  ForSites([&](auto& sites) { sites.Accept(obstacles_, options_, motion); });
  for (DrivenObstacle& obstacle : obstacles_) obstacle.Accept();
}

void ObstacleContact::Adapt(double time) { adaptive_.Adapt(summary(), time, &options_); }

void ObstacleContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  for (const DrivenObstacle& obstacle : obstacles_) {
    const auto& [shift, turn] = obstacle.pose();
    memory->insert(memory->end(), shift.begin(), shift.end());
    memory->insert(memory->end(), turn.begin(), turn.end());
  }
  ForSites([&](const auto& sites) { sites.Save(memory); });
}

void ObstacleContact::Load(std::span<const double>* memory) {
  adaptive_.Load(TakeMemory(memory, AdaptiveStiffness::kSaved), &options_);
  for (DrivenObstacle& obstacle : obstacles_) {
    const std::span<const double> pose = TakeMemory(memory, 6);
    obstacle.SetPose({Vector3::Map(&pose[0]), Vector3::Map(&pose[3])});
  }
  ForSites([&](auto& sites) { sites.Load(memory); });
}

}  // namespace strand
