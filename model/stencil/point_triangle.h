// Distance of a point x from a triangle a, b, c, over q = (x, a, b, c): pair_distance.h with
//     m = (1, s + t - 1, -s, -t),   p = (s, t),   s, t >= 0, s + t <= 1,   w = 0.
//
// p is free in two directions inside the face, in one on an edge, in none at a corner: seven
// regions in all. Since the triangle is convex, the nearest point moves continuously with q.
#pragma once

#include "model/geometry/triangle.h"
#include "model/stencil/pair_distance.h"

namespace strand {

struct PointTrianglePair : PairDistance<4> {
  PointTrianglePair(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c) {
    const ClosestOnTriangle closest(x, a, b, c);
    const auto [on_a, on_b, on_c] = closest.weight;
    ways << a - b, a - c;
    weight = {1, -on_a, -on_b, -on_c};
    weight_by << 0, 0, 1, 1, -1, 0, 0, -1;
    freedoms = (on_a > 0) + (on_b > 0) + (on_c > 0) - 1;
    free_way = {on_b > 0 ? 1 : 0, on_c > 0 ? (on_a > 0 ? 1 : -1) : 0};  // on an edge
    Measure(closest.offset, 0);
  }
};

}  // namespace strand
