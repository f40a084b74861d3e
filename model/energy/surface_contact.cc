#include "model/energy/surface_contact.h"

#include <algorithm>

#include "model/assembly/block.h"
#include "model/stencil/point_triangle.h"
#include "model/stencil/segment_distance.h"

namespace strand {
namespace {

// Edges side by side touch in their middles, and at their ends when these are nearer by a tenth of
// the tolerance. So much larger than it is may a distance seem, by w / (4 d).
constexpr double kSpread = 0.4;
constexpr double kAhead = 0.5;  // of the sum of radii: a pair nearer than it is coupled
constexpr size_t kKept = 2;     // times as many coupled pairs as are near

}  // namespace

SurfaceContact::SurfaceContact(const Network& network, const Dofs& dofs,
                               const std::vector<double>& radius, const ContactOptions& options,
                               const std::vector<double>& thickness, std::span<const Vector3> start)
    : options_((CheckContactOptions(options), options)),
      candidates_(network, dofs, radius, thickness, options.tolerance,
                  start.empty() ? std::span(network.node()) : start),
      turning_(candidates_.primitives().edge.size()),
      turning_at_(candidates_.primitives().point.size()) {
  if (!options_.rolls()) return;
  const std::vector<int> rod_edges = BodyEdges(network);
  for (size_t e = 0; e < rod_edges.size(); ++e) {
    turning_[e] = TurningEdgeOf(network, dofs, rod_edges[e]);
  }
  const auto at_nodes = TurningEdgesAtNodes(network, dofs);
  for (size_t p = 0; p < turning_at_.size(); ++p) {
    turning_at_[p] = at_nodes[candidates_.primitives().point[p]];
  }
}

bool SurfaceContact::Prepare(const Motion& motion, std::span<const double> velocity, double dt) {
  return candidates_.Prepare(motion.at, velocity, dt) && Recouple(motion.at);
}

bool SurfaceContact::Refresh(const Configuration& at) {
  candidates_.Refresh(at);
  return Recouple(at);
}

double SurfaceContact::Limit(const Configuration& from, std::span<const double> step,
                             const Passage&) {
  return candidates_.Limit(from, step);
}

// True if a pair touches that is not coupled yet: then all that are near are. Those that have gone
// apart stay, as long as they are not most of them, so that the matrix keeps its pattern.
bool SurfaceContact::Recouple(const Configuration& at) {
  bool missing = false;
  near_.clear();
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = GapOf(pair, NodesOf(pair, at));
    const double ahead = kAhead * candidates_.Touching(pair);
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
const int* SurfaceContact::Block(const PrimitivePair& pair) const {
  const auto found = std::ranges::lower_bound(coupled_, pair);
  if (found == coupled_.end() || *found != pair) return nullptr;
  return offset_[found - coupled_.begin()].data();
}

bool SurfaceContact::MayEnd(const Configuration& from, const Configuration& to, const Passage&) {
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, to);
    if (gap >= 0) continue;
    if (!MayEndAt(gap, Gap(pair, from), options_.tolerance)) return false;
  }
  return true;
}

// The edges that turn a pair's surfaces.
std::array<TurningEdge, SurfaceContact::kArms> SurfaceContact::Turning(
    const PrimitivePair& pair) const {
  const Primitives& primitives = candidates_.primitives();
  if (primitives.kind(pair) == PairKind::kEdges) return {turning_[pair.a], turning_[pair.b]};
  return turning_at_[pair.a - primitives.first_point()];
}

SurfaceContact::Group SurfaceContact::PairDofs(const PrimitivePair& pair) const {
  const std::array<int, 4> x = candidates_.Dofs(pair);
  const std::array<TurningEdge, kArms> turning = Turning(pair);
  Group dofs{};
  for (int k = 0; k < 12; ++k) dofs[k] = x[k / 3] + k % 3;
  for (int k = 0; k < kArms; ++k) dofs[12 + k] = turning[k].spin;
  return dofs;
}

void SurfaceContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const PrimitivePair& pair : coupled_) CoupleBlock(dofs, PairDofs(pair), pattern);
}

void SurfaceContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  held_.reserve(coupled_.size());
  anchor_.reserve(coupled_.size());
  next_.reserve(coupled_.size());
  for (size_t k = 0; k < coupled_.size(); ++k) {
    BlockOffsets(dofs, system, PairDofs(coupled_[k]), offset_[k]);
  }
}

PairNodes SurfaceContact::NodesOf(const PrimitivePair& pair, const Configuration& at) const {
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  return {at.position(a), at.position(b), at.position(c), at.position(d)};
}

PairDistance SurfaceContact::Geometry(const PrimitivePair& pair, const Configuration& at) const {
  const auto [x0, x1, x2, x3] = NodesOf(pair, at);
  if (candidates_.primitives().kind(pair) == PairKind::kEdges) {
    return SegmentPair(x0, x1, x2, x3, Spread(pair));
  }
  return PointTrianglePair(x0, x1, x2, x3);
}

double SurfaceContact::Gap(const PrimitivePair& pair, const Configuration& at) const {
  const double gap = GapOf(pair, NodesOf(pair, at));
  const bool hidden = gap < options_.tolerance && !candidates_.Foremost(pair, at);
  return hidden ? std::numeric_limits<double>::infinity() : gap;
}

// Most candidates are too far apart for more than this.
double SurfaceContact::GapOf(const PrimitivePair& pair, const PairNodes& x) const {
  const double distance = candidates_.primitives().kind(pair) == PairKind::kEdges
                              ? SegmentMeeting(x[0], x[1], x[2], x[3], Spread(pair)).Distance()
                              : ClosestOnTriangle(x[0], x[1], x[2], x[3]).offset.norm();
  return candidates_.Gap(pair, distance);
}

double SurfaceContact::Spread(const PrimitivePair& pair) const {
  return kSpread * candidates_.Touching(pair) * options_.tolerance;
}

Evaluation SurfaceContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  latest_ = {};
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, motion.at);
    latest_.gap = std::min(latest_.gap, gap);
    if (gap < options_.tolerance) result += AddPair(motion, pair, out);
  }
  if (holds_) result.energy += AddHeldFriction(motion, out);
  return result;
}

Evaluation SurfaceContact::AddPair(const Motion& motion, const PrimitivePair& pair,
                                   const Derivatives& out) {
  const PairDistance geometry = Geometry(pair, motion.at);
  const Penalty elastic = ElasticPenalty(pair, geometry);
  const Penalty penalty = PairPenalty(motion, pair, geometry, elastic);
  const PairGradient slope = geometry.Gradient();
  const Group dofs = PairDofs(pair);
  const bool rubs = options_.rubs() && !holds_;
  ++latest_.contacts;
  latest_.normal_force -= penalty.slope;
  latest_.penalty_force -= elastic.slope;
  latest_.energy += penalty.energy;
  Gradient gradient = Gradient::Zero();
  gradient.head<12>() = penalty.slope * slope;
  Hessian hessian = Hessian::Zero();
  if (out.values) {
    hessian.topLeftCorner<12, 12>() =
        penalty.curvature * slope * slope.transpose() + penalty.slope * geometry.Hessian();
  }
  Gradient pathwise = Gradient::Zero();
  pathwise.head<12>() = (penalty.slope - elastic.slope) * slope;
  if (rubs) {
    const Way way = WayOf(pair, motion);
    const Friction friction =
        EvaluateSharedFriction<4, kArms>(options_.friction, SharedPointOf(geometry), penalty,
                                         way.moved, way.beside, way.arms, way.rate, out.values);
    latest_.friction_force += friction.magnitude;
    gradient -= friction.force;
    pathwise -= friction.force;
    if (out.values) hessian -= friction.by_position;
  }
  for (int k = 0; k < kSize; ++k) {
    if (dofs[k] < 0) continue;
    if (out.gradient) out.gradient[dofs[k]] += gradient[k];
    if (out.pathwise) out.pathwise[dofs[k]] += pathwise[k];
  }
  const int* block = out.values ? Block(pair) : nullptr;
  for (int k = 0; block && k < kSize * kSize; ++k) out.values[block[k]] += hessian.data()[k];
  return {penalty.energy, -penalty.slope, 0};
}

Penalty SurfaceContact::PairPenalty(const Motion& motion, const PrimitivePair& pair,
                                    const PairDistance& geometry, const Penalty& elastic) const {
  if (options_.restitution == 1 || !(motion.per_time > 0)) return elastic;
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  const double origin =
      GapOf(pair, {motion.origin(a), motion.origin(b), motion.origin(c), motion.origin(d)});
  return Rebounding(options_, elastic, candidates_.Gap(pair, geometry.distance), origin,
                    motion.rate);
}

// The surfaces meet between the axes, in parts as of their radii. The offset leads to the first of
// a pair, and what the second one's surface moves by counts with the opposite sign.
SurfaceContact::Arms SurfaceContact::ArmsOf(const PrimitivePair& pair, const Motion& motion) const {
  const std::array<TurningEdge, kArms> turning = Turning(pair);
  const double radius = candidates_.Radius(pair.a), first = -radius / candidates_.Touching(pair);
  // Arms that meet in the gap make no moment between bodies that are free to turn. Nothing is free
  // in an obstacle, and rods roll on it by their radius.
  const bool rolls = candidates_.MeetsObstacle(pair);
  const double reach = rolls ? -radius : 0, part = rolls ? 0 : first;
  if (candidates_.primitives().kind(pair) == PairKind::kPointTriangle) {
    return NodeArms(turning, reach, part, motion);
  }
  if (rolls) return {EdgeArm(turning[0], reach, 0, 0, motion), Arm{}};
  return {EdgeArm(turning[0], 0, first, 0, motion), EdgeArm(turning[1], 0, -1 - first, 2, motion)};
}

// Null of what did not touch before. A point that comes to the next triangle of an obstacle goes on
// sticking or sliding as it did on the last one.
const SurfaceContact::Anchor* SurfaceContact::AnchorOf(const PrimitivePair& pair) const {
  const auto found = std::ranges::lower_bound(anchor_, pair, {}, &Anchor::pair);
  if (found != anchor_.end() && found->pair == pair) return &*found;
  const Primitives& primitives = candidates_.primitives();
  if (primitives.kind(pair) == PairKind::kEdges || !candidates_.MeetsObstacle(pair)) return nullptr;
  const auto first = std::ranges::lower_bound(anchor_, PrimitivePair{pair.a, 0}, {}, &Anchor::pair);
  for (auto other = first; other != anchor_.end() && other->pair.a == pair.a; ++other) {
    for (int node : primitives.nodes(other->pair.b)) {
      if (std::ranges::count(primitives.nodes(pair.b), node) > 0) return &*other;
    }
  }
  return nullptr;
}

// All 0 at rest for what did not touch before.
SurfaceContact::Way SurfaceContact::WayOf(const PrimitivePair& pair, const Motion& motion) const {
  Way way;
  if (anchored()) {
    const Anchor* anchor = AnchorOf(pair);
    if (!anchor && !(motion.per_time > 0)) return way;
    if (anchor) way.beside = anchor->slip;
  }
  way.rate = anchored() ? 1 : motion.per_time;
  if (!(way.rate > 0)) return way;
  const std::array<int, 4> x = candidates_.Dofs(pair);
  for (int k = 0; k < 12; ++k) {
    const int dof = x[k / 3] + k % 3;
    way.moved[k] = motion.at.q[dof] - motion.start.q[dof];
  }
  way.arms = ArmsOf(pair, motion);
  return way;
}

void SurfaceContact::Accept(const Motion& motion) {
  if (!anchored() || !options_.rubs()) return;
  next_.clear();
  for (const PrimitivePair& pair : candidates_.pairs()) {
    if (!(Gap(pair, motion.at) < options_.tolerance)) continue;
    const PairDistance geometry = Geometry(pair, motion.at);
    const Penalty penalty = PairPenalty(motion, pair, geometry, ElasticPenalty(pair, geometry));
    const double force = -penalty.slope * geometry.share();
    if (!(force > 0)) continue;
    const Way way = WayOf(pair, motion);
    const Eigen::Map<const Eigen::Vector4d> weight(geometry.weight.data());
    Vector3 slip = SurfaceDisplacement<4, kArms>(
        SurfaceWays<4, kArms>(weight, geometry.normal, geometry.direct, way.arms), way.moved,
        way.arms, way.beside);
    slip -= geometry.normal.dot(slip) * geometry.normal;
    next_.push_back({pair, AdvanceAnchor(options_.friction, slip, force)});
  }
  std::ranges::sort(next_, {}, &Anchor::pair);
  std::swap(anchor_, next_);
}

bool SurfaceContact::Hold(const Motion& motion) {
  LetGo();
  holds_ = options_.rubs();
  if (!holds_ || !(motion.per_time > 0 || anchored())) return true;
  for (const PrimitivePair& pair : candidates_.pairs()) {
    if (!(Gap(pair, motion.at) < options_.tolerance)) continue;
    const PairDistance geometry = Geometry(pair, motion.at);
    const Penalty penalty = PairPenalty(motion, pair, geometry, ElasticPenalty(pair, geometry));
    const double force = -penalty.slope * geometry.share();
    if (!(force > 0)) continue;
    const Eigen::Map<const Eigen::Vector4d> weight(geometry.weight.data());
    held_.push_back(
        {pair,
         {geometry.normal, force},
         SurfaceWays<4, kArms>(weight, geometry.normal, geometry.direct, ArmsOf(pair, motion))});
  }
  return true;
}

double SurfaceContact::AddHeldFriction(const Motion& motion, const Derivatives& out) {
  double energy = 0;
  for (const HeldPair& held : held_) {
    const Way way = WayOf(held.pair, motion);
    if (!(way.rate > 0)) continue;
    const HeldFriction friction = EvaluateHeldFriction(
        options_.friction, held.contact,
        SurfaceDisplacement<4, kArms>(held.ways, way.moved, way.arms, way.beside), way.rate);
    energy += friction.energy;
    const Group dofs = PairDofs(held.pair);
    const Gradient force = held.ways.transpose() * friction.force;
    for (int k = 0; out.gradient && k < kSize; ++k) {
      if (dofs[k] >= 0) out.gradient[dofs[k]] -= force[k];
    }
    const int* block = out.values ? Block(held.pair) : nullptr;
    if (!block) continue;
    const Hessian hessian = held.ways.transpose() * friction.by_displacement * held.ways;
    for (int k = 0; k < kSize * kSize; ++k) out.values[block[k]] -= hessian.data()[k];
  }
  return energy;
}

void SurfaceContact::Adapt(double time) { adaptive_.Adapt(summary_, time, &options_); }

void SurfaceContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  candidates_.Save(memory);
  SavePairs(coupled_, memory);
  std::vector<PrimitivePair> pairs;
  for (const Anchor& anchor : anchor_) pairs.push_back(anchor.pair);
  SavePairs(pairs, memory);
  for (const Anchor& anchor : anchor_) {
    memory->insert(memory->end(), anchor.slip.begin(), anchor.slip.end());
  }
}

// The pairs go with it: those coupled make the matrix' pattern, and that the order of its sums.
void SurfaceContact::Load(std::span<const double>* memory) {
  adaptive_.Load(TakeMemory(memory, AdaptiveStiffness::kSaved), &options_);
  candidates_.Load(memory);
  LoadPairs(candidates_.primitives(), memory, &coupled_);
  offset_.resize(coupled_.size());
  std::vector<PrimitivePair> pairs;
  LoadPairs(candidates_.primitives(), memory, &pairs);
  const std::span<const double> slip = TakeMemory(memory, 3 * pairs.size());
  anchor_.clear();
  for (size_t k = 0; k < pairs.size(); ++k) {
    anchor_.push_back({pairs[k], {slip[3 * k], slip[3 * k + 1], slip[3 * k + 2]}});
  }
}

}  // namespace strand
