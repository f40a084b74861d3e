#include "model/contact/neighbours.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace strand {
namespace {

constexpr double kNeighbours = 3;  // multiple of the touching distance

void AddAlongRods(const Network& network, const ContactBodies& bodies,
                  std::vector<PrimitivePair>* pairs) {
  std::vector<int> primitive(network.edges(), -1);  // per edge
  for (int p = 0; p < bodies.rod_edges; ++p) primitive[bodies.index[p]] = p;
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
  AddAlongRods(network, bodies, &pairs);
  if (network.shells() > 0) AddOnShells(network, bodies, &pairs);
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

}  // namespace strand
