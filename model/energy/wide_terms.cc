#include "model/energy/wide_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/simd/clones.h"
#include "model/simd/pack.h"

namespace strand {
namespace {

// Ratio of two neighbouring joints' stiffnesses up to which they count as a taper. At larger steps
// the curvature itself has a step, over which the terms would be wrong.
constexpr double kTaper = 1.25;

// Joint i, counted on around a closed rod; -1 if there is none.
int JointAt(const RodRest& rest, int i) {
  const int count = rest.joints();
  if (rest.closed) return (i + count) % count;
  return i >= 0 && i < count ? i : -1;
}

// The joints k-2 .. k+1 next to link k; -1 where there is none.
std::array<int, 4> JointsAround(const RodRest& rest, int k) {
  return {JointAt(rest, k - 2), JointAt(rest, k - 1), JointAt(rest, k), JointAt(rest, k + 1)};
}

bool EqualSpans(const RodRest& rest, int a, int b) {
  if (a < 0 || b < 0) return false;
  return EquallyLong(rest.joint[a].voronoi_length, rest.joint[b].voronoi_length);
}

bool Alike(const RodRest& rest, std::span<const RodStiffness> stiffness, int a, int b) {
  if (!EqualSpans(rest, a, b)) return false;
  for (int j = 0; j < 2; ++j) {
    const double first = stiffness[a].EI[j], second = stiffness[b].EI[j];
    if (std::max(first, second) > kTaper * std::min(first, second)) return false;
  }
  return true;
}

// Softness of the two outermost joints at an end, the first of them a half joint if the rod is
// clamped at its node there. The work of a moment M and a virtual moment m is the integral of M m,
// here the sum over the joints. At an end both differ by multiples of l^2 (M m)', as the terms of
// the turns' changes do there; with these factors all of them cancel for moments that are
// proportional to each other. At a free end both moments vanish.
void SoftenEnd(int first, int step, bool clamped, std::span<const RodStiffness> stiffness,
               RodRest* rest) {
  const int whole = first + (clamped ? step : 0);
  const int last = whole + 2 * step;
  if (last < 0 || last >= rest->joints() || !Alike(*rest, stiffness, whole, whole + step) ||
      !Alike(*rest, stiffness, whole + step, last)) {
    return;
  }
  if (!clamped) {
    rest->softness[first] = 13. / 12;
    rest->softness[first + step] = 11. / 12;
    return;
  }
  // A half joint softer than its neighbour contains a spring in series, which keeps its stiffness.
  const auto &half = stiffness[first].EI, &EI = stiffness[whole].EI;
  const double share = 0.5 * (half[0] / EI[0] + half[1] / EI[1]);
  if (share > kTaper) return;
  rest->softness[first] = 1 - share / 12;
  rest->softness[whole] = 25. / 24;
}

// Softens the joints at the ends, and on either side of junctions, over which the moment has a
// step.
void SoftenEnds(std::span<const RodStiffness> stiffness, RodRest* rest) {
  const int last = rest->links() - 1;
  if (!rest->closed) {
    SoftenEnd(0, 1, rest->length[0] == 0, stiffness, rest);
    SoftenEnd(rest->joints() - 1, -1, rest->length[last] == 0, stiffness, rest);
  }
  for (int k = 1; k < last; ++k) {
    if (rest->length[k] > 0) continue;
    SoftenEnd(k - 1, -1, true, stiffness, rest);
    SoftenEnd(k, 1, true, stiffness, rest);
  }
}

constexpr int kLanes = kCloneLanes;  // links evaluated at a time
using Lanes = Pack<kLanes>;

// A window that moves along a rod: links k = first, first + 1, ... and the directions of their
// neighbours, from link k - 2 to k + 2. Halves of links are turned by the material that joins them:
// all directions are in the axes of the near half at which the window started, and each cut since
// then turns by near far^T.
class LinkWindow {
 public:
  LinkWindow(const RodRest& rest, const RodFrames& frames) : rest_(rest), frames_(frames) {
    carry_[0].setIdentity();
    for (int j = 0; j < kReach; ++j) Enter(j);
  }

  bool ended() const { return first_ >= rest_.links(); }

  void Advance() {
    first_ += kLanes;
    std::copy(seen_.begin() + kLanes, seen_.end(), seen_.begin());
    for (int j = kReach - kLanes; j < kReach; ++j) Enter(j);
  }

  // Its terms are 0 where there is none.
  const RodRest::WideLink& link(int lane) const { return rest_.wide[first_ + lane]; }
  int index(int lane) const { return first_ + lane; }

  // Joint m of the four next to a lane's link, k - 2 + m, or -1.
  int Joint(int lane, int m) const { return JointAt(rest_, first_ + lane - 2 + m); }

  WideTurnsOf<Lanes> Turns() const {
    std::array<Vector3Of<Lanes>, 5> t;
    for (int m = 0; m < 5; ++m) {
      t[m] = Gather<kLanes>([&](int lane) -> const Vector3& { return seen_[m + lane].direction; });
    }
    return {t[2], {t[1] - t[0], t[2] - t[1], t[3] - t[2], t[4] - t[3]}};
  }

  HolonomyWeightsOf<Lanes> Holonomy() const {
    const auto weight = [this](double HolonomyWeights::* which) {
      return Numbers([which](const auto& link) { return link.holonomy.*which; });
    };
    return {weight(&HolonomyWeights::near), weight(&HolonomyWeights::skew),
            weight(&HolonomyWeights::far), weight(&HolonomyWeights::quartic)};
  }
  template <class Get>
  Lanes Numbers(const Get& get) const {
    return GatherNumbers<kLanes>([&](int lane) { return get(link(lane)); });
  }
  // Of joint m of the four next to each link; 0 where there is none.
  template <class Get>
  Lanes OfJoints(int m, const Get& get) const {
    return GatherNumbers<kLanes>([&](int lane) {
      const int joint = Joint(lane, m);
      return joint < 0 ? 0 : get(joint);
    });
  }

  // Adds to the couples on the links beyond the four joints next to each link.
  void Add(const std::array<Vector3Of<Lanes>, 4>& by_joint) {
    for (int m = 0; m < 4; ++m) {
      for (int lane = 0; lane < kLanes; ++lane) {
        seen_[m + lane].couple += VectorOf(by_joint[m], lane);
      }
    }
  }

  // Hands over the couples of the joints that the window leaves when it advances; at the end of the
  // rod those of all.
  void Release(std::span<Vector3> couples) const {
    const int leaving = first_ + kLanes < rest_.links() ? kLanes : kReach - 1;
    for (int j = 0; j < leaving; ++j) {
      const int joint = Joint(0, j);
      if (joint < 0) continue;
      const Seen& seen = seen_[j];
      couples[joint] +=
          cuts_ ? carry_[seen.cuts % kCarries].transpose() * seen.couple : seen.couple;
    }
  }

 private:
  static constexpr int kReach = kLanes + 4;
  static constexpr int kCarries = 8;  // more than the links in the window

  struct Seen {
    Vector3 direction;
    Vector3 couple;  ///< on the links beyond the joint after this link
    int cuts;        ///< up to that joint
  };

  // Link first - 2 + j; an end link in place of those beyond it, so that these turn by nothing.
  int Link(int j) const {
    const int k = first_ - 2 + j, count = rest_.links();
    return rest_.closed ? (k + count) % count : std::clamp(k, 0, count - 1);
  }

  void Enter(int j) {
    const int k = Link(j);
    const Frame& near = frames_.near[k];
    Seen& seen = seen_[j];
    if (j > 0 && Link(j - 1) == k) {
      seen.direction = seen_[j - 1].direction;
    } else {
      seen.direction = near.col(0);
      if (cuts_) seen.direction = carry_[cuts_ % kCarries] * seen.direction;
    }
    if (frames_.split() && Link(j + 1) != k && near != frames_.far[k]) {
      const Frame turn = near * frames_.far[k].transpose();
      carry_[(cuts_ + 1) % kCarries] = carry_[cuts_ % kCarries] * turn;
      ++cuts_;
    }
    seen.cuts = cuts_;
    seen.couple.setZero();
  }

  const RodRest& rest_;
  const RodFrames& frames_;
  int first_ = 0, cuts_ = 0;
  std::array<Seen, kReach> seen_;
  // After each of the last cuts: from the axes of the far half to those of all directions.
  std::array<Frame, kCarries> carry_;
};

// Terms of an isotropic rod that is straight at rest.
Lanes AddTurnChanges(const LinkWindow& window, const WideTurnsOf<Lanes>& turns,
                     WideTurnsOf<Lanes>* gradient) {
  std::array<Lanes, 4> scale;
  std::array<Vector3Of<Lanes>, 4> scaled, slope;
  for (int m = 1; m < 4; ++m) {
    scale[m] = window.Numbers([m](const auto& link) { return link.firmness[m - 1]; });
    scaled[m] = scale[m] * turns.turn[m];
    slope[m].setZero();
  }
  const Lanes change = window.Numbers([](const auto& link) { return 0.5 * link.change[0]; });
  const Lanes second = window.Numbers([](const auto& link) { return 0.5 * link.second_change; });
  const Lanes energy = change * TurnChange(scaled[1], scaled[2], change, &slope[1], &slope[2]) +
                       second * TurnSecondChange(scaled[1], scaled[2], scaled[3], second, &slope[1],
                                                 &slope[2], &slope[3]);
  for (int m = 1; m < 4; ++m) gradient->turn[m] += scale[m] * slope[m];
  return energy;
}

// One side of the change of material curvatures over a link.
struct LinkSide {
  LinkSide(const RodRest& rest, int i, const Frame& a, const Frame& b, int given_side)
      : joint(a.col(0), b.col(0)),
        frame(given_side ? b : a),
        measure(EvaluateMeasure(rest.measure, joint)),
        side(given_side),
        w(MaterialCurvature(Vector3(measure.g * joint.axis), frame)) {
    for (int j = 0; j < 2; ++j) {
      excess[j] = (w[j] - rest.joint[i].bend.natural[side][j]) / rest.softness[i];
    }
  }

  // Couple on the joint's second link from the derivatives of the energy by w.
  Vector3 Couple(const std::array<double, 2>& force) const {
    JointGradient gradient = JointGradient::Zero();
    const Vector3 along = MaterialVector(force, frame);
    internal::AddCurvatureGradient<double>(joint, measure, along, &gradient);
    gradient[side ? kAngleB : kAngleA] = force[0] * w[1] - force[1] * w[0];
    return CoupleOnB(joint, gradient);
  }

  JointGeometry joint;
  const Frame& frame;
  MeasureValue measure;
  int side;
  std::array<double, 2> w;
  std::array<double, 2> excess;
};

// Term of a general rod: the change over link k, between two joints, of its material curvatures.
double AddCurvatureChange(const RodRest& rest, const RodFrames& frames, int k, int before,
                          int after, std::span<Vector3> couples) {
  const LinkSide first(rest, before, frames.far[before], frames.near[k], 1);
  const LinkSide second(rest, after, frames.far[after], frames.near[rest.next(after)], 0);
  double energy = 0;
  std::array<double, 2> on_first, on_second;
  for (int j = 0; j < 2; ++j) {
    const double change = second.excess[j] - first.excess[j];
    const double force = rest.wide[k].change[j] / 12 * change;
    energy += 0.5 * force * change;
    on_first[j] = -force / rest.softness[before];
    on_second[j] = force / rest.softness[after];
  }
  if (!couples.empty()) {
    couples[before] += first.Couple(on_first);
    couples[after] += second.Couple(on_second);
  }
  return energy;
}

}  // namespace

bool EquallyLong(double a, double b) {
  constexpr double kSpread = 0.01;
  return std::abs(a - b) <= kSpread * std::min(a, b);
}

void SetWideTerms(int order, std::span<const RodStiffness> stiffness, RodRest* rest) {
  rest->wide.resize(rest->links() + kLanes - 1);
  if (rest->closed && rest->links() < 6) return;
  for (int k = 0; k < rest->links(); ++k) {
    RodRest::WideLink& link = rest->wide[k];
    const auto [outer_before, before, after, outer_after] = JointsAround(*rest, k);
    if (rest->length[k] == 0 || !EqualSpans(*rest, before, after)) continue;
    const bool far =
        EqualSpans(*rest, outer_before, before) && EqualSpans(*rest, after, outer_after);
    link.holonomy = !far ? kNarrowHolonomy : order == 4 ? kHolonomy4 : kHolonomy6;
    if (!Alike(*rest, stiffness, before, after)) continue;
    for (int j = 0; j < 2; ++j) {
      const double EI = 0.5 * (stiffness[before].EI[j] + stiffness[after].EI[j]);
      link.change[j] = EI / rest->joint[after].voronoi_length;
    }
    if (order == 6 && rest->isotropic_straight && Alike(*rest, stiffness, after, outer_after)) {
      link.second_change = stiffness[after].EI[0] / rest->joint[after].voronoi_length;
    }
  }
  SoftenEnds(stiffness, rest);
  for (int i = 0; i < rest->joints(); ++i) {
    for (double& bend : rest->joint[i].bend.stiffness) bend /= rest->softness[i];
  }
  for (int k = 0; k < rest->links(); ++k) {
    const std::array<int, 4> joints = JointsAround(*rest, k);
    for (int m = 0; m < 3; ++m) {
      const int joint = joints[m + 1];
      rest->wide[k].firmness[m] = joint < 0 ? 0 : 1 / rest->softness[joint];
    }
  }
}

STRAND_FLAT_CLONES
void CorrectTwists(const RodRest& rest, const RodFrames& frames, std::span<double> twists) {
  if (rest.wide.empty()) return;
  for (LinkWindow window(rest, frames); !window.ended(); window.Advance()) {
    const Lanes half =
        Lanes(0.5) * WideHolonomy<Lanes>(window.Holonomy(), window.Turns(), Lanes(0), nullptr);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!window.link(lane).holonomy.exist()) continue;
      for (int m : {1, 2}) twists[window.Joint(lane, m)] -= half[lane];
    }
  }
}

STRAND_FLAT_CLONES
double AddWideTerms(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                    std::span<Vector3> couples) {
  Lanes energy(0);
  double general = 0;
  const auto moment = [&](int i) { return TwistMoment(rest.joint[i].twist, twists[i]); };
  for (LinkWindow window(rest, frames); !window.ended(); window.Advance()) {
    const WideTurnsOf<Lanes> turns = window.Turns();
    WideTurnsOf<Lanes> gradient;
    gradient.SetZero();
    if (rest.isotropic_straight) energy += AddTurnChanges(window, turns, &gradient);
    for (int lane = 0; lane < kLanes && !rest.isotropic_straight; ++lane) {
      const auto& change = window.link(lane).change;
      if (change[0] == 0 && change[1] == 0) continue;
      general += AddCurvatureChange(rest, frames, window.index(lane), window.Joint(lane, 1),
                                    window.Joint(lane, 2), couples);
    }
    if (couples.empty()) continue;
    const Lanes mean = Lanes(0.5) * (window.OfJoints(1, moment) + window.OfJoints(2, moment));
    WideHolonomy<Lanes>(window.Holonomy(), turns, -mean, &gradient);
    window.Add(WideCouples(turns, gradient));
    window.Release(couples);
  }
  return Sum(energy) + general;
}

}  // namespace strand
