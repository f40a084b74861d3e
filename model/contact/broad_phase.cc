#include "model/contact/broad_phase.h"

#include <algorithm>
#include <limits>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

void CheckInput(std::size_t points, const Primitives& primitives, std::span<const double> radius,
                double margin, const ContactFilter& filter) {
  const int size = primitives.size();
  if (static_cast<int>(radius.size()) != size) {
    throw ConfigError("radius", std::to_string(radius.size()) + " values",
                      std::to_string(size) + ", one per primitive");
  }
  if (filter.size() && filter.size() != size) {
    throw ConfigError("filter", std::to_string(filter.size()) + " primitives",
                      std::to_string(size));
  }
  if (!(margin >= 0)) throw ConfigError("margin", std::to_string(margin), ">= 0");
  for (double r : radius) {
    if (!(r >= 0)) throw ConfigError("radius", std::to_string(r), ">= 0");
  }
  for (int p = 0; p < size; ++p) {
    for (int node : primitives.all_nodes(p)) CheckIndex("nodes", node, static_cast<int>(points));
  }
}

}  // namespace

ContactFilter::ContactFilter(int size, std::span<const RodEdges> rods, int neighbours,
                             std::span<const PrimitivePair> pairs)
    : rods_(rods.begin(), rods.end()), neighbours_(neighbours) {
  if (size < 0) throw ConfigError("size", std::to_string(size), ">= 0");
  if (neighbours < 0) throw ConfigError("neighbours", std::to_string(neighbours), ">= 0");
  rod_.assign(size, -1);
  first_.assign(size + 1, 0);
  for (int i = 0; i < static_cast<int>(rods_.size()); ++i) {
    for (int k = 0; k < rods_[i].count; ++k) {
      CheckIndex("rods", rods_[i].begin + k, size);
      int& rod = rod_[rods_[i].begin + k];
      if (rod >= 0)
        throw ConfigError("rods", std::to_string(rods_[i].begin + k),
                          "edges that belong to one rod only");
      rod = i;
    }
  }
  std::vector<PrimitivePair> sorted;
  for (const PrimitivePair& pair : pairs) {
    CheckIndex("pairs", pair.a, size);
    CheckIndex("pairs", pair.b, size);
    if (pair.a == pair.b) throw ConfigError("pairs", std::to_string(pair.a), "two primitives");
    sorted.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
  }
  std::sort(sorted.begin(), sorted.end());
  for (const PrimitivePair& pair : sorted) {
    ++first_[pair.a + 1];
    partner_.push_back(pair.b);
  }
  for (int a = 0; a < size; ++a) first_[a + 1] += first_[a];
}

bool ContactFilter::Excludes(int a, int b) const {
  if (!member_.empty() && member_[a] && member_[b]) return true;
  if (rod_.empty()) return false;
  if (rod_[a] >= 0 && rod_[a] == rod_[b]) {
    const RodEdges& rod = rods_[rod_[a]];
    const int apart = rod.closed ? std::min(b - a, rod.count - (b - a)) : b - a;
    if (apart <= neighbours_) return true;
  }
  const auto begin = partner_.begin();
  return std::binary_search(begin + first_[a], begin + first_[a + 1], b);
}

std::span<const PrimitivePair> BroadPhase::Find(std::span<const Vector3> points,
                                                const Primitives& primitives,
                                                std::span<const double> radius, double margin,
                                                const ContactFilter& filter) {
  CheckInput(points.size(), primitives, radius, margin, filter);
  found_.clear();
  Enclose(points, primitives, radius, margin);
  const auto meet = [&](int i, int j) {
    const PrimitivePair pair{std::min(i, j), std::max(i, j)};
    if (primitives.ShareNode(pair) || filter.Excludes(pair.a, pair.b)) return;
    const double reach = radius[i] + radius[j] + margin;
    if (primitives.Within(reach, pair, points)) found_.push_back(pair);
  };
  const int first_point = primitives.first_point(), first_triangle = primitives.first_triangle();
  const std::span<const Box> boxes = boxes_;
  tree_.Build(boxes.first(first_point));
  tree_.ForEachPair(meet);
  tree_.Build(boxes.subspan(first_triangle));
  for (int point = first_point; point < first_triangle; ++point) {
    tree_.ForEachIn(boxes[point], [&](int t) { meet(point, first_triangle + t); });
  }
  Sort(primitives.size());
  return pairs_;
}

// Sorts found_ into pairs_: counting sort by the first primitive, then by the second.
void BroadPhase::Sort(int size) {
  row_.assign(size + 1, 0);
  for (const PrimitivePair& pair : found_) ++row_[pair.a];
  for (int a = 0; a < size; ++a) row_[a + 1] += row_[a];
  pairs_.resize(found_.size());
  for (const PrimitivePair& pair : found_) pairs_[--row_[pair.a]] = pair;
  for (int a = 0; a < size; ++a) {
    std::sort(pairs_.begin() + row_[a], pairs_.begin() + row_[a + 1]);
  }
}

void BroadPhase::Enclose(std::span<const Vector3> points, const Primitives& primitives,
                         std::span<const double> radius, double margin) {
  const Vector3 nowhere = Vector3::Constant(std::numeric_limits<double>::infinity());
  boxes_.resize(primitives.size());
  for (int p = 0; p < primitives.size(); ++p) {
    Box box = {nowhere, -nowhere};
    bool finite = true;
    primitives.ForEachCorner(p, points, [&](const Vector3& x) {
      box = {box.low.cwiseMin(x), box.high.cwiseMax(x)};
      finite = finite && x.allFinite();
    });
    // Half the margin on either side; the last term covers the rounding of these sums.
    const Vector3 size = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs());
    const Vector3 reach = Vector3::Constant(radius[p] + 0.5 * margin) + 1e-15 * size;
    boxes_[p] = finite ? Box{box.low - reach, box.high + reach} : Box{nowhere, -nowhere};
  }
}

}  // namespace strand
