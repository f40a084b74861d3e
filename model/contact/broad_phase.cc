#include "model/contact/broad_phase.h"

#include <algorithm>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/geometry/segment.h"

namespace strand {
namespace {

constexpr int kCodeBits = 21;  // per axis

// The bits of x with two zeros between each and the next.
std::uint64_t Spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001F00000000FFFFu;
  x = (x | x << 16) & 0x001F0000FF0000FFu;
  x = (x | x << 8) & 0x100F00F00F00F00Fu;
  x = (x | x << 4) & 0x10C30C30C30C30C3u;
  return (x | x << 2) & 0x1249249249249249u;
}

// Cell of a coordinate in [0, 1]; whatever else, NaN too, goes to a border.
std::uint64_t Cell(double x) {
  constexpr double kLast = (1 << kCodeBits) - 1;
  return static_cast<std::uint64_t>(x > 0 ? (x < 1 ? x * kLast : kLast) : 0);
}

void CheckIndex(const char* field, int index, int size) {
  if (index >= 0 && index < size) return;
  throw ConfigError(field, std::to_string(index), "0 to " + std::to_string(size - 1));
}

void CheckInput(std::size_t points, std::span<const EdgeNodes> edges,
                std::span<const double> radius, double margin, const ContactFilter& filter) {
  if (radius.size() != edges.size()) {
    throw ConfigError("radius", std::to_string(radius.size()) + " values",
                      std::to_string(edges.size()) + ", one per edge");
  }
  if (filter.edges() && filter.edges() != static_cast<int>(edges.size())) {
    throw ConfigError("filter", std::to_string(filter.edges()) + " edges",
                      std::to_string(edges.size()));
  }
  if (!(margin >= 0)) throw ConfigError("margin", std::to_string(margin), ">= 0");
  for (double r : radius) {
    if (!(r >= 0)) throw ConfigError("radius", std::to_string(r), ">= 0");
  }
  for (const EdgeNodes& edge : edges) {
    for (int node : edge) CheckIndex("edges", node, static_cast<int>(points));
  }
}

bool ShareNode(const EdgeNodes& a, const EdgeNodes& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

}  // namespace

ContactFilter::ContactFilter(int edges, std::span<const RodEdges> rods, int neighbours,
                             std::span<const EdgePair> pairs)
    : rods_(rods.begin(), rods.end()), neighbours_(neighbours) {
  if (edges < 0) throw ConfigError("edges", std::to_string(edges), ">= 0");
  if (neighbours < 0) throw ConfigError("neighbours", std::to_string(neighbours), ">= 0");
  rod_.assign(edges, -1);
  first_.assign(edges + 1, 0);
  for (int i = 0; i < static_cast<int>(rods_.size()); ++i) {
    for (int k = 0; k < rods_[i].count; ++k) {
      CheckIndex("rods", rods_[i].begin + k, edges);
      int& rod = rod_[rods_[i].begin + k];
      if (rod >= 0)
        throw ConfigError("rods", std::to_string(rods_[i].begin + k), "edges of one rod");
      rod = i;
    }
  }
  std::vector<EdgePair> sorted;
  for (const EdgePair& pair : pairs) {
    CheckIndex("pairs", pair.a, edges);
    CheckIndex("pairs", pair.b, edges);
    if (pair.a == pair.b) throw ConfigError("pairs", std::to_string(pair.a), "two edges");
    sorted.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
  }
  std::sort(sorted.begin(), sorted.end());
  for (const EdgePair& pair : sorted) {
    ++first_[pair.a + 1];
    partner_.push_back(pair.b);
  }
  for (int a = 0; a < edges; ++a) first_[a + 1] += first_[a];
}

bool ContactFilter::Excludes(int a, int b) const {
  if (rod_.empty()) return false;
  if (rod_[a] >= 0 && rod_[a] == rod_[b]) {
    const RodEdges& rod = rods_[rod_[a]];
    const int apart = rod.closed ? std::min(b - a, rod.count - (b - a)) : b - a;
    if (apart <= neighbours_) return true;
  }
  const auto begin = partner_.begin();
  return std::binary_search(begin + first_[a], begin + first_[a + 1], b);
}

std::span<const EdgePair> BroadPhase::Find(std::span<const Vector3> points,
                                           std::span<const EdgeNodes> edges,
                                           std::span<const double> radius, double margin,
                                           const ContactFilter& filter) {
  CheckInput(points.size(), edges, radius, margin, filter);
  const int count = static_cast<int>(edges.size());
  found_.clear();
  nodes_.clear();
  Enclose(points, edges, radius, margin);
  Order();
  if (count > 0) Build(0, count);
  // In the order of the leaves, each against those after it: what is near was read just before.
  for (int leaf = 0; leaf < count; ++leaf) {
    const int edge = order_[leaf].second;
    const Box box = boxes_[edge];
    const Vector3 &x0 = points[edges[edge][0]], &x1 = points[edges[edge][1]];
    for (int at = 0; at < static_cast<int>(nodes_.size());) {
      const Node& node = nodes_[at];
      const bool enter = node.end > leaf + 1 && node.box.Overlaps(box);
      at = enter ? at + 1 : node.skip;
      if (!enter || node.leaf < 0) continue;
      const int other = order_[node.leaf].second;
      const EdgePair pair{std::min(edge, other), std::max(edge, other)};
      if (ShareNode(edges[edge], edges[other]) || filter.Excludes(pair.a, pair.b)) continue;
      const Vector3 &y0 = points[edges[other][0]], &y1 = points[edges[other][1]];
      const double reach = radius[edge] + radius[other] + margin;
      if (SegmentDistance(x0, x1, y0, y1) <= reach) found_.push_back(pair);
    }
  }
  Sort(count);
  return pairs_;
}

// found_ to pairs_: counted by the first edge, sorted by the second.
void BroadPhase::Sort(int edges) {
  row_.assign(edges + 1, 0);
  for (const EdgePair& pair : found_) ++row_[pair.a];
  for (int a = 0; a < edges; ++a) row_[a + 1] += row_[a];
  pairs_.resize(found_.size());
  for (const EdgePair& pair : found_) pairs_[--row_[pair.a]] = pair;
  for (int a = 0; a < edges; ++a) {
    std::sort(pairs_.begin() + row_[a], pairs_.begin() + row_[a + 1]);
  }
}

void BroadPhase::Enclose(std::span<const Vector3> points, std::span<const EdgeNodes> edges,
                         std::span<const double> radius, double margin) {
  boxes_.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Vector3 &x0 = points[edges[i][0]], &x1 = points[edges[i][1]];
    // Half the margin on either side; the last factor covers the rounding of these sums.
    const Vector3 size = x0.cwiseAbs().cwiseMax(x1.cwiseAbs());
    const Vector3 reach = Vector3::Constant(radius[i] + 0.5 * margin) + 1e-15 * size;
    boxes_[i] = {x0.cwiseMin(x1) - reach, x0.cwiseMax(x1) + reach};
    if (!(x0 + x1).allFinite()) {
      const Vector3 nowhere = Vector3::Constant(std::numeric_limits<double>::infinity());
      boxes_[i] = {nowhere, -nowhere};
    }
  }
}

void BroadPhase::Order() {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Box& box : boxes_) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  const double scale = 1 / (high - low).maxCoeff();  // one for all axes: cells are cubes
  order_.resize(boxes_.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Vector3 x = (0.5 * (boxes_[i].low + boxes_[i].high) - low) * scale;
    const std::uint64_t code =
        Spread(Cell(x[0])) | Spread(Cell(x[1])) << 1 | Spread(Cell(x[2])) << 2;
    order_[i] = {code, static_cast<int>(i)};
  }
  std::sort(order_.begin(), order_.end());
}

void BroadPhase::Build(int begin, int end) {
  const std::size_t at = nodes_.size();
  nodes_.emplace_back();
  if (end - begin == 1) {
    nodes_[at] = {boxes_[order_[begin].second], 0, begin, end};
  } else {
    const int middle = begin + (end - begin) / 2;
    Build(begin, middle);
    const std::size_t right = nodes_.size();
    Build(middle, end);
    const Box &a = nodes_[at + 1].box, &b = nodes_[right].box;
    nodes_[at] = {{a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}, 0, -1, end};
  }
  nodes_[at].skip = static_cast<int>(nodes_.size());
}

}  // namespace strand
