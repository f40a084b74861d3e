#include "plugin/mujoco/adapter/softness.h"

#include <algorithm>
#include <cmath>

namespace strand::mujoco {
namespace {

constexpr double kLargestImpedance = 0.9999;  // MuJoCo's upper limit

}  // namespace

Softness ContactSoftness(bool discrete, double timestep, double half_thickness) {
  const double h = timestep, r = half_thickness;
  constexpr double kThin = 360, kMedium = 700, kThick = 1000;  // h^2
  const double part = (r / (h * h) - kMedium) / (kThick - kMedium);
  const double thick = discrete ? std::clamp(part, 0.0, 1.0) : 0;
  const double shorter = std::lerp(1, 2.75, thick);
  const double time_constant = (discrete ? h : 2 * h) / shorter;
  // More damping is less creep but a softer contact, in which thin cables would sink in too far.
  constexpr double kLeastRatio = 2, kSoft = 100;  // 1, h^2
  const double recovery = discrete ? 0.032 : 0.06, most = std::sqrt(recovery / (2 * time_constant));
  const double wanted = std::sqrt(shorter * r / kSoft) / h;
  const std::array<double, 2> solref = {time_constant,
                                        std::max(kLeastRatio, std::min(wanted, most))};
  constexpr double kFirm = 0.95, kFirmWidth = 12;  // d, h^2
  if (!discrete && r < kThin * h * h) {
    return {solref, {kFirm, kLargestImpedance, kFirmWidth * h * h, kMidpoint, kPower}};
  }
  // 1 - d falls exponentially from its value at the surface, by e over the depth width / power.
  constexpr double kEarly = 0.05, kFast = 10;  // midpoint, power
  const double at_surface = std::lerp(0.1, 0.04, thick);
  constexpr double kGravity = 9.81;
  const double widest = r / (discrete ? 40 : 28), at_rest = r * (discrete ? 0.016 : 0.0125);
  const double stiffness = 1 / std::pow(solref[0] * solref[1], 2);
  // 1 - d at rest, as a fraction of 1 - d at the surface.
  const double open = stiffness * at_rest / ((1 - at_surface) * kGravity);
  const double width = open < 1 ? std::min(widest, -kFast * at_rest / std::log(open)) : widest;
  return {solref, {at_surface, kLargestImpedance, width, kEarly, kFast}};
}

double LateRatio(double lag) {
  constexpr double kReserve = 10, kMostRatio = 2;  // of damping over stiffness times the lag
  return std::clamp(std::sqrt(kReserve * lag) / 2, kEndRatio, kMostRatio);
}

Softness HoldSoftness(bool discrete, double timestep, double damping_ratio) {
  const double h = timestep;
  Softness softness{{2 * h, damping_ratio},
                    {kLargestImpedance, kLargestImpedance, 0.001, kMidpoint, kPower}};
  // Negative values give stiffness and damping directly. With time constants MuJoCo would increase
  // one that is too short for a time step chosen later.
  if (discrete) softness.solref = {-40 / (h * h), -1 / h};
  return softness;
}

double Yield(const Softness& softness, double inverse_weight) {
  const auto& [first, second] = softness.solref;
  const double d = std::min(softness.solimp[1], kLargestImpedance);
  const double stiffness = first > 0 ? 1 / std::pow(first * second, 2) : -first;
  return inverse_weight * (1 - d) / stiffness;
}

Softness GivingSoftness(bool discrete, double timestep, const CutLimit& limit) {
  constexpr double kLeastImpedance = 0.8;  // with less, the factor d of the force counts
  // d falls by (r / w)^(3/2) at first, then linearly over the range w. The force rises to 3/4 of
  // k w / A by the whole change of d, stays within a tenth of that, and reaches k w / A at w.
  constexpr double kPlateau = 0.75, kCorner = 3, kRise = 1.5;
  const double h = timestep, yields = limit.force / kPlateau * limit.inverse_mass;  // m/s^2
  Softness softness = HoldSoftness(discrete, timestep, kCutRatio);
  double stiffness = 1 / std::pow(softness.solref[0] * softness.solref[1], 2);
  if (discrete) {
    const double wide = (1 - kLeastImpedance) * yields / limit.give;
    stiffness = std::clamp(wide, 1 / (h * h), -softness.solref[0]);
  }
  const double least = kLargestImpedance - limit.give * stiffness / yields;
  const double d = std::max(kLeastImpedance, least), change = kLargestImpedance - d;
  const double corner = std::min(kCorner * (1 - kLargestImpedance) / change, kMidpoint);
  softness.solimp = {kLargestImpedance, d, change * yields / stiffness, corner, kRise};
  // MuJoCo divides stiffness and damping by the impedance at the end of the range.
  softness.solref[0] /= d;
  if (discrete) softness.solref = {-d * d * stiffness, -d / h};
  return softness;
}

Softness ParallelSoftness(bool discrete, double timestep) {
  const double d = discrete ? 0.02 : 0.5;  // (1 - d) / (d k) is 1.2 and 2 h^2
  Softness softness = HoldSoftness(discrete, timestep, kCutRatio);
  softness.solimp[0] = softness.solimp[1] = d;
  softness.solref[0] = discrete ? softness.solref[0] * d * d : softness.solref[0] / d;
  if (discrete) softness.solref[1] *= d;
  return softness;
}

double InverseMassOfHalves(double link_mass, double armature) {
  constexpr double kRigid = 1.1, kLoose = 2.5;
  return (kRigid + (kLoose - kRigid) / (1 + 2 * armature)) / link_mass;
}

double CutOpening(bool discrete, double tension, double link_mass, double timestep) {
  return (discrete ? 1.5 : 3) / link_mass * tension * timestep * timestep * (1 - kLargestImpedance);
}

}  // namespace strand::mujoco
