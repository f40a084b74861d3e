#include "model/energy/rod.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/energy/rod_loops.h"
#include "model/energy/wide_terms.h"
#include "model/stencil/natural_shape.h"

namespace strand {
namespace {

void CheckParameters(const RodParameters& parameters, size_t frames) {
  const size_t links = parameters.length.size();
  const size_t least = parameters.closed ? 3 : 2;
  if (links < least) {
    throw ConfigError(
        "links", std::to_string(links),
        "at least " + std::to_string(least) + (parameters.closed ? " for a closed rod" : ""));
  }
  if (frames != links) {
    throw ConfigError("frames", std::to_string(frames), "one per link: " + std::to_string(links));
  }
  const size_t joints = parameters.closed ? links : links - 1;
  if (parameters.stiffness.size() != joints) {
    throw ConfigError("stiffness", std::to_string(parameters.stiffness.size()) + " values",
                      "one per joint: " + std::to_string(joints));
  }
  for (size_t k = 0; k < links; ++k) {
    const double length = parameters.length[k];
    const size_t next = k + 1 < links ? k + 1 : 0;
    const bool has_joint = parameters.closed || k + 1 < links;
    if (!(length >= 0) || !std::isfinite(length) ||
        (has_joint && length + parameters.length[next] == 0)) {
      throw ConfigError("length", std::to_string(length),
                        "finite lengths >= 0 (m), no two in a row 0");
    }
  }
  for (const RodStiffness& s : parameters.stiffness) {
    for (double EI : s.EI) {
      if (!(EI >= 0) || !std::isfinite(EI)) {
        throw ConfigError("EI", std::to_string(EI), "finite, >= 0 (N m^2)");
      }
    }
    // Quasistatic twist spreads a total over the joints in proportion to 1 / GJ.
    if (!(s.GJ > 0) || !std::isfinite(s.GJ)) {
      throw ConfigError("GJ", std::to_string(s.GJ), "finite, > 0 (N m^2)");
    }
  }
  if (parameters.average == BendAverage::kCurvatures) {
    throw ConfigError("average", "curvatures", "middle or energies");
  }
  if (parameters.order != 2 && parameters.order != 4 && parameters.order != 6) {
    throw ConfigError("order", std::to_string(parameters.order), "2, 4 or 6");
  }
  if (!std::isfinite(parameters.rest_twist)) {
    throw ConfigError("rest_twist", std::to_string(parameters.rest_twist), "finite (rad)");
  }
  for (double curvature : parameters.rest_curvature) {
    if (std::isfinite(curvature)) continue;
    throw ConfigError("rest_curvature", std::to_string(curvature), "finite (1/m)");
  }
}

// Natural shape of a joint over `span` (m) between links with these frames at rest.
NaturalShape ShapeOf(const RodParameters& parameters, const Frame& a, const Frame& b, double span) {
  const auto& [y, z] = parameters.rest_curvature;
  const bool bent = y != 0 || z != 0;
  if (parameters.rest_straight && !bent) return {};
  const Frame next = parameters.rest_straight ? a : b;
  if (!bent) return DrawnShape(a, next, parameters.measure);
  const Vector3 turn = span * Vector3(0, y, z);
  const Eigen::AngleAxisd rotation(turn.norm(), turn.normalized());
  return DrawnShape(a, next * rotation.toRotationMatrix(), parameters.measure);
}

// The frame of a link of length 0, as a clamp's, need not continue its neighbour's: where they are
// turned far against each other, there is no section in the middle.
BendAverage AverageFor(const RodParameters& parameters, std::span<const Frame> frames) {
  constexpr double kRolled = 0.5;  // rad: more than a rod turns within half a link
  const size_t links = frames.size();
  for (size_t k = 0; k + (parameters.closed ? 0 : 1) < links; ++k) {
    const size_t next = (k + 1) % links;
    const bool point = parameters.length[k] == 0 || parameters.length[next] == 0;
    if (point && std::abs(TwistAngle(frames[k], frames[next])) > kRolled) {
      return BendAverage::kEnergies;
    }
  }
  return parameters.average;
}

// Length of the curve over a joint, of which the links are chords, as a multiple of theirs.
double ArcFactor(const NaturalShape& natural) {
  const auto& w = natural.curvature[0];
  return 1 + (w[0] * w[0] + w[1] * w[1]) / 24;
}

double TotalVoronoiLength(const RodRest& rest) {
  double total = 0;
  for (const RodRest::Joint& joint : rest.joint) total += joint.voronoi_length;
  return total;
}

}  // namespace

RodRest MakeRodRest(const RodParameters& parameters, std::span<const Frame> frames) {
  CheckParameters(parameters, frames.size());
  RodRest rest;
  rest.length = parameters.length;
  rest.measure = parameters.measure;
  rest.average = AverageFor(parameters, frames);
  rest.closed = parameters.closed;
  rest.isotropic_straight = true;
  rest.joint.resize(parameters.stiffness.size());
  rest.softness.assign(parameters.stiffness.size(), 1);
  for (int i = 0; i < rest.joints(); ++i) {
    RodRest::Joint& joint = rest.joint[i];
    const int a = i, b = rest.next(i);
    const RodStiffness& stiffness = parameters.stiffness[i];
    joint.voronoi_length = 0.5 * (rest.length[a] + rest.length[b]);
    const NaturalShape natural = ShapeOf(parameters, frames[a], frames[b], joint.voronoi_length);
    const double span = joint.voronoi_length * (parameters.order > 2 ? ArcFactor(natural) : 1);
    joint.bend.stiffness = {stiffness.EI[0] / span, stiffness.EI[1] / span};
    joint.twist.stiffness = stiffness.GJ / span;
    joint.natural_seen = joint.bend.natural = natural.curvature;
    joint.twist.natural = natural.twist;
    if (rest.average == BendAverage::kMiddle) {
      joint.bend.natural = InTheMiddle(natural).curvature;
    } else {
      joint.twist.stiffness = CorrectedTwistStiffness(joint.twist.stiffness, joint.bend);
    }
    rest.isotropic_straight =
        rest.isotropic_straight && natural.straight() && stiffness.EI[0] == stiffness.EI[1];
  }
  if (parameters.order > 2) {
    SetWideTerms(parameters.order, parameters.stiffness, &rest);
    if (!parameters.rest_straight) {
      std::vector<double> correction(rest.joints());
      CorrectTwists(rest, frames, correction);
      for (int i = 0; i < rest.joints(); ++i) rest.joint[i].twist.natural += correction[i];
    }
  }
  const double per_length = parameters.rest_twist / TotalVoronoiLength(rest);
  for (RodRest::Joint& joint : rest.joint) joint.twist.natural += per_length * joint.voronoi_length;
  return rest;
}

void MeasureTwists(const RodRest& rest, const RodFrames& frames, std::span<const double> correction,
                   std::span<const double> previous, std::span<double> twists) {
  ChooseRodLoops().twists(rest, frames, correction, previous, twists);
}

RodEnergy EvaluateRod(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                      std::span<Vector3> couples, const SlipStep* slip) {
  RodEnergy energy = ChooseRodLoops().joints(rest, frames, twists, couples, slip);
  if (!rest.wide.empty()) energy.bend += AddWideTerms(rest, frames, twists, couples);
  return energy;
}

}  // namespace strand
