// Broad phase: the few pairs of edges that are near enough to touch, out of all.
//
// The edges' boxes, in the order of a space-filling curve (Morton code of their middles), are the
// leaves of a balanced tree of boxes. Unlike a grid it needs no cell size, so that edges of very
// different lengths cost little. The tree is rebuilt by each call, O(n log n).
// The pairs it finds do not depend on it: those within the margin, sorted.
//
// Not thread-safe: the workspace is the object's. Nothing is allocated once the workspace has
// grown to the number of edges and pairs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Indices of an edge's two nodes.
using EdgeNodes = std::array<int, 2>;

/// Indices of two edges, a < b.
struct EdgePair {
  int a = 0, b = 0;
  auto operator<=>(const EdgePair&) const = default;
};

/// One rod: the edges begin to begin + count - 1, each next to the one before.
struct RodEdges {
  int begin = 0;
  int count = 0;
  bool closed = false;  ///< the last edge is next to the first
};

/// Pairs of edges that do not touch each other by decree. Edges that share a node never do.
class ContactFilter {
 public:
  ContactFilter() = default;  ///< nothing but shared nodes

  /// Excludes edges of one rod up to `neighbours` apart in their index (2: one edge between them),
  /// and `pairs` (any order; for those that overlap at rest, what BroadPhase::Find gives there).
  /// Throws ConfigError on indices outside 0 to edges - 1, on rods that overlap and on a pair of
  /// one edge with itself.
  ContactFilter(int edges, std::span<const RodEdges> rods, int neighbours,
                std::span<const EdgePair> pairs = {});

  /// Whether a < b are excluded, shared nodes aside.
  bool Excludes(int a, int b) const;

  /// Number of edges it was made for; 0 fits any.
  int edges() const { return static_cast<int>(rod_.size()); }

 private:
  std::vector<RodEdges> rods_;
  std::vector<int> rod_;    // of each edge, or -1
  std::vector<int> first_;  // excluded partners of edge a: partner_[first_[a]] to first_[a + 1]
  std::vector<int> partner_;
  int neighbours_ = 0;
};

class BroadPhase {
 public:
  /// All pairs of edges that the filter lets pass and whose surfaces are at most `margin` apart
  /// (distance of the centrelines <= sum of the radii + margin), sorted; valid until the next call.
  /// points (m), radius (m, one per edge), margin (m). An edge with coordinates that are not finite
  /// is in no pair. Throws ConfigError on arrays that do not fit, negative radii or margin.
  std::span<const EdgePair> Find(std::span<const Vector3> points, std::span<const EdgeNodes> edges,
                                 std::span<const double> radius, double margin,
                                 const ContactFilter& filter);

 private:
  struct Box {
    Vector3 low, high;
    bool Overlaps(const Box& other) const {
      return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
             other.low[1] <= high[1] && low[2] <= other.high[2] && other.low[2] <= high[2];
    }
  };

  // Nodes stand in preorder: after a node come its children, and `skip` is what follows them.
  struct Node {
    Box box;
    int skip;
    int leaf;  // index in order_; of an inner node, -1
    int end;   // one past the last leaf below
  };

  void Enclose(std::span<const Vector3> points, std::span<const EdgeNodes> edges,
               std::span<const double> radius, double margin);
  void Order();
  void Build(int begin, int end);
  void Sort(int edges);

  std::vector<Box> boxes_;
  std::vector<std::pair<std::uint64_t, int>> order_;  // Morton code, edge
  std::vector<Node> nodes_;
  std::vector<EdgePair> found_, pairs_;
  std::vector<int> row_;
};

}  // namespace strand
