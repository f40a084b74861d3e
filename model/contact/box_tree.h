// A tree of boxes for finding overlaps.
//
// The boxes, sorted along a space-filling curve (Morton code of their middles), are the leaves of a
// balanced tree of boxes. Unlike a grid it needs no cell size, so that boxes of very different
// sizes cost little. Building takes O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

struct Box {
  Vector3 low, high;
  bool Overlaps(const Box& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
           other.low[1] <= high[1] && low[2] <= other.high[2] && other.low[2] <= high[2];
  }
};

/// Allocates only if it has never held as many boxes before.
class BoxTree {
 public:
  /// `boxes` must outlive the queries.
  void Build(std::span<const Box> boxes);

  /// Calls visit(i) for each of the boxes that overlaps `box`.
  template <class Visit>
  void ForEachIn(const Box& box, const Visit& visit) const {
    Descend(box, 0, visit);
  }

  /// Calls visit(i, j) once for each two boxes that overlap. Each leaf is compared with those after
  /// it, in the order of the leaves, so that nearby boxes are still in the cache.
  template <class Visit>
  void ForEachPair(const Visit& visit) const {
    for (int leaf = 0; leaf < static_cast<int>(order_.size()); ++leaf) {
      const int i = order_[leaf].second;
      Descend(boxes_[i], leaf + 1, [&](int j) { visit(i, j); });
    }
  }

 private:
  // Nodes are stored in preorder: a node's descendants follow it, and `skip` is the index after
  // them.
  struct Node {
    Box box;
    int skip;
    int leaf;  // index in order_; -1 for an inner node
    int end;   // one past the last leaf below
  };

  // Skips leaves before `first`.
  template <class Visit>
  void Descend(const Box& of, int first, const Visit& visit) const {
    const Box box = of;
    for (int at = 0; at < static_cast<int>(nodes_.size());) {
      const Node& node = nodes_[at];
      const bool enter = node.end > first && node.box.Overlaps(box);
      at = enter ? at + 1 : node.skip;
      if (enter && node.leaf >= 0) visit(order_[node.leaf].second);
    }
  }

  void Order();
  void Split(int begin, int end);

  std::span<const Box> boxes_;
  std::vector<std::pair<std::uint64_t, int>> order_;  // Morton code, box
  std::vector<Node> nodes_;
};

}  // namespace strand
