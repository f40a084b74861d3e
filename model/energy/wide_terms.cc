#include "model/energy/wide_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace strand {
namespace {

// Ratio of two neighbouring joints' stiffnesses up to which they count as a taper. At larger steps
// the curvature itself has a step, over which the terms would be wrong.
constexpr double kTaper = 1.25;

// The joints k-2 .. k+1 next to link k; -1 where there is none.
std::array<int, 4> JointsAround(const RodRest& rest, int k) {
  const int count = rest.joints();
  std::array<int, 4> joints{k - 2, k - 1, k, k + 1};
  for (int& i : joints) {
    if (i < 0) i = rest.closed ? i + count : -1;
    if (i >= count) i = rest.closed ? i - count : -1;
  }
  return joints;
}

bool EquallyLong(const RodRest& rest, int a, int b) {
  if (a < 0 || b < 0) return false;
  const double first = rest.joint[a].voronoi_length, second = rest.joint[b].voronoi_length;
  return std::abs(first - second) <= 1e-6 * first;
}

bool Alike(const RodRest& rest, std::span<const RodStiffness> stiffness, int a, int b) {
  if (!EquallyLong(rest, a, b)) return false;
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

// Link k and the turns of its joints, in the axes of its near half if links are split.
class Window {
 public:
  Window(const RodRest& rest, const RodFrames& frames, int k) : joints_(JointsAround(rest, k)) {
    turns_.direction = frames.near[k].col(0);
    for (int m = 0; m < 4; ++m) {
      const int i = joints_[m];
      if (i >= 0) {
        turns_.turn[m] = frames.near[rest.next(i)].col(0) - frames.far[i].col(0);
      } else {
        turns_.turn[m].setZero();
      }
    }
    if (frames.split()) Carry(rest, frames, k);
  }

  const WideTurns& turns() const { return turns_; }
  int joint(int m) const { return joints_[m]; }  ///< k - 2 + m

  // Adds the couples on the links beyond each joint, from the energy's gradient.
  void AddCouples(const WideTurns& gradient, std::span<Vector3> couples) const {
    const auto& [by_direction, by_turn] = gradient;
    const auto& turn = turns_.turn;
    Vector3 direction = turns_.direction - turn[1] - turn[0];
    Vector3 by_link = -by_turn[0], couple = Vector3::Zero();
    for (int m = 0; m < 4; ++m) {
      couple += direction.cross(by_link);
      if (joints_[m] >= 0) couples[joints_[m]] += split_ ? carry_[m].transpose() * couple : couple;
      direction += turn[m];
      by_link = by_turn[m];
      if (m < 3) by_link -= by_turn[m + 1];
      if (m == 1) by_link += by_direction;
    }
  }

 private:
  // Turns the turns of joints beyond split links into the axes of link k's near half.
  void Carry(const RodRest& rest, const RodFrames& frames, int k) {
    const auto whole = [&](int link) { return frames.near[link] == frames.far[link]; };
    const int before = joints_[1], after = joints_[2] < 0 ? k : rest.next(joints_[2]);
    split_ = !whole(k) || !whole(after) || (before >= 0 && !whole(before));
    if (!split_) return;
    const auto to_near = [&](int link) {
      return Frame(frames.near[link] * frames.far[link].transpose());
    };
    carry_[0] = before >= 0 ? Frame(to_near(before).transpose()) : Frame::Identity();
    carry_[1] = Frame::Identity();
    carry_[2] = to_near(k);
    carry_[3] = carry_[2] * to_near(after);
    for (int m = 0; m < 4; ++m) turns_.turn[m] = carry_[m] * turns_.turn[m];
  }

  std::array<int, 4> joints_;
  bool split_ = false;
  WideTurns turns_;
  std::array<Frame, 4> carry_;
};

// Terms of an isotropic rod that is straight at rest.
double AddTurnChanges(const RodRest& rest, const RodRest::WideLink& link, const Window& window,
                      WideTurns* gradient) {
  std::array<double, 4> scale{};
  std::array<Vector3, 4> scaled, slope;
  slope.fill(Vector3::Zero());
  for (int m = 0; m < 4; ++m) {
    if (window.joint(m) >= 0) scale[m] = 1 / rest.softness[window.joint(m)];
    scaled[m] = scale[m] * window.turns().turn[m];
  }
  double energy = 0;
  const double change = 0.5 * link.change[0], second = 0.5 * link.second_change;
  if (change > 0) energy += change * TurnChange(scaled[1], scaled[2], change, &slope[1], &slope[2]);
  if (second > 0) {
    energy += second * TurnSecondChange(scaled[1], scaled[2], scaled[3], second, &slope[1],
                                        &slope[2], &slope[3]);
  }
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
    const Vector3 along = force[0] * frame.col(1) + force[1] * frame.col(2);
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

// Term of a general rod: the change over a link of its material curvatures, seen from the link.
double AddCurvatureChange(const RodRest& rest, const RodFrames& frames, int k, const Window& window,
                          std::span<Vector3> couples) {
  const int before = window.joint(1), after = window.joint(2);
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

void SetWideTerms(int order, std::span<const RodStiffness> stiffness, RodRest* rest) {
  rest->wide.resize(rest->links());
  if (rest->closed && rest->links() < 6) return;
  for (int k = 0; k < rest->links(); ++k) {
    RodRest::WideLink& link = rest->wide[k];
    const auto [outer_before, before, after, outer_after] = JointsAround(*rest, k);
    if (rest->length[k] == 0 || !EquallyLong(*rest, before, after)) continue;
    const bool far =
        EquallyLong(*rest, outer_before, before) && EquallyLong(*rest, after, outer_after);
    link.holonomy = !far ? &kNarrowHolonomy : order == 4 ? &kHolonomy4 : &kHolonomy6;
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
}

void CorrectTwists(const RodRest& rest, const RodFrames& frames, std::span<double> twists) {
  for (int k = 0; k < static_cast<int>(rest.wide.size()); ++k) {
    const HolonomyWeights* weights = rest.wide[k].holonomy;
    if (!weights) continue;
    const Window window(rest, frames, k);
    const double half = 0.5 * WideHolonomy(*weights, window.turns(), 0, nullptr);
    twists[window.joint(1)] -= half;
    twists[window.joint(2)] -= half;
  }
}

double AddWideTerms(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                    std::span<Vector3> couples) {
  double energy = 0;
  const auto moment = [&](int i) { return TwistMoment(rest.joint[i].twist, twists[i]); };
  for (int k = 0; k < static_cast<int>(rest.wide.size()); ++k) {
    const RodRest::WideLink& link = rest.wide[k];
    if (!link.holonomy) continue;
    const Window window(rest, frames, k);
    WideTurns gradient{Vector3::Zero(), {}};
    gradient.turn.fill(Vector3::Zero());
    if (rest.isotropic_straight) {
      energy += AddTurnChanges(rest, link, window, &gradient);
    } else if (link.change[0] > 0 || link.change[1] > 0) {
      energy += AddCurvatureChange(rest, frames, k, window, couples);
    }
    if (couples.empty()) continue;
    const double mean = 0.5 * (moment(window.joint(1)) + moment(window.joint(2)));
    WideHolonomy(*link.holonomy, window.turns(), -mean, &gradient);
    window.AddCouples(gradient, couples);
  }
  return energy;
}

}  // namespace strand
