// Energy accounting of a run: where the energy comes from, and how much of it the time stepping
// itself has made.
//
// The increase of kinetic and potential energy in a step, less the work of driven degrees of
// freedom, of forces without a potential and of loads, is made by the time stepping. It is usually
// negative (numerical damping). If the time stepping makes energy step after step, the motion will
// explode.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/energy/force.h"

namespace strand {

/// J.
struct Potentials {
  double internal = 0;  ///< elastic energy, and other energies with a lower bound
  double contact = 0;
  double external = 0;  ///< weight, loads

  double sum() const { return internal + contact + external; }
  /// Adds what a force stores.
  void Add(EnergyKind kind, const Evaluation& of) {
    if (kind == EnergyKind::kDissipated) return;
    (kind == EnergyKind::kExternal  ? external
     : kind == EnergyKind::kContact ? contact
                                    : internal) += of.energy - of.dissipated;
  }
};

/// Of one step, J.
struct EnergyBalance {
  double kinetic_before = 0, kinetic = 0;  ///< at its start and end
  double mean = 0;                         ///< kinetic energy of the mean velocities
  double made = 0;                         ///< by the time stepping; negative: lost
  double work = 0;                         ///< of drives and of forces without a potential
  double pushed = 0;                       ///< part of `work`: by driven obstacles
  double noise = 0;                        ///< round-off of `made`
  double dissipated = 0;                   ///< by drag and damping
  double doubt = 0;  ///< part of `made` that the change of forces during the step explains
  Potentials start, end;

  bool touches() const { return start.contact != 0 || end.contact != 0; }
};

/// The energy account of a run.
struct EnergyBook {
  double supplied = 0;  ///< J, energy at the start, plus the work of drives
  double weight = 0;    ///< J, work of weight and loads; farthest: its largest magnitude so far
  double farthest = 0;
  /// J, running sum of the energy made. Losses reduce it, to zero at least; but it is < 0 after a
  /// step without contact that has lost energy, by no more than that step's loss.
  double growing = 0;
  double made = 0;  ///< J, in total
  Potentials last;  ///< at the end of the last step; last_kinetic: kinetic energy there (J)
  double last_kinetic = 0;
  bool open = false;  ///< whether there is a last step

  /// J, lost in the last step.
  double lost() const { return std::max(0.0, -growing); }
  /// Upper bound of the energy that the motion can have, J.
  double available() const { return supplied + farthest; }
  /// For checkpoints.
  std::vector<double> Numbers() const;
  static EnergyBook From(std::span<const double> numbers);
  /// Enters an accepted step.
  void Enter(const EnergyBalance& step);
};

}  // namespace strand
