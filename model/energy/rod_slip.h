// Plasticity and friction between strands of a rod's joints (stencil/slip.h): constants, and the
// layout of their history.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/config/rod_material.h"
#include "model/config/slip_law.h"
#include "model/simd/clones.h"
#include "model/simd/pack.h"
#include "model/stencil/bend.h"
#include "model/stencil/slip.h"
#include "model/stencil/twist.h"

namespace strand {

/// Elements in parallel of all joints of a rod, ready for the loop over its joints.
///
/// About the z axis sliders give way at sqrt(EI_y / EI_z) times the curvature, as in a homogeneous
/// section; both axes together as a moment on the ellipse through both limits. Bending and twisting
/// slip independently of each other.
class RodSlip {
 public:
  RodSlip() = default;

  /// `joints`: one per joint, all with the same numbers of elements, or none: no joint slips.
  /// `span`: of each joint (m). Throws ConfigError if shares or thresholds are invalid.
  RodSlip(std::span<const JointSlip> joints, std::span<const RodStiffness> stiffness,
          std::span<const double> span, const Hardening& hardening);

  bool exists() const { return bend_ + twist_ > 0; }

  /// Numbers of history per joint with these counts of elements.
  static int HistoryPerJoint(int bend, int twist) { return 3 * bend + 2 * twist; }
  int history_size() const { return HistoryPerJoint(bend_, twist_) * joints_; }

  /// Scales all thresholds from now on.
  void Scale(double factor) { scale_ = factor; }

  /// Curvature set (2 per joint, rad, as BendRest::natural) and twist set (rad) by a history.
  std::array<double, 2> BendSet(std::span<const double> history, int joint) const;
  double TwistSet(std::span<const double> history, int joint) const;

  int bend_elements() const { return bend_; }
  int twist_elements() const { return twist_; }
  /// Element e of a joint, its threshold in units of x (rad, scaled about z by `ratio`).
  SlipElement bend_element(int e, int joint) const {
    const int at = e * joints_ + joint;
    return {bend_share_[at], scale_ * bend_threshold_[at]};
  }
  SlipElement twist_element(int e, int joint) const {
    const int at = e * joints_ + joint;
    return {twist_share_[at], scale_ * twist_threshold_[at]};
  }
  double ratio(int joint) const { return ratio_[joint]; }  ///< sqrt(EI_z / EI_y)
  const Hardening& hardening() const { return hardening_; }
  /// Places of an element's slip (c = 0, 1) and path (2), or of its slip (0) and path (1) in
  /// twisting, in the history: arrays over joints.
  int BendAt(int e, int c, int joint) const { return (3 * e + c) * joints_ + joint; }
  int TwistAt(int e, int c, int joint) const { return (3 * bend_ + 2 * e + c) * joints_ + joint; }

 private:
  int joints_ = 0, bend_ = 0, twist_ = 0;
  Hardening hardening_;
  double scale_ = 1;
  std::vector<double> ratio_;
  std::vector<double> bend_share_, bend_threshold_, twist_share_, twist_threshold_;  // (e, joint)
};

/// The joints of one pack: moves their natural shapes to where their elements have slipped.
template <int W>
class SlipPack {
 public:
  using T = Pack<W>;

  /// `at(lane)`: joint of a lane. `from`: the accepted history.
  template <class At>
  SlipPack(const RodSlip& law, std::span<const double> from, const At& at)
      : law_(law), from_(from) {
    for (int lane = 0; lane < W; ++lane) joint_[lane] = at(lane);
  }

  /// `excess`: mean of both sides' curvatures beyond the elastic natural ones. `to` receives the
  /// history unless it is empty. Returns the energy that is locked in.
  T Bend(const std::array<T, 2>& excess, std::span<double> to, BendRestOf<T>* rest) const {
    const T ratio = Numbers([&](int i) { return law_.ratio(i); });
    const std::array<T, 2> x{excess[0], ratio * excess[1]};
    std::array<T, 2> set{T(0), T(0)};
    T locked(0);
    for (int e = 0; e < law_.bend_elements(); ++e) {
      const auto place = [&](int c, int i) { return law_.BendAt(e, c, i); };
      const auto element = [&](int i) { return law_.bend_element(e, i); };
      const T share = Numbers([&](int i) { return element(i).share; });
      const SlipHistory<T, 2> at =
          Slip<T, 2>(x, Numbers([&](int i) { return element(i).threshold; }), law_.hardening(),
                     {{Load(place, 0), Load(place, 1)}, Load(place, 2)});
      for (int j = 0; j < 2; ++j) set[j] += share * at.slipped[j];
      locked += LockedEnergy<T, 2>(share, law_.hardening(), at);
      Store(to, place, std::array{at.slipped[0], at.slipped[1], at.path});
    }
    for (auto& natural : rest->natural) natural[0] += set[0], natural[1] += set[1] / ratio;
    return rest->stiffness[0] * (locked - T(0.5) * (set[0] * set[0] + set[1] * set[1]));
  }

  /// The same for twists.
  T Twist(const T& excess, std::span<double> to, TwistRestOf<T>* rest) const {
    T set(0), locked(0);
    for (int e = 0; e < law_.twist_elements(); ++e) {
      const auto place = [&](int c, int i) { return law_.TwistAt(e, c, i); };
      const auto element = [&](int i) { return law_.twist_element(e, i); };
      const T share = Numbers([&](int i) { return element(i).share; });
      const SlipHistory<T, 1> at =
          Slip<T, 1>({excess}, Numbers([&](int i) { return element(i).threshold; }),
                     law_.hardening(), {{Load(place, 0)}, Load(place, 1)});
      set += share * at.slipped[0];
      locked += LockedEnergy<T, 1>(share, law_.hardening(), at);
      Store(to, place, std::array{at.slipped[0], at.path});
    }
    rest->natural += set;
    return rest->stiffness * (locked - T(0.5) * set * set);
  }

 private:
  template <class Get>
  T Numbers(const Get& get) const {
    return GatherNumbers<W>([&](int lane) { return get(joint_[lane]); });
  }
  template <class Place>
  T Load(const Place& place, int c) const {
    return Numbers([&](int i) { return from_[place(c, i)]; });
  }
  template <class Place, size_t C>
  void Store(std::span<double> to, const Place& place, const std::array<T, C>& numbers) const {
    if (to.empty()) return;
    for (int lane = 0; lane < W; ++lane) {
      for (size_t c = 0; c < C; ++c)
        to[place(static_cast<int>(c), joint_[lane])] = numbers[c][lane];
    }
  }

  const RodSlip& law_;
  std::span<const double> from_;
  std::array<int, W> joint_;
};

}  // namespace strand
