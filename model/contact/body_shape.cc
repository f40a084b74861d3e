#include "model/contact/body_shape.h"

#include "model/config/error.h"

namespace strand {
namespace {

// Corner of a core by a bit per axis: set on the positive side.
Vector3 Corner(const Obstacle& shape, int bits) {
  Vector3 p;
  for (int c = 0; c < 3; ++c) p[c] = (bits >> c & 1 ? 1 : -1) * shape.half_extents[c];
  return shape.position + shape.rotation * p;
}

}  // namespace

Obstacle MakeRoundedBox(const Vector3& half_extents, double rounding) {
  const double least = half_extents.minCoeff();
  if (!(rounding > 0 && rounding < least)) {
    throw ConfigError("rounding", Text(rounding),
                      "more than 0, less than half the shortest edge: " + Text(least) + " m");
  }
  Obstacle box = MakeBox(half_extents - Vector3::Constant(rounding));
  box.radius = rounding;
  return box;
}

BodySites SitesOf(int body, const Obstacle& shape) {
  BodySites sites;
  if (shape.shape != Obstacle::Shape::kRoundedBox) return sites;
  const auto wide = [&](int axis) { return shape.half_extents[axis] > 0; };
  const bool ball = !wide(0) && !wide(1) && !wide(2);
  int present = 0;
  for (int axis = 0; axis < 3; ++axis) present |= wide(axis) ? 1 << axis : 0;
  for (int bits = 0; bits < 8; ++bits) {
    if ((bits | present) != present) continue;
    sites.corner.push_back({body, {Corner(shape, bits)}, shape.radius, !ball});
  }
  if (sites.corner.size() == 2) {
    sites.axis.push_back(
        {body, {sites.corner[0].point[0], sites.corner[1].point[0]}, shape.radius, true});
  }
  if (sites.corner.size() < 8) return sites;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    for (int side : {0, 1 << axis}) {
      for (int half : {u, v}) {
        sites.face.push_back(
            {body,
             {Corner(shape, side), Corner(shape, side | half), Corner(shape, side | u | v)},
             shape.radius,
             true});
      }
    }
  }
  return sites;
}

void CheckShapes(const Network& network, const std::vector<Obstacle>& shape) {
  if (static_cast<int>(shape.size()) == network.bodies()) return;
  throw ConfigError("shapes", std::to_string(shape.size()),
                    "one per body: " + std::to_string(network.bodies()));
}

}  // namespace strand
