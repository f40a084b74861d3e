// Broad phase: finds the pairs of primitives that are close enough to touch.
//
// Edges are searched against each other, points against triangles, by their boxes (box_tree.h). The
// result does not depend on the boxes: it is the sorted list of all pairs within the margin.
//
// Not thread-safe: the object owns the workspace. Nothing is allocated once the workspace has grown
// to the number of primitives and pairs.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "model/contact/box_tree.h"
#include "model/contact/primitives.h"

namespace strand {

/// One rod: the edges begin to begin + count - 1, in order along the rod.
struct RodEdges {
  int begin = 0;
  int count = 0;
  bool closed = false;  ///< the last edge is next to the first
};

/// Pairs that are excluded from contact. Pairs that share a node are always excluded.
class ContactFilter {
 public:
  ContactFilter() = default;  ///< excludes only pairs with shared nodes

  /// Excludes edges of one rod whose indices differ by up to `neighbours` (2: one edge between
  /// them), and `pairs` (in any order; to exclude parts that overlap at rest, pass the result of
  /// BroadPhase::Find there). `size`: the number of primitives. Throws ConfigError if an index is
  /// not in 0 to size - 1, if rods overlap, or if a pair consists of one primitive twice.
  ContactFilter(int size, std::span<const RodEdges> rods, int neighbours,
                std::span<const PrimitivePair> pairs = {});

  /// Excludes all pairs of two members; `member`: one flag per primitive.
  void ExcludeAmong(std::vector<bool> member) { member_ = std::move(member); }

  /// Whether the pair a < b is excluded, without the check of shared nodes.
  bool Excludes(int a, int b) const;

  /// Number of primitives that it was made for; 0: any number.
  int size() const { return static_cast<int>(rod_.size()); }

 private:
  std::vector<RodEdges> rods_;
  std::vector<int> rod_;    // per primitive, or -1
  std::vector<int> first_;  // excluded partners of a: partner_[first_[a]] to first_[a + 1]
  std::vector<int> partner_;
  std::vector<bool> member_;  // empty if there are none
  int neighbours_ = 0;
};

class BroadPhase {
 public:
  /// All pairs, sorted, that the filter admits and whose surfaces are at most `margin` (m) apart
  /// (distance <= sum of the radii + margin); valid until the next call. `points` (m); `radius` (m)
  /// per primitive. A primitive with coordinates that are not finite is in no pair. Throws
  /// ConfigError if the size of an array does not match, or if a radius or the margin is negative.
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
