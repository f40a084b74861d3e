#include "model/energy/obstacle_sites.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/stencil/simplex_distance.h"

namespace strand {
namespace {

// A site's middle keeps at least this part of its way to the surface in one Newton step.
constexpr double kKeep = 0.1;

// What lies along a flat side touches at its corners where these are nearer than its middle by a
// tenth of the tolerance or a little more, as edges side by side do (energy/surface_contact.cc).
constexpr double kSpread = 0.4;

// The same of what only has to be unique: a part of the extent squared.
constexpr double kHardlySpread = 1e-10;

template <int N>
double Extent(const std::array<Vector3, N>& x, const Vector3& from) {
  double extent = 0;
  for (const Vector3& node : x) extent = std::max(extent, (node - from).norm());
  return extent;
}

template <int N>
Vector3 Middle(const std::array<Vector3, N>& x) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& node : x) sum += node;
  return sum / N;
}

// The shortest distance from the core, no spread.
template <int N>
SimplexDistance<N> Nearest(const Obstacle& obstacle, const std::array<Vector3, N>& x) {
  const double extent = Extent<N>(x, Middle<N>(x));
  return {obstacle, x, kHardlySpread * extent * extent};
}

// As FreeFraction of a point, over a core: the plane through the nearest point of the core has all
// of the core behind it, so that a site is free as long as its nodes keep `floor` (m) before it.
template <int N>
double SimplexFraction(const Obstacle& obstacle, std::array<Vector3, N> x,
                       const std::array<Vector3, N>& dx, double floor, double limit) {
  constexpr int kMaxSteps = 50;
  constexpr double kSmallStep = 1e-3;  // of the limit
  double fraction = 0;
  for (int k = 0; k < kMaxSteps; ++k) {
    const SimplexDistance<N> at = Nearest<N>(obstacle, x);
    if (!(at.direct > 0)) return fraction;
    double next = std::numeric_limits<double>::infinity();
    for (int i = 0; i < N; ++i) {
      const double approach = -at.normal.dot(dx[i]);
      const double room = at.normal.dot(x[i] - at.Point()) + at.direct - floor;
      if (approach > 0) next = std::min(next, fraction + std::max(room, 0.0) / approach);
    }
    if (next >= limit) return limit;
    for (int i = 0; i < N; ++i) x[i] += (next - fraction) * dx[i];
    const bool small = next - fraction < kSmallStep * limit;
    fraction = next;
    if (small) break;
  }
  return fraction;
}

}  // namespace

template <int N>
ObstacleSites<N>::ObstacleSites(const Network& network, const Dofs& dofs,
                                const std::vector<std::array<int, N>>& nodes,
                                const std::vector<double>& radius,
                                const std::vector<bool>& has_face,
                                std::span<const Obstacle> obstacles, double tolerance,
                                std::span<const Vector3> start)
    : tolerance_(tolerance),
      site_(nodes.size()),
      memory_(nodes.size() * obstacles.size()),
      held_(memory_.size()) {
  for (size_t s = 0; s < site_.size(); ++s) {
    site_[s].radius = radius[nodes[s][0]];
    for (int i = 0; i < N; ++i) {
      site_[s].dof[i] = dofs.node(nodes[s][i]);
      site_[s].radius = std::min(site_[s].radius, radius[nodes[s][i]]);
    }
    for (size_t o = 0; o < obstacles.size(); ++o) {
      const bool node = NodesSuffice(obstacles[o]) || !has_face[nodes[s][0]];
      memory_[o * site_.size() + s].meets = node == (N == 1);
    }
  }
  CheckStart(network, dofs, nodes, obstacles, start);
}

// What is locked may be inside, and what hangs on it there meets that obstacle nowhere.
template <int N>
void ObstacleSites<N>::CheckStart(const Network& network, const Dofs& dofs,
                                  const std::vector<std::array<int, N>>& nodes,
                                  std::span<const Obstacle> obstacles,
                                  std::span<const Vector3> start) {
  for (size_t s = 0; s < site_.size(); ++s) {
    Points x;
    for (int i = 0; i < N; ++i) x[i] = start[nodes[s][i]];
    for (size_t o = 0; o < obstacles.size(); ++o) {
      Memory& memory = memory_[o * site_.size() + s];
      if (N == 1 ? dofs.locked(site_[s].dof[0]) : !memory.meets) continue;
      Vector3 at = x[0];
      if constexpr (N > 1) at = Nearest<N>(obstacles[o], x).Point();
      const double gap = GapValue(obstacles[o], at);
      if (gap > 0) continue;
      bool held_inside = false;
      for (int i = 0; i < N; ++i) {
        const bool locked = dofs.locked(site_[s].dof[i]);
        held_inside = held_inside || (locked && GapValue(obstacles[o], x[i]) <= 0);
      }
      if (held_inside) {
        memory.meets = false;
        continue;
      }
      std::string name = network.NodeName(nodes[s][0]);
      for (int i = 1; i < N; ++i)
        name += (i + 1 < N ? ", " : " to ") + network.NodeName(nodes[s][i]);
      throw ConfigError("positions",
                        name + " at " + Text(gap) + " m from the surface of obstacle " +
                            std::to_string(o) + " (" + ObstacleName(obstacles[o]) + ")",
                        "more than 0 m, at the start");
    }
  }
}

template <int N>
void ObstacleSites<N>::SetTurning(const std::vector<std::array<TurningEdge, kArms>>& turning) {
  for (size_t s = 0; s < site_.size(); ++s) site_[s].turning = turning[s];
}

// Degrees of freedom of a stencil.
template <int N>
std::array<int, ObstacleSites<N>::kSize> ObstacleSites<N>::Group(const Site& site) const {
  std::array<int, kSize> group;
  for (int k = 0; k < 3 * N; ++k) group[k] = site.dof[k / 3] + k % 3;
  for (int k = 0; k < kArms; ++k) group[3 * N + k] = site.turning[k].spin;
  return group;
}

template <int N>
void ObstacleSites<N>::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Site& site : site_) CoupleBlock(dofs, Group(site), pattern);
}

template <int N>
void ObstacleSites<N>::Bind(const Dofs& dofs, const LinearSystem& system) {
  for (Site& site : site_) BlockOffsets(dofs, system, Group(site), site.offset);
}

template <int N>
typename ObstacleSites<N>::Points ObstacleSites<N>::PointsOf(const Site& site,
                                                             const Configuration& at) const {
  Points x;
  for (int i = 0; i < N; ++i) x[i] = at.position(site.dof[i]);
  return x;
}

template <int N>
double ObstacleSites<N>::Spread(const Obstacle& obstacle, const Site& site) const {
  return kSpread * (obstacle.radius + site.radius) * tolerance_;
}

// No gap is smaller than this: most sites are too far for more. Exact of a node.
template <int N>
double ObstacleSites<N>::GapBound(const Obstacle& obstacle, const Site& site,
                                  const Points& x) const {
  if constexpr (N == 1) return GapValue(obstacle, x[0]) - site.radius;
  const Vector3 middle = Middle<N>(x);
  return GapValue(obstacle, middle) - Extent<N>(x, middle) - site.radius;
}

template <int N>
double ObstacleSites<N>::Gap(const Obstacle& obstacle, const Site& site, const Points& x) const {
  if constexpr (N == 1) {
    return GapBound(obstacle, site, x);
  } else {
    const SimplexDistance<N> at(obstacle, x, Spread(obstacle, site));
    if (at.direct > 0) return at.distance - obstacle.radius - site.radius;
    return GapValue(obstacle, at.Point()) - site.radius;
  }
}

template <int N>
typename ObstacleSites<N>::Touch ObstacleSites<N>::Locate(const Obstacle& obstacle,
                                                          const Site& site, const Points& x) const {
  Touch touch;
  SharedPoint<N>& at = touch.at;
  Vector3 point = x[0];
  at.weight.setOnes();
  if constexpr (N > 1) {
    SimplexDistance<N> nearest(obstacle, x, Spread(obstacle, site));
    at.weight = nearest.weight;
    if (nearest.direct > 0) {
      nearest.Differentiate();
      touch.gap = nearest.distance - obstacle.radius - site.radius;
      touch.hessian = nearest.hessian;
      touch.at = {nearest.weight, nearest.weight_by, nearest.offset_by,           nearest.normal,
                  nearest.direct, nearest.distance,  nearest.gradient.transpose()};
      return touch;
    }
    point = nearest.Point();
  }
  // A node; or a site with its middle in the core, at the point that was found.
  const ObstacleGap gap = EvaluateGap(obstacle, point);
  touch.gap = gap.gap - site.radius;
  at.weight_by.setZero();
  at.normal = gap.normal;
  at.direct = at.distance = 1;  // the offset is n itself
  for (int j = 0; j < N; ++j) {
    at.offset_by.template middleCols<3>(3 * j) = at.weight[j] * gap.curvature;
    at.distance_by.template segment<3>(3 * j) = at.weight[j] * gap.normal.transpose();
    for (int i = 0; i < N; ++i) {
      touch.hessian.template block<3, 3>(3 * i, 3 * j) =
          at.weight[i] * at.weight[j] * gap.curvature;
    }
  }
  at.offset_by += gap.normal * at.distance_by;
  return touch;
}

// From the axis to the surface, against the normal.
template <int N>
typename ObstacleSites<N>::Arms ObstacleSites<N>::ArmsOf(const Site& site,
                                                         const Motion& motion) const {
  if constexpr (N == 1) {
    return NodeArms(site.turning, -site.radius, 0, motion);
  } else if constexpr (N == 2) {
    return {EdgeArm(site.turning[0], -site.radius, 0, 0, motion)};
  } else {
    return {};
  }
}

// What the obstacle under them turns by.
template <int N>
void ObstacleSites<N>::TakeOff(const Frame& turn, const Site& site, const Configuration& start,
                               Arms* arms) const {
  const Eigen::AngleAxisd turned(turn);
  for (int k = 0; k < kArms; ++k) {
    if (!site.turning[k].exists()) continue;
    const Vector3 along = site.turning[k].Along(start);
    (*arms)[k].spin -= turned.angle() * turned.axis().dot(along.normalized());
    (*arms)[k].across -= turn * along - along;
  }
}

template <int N>
template <int K>
typename ObstacleSites<N>::template Way<K> ObstacleSites<N>::WayOf(const DrivenObstacle& obstacle,
                                                                   const FrictionLaw& law,
                                                                   const Motion& motion,
                                                                   const Site& site,
                                                                   const Memory& memory) const {
  const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
  Way<K> way;
  if (!(motion.per_time > 0) && !(anchored && memory.touched())) return way;
  for (int i = 0; i < N; ++i) {
    const Vector3 start = motion.start.position(site.dof[i]);
    way.moved.template segment<3>(3 * i) =
        motion.at.position(site.dof[i]) - (obstacle.moves() ? obstacle.come()(start) : start);
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

template <int N>
Evaluation ObstacleSites<N>::Evaluate(std::span<const DrivenObstacle> obstacles,
                                      const ContactOptions& options, bool holds,
                                      const Motion& motion, const Derivatives& out,
                                      ContactSummary* summary) {
  Evaluation result;
  const bool rubs = options.rubs() && !holds;
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      const size_t place = o * site_.size() + s;
      Memory& memory = memory_[place];
      memory.force = 0;
      if (!memory.meets) continue;
      const Points x = PointsOf(site_[s], motion.at);
      double gap = GapBound(obstacles[o].shape(), site_[s], x);
      const bool near = gap < std::max(summary->gap, options.tolerance);
      if (N > 1 && near) gap = Gap(obstacles[o].shape(), site_[s], x);
      if (near) summary->gap = std::min(summary->gap, gap);
      if (gap < options.tolerance) {
        result += rubs && site_[s].turns() ? AddContact<kArms>(obstacles[o], options, rubs, motion,
                                                               site_[s], &memory, out, summary)
                                           : AddContact<0>(obstacles[o], options, rubs, motion,
                                                           site_[s], &memory, out, summary);
      }
      if (holds) {
        result.energy += AddHeldFriction(obstacles[o], options.friction, motion, s, place, out);
      }
    }
  }
  return result;
}

// An obstacle that moves goes as far in 1 / rate as its velocity, the mean of the step, takes it.
template <int N>
Penalty ObstacleSites<N>::PenaltyOf(const DrivenObstacle& obstacle, const ContactOptions& options,
                                    const Motion& motion, const Site& site, double gap,
                                    const Penalty& elastic) const {
  if (options.restitution == 1 || !(motion.per_time > 0)) return elastic;
  Points origin;
  for (int i = 0; i < N; ++i) {
    origin[i] = motion.origin(site.dof[i]);
    if (!obstacle.moves()) continue;
    const Vector3 start = motion.start.position(site.dof[i]);
    origin[i] += motion.per_time / motion.rate * (obstacle.come()(start) - start);
  }
  return Rebounding(options, elastic, gap, Gap(obstacle.shape(), site, origin), motion.rate);
}

// With as many of its arms.
template <int N>
template <int K>
Evaluation ObstacleSites<N>::AddContact(const DrivenObstacle& obstacle,
                                        const ContactOptions& options, bool rubs,
                                        const Motion& motion, const Site& site, Memory* memory,
                                        const Derivatives& out, ContactSummary* summary) const {
  constexpr int size = 3 * N + K;
  const Points x = PointsOf(site, motion.at);
  const Touch touch = Locate(obstacle.shape(), site, x);
  const Penalty elastic = PenaltyAt(options, touch.gap, site.radius);
  const Penalty penalty = PenaltyOf(obstacle, options, motion, site, touch.gap, elastic);
  memory->force = -penalty.slope * touch.at.direct / touch.at.distance;
  const Gradient slope = touch.at.distance_by.transpose();
  Eigen::Matrix<double, size, 1> gradient = Eigen::Matrix<double, size, 1>::Zero();
  Eigen::Matrix<double, size, size> hessian;
  gradient.template head<3 * N>() = penalty.slope * slope;
  if (out.values) {
    if constexpr (K > 0) hessian.setZero();
    hessian.template topLeftCorner<3 * N, 3 * N>() =
        penalty.curvature * slope * slope.transpose() + penalty.slope * touch.hessian;
  }
  const std::array<int, kSize> dofs = Group(site);
  ++summary->contacts;
  summary->normal_force += memory->force;
  summary->penalty_force -= elastic.slope * touch.at.direct / touch.at.distance;
  summary->energy += penalty.energy;
  Eigen::Matrix<double, size, 1> pathwise = Eigen::Matrix<double, size, 1>::Zero();
  pathwise.template head<3 * N>() = (penalty.slope - elastic.slope) * slope;
  if (rubs) {
    const Way<K> way = WayOf<K>(obstacle, options.friction, motion, site, *memory);
    const auto friction = EvaluateSharedFriction<N, K>(
        options.friction, touch.at, penalty, way.moved, way.beside, way.arms, way.rate, out.values);
    gradient -= friction.force;
    pathwise -= friction.force;
    if (out.values) hessian -= friction.by_position;
    summary->friction_force += friction.magnitude;
  }
  for (int k = 0; k < size; ++k) {
    if (dofs[k] < 0) continue;
    if (out.gradient) out.gradient[dofs[k]] += gradient[k];
    if (out.pathwise) out.pathwise[dofs[k]] += pathwise[k];
  }
  for (int k = 0; out.values && k < size * size; ++k) {
    out.values[site.offset[k % size + kSize * (k / size)]] += hessian.data()[k];
  }
  double driven = 0;
  for (int i = 0; obstacle.moves() && i < N; ++i) {
    driven -= elastic.slope * slope.template segment<3>(3 * i).dot(obstacle.WholeWay(x[i]));
  }
  return {penalty.energy, memory->force, 0, driven};
}

template <int N>
void ObstacleSites<N>::Hold(std::span<const DrivenObstacle> obstacles,
                            const ContactOptions& options, const Motion& motion) {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      const size_t place = o * site_.size() + s;
      held_[place] = {};
      const Points x = PointsOf(site_[s], motion.at);
      if (!memory_[place].meets ||
          GapBound(obstacles[o].shape(), site_[s], x) >= options.tolerance) {
        continue;
      }
      const Touch touch = Locate(obstacles[o].shape(), site_[s], x);
      const Penalty elastic = PenaltyAt(options, touch.gap, site_[s].radius);
      const double slope =
          PenaltyOf(obstacles[o], options, motion, site_[s], touch.gap, elastic).slope;
      const double share = touch.at.direct / touch.at.distance;
      held_[place] = {{touch.at.normal, -slope * share},
                      SurfaceWays<N, kArms>(touch.at.weight, touch.at.normal, touch.at.direct,
                                            ArmsOf(site_[s], motion))};
    }
  }
}

template <int N>
double ObstacleSites<N>::AddHeldFriction(const DrivenObstacle& obstacle, const FrictionLaw& law,
                                         const Motion& motion, size_t s, size_t place,
                                         const Derivatives& out) const {
  const Held& held = held_[place];
  if (!(held.contact.force > 0)) return 0;
  const Site& site = site_[s];
  const Way<kArms> way = WayOf<kArms>(obstacle, law, motion, site, memory_[place]);
  if (!(way.rate > 0)) return 0;
  const HeldFriction friction = EvaluateHeldFriction(
      law, held.contact, SurfaceDisplacement<N, kArms>(held.ways, way.moved, way.arms, way.beside),
      way.rate);
  const std::array<int, kSize> dofs = Group(site);
  const Moves force = held.ways.transpose() * friction.force;
  for (int k = 0; out.gradient && k < kSize; ++k) {
    if (dofs[k] >= 0) out.gradient[dofs[k]] -= force[k];
  }
  if (out.values) {
    const Eigen::Matrix<double, kSize, kSize> hessian =
        held.ways.transpose() * friction.by_displacement * held.ways;
    for (int k = 0; k < kSize * kSize; ++k) out.values[site.offset[k]] -= hessian.data()[k];
  }
  return friction.energy;
}

template <int N>
void ObstacleSites<N>::Push(std::span<const DrivenObstacle> obstacles, const Configuration& start,
                            std::span<double> move) const {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    if (!obstacles[o].moves()) continue;
    for (size_t s = 0; s < site_.size(); ++s) {
      const Memory& memory = memory_[o * site_.size() + s];
      if (!memory.meets) continue;
      const Points x = PointsOf(site_[s], start);
      Points carried, way;
      for (int i = 0; i < N; ++i)
        carried[i] = obstacles[o].come()(x[i]), way[i] = carried[i] - x[i];
      const double part = memory.sticks ? 1 : PushedPart(obstacles[o], site_[s], carried, way);
      for (int i = 0; i < N && part > 0; ++i) {
        Eigen::Map<Vector3> moved(&move[site_[s].dof[i]]);
        if (part * way[i].norm() > moved.norm()) moved = part * way[i];
      }
    }
  }
}

// Of an obstacle's way in a step, the part that it touches what stands still on. Seen from the
// obstacle, that goes back by the same way.
template <int N>
double ObstacleSites<N>::PushedPart(const DrivenObstacle& obstacle, const Site& site,
                                    const Points& carried, const Points& way) const {
  const Obstacle& shape = obstacle.shape();
  Points back;
  double length = 0;
  for (int i = 0; i < N; ++i) back[i] = -way[i], length = std::max(length, way[i].norm());
  if (GapBound(shape, site, carried) > length) return 0;
  if constexpr (N == 1) {
    return 1 - FreeFraction(shape, carried[0], back[0], site.radius);
  } else {
    const double direct = Nearest<N>(shape, carried).direct;
    const double floor = std::min(direct, shape.radius + site.radius);
    return 1 - SimplexFraction<N>(shape, carried, back, floor, 1);
  }
}

template <int N>
double ObstacleSites<N>::Limit(std::span<const DrivenObstacle> obstacles, const Configuration& from,
                               std::span<const double> step, const Passage& passage,
                               double part) const {
  for (size_t s = 0; s < site_.size(); ++s) {
    const Points x = PointsOf(site_[s], from);
    Points dx;
    for (int i = 0; i < N; ++i) dx[i] = Vector3::Map(&step[site_[s].dof[i]]);
    for (size_t o = 0; o < obstacles.size(); ++o) {
      if (!memory_[o * site_.size() + s].meets) continue;
      const bool goes = obstacles[o].moves() && passage.from != passage.to;
      part = goes ? std::min(part, LimitOnTheWay(obstacles[o], site_[s], x, dx, passage))
                  : LimitAt(obstacles[o].shape(), site_[s], x, dx, part);
    }
  }
  return part;
}

// Of an obstacle that stands still.
template <int N>
double ObstacleSites<N>::LimitAt(const Obstacle& obstacle, const Site& site, const Points& x,
                                 const Points& dx, double part) const {
  double length = 0;
  for (const Vector3& way : dx) length = std::max(length, way.norm());
  double gap = GapBound(obstacle, site, x) + site.radius;
  if ((N == 1 && gap <= 0) || (1 - kKeep) * gap > part * length) return part;
  if constexpr (N == 1) {
    return std::min(part, FreeFraction(obstacle, x[0], dx[0], kKeep * gap));
  } else {
    gap = Nearest<N>(obstacle, x).direct - obstacle.radius;
    if (gap <= 0 || (1 - kKeep) * gap > part * length) return part;
    return SimplexFraction<N>(obstacle, x, dx, obstacle.radius + kKeep * gap, part);
  }
}

// Of one on its way: seen from where it ends, what is near it moves along chords.
template <int N>
double ObstacleSites<N>::LimitOnTheWay(const DrivenObstacle& obstacle, const Site& site,
                                       const Points& x, const Points& dx,
                                       const Passage& passage) const {
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
    const double free = LimitAt(obstacle.shape(), site, last, way, 1);
    if (free < 1) return (k + free) / chords;
    last = next;
  }
  return 1;
}

template <int N>
bool ObstacleSites<N>::MayEnd(std::span<const DrivenObstacle> obstacles, double tolerance,
                              const Configuration& from, const Configuration& to,
                              const Passage& passage) const {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    const Obstacle& shape = obstacles[o].shape();
    for (size_t s = 0; s < site_.size(); ++s) {
      if (!memory_[o * site_.size() + s].meets) continue;
      const Points x = PointsOf(site_[s], to);
      if (GapBound(shape, site_[s], x) >= 0) continue;
      const double gap = Gap(shape, site_[s], x);
      if (gap >= 0) continue;
      Points solved = PointsOf(site_[s], from);
      if (obstacles[o].moves()) {
        const RigidMotion carry = obstacles[o].Carry(passage.from, passage.to);
        for (Vector3& point : solved) point = carry(point);
      }
      if (!MayEndAt(gap, Gap(shape, site_[s], solved), tolerance)) return false;
    }
  }
  return true;
}

template <int N>
void ObstacleSites<N>::Accept(std::span<const DrivenObstacle> obstacles,
                              const ContactOptions& options, const Motion& motion) {
  for (size_t o = 0; o < obstacles.size(); ++o) {
    for (size_t s = 0; s < site_.size(); ++s) {
      Memory& of = memory_[o * site_.size() + s];
      if (!of.meets) continue;
      if (!(of.force > 0)) {
        of = {};
        continue;
      }
      const SharedPoint<N> at =
          Locate(obstacles[o].shape(), site_[s], PointsOf(site_[s], motion.at)).at;
      const Way<kArms> way = WayOf<kArms>(obstacles[o], options.friction, motion, site_[s], of);
      Vector3 slip = SurfaceDisplacement<N, kArms>(
          SurfaceWays<N, kArms>(at.weight, at.normal, at.direct, way.arms), way.moved, way.arms,
          way.beside);
      slip -= at.normal.dot(slip) * at.normal;
      of.sticks = way.rate > 0 && Sticks(options.friction, way.rate * slip, of.force);
      of.slip = AdvanceAnchor(options.friction, slip, of.force);
      of.normal = at.normal;
    }
  }
}

template <int N>
void ObstacleSites<N>::Save(std::vector<double>* memory) const {
  for (const Memory& of : memory_) {
    memory->insert(memory->end(), of.slip.begin(), of.slip.end());
    memory->insert(memory->end(), of.normal.begin(), of.normal.end());
    memory->push_back(of.sticks ? 1 : 0);
  }
}

template <int N>
void ObstacleSites<N>::Load(std::span<const double>* memory) {
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

}  // namespace strand
