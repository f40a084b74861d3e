#include "model/contact/neighbours.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace strand {
namespace {

constexpr double kNeighbours = 3;    // multiple of the touching distance
constexpr double kSamePlace = 1e-6;  // of an edge's length

// The primitive of each edge, or -1.
std::vector<int> PrimitiveOfEdges(const Network& network, const ContactBodies& bodies) {
  std::vector<int> primitive(network.edges(), -1);
  for (int p = 0; p < bodies.rod_edges; ++p) primitive[bodies.index[p]] = p;
  return primitive;
}

void AddAlongRods(const Network& network, const ContactBodies& bodies,
                  const std::vector<int>& primitive, std::vector<PrimitivePair>* pairs) {
  for (int r = 0; r < network.rods(); ++r) {
    const RodTopology& rod = network.rod(r);
    const int edges = static_cast<int>(rod.edge.size());
    for (int i = 0; i < edges; ++i) {
      double apart = 0;  // arclength between the two edges
      const int last = rod.closed ? i + edges / 2 : edges - 1;
      for (int j = i + 1; j <= last; ++j) {
        const int edge = rod.edge[j % edges], a = primitive[rod.edge[i]], b = primitive[edge];
        const PrimitivePair pair{std::min(a, b), std::max(a, b)};
        if (apart > kNeighbours * bodies.Touching(pair)) break;
        pairs->push_back(pair);
        apart += network.edge()[edge].length;
      }
    }
  }
}

// An end of a rod that is attached to a body.
struct AttachedEnd {
  int body, node;
  std::vector<int> edge;  // of the rod, from this end on
};

std::vector<AttachedEnd> AttachedEnds(const Network& network) {
  std::vector<int> body(network.nodes(), -1);
  for (int b = 0; b < network.bodies(); ++b) {
    for (const auto& tie : network.body(b).tie) body[tie.node] = b;
  }
  std::vector<AttachedEnd> ends;
  for (int r = 0; r < network.rods(); ++r) {
    const RodTopology& rod = network.rod(r);
    if (rod.closed) continue;
    for (bool last : {false, true}) {
      const int node = last ? rod.node.back() : rod.node.front();
      if (body[node] < 0) continue;
      ends.push_back({body[node], node, rod.edge});
      if (last) std::ranges::reverse(ends.back().edge);
    }
  }
  return ends;
}

// Adds pairs of edges of two rods from a common junction on: of neighbours, and of edges that
// overlap at the start, as at a sharp angle.
void AddFromJunction(const Network& network, const ContactBodies& bodies, const AttachedEnd& a,
                     const AttachedEnd& b, const std::vector<int>& primitive,
                     std::vector<PrimitivePair>* pairs) {
  double along_a = 0;  // arclength from the junction
  for (int edge_a : a.edge) {
    double along_b = 0;
    bool any = false;
    for (int edge_b : b.edge) {
      const PrimitivePair pair{std::min(primitive[edge_a], primitive[edge_b]),
                               std::max(primitive[edge_a], primitive[edge_b])};
      const double touching = bodies.Touching(pair);
      const bool near = along_a + along_b <= kNeighbours * touching;
      if (near || bodies.primitives.Distance(pair, network.node()) <= touching) {
        pairs->push_back(pair);
        any = true;
      } else if (any) {
        break;
      }
      along_b += network.edge()[edge_b].length;
    }
    if (!any) break;
    along_a += network.edge()[edge_a].length;
  }
}

// Rods whose ends are attached to a body at the same place are joined there.
void AddAtJunctions(const Network& network, const ContactBodies& bodies,
                    const std::vector<int>& primitive, std::vector<PrimitivePair>* pairs) {
  const std::vector<AttachedEnd> ends = AttachedEnds(network);
  for (size_t i = 0; i < ends.size(); ++i) {
    const double length = network.edge()[ends[i].edge.front()].length;
    for (size_t j = i + 1; j < ends.size(); ++j) {
      if (ends[i].body != ends[j].body) continue;
      const Vector3 apart = network.node()[ends[i].node] - network.node()[ends[j].node];
      if (apart.norm() > kSamePlace * length) continue;
      AddFromJunction(network, bodies, ends[i], ends[j], primitive, pairs);
    }
  }
}

/// Shortest paths from node to node along the edges of rods and shells.
class Ways {
 public:
  explicit Ways(const Network& network, const ContactBodies& bodies)
      : edge_at_(network.nodes()), entry_(network.nodes(), kFar), way_(network.nodes(), kFar) {
    for (const EdgeNodes& edge : bodies.primitives.edge) {
      const double length = (network.node()[edge[1]] - network.node()[edge[0]]).norm();
      for (int k : {0, 1}) edge_at_[edge[k]].push_back({length, edge[1 - k]});
    }
  }

  /// A node, and the length (m) of the path to it without its last edge.
  struct Reached {
    int node;
    double entry;
  };

  /// The nodes whose entry (m) from the nearest node of `start` is at most `limit`; 0 for `start`.
  std::vector<Reached> From(std::span<const int> start, double limit) {
    std::vector<int> seen(start.begin(), start.end());
    for (int node : start) entry_[node] = way_[node] = 0, next_.push({0, node});
    while (!next_.empty()) {
      const auto [way, node] = next_.top();
      next_.pop();
      const bool shortest = way == way_[node];  // no shorter path was found since
      if (shortest && way <= limit) GoOn(node, &seen);
    }
    std::vector<Reached> reached;
    for (int node : seen) {
      reached.push_back({node, entry_[node]});
      entry_[node] = way_[node] = kFar;
    }
    return reached;
  }

 private:
  using Step = std::pair<double, int>;  // m, node
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  void GoOn(int node, std::vector<int>* seen) {
    const double way = way_[node];
    for (const auto& [length, to] : edge_at_[node]) {
      if (entry_[to] == kFar) seen->push_back(to);
      entry_[to] = std::min(entry_[to], way);
      if (!(way + length < way_[to])) continue;
      way_[to] = way + length;
      next_.push({way_[to], to});
    }
  }

  std::vector<std::vector<Step>> edge_at_;
  std::vector<double> entry_, way_;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> next_;
};

void AddOnShells(const Network& network, const ContactBodies& bodies,
                 std::vector<PrimitivePair>* pairs) {
  const Primitives& primitives = bodies.primitives;
  std::vector<std::vector<int>> at_node(network.nodes());
  for (int p = 0; p < primitives.size(); ++p) {
    for (int node : primitives.nodes(p)) at_node[node].push_back(p);
  }
  const double thickest = *std::ranges::max_element(bodies.radius);
  Ways ways(network, bodies);
  for (int p = 0; p < primitives.size(); ++p) {
    const double limit = kNeighbours * (bodies.radius[p] + thickest);
    for (const auto& [node, entry] : ways.From(primitives.nodes(p), limit)) {
      for (int q : at_node[node]) {
        const PrimitivePair pair{std::min(p, q), std::max(p, q)};
        if (!primitives.Match(pair) || primitives.ShareNode(pair)) continue;
        if (!bodies.OnShell(p) && !bodies.OnShell(q)) continue;
        if (bodies.obstacle[p] && bodies.obstacle[q]) continue;
        const double near = kNeighbours * bodies.Touching(pair);
        if (entry > near || primitives.Distance(pair, network.node()) > near) continue;
        pairs->push_back(pair);
      }
    }
  }
}

}  // namespace

std::vector<PrimitivePair> Neighbours(const Network& network, const ContactBodies& bodies) {
  std::vector<PrimitivePair> pairs;
  const std::vector<int> primitive = PrimitiveOfEdges(network, bodies);
  AddAlongRods(network, bodies, primitive, &pairs);
  AddAtJunctions(network, bodies, primitive, &pairs);
  if (network.shells() > 0) AddOnShells(network, bodies, &pairs);
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

}  // namespace strand
