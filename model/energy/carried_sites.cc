#include "model/energy/carried_sites.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/energy/contact_terms.h"

namespace strand {
namespace {

constexpr double kAhead = 0.1;   // of the extents: pairs with smaller gaps are coupled
constexpr size_t kKept = 2;      // coupled pairs kept, as a multiple of the near ones
constexpr double kChord = 0.1;   // rad, rotation of a body per chord
constexpr double kFarthest = 1;  // rad, largest rotation in one move

std::array<Vector3, 4> CarriersOf(const CarriedObstacle& body, const Configuration& at) {
  return {at.position(body.dof[0]), at.position(body.dof[1]), at.position(body.dof[2]),
          at.position(body.dof[3])};
}

}  // namespace

std::vector<CarriedObstacle> CarriedObstacles(const Network& network, const Dofs& dofs,
                                              const std::vector<Obstacle>& shape) {
  CheckShapes(network, shape);
  std::vector<CarriedObstacle> bodies;
  for (int b = 0; b < network.bodies(); ++b) {
    const BodyTopology& of = network.body(b);
    CarriedObstacle body{shape[b], dofs.carriers(of), SlopesOf(of), 0};
    body.extent = shape[b].half_extents.norm() + shape[b].radius;
    bodies.push_back(body);
  }
  return bodies;
}

template <int N, int S>
CarriedSites<N, S>::CarriedSites(std::vector<Site> sites, const std::vector<CarriedPair>& pairs,
                                 std::span<const CarriedObstacle> bodies,
                                 const Configuration& drawn)
    : site_(std::move(sites)) {
  for (const auto& [site, body] : pairs) {
    Pair pair{site, body};
    pair_.push_back(pair);
    const Points p = In(bodies[body].At(drawn), PointsOf(site_[site], drawn));
    const double gap = RoundSimplex<N>::MiddleGap(bodies[body].shape, p);
    if (gap > 0) continue;
    throw ConfigError("positions",
                      site_[site].name + " at " + Text(gap) + " m from the surface of body " +
                          std::to_string(body) + " (" + ObstacleName(bodies[body].shape) + ")",
                      "more than 0 m, at the start");
  }
}

template <int N, int S>
std::array<int, CarriedSites<N, S>::kSize> CarriedSites<N, S>::Group(
    const Pair& pair, std::span<const CarriedObstacle> bodies) const {
  const Site& site = site_[pair.site];
  const CarriedObstacle& body = bodies[pair.body];
  std::array<int, kSize> group;
  for (int k = 0; k < kNodes; ++k) {
    for (int c = 0; c < 3; ++c) group[3 * k + c] = (k < S ? site.dof[k] : body.dof[k - S]) + c;
  }
  if constexpr (kArms > 0) group[3 * kNodes] = site.turning.spin;
  return group;
}

template <int N, int S>
std::span<const int> CarriedSites<N, S>::OffsetsOf(const Pair& pair) const {
  return pair.block < 0 ? std::span<const int>() : offset_[pair.block];
}

template <int N, int S>
void CarriedSites<N, S>::FindPlaces(std::span<const CarriedObstacle> bodies,
                                    const Configuration& at) {
  place_.clear();
  for (const CarriedObstacle& body : bodies) place_.push_back(body.At(at));
}

template <int N, int S>
typename CarriedSites<N, S>::Points CarriedSites<N, S>::PointsOf(const Site& site,
                                                                 const Configuration& at) const {
  Nodes nodes;
  for (int k = 0; k < S; ++k) nodes[k] = at.position(site.dof[k]);
  return site.in_body.At(nodes);
}

template <int N, int S>
typename CarriedSites<N, S>::Points CarriedSites<N, S>::In(const BodyPlace& place,
                                                           const Points& x) {
  Points p;
  for (int i = 0; i < N; ++i) p[i] = place.In(x[i]);
  return p;
}

// Whether the gap certainly exceeds `gap` (m), by bounding spheres.
template <int N, int S>
bool CarriedSites<N, S>::Far(const Pair& pair, const CarriedObstacle& body, const Points& x,
                             double gap) const {
  double extent = 0;
  for (const Vector3& point : x) extent = std::max(extent, (point - x[0]).squaredNorm());
  const double reach = std::sqrt(extent) + site_[pair.site].simplex.radius() + body.extent + gap;
  return (x[0] - place_[pair.body].centre).squaredNorm() > reach * reach;
}

template <int N, int S>
bool CarriedSites<N, S>::Recouple(std::span<const CarriedObstacle> bodies, double tolerance,
                                  const Configuration& at) {
  FindPlaces(bodies, at);
  bool missing = false;
  size_t near = 0;
  const auto gap_of = [&](const Pair& pair, double ahead) {
    const Points x = PointsOf(site_[pair.site], at);
    if (Far(pair, bodies[pair.body], x, ahead)) return ahead;
    return site_[pair.site].simplex.Gap(bodies[pair.body].shape, In(place_[pair.body], x));
  };
  const auto ahead_of = [&](const Pair& pair) {
    return std::max(tolerance,
                    kAhead * (site_[pair.site].simplex.radius() + bodies[pair.body].extent));
  };
  for (const Pair& pair : pair_) {
    const double ahead = ahead_of(pair), gap = gap_of(pair, ahead);
    near += gap < ahead;
    missing = missing || (gap < tolerance && pair.block < 0);
  }
  if (!missing && coupled_.size() <= kKept * near + 16) return false;
  coupled_.clear();
  for (size_t k = 0; k < pair_.size(); ++k) {
    const double ahead = ahead_of(pair_[k]);
    const bool stays = gap_of(pair_[k], ahead) < ahead || pair_[k].frozen.force > 0;
    pair_[k].block = stays ? static_cast<int>(coupled_.size()) : -1;
    if (stays) coupled_.push_back(static_cast<int>(k));
  }
  offset_.resize(coupled_.size());
  return true;
}

template <int N, int S>
void CarriedSites<N, S>::Couple(std::span<const CarriedObstacle> bodies, const Dofs& dofs,
                                Pattern* pattern) const {
  for (int k : coupled_) CoupleBlock(dofs, Group(pair_[k], bodies), pattern);
}

template <int N, int S>
void CarriedSites<N, S>::Bind(std::span<const CarriedObstacle> bodies, const Dofs& dofs,
                              const LinearSystem& system) {
  for (size_t k = 0; k < coupled_.size(); ++k) {
    BlockOffsets(dofs, system, Group(pair_[coupled_[k]], bodies), offset_[k]);
  }
}

template <int N, int S>
auto CarriedSites<N, S>::Locate(const Pair& pair, const CarriedObstacle& body,
                                const Configuration& at) const -> SimplexTouch<kNodes> {
  const Site& site = site_[pair.site];
  const Points x = PointsOf(site, at);
  const BodyPlace place = body.At(at);
  const SimplexTouch<N> touch = site.simplex.Touch(body.shape, In(place, x));
  if constexpr (kOfBody) {
    Nodes nodes;
    for (int k = 0; k < S; ++k) nodes[k] = at.position(site.dof[k]);
    const BodyPlace own(nodes, site.in_body.slope);
    return CarriedTouch<N, S, 4>(touch, x, &own, site.in_body.weights, &place, site.reach);
  } else {
    return CarriedTouch<N, S, 4>(touch, x, nullptr, {}, &place, site.reach);
  }
}

template <int N, int S>
typename CarriedSites<N, S>::Arms CarriedSites<N, S>::ArmsOf(const Site& site,
                                                             const Motion& motion) const {
  if constexpr (kArms > 0) {
    return {EdgeArm(site.turning, -site.reach, 0, {0, 1}, motion)};
  } else {
    return {};
  }
}

// In statics all zero for a pair that did not touch before.
template <int N, int S>
typename CarriedSites<N, S>::Way CarriedSites<N, S>::WayOf(const Pair& pair,
                                                           const CarriedObstacle& body,
                                                           const FrictionLaw& law,
                                                           const Motion& motion) const {
  const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
  Way way;
  if (!(motion.per_time > 0) && !(anchored && pair.touched)) return way;
  const Site& site = site_[pair.site];
  for (int k = 0; k < kNodes; ++k) {
    const int dof = k < S ? site.dof[k] : body.dof[k - S];
    way.moved.template segment<3>(3 * k) = motion.at.position(dof) - motion.start.position(dof);
  }
  if (anchored) way.beside = pair.slip;
  way.arms = ArmsOf(site, motion);
  way.rate = anchored ? 1 : motion.per_time;
  return way;
}

template <int N, int S>
void CarriedSites<N, S>::ForgetLags() {
  for (Pair& pair : pair_) pair.lag.Forget();
}

template <int N, int S>
Evaluation CarriedSites<N, S>::Evaluate(std::span<const CarriedObstacle> bodies,
                                        const ContactOptions& options, bool frozen,
                                        const Motion& motion, const Derivatives& out,
                                        ContactSummary* summary) {
  Evaluation result;
  FindPlaces(bodies, motion.at);
  for (Pair& pair : pair_) {
    const CarriedObstacle& body = bodies[pair.body];
    const RoundSimplex<N>& simplex = site_[pair.site].simplex;
    const double near = std::max(std::min(summary->gap, body.extent), options.tolerance);
    const Points x = PointsOf(site_[pair.site], motion.at);
    if (!Far(pair, body, x, near)) {
      const Points p = In(place_[pair.body], x);
      if (simplex.GapBound(body.shape, p) < near) {
        const double gap = simplex.Gap(body.shape, p);
        summary->gap = std::min(summary->gap, gap);
        if (gap < options.tolerance) {
          result += AddContact(pair, out.values ? &pair.lag : nullptr, bodies, options,
                               options.rubs() && !frozen, motion, out, summary);
        }
      }
    }
    if (frozen) result.energy += AddFrozenFriction(pair, bodies, options.friction, motion, out);
  }
  return result;
}

template <int N, int S>
StepPenalty CarriedSites<N, S>::PenaltyOf(const Pair& pair, const CarriedObstacle& body,
                                          const ContactOptions& options, const Motion& motion,
                                          double gap, const Penalty& elastic,
                                          ContactLag* lag) const {
  return Rebounding(options, motion, elastic, gap, lag,
                    [&](const Motion& from) { return GapAtOrigin(pair, body, from); });
}

template <int N, int S>
double CarriedSites<N, S>::GapAtOrigin(const Pair& pair, const CarriedObstacle& body,
                                       const Motion& motion) const {
  const Site& site = site_[pair.site];
  Nodes nodes;
  std::array<Vector3, 4> carrier;
  for (int k = 0; k < S; ++k) nodes[k] = motion.origin(site.dof[k]);
  for (int j = 0; j < 4; ++j) carrier[j] = motion.origin(body.dof[j]);
  return site.simplex.Gap(body.shape, In(BodyPlace(carrier, body.slope), site.in_body.At(nodes)));
}

template <int N, int S>
Evaluation CarriedSites<N, S>::AddContact(const Pair& pair, ContactLag* lag,
                                          std::span<const CarriedObstacle> bodies,
                                          const ContactOptions& options, bool rubs,
                                          const Motion& motion, const Derivatives& out,
                                          ContactSummary* summary) const {
  const CarriedObstacle& body = bodies[pair.body];
  const SimplexTouch<kNodes> touch = Locate(pair, body, motion.at);
  const Penalty elastic = PenaltyAt(options, touch.gap, site_[pair.site].simplex.Reach(body.shape));
  const StepPenalty penalty = PenaltyOf(pair, body, options, motion, touch.gap, elastic, lag);
  const double share = touch.at.direct / touch.at.distance;
  const Evaluation result{penalty.energy, -penalty.slope * share, 0};
  if (!out.gradient) return result;
  static_assert(kSize <= ContactTerms::kMost);
  ContactTerms terms(kSize, out.values);
  terms.AddPenalty(penalty, elastic, {touch.at.distance_by.data(), 3 * kNodes},
                   touch.hessian.data());
  ++summary->contacts;
  summary->normal_force += result.force;
  summary->penalty_force -= elastic.slope * share;
  summary->energy += penalty.energy;
  summary->unresolved += penalty.unresolved;
  if (rubs) {
    const Way way = WayOf(pair, body, options.friction, motion);
    const Friction friction = EvaluateSharedFriction<kNodes, kArms>(
        options.friction, touch.at, penalty, way.moved, way.beside, way.arms, way.rate, out.values,
        lag ? &lag->slip : nullptr);
    terms.AddFriction(friction.force.data(), friction.by_position.data());
    summary->friction_force += friction.magnitude;
  }
  const std::array<int, kSize> dofs = Group(pair, bodies);
  terms.AddTo({dofs, OffsetsOf(pair)}, out);
  return result;
}

template <int N, int S>
void CarriedSites<N, S>::FreezeFriction(std::span<const CarriedObstacle> bodies,
                                        const ContactOptions& options, const Motion& motion) {
  FindPlaces(bodies, motion.at);
  for (Pair& pair : pair_) {
    pair.frozen = {};
    const CarriedObstacle& body = bodies[pair.body];
    const RoundSimplex<N>& simplex = site_[pair.site].simplex;
    const Points x = PointsOf(site_[pair.site], motion.at);
    if (Far(pair, body, x, options.tolerance)) continue;
    if (!(simplex.Gap(body.shape, In(place_[pair.body], x)) < options.tolerance)) continue;
    const SimplexTouch<kNodes> touch = Locate(pair, body, motion.at);
    const Penalty elastic = PenaltyAt(options, touch.gap, simplex.Reach(body.shape));
    const double slope = PenaltyOf(pair, body, options, motion, touch.gap, elastic, nullptr).slope;
    pair.frozen = {touch.at.normal, -slope * touch.at.direct / touch.at.distance};
    pair.ways = SurfaceWays<kNodes, kArms>(touch.at.weight, touch.at.normal, touch.at.direct,
                                           ArmsOf(site_[pair.site], motion));
  }
}

template <int N, int S>
double CarriedSites<N, S>::AddFrozenFriction(const Pair& pair,
                                             std::span<const CarriedObstacle> bodies,
                                             const FrictionLaw& law, const Motion& motion,
                                             const Derivatives& out) const {
  if (!(pair.frozen.force > 0)) return 0;
  const Way way = WayOf(pair, bodies[pair.body], law, motion);
  if (!(way.rate > 0)) return 0;
  const FrozenFriction friction = EvaluateFrozenFriction(
      law, pair.frozen,
      SurfaceDisplacement<kNodes, kArms>(pair.ways, way.moved, way.arms, way.beside), way.rate);
  const std::array<int, kSize> dofs = Group(pair, bodies);
  strand::AddFrozenFriction(friction, pair.ways.data(), {dofs, OffsetsOf(pair)}, out);
  return friction.energy;
}

template <int N, int S>
void CarriedSites<N, S>::Push(std::span<const CarriedObstacle> bodies, const Configuration& start,
                              std::span<double> move) const {
  for (const Pair& pair : pair_) {
    const CarriedObstacle& body = bodies[pair.body];
    const Site& site = site_[pair.site];
    std::array<Vector3, 4> there = CarriersOf(body, start);
    double longest = 0;
    for (int j = 0; j < 4; ++j) {
      const Eigen::Map<const Vector3> way(&move[body.dof[j]]);
      there[j] += way, longest = std::max(longest, way.norm());
    }
    if (longest == 0) continue;
    const BodyPlace from = body.At(start), to(there, body.slope);
    Nodes way;
    for (int k = 0; k < S; ++k) {
      const Vector3 node = start.position(site.dof[k]);
      way[k] = to.Out(from.In(node)) - node;
    }
    // In the body's frame a site at rest moves by the opposite of the body's displacement.
    const Points x = PointsOf(site, start), carried = In(from, x);
    Points back = In(to, x);
    for (int i = 0; i < N; ++i) back[i] -= carried[i];
    const double part = pair.sticks ? 1 : 1 - site.simplex.FreePart(body.shape, carried, back);
    for (int k = 0; k < S && part > 0; ++k) {
      Eigen::Map<Vector3> moved(&move[site.dof[k]]);
      if (part * way[k].norm() > moved.norm()) moved = part * way[k];
    }
  }
}

template <int N, int S>
CarriedSites<N, S>::Course::Course(const Site& site, const CarriedObstacle& body,
                                   const Configuration& from, std::span<const double> step)
    : slope(body.slope), carrier(CarriersOf(body, from)) {
  Nodes at, moved;
  for (int k = 0; k < S; ++k) {
    at[k] = from.position(site.dof[k]), moved[k] = Vector3::Map(&step[site.dof[k]]);
  }
  x = site.in_body.At(at), dx = site.in_body.At(moved);
  const CarrierSlopes turned = BodyPlace(carrier, slope).turned;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
  for (int j = 0; j < 4; ++j) {
    way[j] = Vector3::Map(&step[body.dof[j]]);
    turn += way[j] * turned.row(j);
  }
  angle = turn.norm();
}

template <int N, int S>
CarriedSites<N, S>::Points CarriedSites<N, S>::Course::Seen(double part) const {
  std::array<Vector3, 4> there = carrier;
  for (int j = 0; j < 4; ++j) there[j] += part * way[j];
  Points moved = x;
  for (int i = 0; i < N; ++i) moved[i] += part * dx[i];
  return In(BodyPlace(there, slope), moved);
}

template <int N, int S>
double CarriedSites<N, S>::Course::Farthest() const {
  const Vector3 shift = (way[0] + way[1] + way[2] + way[3]) / 4;
  const Vector3 centre = (carrier[0] + carrier[1] + carrier[2] + carrier[3]) / 4;
  double farthest = 0;
  for (int i = 0; i < N; ++i) {
    farthest = std::max(farthest, (dx[i] - shift).norm() + angle * (x[i] - centre).norm());
  }
  return farthest;
}

template <int N, int S>
template <class FreeOf>
double CarriedSites<N, S>::Course::Free(double part, const FreeOf& free_of) const {
  const int chords = std::max(1, static_cast<int>(std::ceil(part * angle / kChord)));
  Points last = Seen(0);
  for (int k = 0; k < chords; ++k) {
    const Points next = Seen(part * (k + 1) / chords);
    Points way_seen;
    for (int i = 0; i < N; ++i) way_seen[i] = next[i] - last[i];
    const double free = free_of(last, way_seen);
    if (free < 1) return part * (k + free) / chords;
    last = next;
  }
  return part;
}

template <int N, int S>
double CarriedSites<N, S>::Limit(std::span<const CarriedObstacle> bodies, const Configuration& from,
                                 std::span<const double> step, double part) const {
  for (const Pair& pair : pair_) {
    const CarriedObstacle& body = bodies[pair.body];
    const RoundSimplex<N>& simplex = site_[pair.site].simplex;
    const Course course(site_[pair.site], body, from, step);
    if (simplex.GapBound(body.shape, course.Seen(0)) > 2 * course.Farthest()) continue;
    if (course.angle * part > kFarthest) part = kFarthest / course.angle;
    part = course.Free(part, [&](const Points& x, const Points& way) {
      return simplex.Limit(body.shape, x, way, 1);
    });
  }
  return part;
}

template <int N, int S>
bool CarriedSites<N, S>::Misses(std::span<const CarriedObstacle> bodies, const Configuration& from,
                                std::span<const double> step) const {
  return std::ranges::any_of(pair_, [&](const Pair& pair) {
    const Obstacle& shape = bodies[pair.body].shape;
    const RoundSimplex<N>& simplex = site_[pair.site].simplex;
    const Course course(site_[pair.site], bodies[pair.body], from, step);
    const double farthest = course.Farthest();
    if (farthest < 2 * kMissed * simplex.Reach(shape)) return false;  // it cannot dip that far
    const Points start = course.Seen(0), end = course.Seen(1);
    if (simplex.GapBound(shape, start) > 2 * farthest) return false;
    const double missed = simplex.Dip(shape, start, end, kMissed);
    const auto free = [&](const Points& x, const Points& way) {
      return simplex.ComesWithin(missed, shape, x, way) ? 0.0 : 1.0;
    };
    return course.Free(1, free) < 1;
  });
}

template <int N, int S>
bool CarriedSites<N, S>::AcceptsEndpoint(std::span<const CarriedObstacle> bodies, double tolerance,
                                         const Configuration& from, const Configuration& to) const {
  for (const Pair& pair : pair_) {
    const CarriedObstacle& body = bodies[pair.body];
    const Site& site = site_[pair.site];
    const Points end = In(body.At(to), PointsOf(site, to));
    if (site.simplex.GapBound(body.shape, end) >= 0) continue;
    const double gap = site.simplex.Gap(body.shape, end);
    if (gap >= 0) continue;
    const double solved = site.simplex.Gap(body.shape, In(body.At(from), PointsOf(site, from)));
    if (!AcceptsEndGap(gap, solved, tolerance)) return false;
  }
  return true;
}

template <int N, int S>
void CarriedSites<N, S>::Accept(std::span<const CarriedObstacle> bodies,
                                const ContactOptions& options, const Motion& motion) {
  FindPlaces(bodies, motion.at);
  for (Pair& pair : pair_) {
    const CarriedObstacle& body = bodies[pair.body];
    const RoundSimplex<N>& simplex = site_[pair.site].simplex;
    const Points x = PointsOf(site_[pair.site], motion.at);
    const bool touches = !Far(pair, body, x, options.tolerance) &&
                         simplex.Gap(body.shape, In(place_[pair.body], x)) < options.tolerance;
    Vector3 slip = Vector3::Zero();
    double force = 0, rate = 0;
    if (touches && options.rubs()) {
      const SimplexTouch<kNodes> touch = Locate(pair, body, motion.at);
      const Penalty elastic = PenaltyAt(options, touch.gap, simplex.Reach(body.shape));
      force = -PenaltyOf(pair, body, options, motion, touch.gap, elastic, nullptr).slope *
              touch.at.direct / touch.at.distance;
      const Way way = WayOf(pair, body, options.friction, motion);
      const Vector3& n = touch.at.normal;
      slip = SurfaceDisplacement<kNodes, kArms>(
          SurfaceWays<kNodes, kArms>(touch.at.weight, n, touch.at.direct, way.arms), way.moved,
          way.arms, way.beside);
      slip -= n.dot(slip) * n;
      rate = way.rate;
    }
    pair.touched = force > 0;
    pair.sticks = pair.touched && rate > 0 && Sticks(options.friction, rate * slip, force);
    pair.slip = AdvanceAnchor(options.friction, slip, force);
  }
}

template <int N, int S>
void CarriedSites<N, S>::Save(std::vector<double>* memory) const {
  const auto counts = [](const Pair& pair) { return pair.touched || pair.block >= 0; };
  memory->push_back(static_cast<double>(std::ranges::count_if(pair_, counts)));
  for (size_t k = 0; k < pair_.size(); ++k) {
    const Pair& pair = pair_[k];
    if (!counts(pair)) continue;
    memory->insert(memory->end(), {static_cast<double>(k), pair.touched ? 1.0 : 0.0,
                                   pair.sticks ? 1.0 : 0.0, pair.block >= 0 ? 1.0 : 0.0});
    memory->insert(memory->end(), pair.slip.begin(), pair.slip.end());
  }
}

template <int N, int S>
void CarriedSites<N, S>::Load(std::span<const double>* memory) {
  const size_t count = static_cast<size_t>(TakeMemory(memory, 1)[0]);
  const std::span<const double> saved = TakeMemory(memory, 7 * count);
  for (Pair& pair : pair_) pair.slip.setZero(), pair.touched = pair.sticks = false, pair.block = -1;
  coupled_.clear();
  for (size_t k = 0; k < count; ++k) {
    const double* of = &saved[7 * k];
    const size_t place = static_cast<size_t>(of[0]);
    if (place >= pair_.size()) {
      throw ConfigError("memory", std::to_string(place),
                        "index of a pair, less than " + std::to_string(pair_.size()));
    }
    Pair& pair = pair_[place];
    pair.touched = of[1] != 0, pair.sticks = of[2] != 0, pair.slip = {of[4], of[5], of[6]};
    if (of[3] == 0) continue;
    pair.block = static_cast<int>(coupled_.size());
    coupled_.push_back(static_cast<int>(place));
  }
  offset_.resize(coupled_.size());
}

template class CarriedSites<2, 2>;
template class CarriedSites<3, 3>;
template class CarriedSites<1, 4>;
template class CarriedSites<2, 4>;
template class CarriedSites<3, 4>;

}  // namespace strand
