#include "tests/support/rods.h"

#include "tests/support/random.h"

namespace strand::testing {

RodParameters MakeParameters(int links, bool closed, Material material, CurvatureMeasure measure,
                             std::uint64_t seed) {
  Random random(seed);
  const bool even = material == Material::kStraight || material == Material::kAnisotropic;
  const bool two = material == Material::kAnisotropic || material == Material::kAllAtOnce;
  RodParameters parameters;
  parameters.measure = measure;
  parameters.average = BendAverage::kEnergies;  // with any twist, also quasistatic
  parameters.closed = closed;
  parameters.rest_straight = material != Material::kCurved && material != Material::kAllAtOnce;
  parameters.rest_twist = two ? 0.8 : 0;
  const auto around = [&](double mean) { return even ? mean : mean * random.Uniform(0.6, 1.5); };
  for (int k = 0; k < links; ++k) parameters.length.push_back(around(0.1));
  for (int i = 0; i < (closed ? links : links - 1); ++i) {
    const double EI = around(1.2);
    parameters.stiffness.push_back({{EI, two ? 1.6 * EI : EI}, around(0.8)});
  }
  return parameters;
}

RodRest MakeRest(int links, bool closed, Material material, CurvatureMeasure measure,
                 std::uint64_t seed, int order, BendAverage average) {
  const RandomChain shape = MakeRandomChain(links, 0.5, 0.1, seed + 1000);
  RodParameters parameters = MakeParameters(links, closed, material, measure, seed);
  parameters.order = order, parameters.average = average;
  return MakeRodRest(parameters, shape.frames);
}

double TotalEnergy(const RodRest& rest, const RodFrames& frames, std::span<const double> twists) {
  const RodEnergy energy = EvaluateRod(rest, frames, twists, {});
  return energy.bend + energy.twist;
}

}  // namespace strand::testing
