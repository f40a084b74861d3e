#include "plugin/mujoco/generator/softness.h"

namespace strand::mujoco {
namespace {

constexpr double kLargestImpedance = 0.9999;  // MuJoCo's upper limit
// MuJoCo's defaults for the remaining values of `solimp`, which shape how d rises with depth.
constexpr double kMidpoint = 0.5, kPower = 2;

}  // namespace

Softness ContactSoftness(bool discrete, double timestep) {
  const double h = timestep;
  // Under a load of a hundred times its weight a link sinks by 10 to 11 h^2.
  const double width = 12 * h * h;
  const std::array<double, 2> solref{discrete ? h : 2 * h, 2};
  return {solref, {0.95, kLargestImpedance, width, kMidpoint, kPower}};
}

Softness HoldSoftness(bool discrete, double timestep, Held held) {
  const double h = timestep;
  std::array<double, 2> solref = {2 * h, 0.6};
  if (held == Held::kCut) solref[1] = 0.72;
  if (held == Held::kBody) solref = {3 * h, 1};
  Softness softness{solref, {kLargestImpedance, kLargestImpedance, 0.001, kMidpoint, kPower}};
  // Negative values give stiffness and damping directly. With time constants MuJoCo would increase
  // one that is too short for a time step chosen later.
  if (discrete) softness.solref = {-40 / (h * h), -1 / h};
  return softness;
}

double CutOpening(bool discrete, double tension, double link_mass, double timestep) {
  return (discrete ? 1.5 : 3) / link_mass * tension * timestep * timestep * (1 - kLargestImpedance);
}

}  // namespace strand::mujoco
