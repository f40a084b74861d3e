// Broad phase: the few pairs of primitives that are near enough to touch, out of all.
//
// Edges are looked for among each other, points among the triangles, by their boxes (box_tree.h).
// The pairs found do not depend on those: they are the ones within the margin, sorted.
//
// Not thread-safe: the workspace is the object's. Nothing is allocated once the workspace has
// grown to the number of primitives and pairs.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "model/contact/box_tree.h"
#include "model/contact/primitives.h"

namespace strand {

/// One rod: the edges begin to begin + count - 1, each next to the one before.
struct RodEdges {
  int begin = 0;
  int count = 0;
  bool closed = false;  ///< the last edge is next to the first
};

/// Pairs that do not touch each other by decree. What shares a node never does.
class ContactFilter {
 public:
  ContactFilter() = default;  ///< nothing but shared nodes

  /// Excludes edges of one rod up to `neighbours` apart in their index (2: one edge between them),
  /// and `pairs` (any order; for those that overlap at rest, what BroadPhase::Find gives there).
  /// `size`: the number of primitives. Throws ConfigError on indices outside 0 to size - 1, on rods
  /// that overlap and on a pair of one primitive with itself.
  ContactFilter(int size, std::span<const RodEdges> rods, int neighbours,
                std::span<const PrimitivePair> pairs = {});

  /// Excludes all pairs of two members, one flag per primitive.
  void ExcludeAmong(std::vector<bool> member) { member_ = std::move(member); }

  /// Whether a < b are excluded, shared nodes aside.
  bool Excludes(int a, int b) const;

  /// Number of primitives it was made for; 0 fits any.
  int size() const { return static_cast<int>(rod_.size()); }

 private:
  std::vector<RodEdges> rods_;
  std::vector<int> rod_;    // of each primitive, or -1
  std::vector<int> first_;  // excluded partners of a: partner_[first_[a]] to first_[a + 1]
  std::vector<int> partner_;
  std::vector<bool> member_;  // none: empty
  int neighbours_ = 0;
};

class BroadPhase {
 public:
  /// All pairs that the filter lets pass and whose surfaces are at most `margin` apart (distance <=
  /// sum of the radii + margin), sorted; valid until the next call. points (m), radius (m, one per
  /// primitive), margin (m). A primitive with coordinates that are not finite is in no pair. Throws
  /// ConfigError on arrays that do not fit, negative radii or margin.
  std::span<const PrimitivePair> Find(std::span<const Vector3> points, const Primitives& primitives,
                                      std::span<const double> radius, double margin,
                                      const ContactFilter& filter);

 private:
  void Enclose(std::span<const Vector3> points, const Primitives& primitives,
               std::span<const double> radius, double margin);
  void Sort(int size);

  std::vector<Box> boxes_;
  BoxTree tree_;
  std::vector<PrimitivePair> found_, pairs_;
  std::vector<int> row_;
};

}  // namespace strand
