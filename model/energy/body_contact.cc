#include "model/energy/body_contact.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "model/config/error.h"
#include "model/contact/bodies.h"

namespace strand {
namespace {

// Edges within so many radii of the attachment do not touch the body; those beyond it do, once the
// rod is outside the body.
constexpr double kNeighbour = 3;

struct Parts {
  const Network& network;
  const Dofs& dofs;
  const ContactOptions& options;
  const std::vector<CarriedObstacle>& bodies;
  const Configuration drawn;
};

using EdgeAtBody = std::pair<int, int>;

// Rod edges near the attachment to a body, which do not touch that body.
std::set<EdgeAtBody> AttachedEdges(const Parts& of, const std::vector<double>& radius) {
  std::set<EdgeAtBody> attached;
  const Network& network = of.network;
  const auto is_near = [&](int edge, int body, double along) {
    if (along < kNeighbour * radius[edge]) return true;
    const auto& [a, b] = network.edge()[edge].node;
    const BodyPlace place = of.bodies[body].At(of.drawn);
    const std::array<Vector3, 2> ends{place.In(network.node()[a]), place.In(network.node()[b])};
    const RoundSimplex<2> capsule(radius[edge], of.options.tolerance);
    return capsule.Gap(of.bodies[body].shape, ends) < of.options.tolerance;
  };
  const auto walk = [&](const RodTopology& rod, int from, int way, int body) {
    const int count = static_cast<int>(rod.edge.size());
    double along = 0;
    for (int k = 0, e = way > 0 ? from : from - 1; k < count; ++k, e += way) {
      if (rod.closed) e = (e + count) % count;
      if (e < 0 || e >= count || !is_near(rod.edge[e], body, along)) return;
      attached.insert({rod.edge[e], body});
      along += network.edge()[rod.edge[e]].length;
    }
  };
  for (int b = 0; b < network.bodies(); ++b) {
    if (!of.bodies[b].shape.touches()) continue;
    for (const Tie& tie : network.body(b).tie) {
      for (int r = 0; r < network.rods(); ++r) {
        const RodTopology& rod = network.rod(r);
        for (size_t k = 0; k < rod.node.size(); ++k) {
          if (rod.node[k] != tie.node) continue;
          walk(rod, static_cast<int>(k), 1, b), walk(rod, static_cast<int>(k), -1, b);
        }
      }
    }
  }
  return attached;
}

CarriedSites<2, 2> EdgesOfRods(const Parts& of, const std::vector<double>& radius) {
  const std::set<EdgeAtBody> attached = AttachedEdges(of, radius);
  std::vector<CarriedSite<2, 2>> sites;
  std::vector<CarriedPair> pairs;
  for (int e : BodyEdges(of.network)) {
    CarriedSite<2, 2> site{};
    const auto& [first, last] = of.network.edge()[e].node;
    site.dof = {of.dofs.node(first), of.dofs.node(last)};
    site.simplex = {radius[e], of.options.tolerance};
    if (of.options.rolls()) {
      site.turning = TurningEdgeOf(of.network, of.dofs, e), site.reach = radius[e];
    }
    site.name = of.network.EdgeName(e);
    for (int b = 0; b < of.network.bodies(); ++b) {
      const bool meets = of.bodies[b].shape.touches() && !attached.contains({e, b});
      if (meets) pairs.push_back({static_cast<int>(sites.size()), b});
    }
    sites.push_back(site);
  }
  return {std::move(sites), pairs, of.bodies, of.drawn};
}

// Triangles of shells (shells that represent bodies included) and of obstacle meshes.
CarriedSites<3, 3> Triangles(const Parts& of, const std::vector<double>& thickness) {
  std::vector<CarriedSite<3, 3>> sites;
  std::vector<CarriedPair> pairs;
  const auto append = [&](const std::array<int, 3>& nodes, double radius, std::string name) {
    CarriedSite<3, 3> site{};
    for (int i = 0; i < 3; ++i) site.dof[i] = of.dofs.node(nodes[i]);
    site.simplex = {radius, of.options.tolerance};
    site.name = std::move(name);
    for (int b = 0; b < of.network.bodies(); ++b) {
      if (of.bodies[b].shape.touches()) pairs.push_back({static_cast<int>(sites.size()), b});
    }
    sites.push_back(std::move(site));
  };
  for (int s = 0; s < of.network.shells(); ++s) {
    const std::vector<int>& triangles = of.network.shell(s).triangle;
    for (size_t t = 0; t < triangles.size(); ++t) {
      append(of.network.triangle()[triangles[t]].node, 0.5 * thickness[s],
             "shell " + std::to_string(s) + ", triangle " + std::to_string(t));
    }
  }
  const std::vector<ObstacleMesh>& meshes = of.network.obstacle_mesh();
  for (size_t m = 0; m < meshes.size(); ++m) {
    for (size_t t = 0; t < meshes[m].triangle.size(); ++t) {
      append(meshes[m].triangle[t], 0,
             "obstacle mesh " + std::to_string(m) + ", triangle " + std::to_string(t));
    }
  }
  return {std::move(sites), pairs, of.bodies, of.drawn};
}

// Largest number of points of the sites that represent a body in contact with other bodies; 4 for a
// cylinder, which has no sites.
int Simplices(const Obstacle& shape) {
  const BodySites sites = SitesOf(0, shape);
  if (!sites.face.empty()) return 3;
  if (!sites.axis.empty()) return 2;
  return sites.corner.empty() ? 4 : 1;
}

// A cylinder has no round rim in which a mesh without thickness could rest.
void CheckBesideMeshes(const Network& network, const std::vector<Obstacle>& shape) {
  if (network.obstacle_mesh().empty()) return;
  for (size_t b = 0; b < shape.size(); ++b) {
    if (!shape[b].touches() || (shape[b].radius > 0 && Simplices(shape[b]) < 4)) continue;
    throw ConfigError("body " + std::to_string(b),
                      "a " + std::string(ObstacleName(shape[b])) + " beside an obstacle mesh",
                      "spheres, capsules or boxes together with obstacle meshes");
  }
}

// Of two bodies, the sites of the one with the simpler sites touch the shape of the other.
std::vector<std::array<int, 2>> BodyPairs(const std::vector<Obstacle>& shape) {
  std::vector<std::array<int, 2>> pairs;
  for (int a = 0; a < static_cast<int>(shape.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(shape.size()); ++b) {
      if (!shape[a].touches() || !shape[b].touches()) continue;
      const int of_a = Simplices(shape[a]), of_b = Simplices(shape[b]);
      if (of_a == 4 && of_b == 4) {
        throw ConfigError("body " + std::to_string(b),
                          "a cylinder beside body " + std::to_string(a) + ", a cylinder",
                          "one cylinder at most: two do not meet each other");
      }
      pairs.push_back(of_b < of_a ? std::array{b, a} : std::array{a, b});
    }
  }
  return pairs;
}

template <int N>
CarriedSites<N, 4> SitesOfBodies(const Parts& of, const std::vector<Obstacle>& shape,
                                 std::vector<BodySite<N>> BodySites::* kind) {
  std::vector<CarriedSite<N, 4>> sites;
  std::vector<CarriedPair> pairs;
  for (const auto& [a, b] : BodyPairs(shape)) {
    if (Simplices(shape[a]) != N) continue;
    const BodySites of_body = SitesOf(a, shape[a]);
    for (const BodySite<N>& each : of_body.*kind) {
      CarriedSite<N, 4> site{};
      site.dof = of.bodies[a].dof;
      site.in_body.slope = of.bodies[a].slope;
      for (int i = 0; i < N; ++i) {
        site.in_body.weights.row(i) = (site.in_body.slope * each.point[i]).array() + 0.25;
      }
      site.simplex = {each.radius, of.options.tolerance};
      site.reach = each.radius;
      site.name = "body " + std::to_string(a);
      pairs.push_back({static_cast<int>(sites.size()), b});
      sites.push_back(site);
    }
  }
  return {std::move(sites), pairs, of.bodies, of.drawn};
}

auto MakeSites(const Network& network, const Dofs& dofs, const std::vector<double>& radius,
               const std::vector<double>& thickness, const std::vector<Obstacle>& shape,
               const ContactOptions& options, const std::vector<CarriedObstacle>& bodies,
               std::span<const Vector3> start) {
  MakeContactBodies(network, radius, thickness);  // for its checks of the arguments
  CheckBesideMeshes(network, shape);
  const Parts parts{network, dofs, options, bodies, PositionsAt(start, dofs)};
  return std::tuple(EdgesOfRods(parts, radius), Triangles(parts, thickness),
                    SitesOfBodies(parts, shape, &BodySites::corner),
                    SitesOfBodies(parts, shape, &BodySites::axis),
                    SitesOfBodies(parts, shape, &BodySites::face));
}

}  // namespace

BodyContact::BodyContact(const Network& network, const Dofs& dofs,
                         const std::vector<double>& radius, const std::vector<double>& thickness,
                         const std::vector<Obstacle>& shape, const ContactOptions& options,
                         std::span<const Vector3> start)
    : options_((CheckContactOptions(options), options)),
      bodies_(CarriedObstacles(network, dofs, shape)),
      sites_(MakeSites(network, dofs, radius, thickness, shape, options, bodies_,
                       start.empty() ? std::span(network.node()) : start)) {}

bool BodyContact::Prepare(const Motion& motion, std::span<const double>, double) {
  ForSites([](auto& sites) { sites.ForgetLags(); });
  return Refresh(motion.at);
}

bool BodyContact::Refresh(const Configuration& at) {
  bool changed = false;
  ForSites(
      [&](auto& sites) { changed = sites.Recouple(bodies_, options_.tolerance, at) || changed; });
  return changed;
}

void BodyContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  ForSites([&](const auto& sites) { sites.Couple(bodies_, dofs, pattern); });
}

void BodyContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  ForSites([&](auto& sites) { sites.Bind(bodies_, dofs, system); });
}

Evaluation BodyContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  ContactSummary summary;
  ForSites([&](auto& sites) {
    result += sites.Evaluate(bodies_, options_, frozen_, motion, out, &summary);
  });
  Keep(summary, out);
  return result;
}

bool BodyContact::FreezeFriction(const Motion& motion) {
  frozen_ = options_.rubs();
  ForSites([&](auto& sites) { sites.FreezeFriction(bodies_, options_, motion); });
  return true;
}

void BodyContact::Push(const Configuration& start, double, std::span<double> move) {
  ForSites([&](const auto& sites) { sites.Push(bodies_, start, move); });
}

double BodyContact::Limit(const Configuration& from, std::span<const double> step, const Passage&) {
  double part = 1;
  ForSites([&](const auto& sites) { part = sites.Limit(bodies_, from, step, part); });
  return part;
}

bool BodyContact::AcceptsEndpoint(const Configuration& from, const Configuration& to,
                                  const Passage&) {
  bool may = true;
  ForSites([&](const auto& sites) {
    may = may && sites.AcceptsEndpoint(bodies_, options_.tolerance, from, to);
  });
  return may;
}

bool BodyContact::Misses(const Configuration& from, std::span<const double> step) {
  bool any = false;
  ForSites([&](const auto& sites) { any = any || sites.Misses(bodies_, from, step); });
  return any;
}

void BodyContact::Accept(const Motion& motion) {
  ForSites([&](auto& sites) { sites.Accept(bodies_, options_, motion); });
}

void BodyContact::Adapt(double time) { adaptive_.Adapt(summary(), time, &options_); }

void BodyContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  ForSites([&](const auto& sites) { sites.Save(memory); });
}

void BodyContact::Load(std::span<const double>* memory) {
  adaptive_.Load(TakeMemory(memory, AdaptiveStiffness::kSaved), &options_);
  ForSites([&](auto& sites) { sites.Load(memory); });
}

}  // namespace strand
