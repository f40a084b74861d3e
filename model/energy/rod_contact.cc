#include "model/energy/rod_contact.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/geometry/segment.h"

namespace strand {
namespace {

constexpr double kKeep = 0.1;      // of the way down to the floor that a Newton step leaves
constexpr double kFloor = 0.2;     // of the smallest sum of radii: centrelines never get nearer
constexpr double kNeighbours = 3;  // times the touching distance, along one rod
// Edges side by side touch in their middles, and at their ends when these are nearer by a tenth of
// the tolerance. So much larger than it is may a distance seem, by w / (4 d).
constexpr double kSpread = 0.4;
constexpr double kRoom = 1.5;       // times the way of one step
constexpr double kUsed = 0.5;       // of the room, from which on pairs are looked for again
constexpr double kAhead = 0.5;      // of the sum of radii: a pair nearer than it is coupled
constexpr size_t kKept = 2;         // times as many coupled pairs as are near
constexpr double kLeastRoom = 0.2;  // of the smallest radius

// Pairs of one rod that touch because they are next to each other along it.
std::vector<EdgePair> Neighbours(const Network& network, const std::vector<double>& radius) {
  std::vector<EdgePair> pairs;
  for (int r = 0; r < network.rods(); ++r) {
    const RodTopology& rod = network.rod(r);
    const int edges = static_cast<int>(rod.edge.size());
    for (int i = 0; i < edges; ++i) {
      double apart = 0;  // arclength between the two edges
      const int last = rod.closed ? i + edges / 2 : edges - 1;
      for (int j = i + 1; j <= last; ++j) {
        const int a = rod.edge[i], b = rod.edge[j % edges];
        if (apart > kNeighbours * (radius[a] + radius[b])) break;
        pairs.push_back({std::min(a, b), std::max(a, b)});
        apart += network.edge()[b].length;
      }
    }
  }
  return pairs;
}

std::vector<EdgePair> Excluded(const Network& network, const std::vector<double>& radius) {
  std::vector<EdgePair> pairs = Neighbours(network, radius);
  for (int clamp : network.clamp_edges()) {  // they are no rods
    for (int e = 0; e < network.edges(); ++e) {
      if (e != clamp) pairs.push_back({std::min(e, clamp), std::max(e, clamp)});
    }
  }
  return pairs;
}

Vector3 Displacement(std::span<const double> step, int dof) {
  return {step[dof], step[dof + 1], step[dof + 2]};
}

}  // namespace

RodContact::RodContact(const Network& network, const Dofs& dofs, std::vector<double> radius,
                       const ContactOptions& options)
    : node_dof_(dofs.nodes().begin(), dofs.nodes().end()),
      radius_(std::move(radius)),
      options_(options),
      points_(network.node()),
      way_(points_.size()) {
  CheckContactOptions(options);
  if (options.friction.kind != FrictionLaw::Kind::kRegularised) {
    throw ConfigError("law", "anchored", "regularised, between rods");
  }
  if (static_cast<int>(radius_.size()) != network.edges()) {
    throw ConfigError("radius", std::to_string(radius_.size()),
                      "one per edge: " + std::to_string(network.edges()));
  }
  for (const Edge& edge : network.edge()) edges_.push_back(edge.node);
  filter_ = ContactFilter(network.edges(), {}, 0, Excluded(network, radius_));
  CheckStart(network);
}

void RodContact::CheckStart(const Network& network) {
  for (const EdgePair& pair : broad_phase_.Find(points_, edges_, radius_, 0, filter_)) {
    const auto &a = edges_[pair.a], &b = edges_[pair.b];
    const double distance =
        SegmentDistance(points_[a[0]], points_[a[1]], points_[b[0]], points_[b[1]]);
    throw ConfigError("positions",
                      network.EdgeName(pair.a) + " and " + network.EdgeName(pair.b) + ", " +
                          Text(distance) + " m apart",
                      "at least the sum of their radii, " +
                          Text(radius_[pair.a] + radius_[pair.b]) + " m, at the start");
  }
}

void RodContact::ReadPoints(const Configuration& at) {
  for (size_t n = 0; n < points_.size(); ++n) points_[n] = at.position(node_dof_[n]);
}

// Every node gets room to move in before pairs are looked for again: a little more than its speed
// asks for. What moves fast finds many pairs, what lies still keeps its few, and the matrix its
// pattern.
bool RodContact::Prepare(const Motion& motion, std::span<const double> velocity, double dt) {
  ReadPoints(motion.at);
  bool enough = !found_at_.empty();
  for (size_t n = 0; n < points_.size(); ++n) {
    way_[n] = dt * Displacement(velocity, node_dof_[n]);
    enough = enough && (points_[n] - found_at_[n]).norm() + way_[n].norm() < room_[n];
  }
  if (enough) return false;
  const double smallest = *std::min_element(radius_.begin(), radius_.end());
  room_.resize(points_.size());
  for (size_t n = 0; n < points_.size(); ++n) {
    room_[n] = kRoom * way_[n].norm() + kLeastRoom * smallest;
  }
  FindPairs();
  return Recouple(motion.at);
}

bool RodContact::Refresh(const Configuration& at) {
  ReadPoints(at);
  for (size_t n = 0; n < points_.size(); ++n) {
    if ((points_[n] - found_at_[n]).norm() > kUsed * room_[n]) {
      FindPairs();
      break;
    }
  }
  return Recouple(at);
}

// Around points_, with room_.
void RodContact::FindPairs() {
  found_at_ = points_;
  reach_.resize(edges_.size());
  for (size_t e = 0; e < edges_.size(); ++e) {
    reach_[e] = radius_[e] + std::max(room_[edges_[e][0]], room_[edges_[e][1]]);
  }
  const auto found = broad_phase_.Find(points_, edges_, reach_, options_.tolerance, filter_);
  pairs_.assign(found.begin(), found.end());
}

// True if a pair touches that is not coupled yet: then all that are near are. Those that have gone
// apart stay, as long as they are not most of them, so that the matrix keeps its pattern.
bool RodContact::Recouple(const Configuration& at) {
  bool missing = false;
  near_.clear();
  for (const EdgePair& pair : pairs_) {
    const double gap = Gap(pair, at);
    const double ahead = kAhead * (radius_[pair.a] + radius_[pair.b]);
    if (gap < std::max(ahead, options_.tolerance)) near_.push_back(pair);
    missing = missing || (gap < options_.tolerance && !Block(pair));
  }
  if (!missing && coupled_.size() <= kKept * near_.size() + 16) return false;
  for (const HeldPair& held : held_) near_.push_back(held.pair);
  std::ranges::sort(near_);
  near_.erase(std::ranges::unique(near_).begin(), near_.end());
  coupled_ = near_;
  offset_.resize(coupled_.size());
  return true;
}

// Places of a coupled pair's block in the matrix; null of another.
const int* RodContact::Block(const EdgePair& pair) const {
  const auto found = std::ranges::lower_bound(coupled_, pair);
  if (found == coupled_.end() || *found != pair) return nullptr;
  return offset_[found - coupled_.begin()].data();
}

double RodContact::Limit(const Configuration& from, std::span<const double> step) {
  double part = 1;
  ReadPoints(from);
  for (size_t n = 0; n < points_.size(); ++n) {
    way_[n] = Displacement(step, node_dof_[n]);
    const double before = (points_[n] - found_at_[n]).norm(), length = way_[n].norm();
    const double room = room_[n] - before;  // beyond it, edges that are no pair could touch
    if (length > 0 && part * length > room) part = std::max(room, 0.0) / length;
  }
  double touching = std::numeric_limits<double>::infinity();
  for (const EdgePair& pair : pairs_) {
    touching = std::min(touching, radius_[pair.a] + radius_[pair.b]);
  }
  if (pairs_.empty()) return part;
  return std::min(part, SafeFraction(points_, way_, edges_, pairs_, {kKeep, kFloor * touching}));
}

bool RodContact::MayEnd(const Configuration& from, const Configuration& to) {
  for (const EdgePair& pair : pairs_) {
    const double gap = Gap(pair, to);
    if (gap >= 0) continue;
    if (!MayEndAt(gap, Gap(pair, from), options_.tolerance)) return false;
  }
  return true;
}

std::array<int, 12> RodContact::PairDofs(const EdgePair& pair) const {
  std::array<int, 12> dofs{};
  const int nodes[4] = {edges_[pair.a][0], edges_[pair.a][1], edges_[pair.b][0], edges_[pair.b][1]};
  for (int k = 0; k < 12; ++k) dofs[k] = node_dof_[nodes[k / 3]] + k % 3;
  return dofs;
}

void RodContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const EdgePair& pair : coupled_) CoupleBlock(dofs, PairDofs(pair), pattern);
}

void RodContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  held_.reserve(coupled_.size());
  for (size_t k = 0; k < coupled_.size(); ++k) {
    BlockOffsets(dofs, system, PairDofs(coupled_[k]), offset_[k]);
  }
}

SegmentPair RodContact::Geometry(const EdgePair& pair, const Configuration& at) const {
  const auto &a = edges_[pair.a], &b = edges_[pair.b];
  const double spread = kSpread * (radius_[pair.a] + radius_[pair.b]) * options_.tolerance;
  return SegmentPair(at.position(node_dof_[a[0]]), at.position(node_dof_[a[1]]),
                     at.position(node_dof_[b[0]]), at.position(node_dof_[b[1]]), spread);
}

double RodContact::Gap(const EdgePair& pair, const SegmentPair& geometry) const {
  return geometry.distance - radius_[pair.a] - radius_[pair.b];
}

Evaluation RodContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  latest_ = {};
  for (const EdgePair& pair : pairs_) {
    const SegmentPair geometry = Geometry(pair, motion.at);
    const double gap = Gap(pair, geometry);
    latest_.gap = std::min(latest_.gap, gap);
    if (gap < options_.tolerance) result += AddPair(motion, pair, geometry, out);
  }
  if (holds_) result.energy += AddHeldFriction(motion, out);
  return result;
}

Evaluation RodContact::AddPair(const Motion& motion, const EdgePair& pair,
                               const SegmentPair& geometry, const Derivatives& out) {
  const Penalty penalty =
      ContactPenalty(Gap(pair, geometry), options_.stiffness, options_.tolerance);
  const SegmentGradient slope = geometry.Gradient();
  const std::array<int, 12> dofs = PairDofs(pair);
  const bool rubs = !conservative() && !holds_ && motion.per_time > 0;
  ++latest_.contacts;
  latest_.normal_force -= penalty.slope;
  latest_.energy += penalty.energy;
  SegmentGradient gradient = penalty.slope * slope;
  SegmentHessian hessian;
  if (out.values) {
    hessian = penalty.curvature * slope * slope.transpose() + penalty.slope * geometry.Hessian();
  }
  if (rubs) {
    const PairFriction friction = EvaluatePairFriction(options_.friction, geometry, penalty,
                                                       Moved(pair, motion), motion.per_time);
    latest_.friction_force += friction.magnitude;
    gradient -= friction.force;
    if (out.values) hessian -= friction.by_position;
    for (int k = 0; out.pathwise && k < 12; ++k) out.pathwise[dofs[k]] -= friction.force[k];
  }
  for (int k = 0; out.gradient && k < 12; ++k) out.gradient[dofs[k]] += gradient[k];
  const int* block = out.values ? Block(pair) : nullptr;
  for (int k = 0; block && k < 144; ++k) out.values[block[k]] += hessian.data()[k];
  return {penalty.energy, -penalty.slope, 0};
}

SegmentGradient RodContact::Moved(const EdgePair& pair, const Motion& motion) const {
  const std::array<int, 12> dofs = PairDofs(pair);
  SegmentGradient moved;
  for (int k = 0; k < 12; ++k) moved[k] = motion.at.q[dofs[k]] - motion.start.q[dofs[k]];
  return moved;
}

bool RodContact::Hold(const Motion& motion) {
  LetGo();
  holds_ = !conservative();
  if (!holds_ || !(motion.per_time > 0)) return true;
  for (const EdgePair& pair : pairs_) {
    const SegmentPair geometry = Geometry(pair, motion.at);
    const Penalty penalty =
        ContactPenalty(Gap(pair, geometry), options_.stiffness, options_.tolerance);
    const double force = -penalty.slope * geometry.share();
    if (force > 0) held_.push_back({pair, {geometry.normal, force}, geometry.Weights()});
  }
  return true;
}

double RodContact::AddHeldFriction(const Motion& motion, const Derivatives& out) {
  double energy = 0;
  for (const HeldPair& held : held_) {
    const SegmentGradient moved = Moved(held.pair, motion);
    Vector3 displacement = Vector3::Zero();
    for (int i = 0; i < 4; ++i) displacement += held.weight[i] * moved.segment<3>(3 * i);
    const HeldFriction friction =
        EvaluateHeldFriction(options_.friction, held.contact, displacement, motion.per_time);
    energy += friction.energy;
    const std::array<int, 12> dofs = PairDofs(held.pair);
    for (int k = 0; out.gradient && k < 12; ++k) {
      out.gradient[dofs[k]] -= held.weight[k / 3] * friction.force[k % 3];
    }
    const int* block = out.values ? Block(held.pair) : nullptr;
    for (int k = 0; block && k < 144; ++k) {
      const int row = k % 12, column = k / 12;
      out.values[block[k]] -= held.weight[row / 3] * held.weight[column / 3] *
                              friction.by_displacement(row % 3, column % 3);
    }
  }
  return energy;
}

void RodContact::Adapt(double time) { adaptive_.Adapt(summary_, time, &options_); }

void RodContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  for (size_t n = 0; n < points_.size(); ++n) {
    const bool searched = !found_at_.empty();
    const Vector3& x = searched ? found_at_[n] : points_[n];
    memory->insert(memory->end(), {x.x(), x.y(), x.z(), searched ? room_[n] : 0});
  }
  for (const auto* pairs : {&pairs_, &coupled_}) {
    memory->push_back(static_cast<double>(pairs->size()));
    for (const EdgePair& pair : *pairs) {
      memory->insert(memory->end(), {static_cast<double>(pair.a), static_cast<double>(pair.b)});
    }
  }
}

// The pairs go with it: those coupled make the matrix' pattern, and that the order of its sums.
void RodContact::Load(std::span<const double>* memory) {
  const std::span<const double> saved =
      TakeMemory(memory, AdaptiveStiffness::kSaved + 4 * points_.size());
  adaptive_.Load(saved, &options_);
  room_.resize(points_.size());
  for (size_t n = 0; n < points_.size(); ++n) {
    const double* of = &saved[AdaptiveStiffness::kSaved + 4 * n];
    points_[n] = {of[0], of[1], of[2]}, room_[n] = of[3];
  }
  found_at_.clear();
  if (*std::max_element(room_.begin(), room_.end()) > 0) found_at_ = points_;
  LoadPairs(memory, &pairs_);
  LoadPairs(memory, &coupled_);
  offset_.resize(coupled_.size());
}

void RodContact::LoadPairs(std::span<const double>* memory, std::vector<EdgePair>* pairs) const {
  const double count = TakeMemory(memory, 1).front();
  if (!(count >= 0 && count <= static_cast<double>(memory->size()))) {
    throw ConfigError("memory", std::to_string(count) + " pairs", "those of a state saved");
  }
  const std::span<const double> saved = TakeMemory(memory, 2 * static_cast<size_t>(count));
  pairs->clear();
  for (size_t k = 0; k < saved.size(); k += 2) {
    const double largest = static_cast<double>(edges_.size()) - 1;
    if (!(saved[k] >= 0 && saved[k] < saved[k + 1] && saved[k + 1] <= largest)) {
      throw ConfigError("memory", "edge " + std::to_string(saved[k]), "edges of the same network");
    }
    pairs->push_back({static_cast<int>(saved[k]), static_cast<int>(saved[k + 1])});
  }
}

}  // namespace strand
