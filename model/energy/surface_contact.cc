#include "model/energy/surface_contact.h"

#include <algorithm>
#include <type_traits>

#include "model/assembly/block.h"
#include "model/energy/contact_terms.h"
#include "model/stencil/point_triangle.h"
#include "model/stencil/segment_distance.h"

namespace strand {
namespace {

// Parallel edges touch in their middles, and at their ends if these are closer by a tenth of the
// tolerance. The regularised distance exceeds the true one by at most that much: w / (4 d).
constexpr double kSpread = 0.4;
// Of the sum of radii: pairs with smaller gaps are coupled. More pairs fill the factors of the
// matrix with zeros, fewer make it change more often.
constexpr double kAhead = 0.15;
constexpr size_t kKept = 2;         // coupled pairs kept, as a multiple of the near ones
constexpr double kNothing = 1e-12;  // pairs with a smaller weight are skipped

// Positions of the nodes (m), from `position(dof)`.
template <size_t N, class Position>
std::array<Vector3, N> NodesAt(const std::array<int, N>& dofs, const Position& position) {
  std::array<Vector3, N> x;
  for (size_t k = 0; k < N; ++k) x[k] = position(dofs[k]);
  return x;
}

// Calls `use` with a pair's number of nodes as a constant: those of the gap, or 6.
template <class Pair, class Use>
void ForNodesOf(const Pair&, int nodes, const Use& use) {
  if constexpr (std::is_same_v<Pair, PointTrianglePair>) {
    if (nodes == 6) return use.template operator()<6>();
  }
  use.template operator()<Pair::kNodes>();
}

}  // namespace

SurfaceContact::SurfaceContact(const Network& network, const Dofs& dofs,
                               const std::vector<double>& radius, const ContactOptions& options,
                               const std::vector<double>& thickness, std::span<const Vector3> start)
    : options_((CheckContactOptions(options), options)),
      candidates_(network, dofs, radius, thickness, options.tolerance,
                  start.empty() ? std::span(network.node()) : start, options.smooth),
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
  for (ContactLag& lag : lag_) lag.Forget();
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

bool SurfaceContact::Clears(const Configuration& from, std::span<const double> step,
                            const Passage&) {
  return candidates_.Clears(from, step);
}

// Returns true if the coupled pairs change. If a touching pair is not coupled yet, all near pairs
// are coupled. Separated pairs stay coupled, so that the sparsity pattern is reused, until coupled
// pairs outnumber near ones two to one.
bool SurfaceContact::Recouple(const Configuration& at) {
  bool missing = false;
  near_.clear();
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double near = std::max(kAhead * candidates_.Touching(pair), options_.tolerance);
    const double gap = GapOf(pair, [&](int dof) { return at.position(dof); }, near);
    if (gap < near) near_.push_back(pair);
    missing = missing || (gap < options_.tolerance && CoupledIndex(pair) < 0);
  }
  if (!missing && coupled_.size() <= kKept * near_.size() + 16) return false;
  for (const FrozenPair& frozen : frozen_pair_) near_.push_back(frozen.pair);
  std::ranges::sort(near_);
  near_.erase(std::ranges::unique(near_).begin(), near_.end());
  coupled_ = near_;
  MakeRoom();
  return true;
}

void SurfaceContact::MakeRoom() {
  first_.clear();
  size_t size = 0;
  for (const PrimitivePair& pair : coupled_) {
    first_.push_back(size);
    const size_t rows = 3 * Nodes(pair) + kArms;
    size += rows * rows;
  }
  offset_.resize(size);
  lag_.assign(coupled_.size(), {});
}

int SurfaceContact::CoupledIndex(const PrimitivePair& pair) const {
  const auto found = std::ranges::lower_bound(coupled_, pair);
  if (found == coupled_.end() || *found != pair) return -1;
  return static_cast<int>(found - coupled_.begin());
}

std::span<const int> SurfaceContact::OffsetsOf(int coupled) const {
  if (coupled < 0) return {};
  const int unknowns = 3 * Nodes(coupled_[coupled]) + kArms;
  return std::span(offset_).subspan(first_[coupled], unknowns * unknowns);
}

bool SurfaceContact::AcceptsEndpoint(const Configuration& from, const Configuration& to,
                                     const Passage&) {
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, to, 0);
    if (gap >= 0) continue;
    if (!AcceptsEndGap(gap, Gap(pair, from, 0), options_.tolerance)) return false;
  }
  return true;
}

// The edges whose rotation moves a pair's surfaces.
std::array<TurningEdge, SurfaceContact::kArms> SurfaceContact::Turning(
    const PrimitivePair& pair) const {
  const Primitives& primitives = candidates_.primitives();
  if (pair.a < primitives.first_point()) return {turning_[pair.a], turning_[pair.b]};
  return turning_at_[pair.a - primitives.first_point()];
}

int SurfaceContact::Nodes(const PrimitivePair& pair) const {
  if (curves(pair)) return 8;
  const bool node = candidates_.primitives().kind(pair) == PairKind::kPointTriangle;
  return node && Turning(pair)[0].exists() ? 6 : 4;
}

// Calls `use` with a pair's number of nodes as a constant.
template <class Use>
auto SurfaceContact::ForNodes(int nodes, const Use& use) {
  if (nodes == 8) return use.template operator()<8>();
  return nodes == 6 ? use.template operator()<6>() : use.template operator()<4>();
}

// Degrees of freedom of the x of a pair's nodes, -1: none.
template <int N>
std::array<int, N> SurfaceContact::NodeDofs(const PrimitivePair& pair) const {
  if constexpr (N == 8) {
    return candidates_.CurveDofs(pair);
  } else if constexpr (N == 6) {
    const auto [a, b, c, d] = candidates_.Dofs(pair);
    const std::array<TurningEdge, kArms> turning = Turning(pair);
    return {a, b, c, d, turning[0].Beyond(a), turning[1].Beyond(a)};
  } else {
    return candidates_.Dofs(pair);
  }
}

template <int N>
SurfaceContact::Group<N> SurfaceContact::PairDofs(const PrimitivePair& pair) const {
  const std::array<int, N> x = NodeDofs<N>(pair);
  const std::array<TurningEdge, kArms> turning = Turning(pair);
  Group<N> dofs{};
  for (int k = 0; k < 3 * N; ++k) dofs[k] = x[k / 3] < 0 ? -1 : x[k / 3] + k % 3;
  for (int k = 0; k < kArms; ++k) dofs[3 * N + k] = turning[k].spin;
  return dofs;
}

template <class Use>
void SurfaceContact::WithDofs(const PrimitivePair& pair, const Use& use) const {
  ForNodes(Nodes(pair), [&]<int N>() { use(PairDofs<N>(pair)); });
}

void SurfaceContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const PrimitivePair& pair : coupled_) {
    WithDofs(pair, [&](const auto& group) { CoupleBlock(dofs, group, pattern); });
  }
}

void SurfaceContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  frozen_pair_.reserve(coupled_.size());
  anchor_.reserve(coupled_.size());
  next_.reserve(coupled_.size());
  for (size_t k = 0; k < coupled_.size(); ++k) {
    WithDofs(coupled_[k], [&](const auto& group) {
      const std::span room(&offset_[first_[k]], group.size() * group.size());
      BlockOffsets(dofs, system, group, room);
    });
  }
}

// Calls `use` with the pair's PairDistance.
template <class Use>
void SurfaceContact::WithGeometry(const PrimitivePair& pair, const Configuration& at,
                                  const Use& use) const {
  const Primitives& primitives = candidates_.primitives();
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  switch (primitives.kind(pair)) {
    case PairKind::kCurves: {
      const CurvePairNodes x =
          NodesAt(NodeDofs<8>(pair), [&](int dof) { return at.position(dof); });
      const CurveSpread spread = Spread(pair, x);
      use(CurvePair(primitives.Meeting(pair, x, spread.value()), spread));
      break;
    }
    case PairKind::kEdges:
      use(SegmentPair(at.position(a), at.position(b), at.position(c), at.position(d),
                      Spread(pair)));
      break;
    case PairKind::kPointTriangle:
      use(PointTrianglePair(at.position(a), at.position(b), at.position(c), at.position(d)));
  }
}

// GapOf, or infinity if another pair represents the same contact (Foremost).
double SurfaceContact::Gap(const PrimitivePair& pair, const Configuration& at,
                           double enough) const {
  const double gap = GapOf(pair, [&](int dof) { return at.position(dof); }, enough);
  const bool hidden = gap < options_.tolerance && !candidates_.Foremost(pair, at);
  return hidden ? std::numeric_limits<double>::infinity() : gap;
}

// The gap (m) with the nodes at `position(dof)` (m). If it is at least `enough`, a lower bound that
// is at least `enough` may be returned instead: this is cheaper, and most candidates are far apart.
template <class Position>
double SurfaceContact::GapOf(const PrimitivePair& pair, const Position& position,
                             double enough) const {
  const Primitives& primitives = candidates_.primitives();
  if (curves(pair)) {
    const CurvePairNodes x = NodesAt(NodeDofs<8>(pair), position);
    const double least = candidates_.Gap(pair, primitives.LeastDistance(pair, x));
    if (least >= enough) return least;
    return candidates_.Gap(pair, primitives.Meeting(pair, x, Spread(pair, x).value()).Distance());
  }
  const auto [x0, x1, x2, x3] = NodesAt(NodeDofs<4>(pair), position);
  const double distance = primitives.kind(pair) == PairKind::kEdges
                              ? SegmentMeeting(x0, x1, x2, x3, Spread(pair)).Distance()
                              : ClosestOnTriangle(x0, x1, x2, x3).offset.norm();
  return candidates_.Gap(pair, distance);
}

// A lower bound of the gap, which is cheaper for curves.
double SurfaceContact::LeastGap(const PrimitivePair& pair, const Configuration& at,
                                double enough) const {
  if (!curves(pair)) return Gap(pair, at, enough);
  const CurvePairNodes x = NodesAt(NodeDofs<8>(pair), [&](int dof) { return at.position(dof); });
  return candidates_.Gap(pair, candidates_.primitives().LeastDistance(pair, x));
}

double SurfaceContact::Spread(const PrimitivePair& pair) const {
  return kSpread * candidates_.Touching(pair) * options_.tolerance;
}

CurveSpread SurfaceContact::Spread(const PrimitivePair& pair, const CurvePairNodes& x) const {
  const Primitives& primitives = candidates_.primitives();
  const CurvedEdge &a = primitives.curve[pair.a], &b = primitives.curve[pair.b];
  const auto [of_a, of_b] = Primitives::Halves(x);
  return {a.shape, of_a, b.shape, of_b, candidates_.Touching(pair), Spread(pair)};
}

Evaluation SurfaceContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  ContactSummary summary;
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double enough = std::max(summary.gap, options_.tolerance);
    if (!(LeastGap(pair, motion.at, enough) < enough)) continue;
    WithGeometry(pair, motion.at, [&](const auto& geometry) {
      const double gap = candidates_.Gap(pair, geometry.distance);
      summary.gap = std::min(summary.gap, gap);
      if (gap < options_.tolerance) {
        ForNodesOf(geometry, Nodes(pair),
                   [&]<int N>() { result += AddPair<N>(motion, pair, geometry, out, &summary); });
      }
    });
  }
  if (frozen_) result.energy += AddFrozenFriction(motion, out);
  Keep(summary, out);
  return result;
}

template <int N, class Pair>
Evaluation SurfaceContact::AddPair(const Motion& motion, const PrimitivePair& pair,
                                   const Pair& geometry, const Derivatives& out,
                                   ContactSummary* summary) {
  constexpr int kPositions = 3 * Pair::kNodes;  // of the nodes of the gap
  const double count = geometry.count();
  if (count < kNothing) return {};
  const Penalty whole = ElasticPenalty(pair, geometry.distance), elastic = count * whole;
  const int coupled = out.values ? CoupledIndex(pair) : -1;
  ContactLag* lag = coupled < 0 ? nullptr : &lag_[coupled];
  const StepPenalty each = PairPenalty(motion, pair, geometry.distance, whole, lag);
  const Penalty penalty = count * each;
  const Evaluation result{penalty.energy, -penalty.slope, 0};
  if (!out.gradient) return result;
  const Eigen::Matrix<double, kPositions, 1> slope = geometry.Gradient();
  summary->contacts += geometry.owns();
  summary->normal_force -= penalty.slope;
  summary->penalty_force -= elastic.slope;
  summary->energy += penalty.energy;
  summary->unresolved += each.unresolved;
  static_assert(kSize<N> <= ContactTerms::kMost);
  ContactTerms terms(kSize<N>, out.values);
  Eigen::Matrix<double, kPositions, kPositions> hessian;
  if (out.values) hessian = geometry.Hessian();
  terms.AddPenalty(penalty, elastic, {slope.data(), kPositions}, hessian.data());
  if (geometry.counts_change()) {
    const auto by = geometry.CountGradient();
    const Eigen::Matrix<double, kPositions, 1> gradient = whole.energy * by;
    if (out.values) {
      const Eigen::Matrix<double, kPositions, kPositions> both = slope * by.transpose();
      hessian = whole.energy * geometry.CountHessian() + penalty.slope / count * both +
                whole.slope * both.transpose();
    }
    terms.AddPotential({gradient.data(), kPositions}, hessian.data());
  }
  if (options_.rubs() && !frozen_) {
    const Way<N> way = WayOf<N>(pair, motion);
    const auto friction = EvaluateSharedFriction<Pair::kNodes, kArms, kBeyond<N>>(
        options_.friction, SharedPointOf(geometry), penalty, way.moved, way.beside, way.arms,
        way.rate, out.values, lag ? &lag->slip : nullptr);
    summary->friction_force += friction.magnitude;
    terms.AddFriction(friction.force.data(), friction.by_position.data());
  }
  const Group<N> dofs = PairDofs<N>(pair);
  terms.AddTo({dofs, OffsetsOf(coupled)}, out);
  return result;
}

StepPenalty SurfaceContact::PairPenalty(const Motion& motion, const PrimitivePair& pair,
                                        double distance, const Penalty& elastic,
                                        ContactLag* lag) const {
  return Rebounding(options_, motion, elastic, candidates_.Gap(pair, distance), lag,
                    [&](const Motion& from) { return GapAtOrigin(pair, from); });
}

double SurfaceContact::GapAtOrigin(const PrimitivePair& pair, const Motion& motion) const {
  constexpr double kExact = std::numeric_limits<double>::infinity();
  return GapOf(pair, [&](int dof) { return motion.origin(dof); }, kExact);
}

// The surfaces meet between the axes, at distances in proportion to the radii. The offset points to
// the first primitive of the pair, and the motion of the second one's surface has the opposite
// sign.
SurfaceContact::Arms SurfaceContact::ArmsOf(const PrimitivePair& pair, const Motion& motion) const {
  const std::array<TurningEdge, kArms> turning = Turning(pair);
  const double radius = candidates_.Radius(pair.a), first = -radius / candidates_.Touching(pair);
  // Arms that end at a common point in the gap exert no net moment on bodies that are free to turn.
  // Obstacles do not turn freely: there the arm is the rod's radius, so that rods roll exactly.
  const bool rolls = candidates_.MeetsObstacle(pair);
  const double reach = rolls ? -radius : 0, part = rolls ? 0 : first;
  if (candidates_.primitives().kind(pair) == PairKind::kPointTriangle) {
    return NodeArms(turning, candidates_.Dofs(pair)[0], reach, part, 4, motion);
  }
  if (rolls) return {EdgeArm(turning[0], reach, 0, {0, 1}, motion), Arm{}};
  // Curves have four nodes each, the edge's own in the middle.
  const int a = curves(pair) ? 1 : 0, b = curves(pair) ? 5 : 2;
  return {EdgeArm(turning[0], 0, first, {a, a + 1}, motion),
          EdgeArm(turning[1], 0, -1 - first, {b, b + 1}, motion)};
}

// Null for a pair that did not touch before. A point that moves to an adjacent triangle of an
// obstacle takes over the anchor of the previous triangle.
const SurfaceContact::Anchor* SurfaceContact::AnchorOf(const PrimitivePair& pair) const {
  const auto found = std::ranges::lower_bound(anchor_, pair, {}, &Anchor::pair);
  if (found != anchor_.end() && found->pair == pair) return &*found;
  const Primitives& primitives = candidates_.primitives();
  if (pair.a < primitives.first_point() || !candidates_.MeetsObstacle(pair)) return nullptr;
  const auto first = std::ranges::lower_bound(anchor_, PrimitivePair{pair.a, 0}, {}, &Anchor::pair);
  for (auto other = first; other != anchor_.end() && other->pair.a == pair.a; ++other) {
    for (int node : primitives.nodes(other->pair.b)) {
      if (std::ranges::count(primitives.nodes(pair.b), node) > 0) return &*other;
    }
  }
  return nullptr;
}

// In statics all zero for a pair that did not touch before.
template <int N>
SurfaceContact::Way<N> SurfaceContact::WayOf(const PrimitivePair& pair,
                                             const Motion& motion) const {
  Way<N> way;
  if (anchored()) {
    const Anchor* anchor = AnchorOf(pair);
    if (!anchor && !(motion.per_time > 0)) return way;
    if (anchor) way.beside = anchor->slip;
  }
  way.rate = anchored() ? 1 : motion.per_time;
  if (!(way.rate > 0)) return way;
  const std::array<int, N> x = NodeDofs<N>(pair);
  for (int k = 0; k < N; ++k) {
    if (x[k] < 0) continue;
    way.moved.template segment<3>(3 * k) = motion.at.position(x[k]) - motion.start.position(x[k]);
  }
  way.arms = ArmsOf(pair, motion);
  return way;
}

// Calls `use` for all pairs with a normal force, with the number of nodes as a constant: with the
// normal, the normal force (N) and the surfaces' relative displacement per unknown.
template <class Use>
void SurfaceContact::ForEachPressed(const Motion& motion, const Use& use) const {
  for (const PrimitivePair& pair : candidates_.pairs()) {
    if (!(LeastGap(pair, motion.at, options_.tolerance) < options_.tolerance)) continue;
    WithGeometry(pair, motion.at, [&]<class Pair>(const Pair& geometry) {
      if (!(candidates_.Gap(pair, geometry.distance) < options_.tolerance)) return;
      const Penalty penalty = PairPenalty(motion, pair, geometry.distance,
                                          ElasticPenalty(pair, geometry.distance), nullptr);
      const double force = -penalty.slope * geometry.share() * geometry.count();
      if (!(force > 0)) return;
      const Eigen::Map<const Eigen::Matrix<double, Pair::kNodes, 1>> weight(geometry.weight.data());
      const Arms arms = ArmsOf(pair, motion);
      ForNodesOf(geometry, Nodes(pair), [&]<int N>() {
        use.template operator()<N>(pair, geometry.normal, force,
                                   SurfaceWays<Pair::kNodes, kArms, kBeyond<N>>(
                                       weight, geometry.normal, geometry.direct, arms));
      });
    });
  }
}

void SurfaceContact::Accept(const Motion& motion) {
  if (!anchored() || !options_.rubs()) return;
  next_.clear();
  ForEachPressed(motion, [&]<int N>(const PrimitivePair& pair, const Vector3& normal, double force,
                                    const auto& ways) {
    const Way<N> way = WayOf<N>(pair, motion);
    Vector3 slip = SurfaceDisplacement<N, kArms>(ways, way.moved, way.arms, way.beside);
    slip -= normal.dot(slip) * normal;
    next_.push_back({pair, AdvanceAnchor(options_.friction, slip, force)});
  });
  std::ranges::sort(next_, {}, &Anchor::pair);
  std::swap(anchor_, next_);
}

bool SurfaceContact::FreezeFriction(const Motion& motion) {
  ReleaseFriction();
  frozen_ = options_.rubs();
  if (!frozen_ || !(motion.per_time > 0 || anchored())) return true;
  ForEachPressed(motion, [&]<int N>(const PrimitivePair& pair, const Vector3& normal, double force,
                                    const auto& ways) {
    frozen_pair_.push_back({pair, {normal, force}, ways});
  });
  return true;
}

double SurfaceContact::AddFrozenFriction(const Motion& motion, const Derivatives& out) {
  double energy = 0;
  for (const FrozenPair& frozen : frozen_pair_) {
    energy += ForNodes(Nodes(frozen.pair),
                       [&]<int N>() { return AddFrozenPair<N>(motion, frozen, out); });
  }
  return energy;
}

template <int N>
double SurfaceContact::AddFrozenPair(const Motion& motion, const FrozenPair& frozen,
                                     const Derivatives& out) const {
  const Way<N> way = WayOf<N>(frozen.pair, motion);
  if (!(way.rate > 0)) return 0;
  const typename SharedFriction<N, kArms>::Rows ways = frozen.ways;
  const FrozenFriction friction = EvaluateFrozenFriction(
      options_.friction, frozen.contact,
      SurfaceDisplacement<N, kArms>(ways, way.moved, way.arms, way.beside), way.rate);
  const Group<N> dofs = PairDofs<N>(frozen.pair);
  strand::AddFrozenFriction(friction, ways.data(),
                            {dofs, OffsetsOf(out.values ? CoupledIndex(frozen.pair) : -1)}, out);
  return friction.energy;
}

void SurfaceContact::Adapt(double time) { adaptive_.Adapt(summary(), time, &options_); }

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

// Restores the coupled pairs too: they determine the pattern of the matrix, and so the order of its
// sums.
void SurfaceContact::Load(std::span<const double>* memory) {
  adaptive_.Load(TakeMemory(memory, AdaptiveStiffness::kSaved), &options_);
  candidates_.Load(memory);
  LoadPairs(candidates_.primitives(), memory, &coupled_);
  MakeRoom();
  std::vector<PrimitivePair> pairs;
  LoadPairs(candidates_.primitives(), memory, &pairs);
  const std::span<const double> slip = TakeMemory(memory, 3 * pairs.size());
  anchor_.clear();
  for (size_t k = 0; k < pairs.size(); ++k) {
    anchor_.push_back({pairs[k], {slip[3 * k], slip[3 * k + 1], slip[3 * k + 2]}});
  }
}

}  // namespace strand
