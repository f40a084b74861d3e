// A tree of boxes that finds those which overlap.
//
// The boxes, in the order of a space-filling curve (Morton code of their middles), are the leaves
// of a balanced tree of boxes. Unlike a grid it needs no cell size, so that boxes of very different
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

/// Nothing is allocated once it has held as many boxes.
class BoxTree {
 public:
  /// The boxes have to live as long as the tree is asked.
  void Build(std::span<const Box> boxes);

  /// visit(i) for each of them that overlaps the box.
  template <class Visit>
  void ForEachIn(const Box& box, const Visit& visit) const {
    Descend(box, 0, visit);
  }

  /// visit(i, j) for each two of them that overlap, once. In the order of the leaves, each against
  /// those after it: what is near was read just before.
  template <class Visit>
  void ForEachPair(const Visit& visit) const {
    for (int leaf = 0; leaf < static_cast<int>(order_.size()); ++leaf) {
      const int i = order_[leaf].second;
      Descend(boxes_[i], leaf + 1, [&](int j) { visit(i, j); });
    }
  }

 private:
  // Nodes stand in preorder: after a node come its children, and `skip` is what follows them.
  struct Node {
    Box box;
    int skip;
    int leaf;  // index in order_; of an inner node, -1
    int end;   // one past the last leaf below
  };

  // Leaves before `first` are left out.
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
