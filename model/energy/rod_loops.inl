// Source of the loops (rod_loops.h), with STRAND_WIDTH lanes; the anonymous namespace keeps each
// instruction set's copy separate. As in elastic_loops.inl, only arithmetic on plain arrays belongs
// here.
#include <algorithm>

#include "model/energy/rod_loops.h"
#include "model/stencil/wide.h"

namespace strand {
namespace {

constexpr int kWidth = STRAND_WIDTH;
using P = Pack<kWidth>;
using Vector3P = Vector3Of<P>;
using FrameP = Matrix3Of<P>;

static_assert(kBlockLinks % kWidth == 0 && kWidth <= kWideLanes);

P Load(const double* numbers) {
  P pack;
  std::memcpy(&pack.lanes, numbers, sizeof(pack.lanes));
  return pack;
}

void Store(const P& pack, double* numbers) {
  std::memcpy(numbers, &pack.lanes, sizeof(pack.lanes));
}

template <size_t N>
Vector3P Load(const double (&vectors)[3][N], int at) {
  return {Load(vectors[0] + at), Load(vectors[1] + at), Load(vectors[2] + at)};
}

// Joints first, first + 1, ... of a rod. Lanes beyond the last joint repeat it, without stiffness.
class JointPack {
 public:
  JointPack(const RodRest& rest, const RodFrames& frames, int first)
      : rest_(rest), frames_(frames), count_(std::min(kWidth, rest.joints() - first)) {
    for (int lane = 0; lane < kWidth; ++lane) joint_[lane] = first + std::min(lane, count_ - 1);
  }

  // The joints that follow these; at the end of an open rod the last one itself.
  JointPack Next() const {
    JointPack next = *this;
    for (int& joint : next.joint_) {
      if (joint + 1 < rest_.joints() || rest_.closed) joint = rest_.next(joint);
    }
    return next;
  }

  int count() const { return count_; }
  int At(int lane) const { return joint_[lane]; }

  JointGeometryOf<P> Geometry() const {
    return {Gather<kWidth>([&](int lane) -> Vector3 { return Far(lane).col(0); }),
            Gather<kWidth>([&](int lane) -> Vector3 { return Near(lane).col(0); })};
  }
  FrameP FrameA() const {
    return FrameOf([&](int lane) -> const Frame& { return Far(lane); });
  }
  FrameP FrameB() const {
    return FrameOf([&](int lane) -> const Frame& { return Near(lane); });
  }
  CurvatureMeasure measure() const { return rest_.measure; }
  // Constants of the links after the joints, 0 for lanes without a joint.
  P OfNextLinks(int number) const {
    return GatherNumbers<kWidth>(
        [&](int lane) { return lane < count_ ? rest_.wide.of(number)[rest_.next(At(lane))] : 0; });
  }
  P Numbers(std::span<const double> of_joints) const {
    return GatherNumbers<kWidth>([&](int lane) { return of_joints[At(lane)]; });
  }
  BendRestOf<P> Bend() const {
    BendRestOf<P> bend;
    for (int j = 0; j < 2; ++j) {
      bend.stiffness[j] = Stiffness([=](const auto& joint) { return joint.bend.stiffness[j]; });
      for (int side = 0; side < 2; ++side) bend.natural[side][j] = Natural(side, j);
    }
    return bend;
  }
  P Natural(int side, int j) const {
    return Number([=](const auto& joint) { return joint.bend.natural[side][j]; });
  }
  P NaturalSeen(int side, int j) const {
    return Number([=](const auto& joint) { return joint.natural_seen[side][j]; });
  }
  P IsotropicStiffness() const {
    return Stiffness([](const auto& joint) { return joint.bend.stiffness[0]; });
  }
  SlipPack<kWidth> Slip(const SlipStep& slip) const {
    return {slip.law, slip.from, [this](int lane) { return At(lane); }};
  }
  TwistRestOf<P> Twist() const {
    return {Stiffness([](const auto& joint) { return joint.twist.stiffness; }),
            Number([](const auto& joint) { return joint.twist.natural; })};
  }

 private:
  const Frame& Far(int lane) const { return frames_.far[At(lane)]; }
  const Frame& Near(int lane) const { return frames_.near[rest_.next(At(lane))]; }
  template <class Get>
  static FrameP FrameOf(const Get& get) {
    FrameP frame;
    for (int j = 0; j < 3; ++j) {
      frame.col(j) = Gather<kWidth>([&](int lane) -> Vector3 { return get(lane).col(j); });
    }
    return frame;
  }
  template <class Get>
  P Number(const Get& get) const {
    return GatherNumbers<kWidth>([&](int lane) { return get(rest_.joint[At(lane)]); });
  }
  template <class Get>
  P Stiffness(const Get& get) const {
    return GatherNumbers<kWidth>(
        [&](int lane) { return lane < count_ ? get(rest_.joint[At(lane)]) : 0; });
  }

  const RodRest& rest_;
  const RodFrames& frames_;
  int count_;
  int joint_[kWidth];
};

// Mean of both sides' curvatures beyond the natural ones.
std::array<P, 2> BendExcess(const JointGeometryOf<P>& geometry, const FrameP& a, const FrameP& b,
                            const BendRestOf<P>& bend, CurvatureMeasure measure) {
  const Vector3P binormal = EvaluateMeasure(measure, geometry).g * geometry.axis;
  const std::array<P, 2> by_a = MaterialCurvature<P>(binormal, a);
  const std::array<P, 2> by_b = MaterialCurvature<P>(binormal, b);
  std::array<P, 2> excess;
  for (int j = 0; j < 2; ++j) {
    excess[j] = P(0.5) * (by_a[j] - bend.natural[0][j] + by_b[j] - bend.natural[1][j]);
  }
  return excess;
}

[[gnu::flatten]]
RodEnergy Joints(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                 std::span<Vector3> couples, const SlipStep* slip) {
  P bend(0), twist(0);
  JointGradientOf<P> gradient;
  JointGradientOf<P>* wanted = couples.empty() ? nullptr : &gradient;
  for (int first = 0; first < rest.joints(); first += kWidth) {
    const JointPack pack(rest, frames, first);
    const JointGeometryOf<P> geometry = pack.Geometry();
    const P angle = pack.Numbers(twists);
    if (rest.isotropic_straight) {
      bend += BendIsotropic<P>(geometry, pack.IsotropicStiffness(), rest.measure, wanted);
    } else {
      const FrameP a = pack.FrameA(), b = pack.FrameB();
      BendRestOf<P> natural = pack.Bend();
      if (slip) {
        bend += pack.Slip(*slip).Bend(BendExcess(geometry, a, b, natural, rest.measure), slip->to,
                                      &natural);
      }
      bend += rest.average == BendAverage::kMiddle
                  ? BendMiddle<P>(geometry, a, b, angle, natural, rest.measure, wanted)
                  : BendMaterial<P>(geometry, a, b, natural, rest.measure, BendAverage::kEnergies,
                                    wanted);
    }
    TwistRestOf<P> natural = pack.Twist();
    if (slip) twist += pack.Slip(*slip).Twist(angle - natural.natural, slip->to, &natural);
    twist += AddTwist<P>(geometry, angle, natural, wanted);
    if (!wanted) continue;
    const Vector3P couple = CoupleOnB(geometry, gradient);
    for (int lane = 0; lane < pack.count(); ++lane) {
      couples[first + lane] = VectorOf(couple, lane);
    }
  }
  return {Sum(bend), Sum(twist)};
}

// In two passes, so that the processor can work on several packs of angles at a time.
[[gnu::flatten]]
void Twists(const RodRest& rest, const RodFrames& frames, std::span<const double> correction,
            std::span<const double> previous, std::span<double> twists) {
  double sine[kBlockLinks], cosine[kBlockLinks];
  for (int first = 0; first < rest.joints(); first += kBlockLinks) {
    const int end = std::min(first + kBlockLinks, rest.joints());
    for (int i = first; i < end; i += kWidth) {
      const JointPack pack(rest, frames, i);
      const TwistDirectionOf<P> direction = TwistDirection<P>(pack.FrameA(), pack.FrameB());
      Store(direction.sine, sine + i - first);
      Store(direction.cosine, cosine + i - first);
    }
    for (int i = first; i < end; i += kWidth) {
      const JointPack pack(rest, frames, i);
      const P angle = Atan2(Load(sine + i - first), Load(cosine + i - first));
      const P twist = Unwrap(angle + pack.Numbers(correction), pack.Numbers(previous));
      for (int lane = 0; lane < pack.count(); ++lane) twists[i + lane] = twist[lane];
    }
  }
}

[[gnu::flatten]]
void Directions(std::span<const Frame> links, const Frame& carry, int entry, WideBlock* block) {
  const int count = static_cast<int>(links.size());
  for (int k = 0; k < count; k += kWidth) {
    const Vector3P direction = Gather<kWidth>(
        [&](int lane) -> Vector3 { return links[std::min(k + lane, count - 1)].col(0); });
    for (int c = 0; c < 3; ++c) {
      P sum(0);
      for (int j = 0; j < 3; ++j) sum += P(carry(c, j)) * direction[j];
      Store(sum, block->direction[c] + entry + k);
    }
  }
}

// Links j, j + 1, ... of a block and the turns next to them.
WideTurnsOf<P> Turns(const WideBlock& block, int j) {
  Vector3P t[5];
  for (int m = 0; m < 5; ++m) t[m] = Load(block.direction, j + m);
  return {t[2], {t[1] - t[0], t[2] - t[1], t[3] - t[2], t[4] - t[3]}};
}

HolonomyWeightsOf<P> Holonomy(const WideLinks& links, int k) {
  const auto weight = [&](int n) { return Load(links.of(WideLinks::kHolonomy + n) + k); };
  return {weight(0), weight(1), weight(2), weight(3)};
}

[[gnu::flatten]]
void Holonomies(const WideLinks& links, const WideBlock& block, double* holonomy) {
  for (int j = 0; j < block.count; j += kWidth) {
    const P h = WideHolonomy<P>(Holonomy(links, block.first + j), Turns(block, j), P(0), nullptr);
    Store(h, holonomy + j);
  }
}

// Terms of links k, k + 1, ... of a rod that is isotropic and straight at rest.
P AddTurnChanges(const WideLinks& links, int k, const WideTurnsOf<P>& turns,
                 WideTurnsOf<P>* gradient) {
  P scale[4];
  Vector3P scaled[4], slope[4];
  for (int m = 1; m < 4; ++m) {
    scale[m] = Load(links.of(WideLinks::kFirmness + m - 1) + k);
    scaled[m] = scale[m] * turns.turn[m];
    slope[m].setZero();
  }
  const P change = P(0.5) * Load(links.of(WideLinks::kChange) + k);
  const P second = P(0.5) * Load(links.of(WideLinks::kSecondChange) + k);
  const P energy = change * TurnChange(scaled[1], scaled[2], change, &slope[1], &slope[2]) +
                   second * TurnSecondChange(scaled[1], scaled[2], scaled[3], second, &slope[1],
                                             &slope[2], &slope[3]);
  for (int m = 1; m < 4; ++m) gradient->turn[m] += scale[m] * slope[m];
  return energy;
}

// Couples of each link on the links beyond the four joints next to it, to be added by joints.
struct CoupleShares {
  static constexpr int kAround = 3;  // entries without links on either side
  double share[4][3][WideBlock::kReach + 2 * kAround];

  // Marks the entries next to `links` links as empty.
  explicit CoupleShares(int links) {
    const int end = kAround + (links + kWidth - 1) / kWidth * kWidth;
    for (auto& of_joint : share) {
      for (auto& numbers : of_joint) {
        for (int j = 0; j < kAround; ++j) numbers[j] = 0;
        for (int j = end; j < end + kAround + kWidth; ++j) numbers[j] = 0;
      }
    }
  }

  void Set(int j, const std::array<Vector3P, 4>& of_joints) {
    for (int m = 0; m < 4; ++m) {
      for (int c = 0; c < 3; ++c) Store(of_joints[m][c], share[m][c] + kAround + j);
    }
  }

  void Sum(int links, double (*couple)[WideBlock::kReach]) const {
    for (int i = 0; i < links + kAround; i += kWidth) {
      for (int c = 0; c < 3; ++c) {
        P sum(0);
        for (int m = 0; m < 4; ++m) sum += Load(share[m][c] + kAround + i - m);
        Store(sum, couple[c] + i);
      }
    }
  }
};

[[gnu::flatten]]
double WideTerms(const WideLinks& links, bool isotropic_straight, bool wants_couples,
                 WideBlock* block) {
  P energy(0);
  CoupleShares shares(block->count);
  for (int j = 0; j < block->count; j += kWidth) {
    const int k = block->first + j;
    const WideTurnsOf<P> turns = Turns(*block, j);
    WideTurnsOf<P> gradient;
    gradient.SetZero();
    if (isotropic_straight) energy += AddTurnChanges(links, k, turns, &gradient);
    if (!wants_couples) continue;
    const P mean = P(0.5) * (Load(block->moment + j + 1) + Load(block->moment + j + 2));
    WideHolonomy<P>(Holonomy(links, k), turns, -mean, &gradient);
    shares.Set(j, WideCouples(turns, gradient));
  }
  if (wants_couples) shares.Sum(block->count, block->couple);
  return Sum(energy);
}

// One side of the change of material curvatures over a link: those of the joint at that side, as
// the link sees them or, as in the joint's own energy, in the middle of the joint.
struct LinkSide {
  LinkSide(const JointPack& joints, int side, const P& given_firmness, const P* twist)
      : joint(joints.Geometry()),
        measure(EvaluateMeasure(joints.measure(), joint)),
        firmness(given_firmness) {
    if (twist) {
      FrameP a = joints.FrameA(), b = joints.FrameB();
      TurnToMiddle<P>(HalfTurn<P>(TwistDirection<P>(a, b), *twist), &a, &b);
      by_angle = P(0.5);
      for (int j = 0; j < 2; ++j) axis[j] = P(0.5) * (a.col(1 + j) + b.col(1 + j));
    } else {
      const FrameP frame = side ? joints.FrameB() : joints.FrameA();
      by_angle = P(side);
      for (int j = 0; j < 2; ++j) axis[j] = frame.col(1 + j);
    }
    const Vector3P binormal = measure.g * joint.axis;
    for (int j = 0; j < 2; ++j) {
      w[j] = binormal.dot(axis[j]);
      const P natural = twist ? joints.Natural(side, j) : joints.NaturalSeen(side, j);
      excess[j] = (w[j] - natural) * firmness;
    }
  }

  // Couple on the joint's second link from the derivatives of the energy by `excess`.
  Vector3P Couple(const std::array<P, 2>& by_excess) const {
    const P f0 = by_excess[0] * firmness, f1 = by_excess[1] * firmness;
    JointGradientOf<P> gradient;
    gradient.setZero();
    const Vector3P along = f0 * axis[0] + f1 * axis[1];
    internal::AddCurvatureGradient<P>(joint, measure, along, &gradient);
    gradient[kAngleB] = by_angle * (f0 * w[1] - f1 * w[0]);
    return CoupleOnB<P>(joint, gradient);
  }

  JointGeometryOf<P> joint;
  MeasureValueOf<P> measure;
  P firmness;
  Vector3P axis[2];  // along which w_1, w_2 are the components of K
  P by_angle;        // angle (rad) of the axes per turn of the joint's second link
  std::array<P, 2> w;
  std::array<P, 2> excess;
};

// B (change of curvature)^2 / 24 of the links that join `before` to `after`, with these stiffnesses
// B. `twist` of both: of curvatures in the middles; null: as the links see them.
P AddChange(const JointPack& before, const JointPack& after, const std::array<P, 2>& stiffness,
            const P* twist, std::span<Vector3> couples) {
  const LinkSide one(before, 1, before.OfNextLinks(WideLinks::kFirmness), twist);
  const LinkSide other(after, 0, before.OfNextLinks(WideLinks::kFirmness + 1),
                       twist ? twist + 1 : nullptr);
  P energy(0);
  std::array<P, 2> force, opposite;
  for (int j = 0; j < 2; ++j) {
    const P change = other.excess[j] - one.excess[j];
    force[j] = P(1. / 12) * stiffness[j] * change;
    opposite[j] = -force[j];
    energy += P(0.5) * force[j] * change;
  }
  if (couples.empty()) return energy;
  const Vector3P on_one = one.Couple(opposite), on_other = other.Couple(force);
  for (int lane = 0; lane < before.count(); ++lane) {
    couples[before.At(lane)] += VectorOf(on_one, lane);
    couples[after.At(lane)] += VectorOf(on_other, lane);
  }
  return energy;
}

// Links see the change of the curvature vector, which is what the joints' energies lack. Where the
// section is flat and twisted, that vector turns with the softer axis while moments hardly change,
// and the stiffer axis must not resist it: B beyond the smaller one acts on the change of the
// curvatures in the middles.
[[gnu::flatten]]
double CurvatureChanges(const RodRest& rest, const RodFrames& frames,
                        std::span<const double> twists, std::span<Vector3> couples) {
  P energy(0);
  for (int first = 0; first < rest.joints(); first += kWidth) {
    const JointPack before(rest, frames, first), after = before.Next();
    const std::array<P, 2> stiffness = {before.OfNextLinks(WideLinks::kChange),
                                        before.OfNextLinks(WideLinks::kChange + 1)};
    if (rest.average == BendAverage::kEnergies) {
      energy += AddChange(before, after, stiffness, nullptr, couples);
      continue;
    }
    const P softer = Select(stiffness[0] < stiffness[1], stiffness[0], stiffness[1]);
    energy += AddChange(before, after, {softer, softer}, nullptr, couples);
    const std::array<P, 2> beyond = {stiffness[0] - softer, stiffness[1] - softer};
    if (All(beyond[0] + beyond[1] < P(1e-9) * softer)) continue;
    const P twist[2] = {before.Numbers(twists), after.Numbers(twists)};
    energy += AddChange(before, after, beyond, twist, couples);
  }
  return Sum(energy);
}

}  // namespace

extern const RodLoops STRAND_LOOPS;
const RodLoops STRAND_LOOPS = {Twists,    Joints,           Directions, Holonomies,
                               WideTerms, CurvatureChanges, kWidth};

}  // namespace strand
