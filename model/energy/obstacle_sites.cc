#include "model/energy/obstacle_sites.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/energy/contact_terms.h"

namespace strand {

template <int N, int S>
ObstacleSites<N, S>::ObstacleSites(const Network& network, const Dofs& dofs,
                                   const std::vector<std::array<int, N>>& nodes,
                                   const std::vector<double>& radius,
                                   const std::vector<bool>& has_face,
                                   std::span<const Obstacle> obstacles, double tolerance,
                                   std::span<const Vector3> start)
  requires(!kOfBody)
    : site_(nodes.size()),
      memory_(nodes.size() * obstacles.size()),
      frozen_contact_(memory_.size()) {
  std::vector<std::string> name(site_.size());
  for (size_t s = 0; s < site_.size(); ++s) {
    double thinnest = radius[nodes[s][0]];
    for (int i = 0; i < N; ++i) {
      site_[s].dof[i] = dofs.node(nodes[s][i]);
      thinnest = std::min(thinnest, radius[nodes[s][i]]);
      if (i > 0) name[s] += i + 1 < N ? ", " : " to ";
      name[s] += network.NodeName(nodes[s][i]);
    }
    site_[s].simplex = {thinnest, tolerance};
    SetMeeting(s, has_face[nodes[s][0]], obstacles);
  }
  CheckStart(PositionsAt(start, dofs), dofs, name, obstacles);
}

template <int N, int S>
ObstacleSites<N, S>::ObstacleSites(const Network& network, const Dofs& dofs,
                                   const std::vector<BodySite<N>>& sites,
                                   std::span<const Obstacle> obstacles, double tolerance,
                                   std::span<const Vector3> start)
  requires(kOfBody)
    : site_(sites.size()),
      memory_(sites.size() * obstacles.size()),
      frozen_contact_(memory_.size()) {
  std::vector<std::string> name;
  for (size_t s = 0; s < site_.size(); ++s) {
    const BodyTopology& body = network.body(sites[s].body);
    site_[s].dof = dofs.carriers(body);
    site_[s].in_body.slope = SlopesOf(body);
    for (int i = 0; i < N; ++i) {
      site_[s].in_body.weights.row(i) = (site_[s].in_body.slope * sites[s].point[i]).array() + 0.25;
    }
    site_[s].simplex = {sites[s].radius, tolerance};
    SetMeeting(s, sites[s].has_face, obstacles);
    name.push_back("body " + std::to_string(sites[s].body));
  }
  CheckStart(PositionsAt(start, dofs), dofs, name, obstacles);
}

// If nodes suffice for the obstacle, only nodes touch it.
template <int N, int S>
void ObstacleSites<N, S>::SetMeeting(size_t s, bool has_face, std::span<const Obstacle> obstacles) {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    const bool node = NodesSuffice(obstacles[o]) || !has_face;
    memory_[o * site_.size() + s].meets = node == (N == 1);
  }
}

// Locked nodes may start inside an obstacle. They, and edges and triangles that contain such a
// node, do not touch that obstacle at all.
template <int N, int S>
void ObstacleSites<N, S>::CheckStart(const Configuration& start, const Dofs& dofs,
                                     const std::vector<std::string>& name,
                                     std::span<const Obstacle> obstacles) {
  for (size_t s = 0; s < site_.size(); ++s) {
    const Points x = PointsOf(site_[s], start);
    for (size_t o = 0; o < obstacles.size(); ++o) {
      Memory& memory = memory_[o * site_.size() + s];
      if (N > 1 && !memory.meets) continue;
      bool held_inside = false;
      for (int i = 0; i < N; ++i) {
        const bool locked = dofs.locked(site_[s].dof[i]);
        held_inside = held_inside || (locked && GapValue(obstacles[o], x[i]) <= 0);
      }
      if (held_inside) {
        memory.meets = false;
        continue;
      }
      const double gap = RoundSimplex<N>::MiddleGap(obstacles[o], x);
      if (gap > 0) continue;
      throw ConfigError("positions",
                        name[s] + " at " + Text(gap) + " m from the surface of obstacle " +
                            std::to_string(o) + " (" + ObstacleName(obstacles[o]) + ")",
                        "more than 0 m, at the start");
    }
  }
}

template <int N, int S>
void ObstacleSites<N, S>::SetTurning(const std::vector<std::array<TurningEdge, kArms>>& turning) {
  for (size_t s = 0; s < site_.size(); ++s) site_[s].turning = turning[s];
}

// Degrees of freedom of the x of a stencil's nodes, -1: none.
template <int N, int S>
std::array<int, S + ObstacleSites<N, S>::kBeyond> ObstacleSites<N, S>::NodeDofs(const Site& site) {
  std::array<int, S + kBeyond> dof;
  std::ranges::copy(site.dof, dof.begin());
  for (int k = 0; k < kBeyond; ++k) dof[S + k] = site.turning[k].Beyond(site.dof[0]);
  return dof;
}

// Degrees of freedom of a stencil. Without arms, only the first 3 S matter.
template <int N, int S>
std::array<int, ObstacleSites<N, S>::kSize> ObstacleSites<N, S>::Group(const Site& site) const {
  std::array<int, kSize> group;
  const std::array<int, S + kBeyond> node = NodeDofs(site);
  const int positions = kSize - kArms;
  for (int k = 0; k < positions; ++k) group[k] = node[k / 3] < 0 ? -1 : node[k / 3] + k % 3;
  for (int k = 0; k < kArms; ++k) group[positions + k] = site.turning[k].spin;
  return group;
}

template <int N, int S>
void ObstacleSites<N, S>::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Site& site : site_) CoupleBlock(dofs, Group(site), pattern);
}

template <int N, int S>
void ObstacleSites<N, S>::Bind(const Dofs& dofs, const LinearSystem& system) {
  for (Site& site : site_) BlockOffsets(dofs, system, Group(site), site.offset);
}

template <int N, int S>
void ObstacleSites<N, S>::ForgetLags() {
  for (Memory& memory : memory_) memory.lag.Forget();
}

template <int N, int S>
typename ObstacleSites<N, S>::Nodes ObstacleSites<N, S>::NodesOf(const Site& site,
                                                                 const Configuration& at) const {
  Nodes nodes;
  for (int k = 0; k < S; ++k) nodes[k] = at.position(site.dof[k]);
  return nodes;
}

template <int N, int S>
SimplexTouch<S> ObstacleSites<N, S>::Locate(const Obstacle& obstacle, const Site& site,
                                            const Configuration& at) const {
  const Nodes nodes = NodesOf(site, at);
  const Points x = site.in_body.At(nodes);
  const SimplexTouch<N> touch = site.simplex.Touch(obstacle, x);
  if constexpr (kOfBody) {
    const BodyPlace place(nodes, site.in_body.slope);
    return CarriedTouch<N, S, 0>(touch, x, &place, site.in_body.weights, nullptr, site.radius());
  } else {
    return touch;
  }
}

// Arms from the axis to the surface, against the normal.
template <int N, int S>
typename ObstacleSites<N, S>::Arms ObstacleSites<N, S>::ArmsOf(const Site& site,
                                                               const Motion& motion) const {
  if constexpr (kArms == 2) {
    return NodeArms(site.turning, site.dof[0], -site.radius(), 0, S, motion);
  } else if constexpr (kArms == 1) {
    return {EdgeArm(site.turning[0], -site.radius(), 0, {0, 1}, motion)};
  } else {
    return {};
  }
}

// Subtracts the rotation `turn` of the obstacle from the arms' rotation.
template <int N, int S>
void ObstacleSites<N, S>::TakeOff(const Frame& turn, const Site& site, const Configuration& start,
                                  Arms* arms) const {
  const Eigen::AngleAxisd turned(turn);
  for (int k = 0; k < kArms; ++k) {
    if (!site.turning[k].exists()) continue;
    const Vector3 along = site.turning[k].Along(start);
    (*arms)[k].spin -= turned.angle() * turned.axis().dot(along.normalized());
    (*arms)[k].across -= turn * along - along;
  }
}

template <int N, int S>
template <int K>
typename ObstacleSites<N, S>::template Way<K> ObstacleSites<N, S>::WayOf(
    const DrivenObstacle& obstacle, const FrictionLaw& law, const Motion& motion, const Site& site,
    const Memory& memory) const {
  const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
  Way<K> way;
  if (!(motion.per_time > 0) && !(anchored && memory.touched())) return way;
  const std::array<int, S + kBeyond> node = NodeDofs(site);
  for (int i = 0; i < S + kTurned<K>; ++i) {
    if (node[i] < 0) continue;
    const Vector3 start = motion.start.position(node[i]);
    way.moved.template segment<3>(3 * i) =
        motion.at.position(node[i]) - (obstacle.moves() ? obstacle.come()(start) : start);
  }
  if (motion.per_time > 0) way.beside = -obstacle.shape().velocity / motion.per_time;
  if (anchored) {
    way.beside += obstacle.moves() ? Vector3(obstacle.come().turn * memory.slip) : memory.slip;
  }
  if constexpr (K > 0) {
    way.arms = ArmsOf(site, motion);
    if (obstacle.moves()) TakeOff(obstacle.come().turn, site, motion.start, &way.arms);
  }
  way.rate = anchored ? 1 : motion.per_time;
  return way;
}

template <int N, int S>
Evaluation ObstacleSites<N, S>::Evaluate(std::span<const DrivenObstacle> obstacles,
                                         const ContactOptions& options, bool frozen,
                                         const Motion& motion, const Derivatives& out,
                                         ContactSummary* summary) {
  Evaluation result;
  const bool rubs = options.rubs() && !frozen;
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      const size_t place = o * site_.size() + s;
      Memory& memory = memory_[place];
      if (out.gradient) memory.force = 0;
      if (!memory.meets) continue;
      const Points x = PointsOf(site_[s], motion.at);
      double gap = site_[s].simplex.GapBound(obstacles[o].shape(), x);
      const bool near = gap < std::max(summary->gap, options.tolerance);
      if (N > 1 && near) gap = site_[s].simplex.Gap(obstacles[o].shape(), x);
      if (near) summary->gap = std::min(summary->gap, gap);
      if (gap < options.tolerance) {
        result += rubs && site_[s].turns() ? AddContact<kArms>(obstacles[o], options, rubs, motion,
                                                               site_[s], &memory, out, summary)
                                           : AddContact<0>(obstacles[o], options, rubs, motion,
                                                           site_[s], &memory, out, summary);
      }
      if (frozen) {
        result.energy += AddFrozenFriction(obstacles[o], options.friction, motion, s, place, out);
      }
    }
  }
  return result;
}

// A moving obstacle has the mean velocity of the step: in the time 1 / rate it moves by
// per_time / rate of its displacement.
template <int N, int S>
StepPenalty ObstacleSites<N, S>::PenaltyOf(const DrivenObstacle& obstacle,
                                           const ContactOptions& options, const Motion& motion,
                                           const Site& site, double gap, const Penalty& elastic,
                                           ContactLag* lag) const {
  return Rebounding(options, motion, elastic, gap, lag,
                    [&](const Motion& from) { return GapAtOrigin(obstacle, from, site); });
}

template <int N, int S>
double ObstacleSites<N, S>::GapAtOrigin(const DrivenObstacle& obstacle, const Motion& motion,
                                        const Site& site) const {
  Nodes origin;
  for (int i = 0; i < S; ++i) {
    origin[i] = motion.origin(site.dof[i]);
    if (!obstacle.moves()) continue;
    const Vector3 start = motion.start.position(site.dof[i]);
    origin[i] += motion.per_time / motion.rate * (obstacle.come()(start) - start);
  }
  return site.simplex.Gap(obstacle.shape(), site.in_body.At(origin));
}

// K: the number of arms used.
template <int N, int S>
template <int K>
Evaluation ObstacleSites<N, S>::AddContact(const DrivenObstacle& obstacle,
                                           const ContactOptions& options, bool rubs,
                                           const Motion& motion, const Site& site, Memory* memory,
                                           const Derivatives& out, ContactSummary* summary) const {
  const SimplexTouch<S> touch = Locate(obstacle.shape(), site, motion.at);
  const Penalty elastic = PenaltyAt(options, touch.gap, site.radius());
  ContactLag* lag = out.values ? &memory->lag : nullptr;
  const StepPenalty penalty = PenaltyOf(obstacle, options, motion, site, touch.gap, elastic, lag);
  double driven = 0;
  for (int i = 0; obstacle.moves() && i < S; ++i) {
    const Vector3 way = obstacle.WholeWay(motion.at.position(site.dof[i]));
    driven -= elastic.slope * touch.at.distance_by.template segment<3>(3 * i).dot(way);
  }
  const double share = touch.at.direct / touch.at.distance;
  const Evaluation result{penalty.energy, -penalty.slope * share, 0, driven};
  if (!out.gradient) return result;
  memory->force = result.force;
  constexpr int kUnknowns = K + 3 * (S + kTurned<K>);
  static_assert(kUnknowns <= ContactTerms::kMost);
  ContactTerms terms(kUnknowns, out.values);
  terms.AddPenalty(penalty, elastic, {touch.at.distance_by.data(), 3 * S}, touch.hessian.data());
  ++summary->contacts;
  summary->normal_force += memory->force;
  summary->penalty_force -= elastic.slope * share;
  summary->energy += penalty.energy;
  summary->unresolved += penalty.unresolved;
  if (rubs) {
    const Way<K> way = WayOf<K>(obstacle, options.friction, motion, site, *memory);
    const auto friction = EvaluateSharedFriction<S, K, kTurned<K>>(
        options.friction, touch.at, penalty, way.moved, way.beside, way.arms, way.rate, out.values,
        &memory->lag.slip);
    terms.AddFriction(friction.force.data(), friction.by_position.data());
    summary->friction_force += friction.magnitude;
  }
  const std::array<int, kSize> dofs = Group(site);
  terms.AddTo({dofs, site.offset}, out);
  return result;
}

template <int N, int S>
void ObstacleSites<N, S>::FreezeFriction(std::span<const DrivenObstacle> obstacles,
                                         const ContactOptions& options, const Motion& motion) {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      const size_t place = o * site_.size() + s;
      frozen_contact_[place] = {};
      const Points x = PointsOf(site_[s], motion.at);
      if (!memory_[place].meets ||
          site_[s].simplex.GapBound(obstacles[o].shape(), x) >= options.tolerance) {
        continue;
      }
      const SimplexTouch<S> touch = Locate(obstacles[o].shape(), site_[s], motion.at);
      const Penalty elastic = PenaltyAt(options, touch.gap, site_[s].radius());
      const double slope =
          PenaltyOf(obstacles[o], options, motion, site_[s], touch.gap, elastic, nullptr).slope;
      const double share = touch.at.direct / touch.at.distance;
      frozen_contact_[place] = {
          {touch.at.normal, -slope * share},
          SurfaceWays<S, kArms, kBeyond>(touch.at.weight, touch.at.normal, touch.at.direct,
                                         ArmsOf(site_[s], motion))};
    }
  }
}

template <int N, int S>
double ObstacleSites<N, S>::AddFrozenFriction(const DrivenObstacle& obstacle,
                                              const FrictionLaw& law, const Motion& motion,
                                              size_t s, size_t place,
                                              const Derivatives& out) const {
  const FrozenSite& frozen = frozen_contact_[place];
  if (!(frozen.contact.force > 0)) return 0;
  const Site& site = site_[s];
  const Way<kArms> way = WayOf<kArms>(obstacle, law, motion, site, memory_[place]);
  if (!(way.rate > 0)) return 0;
  const FrozenFriction friction = EvaluateFrozenFriction(
      law, frozen.contact,
      SurfaceDisplacement<S, kArms, kBeyond>(frozen.ways, way.moved, way.arms, way.beside),
      way.rate);
  const std::array<int, kSize> dofs = Group(site);
  strand::AddFrozenFriction(friction, frozen.ways.data(), {dofs, site.offset}, out);
  return friction.energy;
}

template <int N, int S>
void ObstacleSites<N, S>::Push(std::span<const DrivenObstacle> obstacles,
                               const Configuration& start, std::span<double> move) const {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    if (!obstacles[o].moves()) continue;
    for (size_t s = 0; s < site_.size(); ++s) {
      const Memory& memory = memory_[o * site_.size() + s];
      if (!memory.meets) continue;
      Nodes carried = NodesOf(site_[s], start), way, back;
      for (int k = 0; k < S; ++k) {
        const Vector3 from = carried[k];
        carried[k] = obstacles[o].come()(from);
        way[k] = carried[k] - from, back[k] = -way[k];
      }
      // Fraction of the obstacle's motion during which it would push a site at rest. In the
      // obstacle's frame the site moves by the opposite displacement.
      const double part =
          memory.sticks
              ? 1
              : 1 - site_[s].simplex.FreePart(obstacles[o].shape(), site_[s].in_body.At(carried),
                                              site_[s].in_body.At(back));
      for (int k = 0; k < S && part > 0; ++k) {
        Eigen::Map<Vector3> moved(&move[site_[s].dof[k]]);
        if (part * way[k].norm() > moved.norm()) moved = part * way[k];
      }
    }
  }
}

template <int N, int S>
double ObstacleSites<N, S>::Limit(std::span<const DrivenObstacle> obstacles,
                                  const Configuration& from, std::span<const double> step,
                                  const Passage& passage, double part) const {
  for (size_t s = 0; s < site_.size(); ++s) {
    const Points x = PointsOf(site_[s], from);
    const Points dx = WaysOf(site_[s], step);
    for (size_t o = 0; o < obstacles.size(); ++o) {
      if (!memory_[o * site_.size() + s].meets) continue;
      const Obstacle& shape = obstacles[o].shape();
      const bool goes = obstacles[o].moves() && passage.from != passage.to;
      const auto free_of = [&](const Points& at, const Points& way) {
        return site_[s].simplex.Limit(shape, at, way, 1);
      };
      part = goes ? std::min(part, FreeOnTheWay(obstacles[o], x, dx, passage, free_of))
                  : site_[s].simplex.Limit(shape, x, dx, part);
    }
  }
  return part;
}

// Fraction of the displacement `dx` (m) that is free, past an obstacle that may move: in its frame
// at its end pose sites move along arcs, which are approximated by chords. `free_of(x, dx)` returns
// the free fraction of a chord.
template <int N, int S>
template <class FreeOf>
double ObstacleSites<N, S>::FreeOnTheWay(const DrivenObstacle& obstacle, const Points& x,
                                         const Points& dx, const Passage& passage,
                                         const FreeOf& free_of) const {
  constexpr double kChord = 0.1;  // rad
  const double length = passage.to - passage.from, angle = length * obstacle.Angle();
  if (angle > DrivenObstacle::kLargestTurn) return 0;
  const int chords = std::max(1, static_cast<int>(std::ceil(angle / kChord)));
  const auto seen = [&](double part) {
    const RigidMotion carry = obstacle.Carry(passage.from + part * length, passage.to);
    Points at;
    for (int i = 0; i < N; ++i) at[i] = carry(x[i] + part * dx[i]);
    return at;
  };
  Points last = seen(0);
  for (int k = 0; k < chords; ++k) {
    const Points next = seen((k + 1.0) / chords);
    Points way;
    for (int i = 0; i < N; ++i) way[i] = next[i] - last[i];
    const double free = free_of(last, way);
    if (free < 1) return (k + free) / chords;
    last = next;
  }
  return 1;
}

template <int N, int S>
bool ObstacleSites<N, S>::Misses(std::span<const DrivenObstacle> obstacles,
                                 const Configuration& from, std::span<const double> step) const {
  constexpr Passage kWhole{0, 1};
  for (size_t s = 0; s < site_.size(); ++s) {
    const RoundSimplex<N>& simplex = site_[s].simplex;
    const Points x = PointsOf(site_[s], from), dx = WaysOf(site_[s], step);
    Points end;
    for (int i = 0; i < N; ++i) end[i] = x[i] + dx[i];
    for (size_t o = 0; o < obstacles.size(); ++o) {
      if (!memory_[o * site_.size() + s].meets) continue;
      const Obstacle& shape = obstacles[o].shape();
      Points start = x;
      if (obstacles[o].moves()) {
        const RigidMotion carry = obstacles[o].Carry(0, 1);
        for (Vector3& point : start) point = carry(point);
      }
      double way = 0;
      for (int i = 0; i < N; ++i) way = std::max(way, (end[i] - start[i]).norm());
      if (way < 2 * kMissed * simplex.Reach(shape)) continue;  // it cannot dip that far
      if (simplex.GapBound(shape, start) > way && simplex.GapBound(shape, end) > way) continue;
      const double missed = simplex.Dip(shape, start, end, kMissed);
      const auto free_of = [&](const Points& at, const Points& by) {
        return simplex.ComesWithin(missed, shape, at, by) ? 0.0 : 1.0;
      };
      if (FreeOnTheWay(obstacles[o], x, dx, kWhole, free_of) < 1) return true;
    }
  }
  return false;
}

template <int N, int S>
bool ObstacleSites<N, S>::AcceptsEndpoint(std::span<const DrivenObstacle> obstacles,
                                          double tolerance, const Configuration& from,
                                          const Configuration& to, const Passage& passage) const {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    const Obstacle& shape = obstacles[o].shape();
    for (size_t s = 0; s < site_.size(); ++s) {
      if (!memory_[o * site_.size() + s].meets) continue;
      const Points x = PointsOf(site_[s], to);
      if (site_[s].simplex.GapBound(shape, x) >= 0) continue;
      const double gap = site_[s].simplex.Gap(shape, x);
      if (gap >= 0) continue;
      Points solved = PointsOf(site_[s], from);
      if (obstacles[o].moves()) {
        const RigidMotion carry = obstacles[o].Carry(passage.from, passage.to);
        for (Vector3& point : solved) point = carry(point);
      }
      if (!AcceptsEndGap(gap, site_[s].simplex.Gap(shape, solved), tolerance)) return false;
    }
  }
  return true;
}

template <int N, int S>
void ObstacleSites<N, S>::Accept(std::span<const DrivenObstacle> obstacles,
                                 const ContactOptions& options, const Motion& motion) {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      Memory& of = memory_[o * site_.size() + s];
      if (!of.meets) continue;
      if (!(of.force > 0)) {
        of = {};
        continue;
      }
      const SharedPoint<S> at = Locate(obstacles[o].shape(), site_[s], motion.at).at;
      const Way<kArms> way = WayOf<kArms>(obstacles[o], options.friction, motion, site_[s], of);
      Vector3 slip = SurfaceDisplacement<S, kArms, kBeyond>(
          SurfaceWays<S, kArms, kBeyond>(at.weight, at.normal, at.direct, way.arms), way.moved,
          way.arms, way.beside);
      slip -= at.normal.dot(slip) * at.normal;
      of.sticks = way.rate > 0 && Sticks(options.friction, way.rate * slip, of.force);
      of.slip = AdvanceAnchor(options.friction, slip, of.force);
      of.normal = at.normal;
    }
  }
}

template <int N, int S>
void ObstacleSites<N, S>::Save(std::vector<double>* memory) const {
  for (const Memory& of : memory_) {
    memory->insert(memory->end(), of.slip.begin(), of.slip.end());
    memory->insert(memory->end(), of.normal.begin(), of.normal.end());
    memory->push_back(of.sticks ? 1 : 0);
  }
}

template <int N, int S>
void ObstacleSites<N, S>::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, 7 * memory_.size());
  for (size_t k = 0; k < memory_.size(); ++k) {
    const double* of = &saved[7 * k];
    memory_[k].slip = {of[0], of[1], of[2]}, memory_[k].normal = {of[3], of[4], of[5]};
    memory_[k].sticks = of[6] != 0;
  }
}

template class ObstacleSites<1>;
template class ObstacleSites<2>;
template class ObstacleSites<3>;
template class ObstacleSites<1, 4>;
template class ObstacleSites<2, 4>;
template class ObstacleSites<3, 4>;

}  // namespace strand
