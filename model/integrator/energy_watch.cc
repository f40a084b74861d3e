#include "model/integrator/energy_watch.h"

#include <algorithm>
#include <cmath>

namespace strand {

void EnergyBook::Enter(const EnergyBalance& step) {
  if (!open) supplied = step.kinetic_before + step.start.internal + step.start.contact;
  // Changes between steps supply energy: of natural curvatures and the like, of velocities, and of
  // contact stiffness that has adapted.
  const double changed = open ? step.start.internal - last.internal : 0;
  const double stiffened = open ? step.start.contact - last.contact : 0;
  const double pushed = open ? step.kinetic_before - last_kinetic : 0;
  supplied += std::abs(changed) + std::abs(stiffened) + std::max(0.0, pushed) + std::abs(step.work);
  weight += step.start.external - step.end.external;
  farthest = std::max(farthest, std::abs(weight));
  made += step.made;
  const double least = step.touches() ? 0 : std::min(0.0, step.made);
  growing = std::max(least, growing + step.made - step.doubt);
  last = step.end, last_kinetic = step.kinetic, open = true;
}

std::vector<double> EnergyBook::Numbers() const {
  return {supplied,      weight,       farthest,      growing,      made,
          last.internal, last.contact, last.external, last_kinetic, open ? 1.0 : 0.0};
}

EnergyBook EnergyBook::From(std::span<const double> n) {
  return {n[0], n[1], n[2], n[3], n[4], {n[5], n[6], n[7]}, n[8], n[9] != 0};
}

}  // namespace strand
