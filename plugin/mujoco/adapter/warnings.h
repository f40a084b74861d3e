// Warnings of a plugin instance through mju_warning. Each is given at most once per reset of
// mjData, as MuJoCo's own warnings are; unlike those, they name the cable.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/pull.h"

namespace strand::mujoco {

class Warnings {
 public:
  explicit Warnings(int instance) : instance_(instance) {}

  void Reset() { *this = Warnings(instance_); }

  /// In the first call after a reset, once contacts are known: warns of the link that penetrates
  /// another object most, if by more than a quarter of its geom's thickness. Cables at rest
  /// penetrate by less than a hundredth of it.
  void CheckStart(const mjModel* m, mjData* d);

  /// In the first step: warns of the weld or connect between the cable and something else that is
  /// open widest, if by more than the links' mean length.
  void CheckTiesOpen(const mjModel* m, const mjData* d, const Chain& chain) const;

  /// Counts the steps since the reset. What may be put right after the model is compiled is checked
  /// in the second one, since MuJoCo 3.3 tries a step in its compiler and fails if that warns.
  int CountStep() { return ++steps_; }

  /// Warns if the chain does not carry the weight of what is on it stably (taut.h), and if a weld
  /// or connect would yield visibly under the cable's weight.
  void CheckModel(const mjModel* m, const Chain& chain) const {
    CheckLoad(m, chain);
    CheckTies(m, chain);
  }

  /// Warns if the whole cable has been taut for a while with more tension than it bears stably
  /// (taut.h), or with enough to open its cuts visibly.
  void CheckPull(const mjModel* m, const mjData* d, const Chain& chain, Pull& pull,
                 std::span<const Frame> frames);

  /// Warns if an equality that holds the halves of a link together is switched off.
  void CheckCuts(const mjModel* m, const mjData* d, const Pull& pull);

  /// Warns if what stabilises the cable is switched off: `discrete` integrates springs implicitly,
  /// which the flag `spring` disables.
  void CheckFlags(const mjModel* m) const;

  /// The change of the material in the state cannot be used; `reason` names the number.
  void WarnMaterial(const mjModel* m, const char* reason);

  /// Links are in the guide, and strand.Feeder has not prepared the model for them.
  void WarnUnprepared(const mjModel* m) const;

  bool diverges() const { return diverges_; }
  /// `lacks_discrete`: the model runs with another integrator than the one it was made for.
  void WarnDiverges(const mjModel* m, const mjData* d, bool lacks_discrete);

 private:
  void CheckDepth(const mjModel* m, mjData* d) const;
  void CheckLoad(const mjModel* m, const Chain& chain) const;
  void CheckTies(const mjModel* m, const Chain& chain) const;

  int instance_;
  bool started_ = false, diverges_ = false, material_ = false, loose_ = false;
  int steps_ = 0;
  double stable_ = -1;     ///< tension (N) up to which the chain is stable; -1: not known yet
  double overpulled_ = 0;  ///< s with a higher tension, less those with a lower one; -1: warned
};

}  // namespace strand::mujoco
