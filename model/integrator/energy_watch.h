// What a run's energy comes from, and how much of it the time stepping itself has made.
//
// In a step, M (v_1 - v_0) moves on from what forces do. What kinetic and potential energy grow by,
// less the work of driven degrees of freedom, of forces without a potential and of loads, is made
// by the time stepping: usually less than nothing (it damps). Where it makes energy step after
// step, the motion is going to explode.
#pragma once

#include <span>
#include <vector>

#include "model/energy/force.h"

namespace strand {

/// J.
struct Potentials {
  double internal = 0;  ///< elastic energy, and what else has a least value
  double contact = 0;
  double external = 0;  ///< weight, loads

  double sum() const { return internal + contact + external; }
  void Add(EnergyKind kind, double energy) {
    if (kind == EnergyKind::kDissipated) return;
    (kind == EnergyKind::kExternal  ? external
     : kind == EnergyKind::kContact ? contact
                                    : internal) += energy;
  }
};

/// Of one step, J.
struct EnergyBalance {
  double kinetic_before = 0, kinetic = 0;  ///< at its start and end
  double mean = 0;                         ///< kinetic energy of the mean velocities
  double made = 0;                         ///< by the time stepping; negative: lost
  double work = 0;                         ///< of what is driven and of forces without a potential
  double pushed = 0;                       ///< part of it that obstacles on their way do
  double noise = 0;                        ///< round-off of `made`
  double dissipated = 0;                   ///< by drag and damping
  double doubt = 0;  ///< part of it that the forces' change in the step explains
  Potentials start, end;
};

/// The book of a run.
struct EnergyBook {
  double supplied = 0;  ///< J, at the start, and by what drives it
  double weight = 0;    ///< J, work of weight and loads; farthest: its largest size
  double farthest = 0;
  double growing = 0;  ///< J made since it has last been lost
  double made = 0;     ///< J, altogether
  Potentials last;     ///< at the end of the last step, and
  double last_kinetic = 0;
  bool open = false;  ///< whether there is a last step

  /// All energy that the motion can have, J.
  double available() const { return supplied + farthest; }
  /// For checkpoints.
  std::vector<double> Numbers() const;
  static EnergyBook From(std::span<const double> numbers);
  /// Takes in a step that has been accepted.
  void Enter(const EnergyBalance& step);
};

}  // namespace strand
