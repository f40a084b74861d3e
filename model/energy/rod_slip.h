// Plasticity and friction between strands of a rod's joints (stencil/slip.h): constants, the layout
// of their history, and the loop over a joint's elements.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/config/rod_material.h"
#include "model/config/slip_law.h"
#include "model/simd/pack.h"
#include "model/stencil/bend.h"
#include "model/stencil/slip.h"
#include "model/stencil/twist.h"

namespace strand {

/// Elements of all joints of a rod with D strains each: 2 in bending, 1 in twisting. Arrays are
/// over elements, then joints.
template <int D>
struct SlipElements {
  int count = 0, joints = 0;             ///< elements of each joint; joints
  int first = 0;                         ///< place of their history
  std::vector<double> share, threshold;  ///< threshold: strain (rad; about z, scaled: RodSlip)

  int at(int e, int joint) const { return e * joints + joint; }
  /// Place in the history of strain c of what an element has slipped, or of its path (c = D).
  int Place(int e, int c, int joint) const { return first + at((D + 1) * e + c, joint); }

  /// What a history adds to the natural strains of a joint.
  std::array<double, D> Set(std::span<const double> history, int joint) const {
    std::array<double, D> set{};
    for (int e = 0; e < count; ++e) {
      for (int j = 0; j < D; ++j) set[j] += share[at(e, joint)] * history[Place(e, j, joint)];
    }
    return set;
  }
};

/// Elements in parallel of all joints of a rod, ready for the loop over its joints.
///
/// About the z axis sliders give way at sqrt(EI_y / EI_z) times the curvature, as in a homogeneous
/// section; both axes together as a moment on the ellipse through both limits. The strain about z
/// is therefore scaled by `ratio`. Bending and twisting slip independently of each other.
class RodSlip {
 public:
  RodSlip() = default;

  /// `joints`: one per joint, all with the same numbers of elements, or none: no joint slips.
  /// `span`: of each joint (m). Throws ConfigError if numbers, shares or thresholds are invalid.
  RodSlip(std::span<const JointSlip> joints, std::span<const RodStiffness> stiffness,
          std::span<const double> span, const Hardening& hardening);

  bool exists() const { return bend_.count + twist_.count > 0; }

  /// Numbers of history per joint with these counts of elements.
  static int HistoryPerJoint(int bend, int twist) { return 3 * bend + 2 * twist; }
  int history_size() const { return HistoryPerJoint(bend_.count, twist_.count) * bend_.joints; }

  /// Scales all thresholds from now on.
  void Scale(double factor) { scale_ = factor; }

  const SlipElements<2>& bend() const { return bend_; }
  const SlipElements<1>& twist() const { return twist_; }
  double ratio(int joint) const { return ratio_[joint]; }  ///< sqrt(EI_z / EI_y)
  const Hardening& hardening() const { return hardening_; }

  /// Curvature set (2 per joint, rad, as BendRest::natural) and twist set (rad) by a history.
  std::array<double, 2> BendSet(std::span<const double> history, int joint) const {
    const auto [y, z] = bend_.Set(history, joint);
    return {y, z / ratio_[joint]};
  }
  double TwistSet(std::span<const double> history, int joint) const {
    return twist_.Set(history, joint)[0];
  }

  /// Moves the elements of the joints in `lanes` (OneJoint, JointLanes) to the strains x, from the
  /// accepted history `from`. Calls visit(share, threshold, before, after) for each. `to` receives
  /// the history unless it is empty.
  template <class T, int D, class Lanes, class Visit>
  void Move(const SlipElements<D>& elements, const std::array<T, D>& x,
            std::span<const double> from, std::span<double> to, const Lanes& lanes,
            const Visit& visit) const {
    for (int e = 0; e < elements.count; ++e) {
      const auto number = [&](int c) {
        return lanes.Numbers([&](int i) { return from[elements.Place(e, c, i)]; });
      };
      SlipHistory<T, D> before;
      for (int j = 0; j < D; ++j) before.slipped[j] = number(j);
      before.path = number(D);
      const T share = lanes.Numbers([&](int i) { return elements.share[elements.at(e, i)]; });
      const T threshold =
          lanes.Numbers([&](int i) { return scale_ * elements.threshold[elements.at(e, i)]; });
      const SlipHistory<T, D> after = Slip<T, D>(x, threshold, hardening_, before);
      visit(share, threshold, before, after);
      if (to.empty()) continue;
      const auto store = [&](int c, const T& value) {
        lanes.Store(value, [&](int i) -> double& { return to[elements.Place(e, c, i)]; });
      };
      for (int j = 0; j < D; ++j) store(j, after.slipped[j]);
      store(D, after.path);
    }
  }

 private:
  SlipElements<2> bend_;
  SlipElements<1> twist_;
  Hardening hardening_;
  double scale_ = 1;
  std::vector<double> ratio_;
};

/// One joint, for RodSlip::Move.
struct OneJoint {
  int joint;
  template <class Get>
  double Numbers(const Get& get) const {
    return get(joint);
  }
  template <class Place>
  void Store(double value, const Place& place) const {
    place(joint) = value;
  }
};

/// W joints, one in each lane.
template <int W>
struct JointLanes {
  std::array<int, W> joint;
  template <class Get>
  Pack<W> Numbers(const Get& get) const {
    return GatherNumbers<W>([&](int lane) { return get(joint[lane]); });
  }
  template <class Place>
  void Store(const Pack<W>& value, const Place& place) const {
    for (int lane = 0; lane < W; ++lane) place(joint[lane]) = value[lane];
  }
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
    for (int lane = 0; lane < W; ++lane) lanes_.joint[lane] = at(lane);
  }

  /// `excess`: mean of both sides' curvatures beyond the elastic natural ones. `to` receives the
  /// history unless it is empty. Returns the energy that is locked in.
  T Bend(const std::array<T, 2>& excess, std::span<double> to, BendRestOf<T>* rest) const {
    const T ratio = lanes_.Numbers([&](int i) { return law_.ratio(i); });
    const auto [set, locked] = Moved<2>(law_.bend(), {excess[0], ratio * excess[1]}, to);
    for (auto& natural : rest->natural) natural[0] += set[0], natural[1] += set[1] / ratio;
    return rest->stiffness[0] * locked;
  }

  /// The same for twists.
  T Twist(const T& excess, std::span<double> to, TwistRestOf<T>* rest) const {
    const auto [set, locked] = Moved<1>(law_.twist(), {excess}, to);
    rest->natural += set[0];
    return rest->stiffness * locked;
  }

 private:
  template <int D>
  struct Result {
    std::array<T, D> set;  ///< added to the natural strains
    T locked;              ///< energy per stiffness
  };

  template <int D>
  Result<D> Moved(const SlipElements<D>& elements, const std::array<T, D>& x,
                  std::span<double> to) const {
    Result<D> result;
    for (T& of : result.set) of = T(0);
    result.locked = T(0);
    law_.Move<T, D>(elements, x, from_, to, lanes_,
                    [&](const T& share, const T&, const auto&, const SlipHistory<T, D>& after) {
                      for (int j = 0; j < D; ++j) result.set[j] += share * after.slipped[j];
                      result.locked += LockedEnergy<T, D>(share, law_.hardening(), after);
                    });
    for (const T& of : result.set) result.locked -= T(0.5) * of * of;
    return result;
  }

  const RodSlip& law_;
  std::span<const double> from_;
  JointLanes<W> lanes_;
};

}  // namespace strand
