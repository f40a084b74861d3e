#include "model/energy/contact_candidates.h"

#include <algorithm>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/contact/ccd.h"
#include "model/contact/neighbours.h"
#include "model/contact/piercing.h"
#include "model/energy/contact_options.h"
#include "model/energy/step_force.h"

namespace strand {
namespace {

constexpr double kKeep = 0.1;       // of the distance to the floor that a Newton step must leave
constexpr double kFloor = 0.2;      // of the smallest sum of radii: pairs stay farther apart
constexpr double kRoom = 1.5;       // times the displacement in one step
constexpr double kUsed = 0.5;       // of the room: beyond it pairs are searched again
constexpr double kLeastRoom = 0.2;  // of the smallest radius
// With more pairs per node than this the room is halved, to this part at least: a cloth that lands
// at speed would have hundreds, nearly all of them too far apart to touch. Iterates are cut short
// where the room ends, and pairs are searched again from there.
constexpr int kMany = 16;
constexpr double kLeastPart = 0.1;

}  // namespace

ContactCandidates::ContactCandidates(const Network& network, const strand::Dofs& dofs,
                                     const std::vector<double>& radius,
                                     const std::vector<double>& thickness, double tolerance,
                                     std::span<const Vector3> start, bool smooth)
    : node_dof_(dofs.nodes().begin(), dofs.nodes().end()),
      bodies_(MakeContactBodies(network, radius, thickness, smooth)),
      filter_(primitives().size(), {}, 0, Neighbours(network, bodies_)),
      tolerance_(tolerance),
      points_(start.begin(), start.end()),
      way_(points_.size()),
      room_(points_.size()) {
  double smallest = std::numeric_limits<double>::infinity();
  for (double each : bodies_.radius) {
    if (each > 0) smallest = std::min(smallest, each);  // an obstacle mesh has none
  }
  least_room_ = kLeastRoom * smallest;
  filter_.ExcludeAmong(bodies_.obstacle);
  obstacle_at_.resize(network.nodes());
  for (int t = primitives().first_triangle(); t < primitives().size(); ++t) {
    if (!bodies_.obstacle[t]) continue;
    for (int node : primitives().nodes(t)) obstacle_at_[node].push_back(t);
  }
  CheckStart(network);
}

void ContactCandidates::CheckStart(const Network& network) {
  const auto name = [&](int primitive) { return BodyName(network, bodies_, primitive); };
  if (const auto piercing = FindPiercing(points_, primitives(), bodies_.obstacle)) {
    throw ConfigError("positions",
                      name(piercing->edge) + " passes through " + name(piercing->triangle),
                      "parts that are apart at the start");
  }
  for (const PrimitivePair& pair :
       broad_phase_.Find(points_, primitives(), bodies_.radius, 0, filter_)) {
    const bool plates = bodies_.OnShell(pair.a) || bodies_.OnShell(pair.b);
    throw ConfigError("positions",
                      name(pair.a) + " and " + name(pair.b) + ", " +
                          Text(primitives().Distance(pair, points_)) + " m apart",
                      std::string("at least the sum of their radii, ") +
                          (plates ? "of shells half the thickness, " : "") + Text(Touching(pair)) +
                          " m, at the start");
  }
}

bool ContactCandidates::Foremost(const PrimitivePair& pair, const Configuration& at) const {
  constexpr double kSame = 1e-9;    // relative: equal distances, the first triangle counts
  constexpr double kOnEdge = 1e-6;  // of a triangle's height
  if (!bodies_.obstacle[pair.b] || pair.b < primitives().first_triangle()) return true;
  const Vector3 x = at.position(node_dof_[primitives().nodes(pair.a)[0]]);
  const auto closest = [&](int t) {
    const std::span<const int> n = primitives().nodes(t);
    return ClosestOnTriangle(x, at.position(node_dof_[n[0]]), at.position(node_dof_[n[1]]),
                             at.position(node_dof_[n[2]]));
  };
  const ClosestOnTriangle mine = closest(pair.b);
  const double distance = mine.offset.norm();
  std::array<int, 3> touched;  // corners of the nearest vertex or edge
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    if (mine.weight[k] > kOnEdge) touched[count++] = primitives().nodes(pair.b)[k];
  }
  if (count == 3) return true;
  for (int other : obstacle_at_[touched[0]]) {
    const std::span<const int> n = primitives().nodes(other);
    if (other == pair.b || (count == 2 && std::ranges::count(n, touched[1]) == 0)) continue;
    const double beside = closest(other).offset.norm() - distance;
    if (beside < -kSame * distance || (beside <= kSame * distance && other < pair.b)) return false;
  }
  return true;
}

void ContactCandidates::ReadPoints(const Configuration& at) {
  for (size_t n = 0; n < points_.size(); ++n) points_[n] = at.position(node_dof_[n]);
}

// Reads way_, `scale` times the displacements or velocities `step`, too.
void ContactCandidates::ReadStep(const Configuration& from, std::span<const double> step,
                                 double scale) {
  ReadPoints(from);
  for (size_t n = 0; n < points_.size(); ++n) {
    way_[n] = scale * Vector3::Map(step.data() + node_dof_[n]);
  }
}

bool ContactCandidates::Prepare(const Configuration& at, std::span<const double> velocity,
                                double dt) {
  ReadStep(at, velocity, dt);
  if (HaveRoom()) return false;
  for (double part = 1;; part *= 0.5) {
    for (size_t n = 0; n < points_.size(); ++n) room_[n] = Room(n, part);
    FindPairs();
    if (pairs_.size() <= kMany * points_.size() || part < kLeastPart) return true;
  }
}

double ContactCandidates::Room(size_t n, double part) const {
  return part * kRoom * way_[n].norm() + least_room_;
}

// Whether all nodes can go from points_ along way_.
bool ContactCandidates::HaveRoom() const {
  for (size_t n = 0; n < found_at_.size(); ++n) {
    if (!((points_[n] - found_at_[n]).norm() + way_[n].norm() < room_[n])) return false;
  }
  return !found_at_.empty();
}

void ContactCandidates::Refresh(const Configuration& at) {
  ReadPoints(at);
  for (size_t n = 0; n < points_.size(); ++n) {
    if ((points_[n] - found_at_[n]).norm() > kUsed * room_[n]) {
      FindPairs();
      return;
    }
  }
}

// Searches around points_, with room_.
void ContactCandidates::FindPairs() {
  found_at_ = points_;
  reach_ = bodies_.radius;
  for (int p = 0; p < primitives().size(); ++p) {
    double room = 0;
    for (int n : primitives().all_nodes(p)) room = std::max(room, room_[n]);
    reach_[p] += primitives().stretch(p) * room;
  }
  const auto found = broad_phase_.Find(points_, primitives(), reach_, tolerance_, filter_);
  pairs_.assign(found.begin(), found.end());
}

// For way_.
void ContactCandidates::MakeRoom() {
  if (HaveRoom()) return;
  for (size_t n = 0; n < points_.size(); ++n) room_[n] = std::max(room_[n], Room(n, 1));
  FindPairs();
}

bool ContactCandidates::Clears(const Configuration& from, std::span<const double> step) {
  ReadStep(from, step, 1);
  MakeRoom();
  return FreePart() == 1;
}

bool ContactCandidates::Misses(const Configuration& from, std::span<const double> step) {
  ReadStep(from, step, 1);
  MakeRoom();
  ends_.resize(points_.size());
  for (size_t n = 0; n < points_.size(); ++n) ends_[n] = points_[n] + way_[n];
  return std::ranges::any_of(pairs_, [&](const PrimitivePair& pair) { return Misses(pair); });
}

bool ContactCandidates::Misses(const PrimitivePair& pair) const {
  // A straight way between two places at a distance r or more, which comes within (1 - kMissed) r,
  // is longer than this part of r.
  constexpr double kShortest = 0.8;
  const auto farthest = [&](int primitive) {
    double way = 0;
    for (int n : primitives().all_nodes(primitive)) way = std::max(way, way_[n].norm());
    return primitives().stretch(primitive) * way;
  };
  const double way = farthest(pair.a) + farthest(pair.b), touching = Touching(pair);
  if (way < 0.5 * kShortest * touching) return false;
  const double start = primitives().Distance(pair, points_);
  if (start - way > touching) return false;
  const double nearest = std::min({touching, start, primitives().Distance(pair, ends_)});
  const double missed = nearest - kMissed * touching;
  return missed > 0 && way > kShortest * nearest &&
         ComesWithin(missed, points_, way_, primitives(), pair);
}

double ContactCandidates::Limit(const Configuration& from, std::span<const double> step) {
  ReadStep(from, step, 1);
  return FreePart();
}

// Limit, from points_ along way_.
double ContactCandidates::FreePart() const {
  double part = 1;
  for (size_t n = 0; n < points_.size(); ++n) {
    const double before = (points_[n] - found_at_[n]).norm(), length = way_[n].norm();
    const double room = room_[n] - before;  // beyond it, other pairs could touch
    if (length > 0 && part * length > room) part = std::max(room, 0.0) / length;
  }
  double touching = std::numeric_limits<double>::infinity();
  for (const PrimitivePair& pair : pairs_) touching = std::min(touching, Touching(pair));
  if (pairs_.empty()) return part;
  const CcdOptions options{kKeep, kFloor * touching};
  return std::min(part, SafeFraction(points_, way_, primitives(), pairs_, options));
}

void ContactCandidates::Save(std::vector<double>* memory) const {
  for (size_t n = 0; n < points_.size(); ++n) {
    const bool searched = !found_at_.empty();
    const Vector3& x = searched ? found_at_[n] : points_[n];
    memory->insert(memory->end(), {x.x(), x.y(), x.z(), searched ? room_[n] : 0});
  }
  SavePairs(pairs_, memory);
}

void ContactCandidates::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, 4 * points_.size());
  for (size_t n = 0; n < points_.size(); ++n) {
    const double* of = &saved[4 * n];
    points_[n] = {of[0], of[1], of[2]}, room_[n] = of[3];
  }
  found_at_.clear();
  if (*std::ranges::max_element(room_) > 0) found_at_ = points_;
  LoadPairs(primitives(), memory, &pairs_);
}

void SavePairs(std::span<const PrimitivePair> pairs, std::vector<double>* memory) {
  memory->push_back(static_cast<double>(pairs.size()));
  for (const PrimitivePair& pair : pairs) {
    memory->insert(memory->end(), {static_cast<double>(pair.a), static_cast<double>(pair.b)});
  }
}

void LoadPairs(const Primitives& primitives, std::span<const double>* memory,
               std::vector<PrimitivePair>* pairs) {
  const double count = TakeMemory(memory, 1).front();
  if (!(count >= 0 && count <= static_cast<double>(memory->size()))) {
    throw ConfigError("memory", std::to_string(count) + " pairs", "the pairs of a saved state");
  }
  const std::span<const double> saved = TakeMemory(memory, 2 * static_cast<size_t>(count));
  pairs->clear();
  for (size_t k = 0; k < saved.size(); k += 2) {
    const auto number = [&](double x) {
      return x >= 0 && x < primitives.size() ? static_cast<int>(x) : -1;
    };
    const PrimitivePair pair{number(saved[k]), number(saved[k + 1])};
    if (!primitives.Match(pair)) {
      throw ConfigError("memory", "a pair of " + Text(saved[k]) + " and " + Text(saved[k + 1]),
                        "pairs of the same network");
    }
    pairs->push_back(pair);
  }
}

}  // namespace strand
