#include "model/geometry/curve.h"

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

// A larger number is surely a mistake and would exhaust the memory.
constexpr int kMostLinks = 10'000'000;

void CheckLinks(int links, double length, const char* field) {
  CheckLinkCount(links);
  if (!(length > 0) || !std::isfinite(length)) {
    throw ConfigError(field, std::to_string(length), "a finite length > 0 (m)");
  }
}

}  // namespace

void CheckLinkCount(int links) {
  if (links < 2 || links > kMostLinks) {
    throw ConfigError("segments", std::to_string(links), "at least 2, at most 10 million");
  }
}

std::vector<Vector3> StraightNodes(double length, int links) {
  CheckLinks(links, length, "length");
  std::vector<Vector3> nodes;
  for (int k = 0; k <= links; ++k) nodes.emplace_back(length * k / links, 0, 0);
  return nodes;
}

std::vector<Vector3> ArcNodes(double length, double angle, int links) {
  CheckLinks(links, length, "length");
  if (!std::isfinite(angle)) throw ConfigError("angle", std::to_string(angle), "finite (rad)");
  std::vector<Vector3> nodes{Vector3::Zero()};
  for (int k = 0; k < links; ++k) {
    const double turned = angle * (k + 0.5) / links;
    nodes.push_back(nodes.back() + length / links * Vector3(std::cos(turned), std::sin(turned), 0));
  }
  return nodes;
}

std::vector<Vector3> RingNodes(double radius, int links, int overlap) {
  CheckLinks(links, radius, "radius");
  if (links < 3) throw ConfigError("segments", std::to_string(links), "at least 3 for a ring");
  if (overlap < 0 || overlap >= links) {
    throw ConfigError("overlap", std::to_string(overlap), "0 to segments - 1");
  }
  // Circumradius of the polygon whose perimeter is that of the circle.
  const double half = std::numbers::pi / links;
  const double circumradius = radius * half / std::sin(half);
  std::vector<Vector3> nodes;
  for (int k = 0; k <= links + overlap; ++k) {
    const double angle = 2 * half * (k % links);
    nodes.emplace_back(circumradius * std::cos(angle), circumradius * std::sin(angle), 0);
  }
  return nodes;
}

std::vector<Vector3> HelixNodes(double radius, double pitch, double turns, int links) {
  CheckLinks(links, radius, "radius");
  if (!std::isfinite(pitch)) throw ConfigError("pitch", std::to_string(pitch), "finite (m)");
  if (!(std::abs(turns) > 0) || !std::isfinite(turns)) {
    throw ConfigError("turns", std::to_string(turns), "finite, not 0");
  }
  // Half the angle that a link spans must be less than a right angle, or chords fold back.
  const double half = 0.5 * kTwoPi * turns / links;
  if (std::abs(half) >= kTwoPi / 4) {
    throw ConfigError("segments", std::to_string(links), "more than 2 per turn of a helix");
  }
  const double circumradius = radius * half / std::sin(half);
  std::vector<Vector3> nodes;
  for (int k = 0; k <= links; ++k) {
    const double angle = 2 * half * k;
    nodes.emplace_back(circumradius * std::cos(angle), circumradius * std::sin(angle),
                       pitch * std::abs(turns) * k / links);
  }
  return nodes;
}

std::vector<Frame> LinkFrames(const std::vector<Vector3>& nodes, const Vector3& normal) {
  if (nodes.size() < 2) throw ConfigError("nodes", std::to_string(nodes.size()), "at least 2");
  std::vector<Frame> frames;
  for (size_t k = 0; k + 1 < nodes.size(); ++k) {
    const Vector3 edge = nodes[k + 1] - nodes[k];
    const double length = edge.norm();
    if (!(length > 0) || !std::isfinite(length)) {
      throw ConfigError("nodes",
                        "nodes " + std::to_string(k) + " and " + std::to_string(k + 1) +
                            " at distance " + std::to_string(length),
                        "finite points, neighbours apart");
    }
    const Vector3 t = edge / length;
    if (k > 0) {
      frames.push_back(TransportFrame(frames.back(), t, 0));
      continue;
    }
    const Vector3 y = normal - normal.dot(t) * t;
    if (!(y.norm() > 1e-6 * normal.norm())) {
      throw ConfigError("normal", "a direction along the first link", "one across it");
    }
    Frame first;
    first << t, y.normalized(), t.cross(y.normalized());
    frames.push_back(first);
  }
  return frames;
}

Frame EndFrame(const std::vector<Frame>& links, int end) {
  if (links.empty()) throw ConfigError("links", "none", "at least one");
  if (end != 0 && end != 1) throw ConfigError("end", std::to_string(end), "0 (first) or 1 (last)");
  const size_t last = links.size() - 1;
  const Frame& outermost = end ? links.back() : links.front();
  if (last == 0) return outermost;
  return ContinueFrame(links[end ? last - 1 : 1], outermost, 0.5);
}

}  // namespace strand
