#include "model/vine/material.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/vine/checks.h"

namespace strand {
namespace {

double PairLength(const VineChain& chain, int pair) { return 4 * chain.half_length[pair]; }

double LengthAround(const VineChain& chain, int joint) {
  const double proximal = joint > 0 ? PairLength(chain, joint - 1) : 0;
  return (proximal + PairLength(chain, joint)) / 2;
}

void SetJoint(const VineMaterial& material, int pair, VineChain* chain) {
  const double around = LengthAround(*chain, pair);
  chain->stiffness[pair] = material.EI / around;
  chain->damping[pair] = material.bending_damping / around;
}

}  // namespace

void SetPairLength(const VineMaterial& material, double diameter, double length, int pair,
                   VineChain* chain) {
  const double half = length / 2, mass = material.mass_per_length * half;
  chain->half_length[pair] = length / 4;
  chain->mass[pair] = mass;
  chain->inertia[pair] = mass * (half * half / 12 + diameter * diameter / 8);
  SetJoint(material, pair, chain);
  if (pair + 1 < chain->pairs) SetJoint(material, pair + 1, chain);
}

void StretchPair(double diameter, double growth, int pair, VineChain* chain) {
  const int last = std::min(pair + 1, chain->pairs - 1);
  for (int i = pair; i <= last; ++i) chain->natural_angle[i] /= LengthAround(*chain, i);
  SetPairLength(*chain->material, diameter, PairLength(*chain, pair) + growth, pair, chain);
  for (int i = pair; i <= last; ++i) chain->natural_angle[i] *= LengthAround(*chain, i);
}

VineChain MakeUniformChain(const VineMaterial& material, double diameter, double length,
                           int segments, int capacity, const Vector2& base, double heading) {
  CheckNonNegative("EI", material.EI);
  CheckNonNegative("bending_damping", material.bending_damping);
  CheckPositive("mass_per_length", material.mass_per_length);
  CheckFinite("curvature", material.curvature);
  CheckNonNegative("diameter", diameter);
  CheckPositive("length", length);
  if (segments < 1) throw ConfigError("segments", std::to_string(segments), "1 or more");
  VineChain chain;
  chain.pairs = segments;
  chain.base = base;
  chain.base_heading = heading;
  chain.material = material;
  const size_t room = std::max(segments, capacity);
  for (auto* numbers : {&chain.half_length, &chain.mass, &chain.inertia, &chain.stiffness,
                        &chain.damping, &chain.natural_angle}) {
    numbers->assign(room, 0.0);
  }
  for (int i = 0; i < segments; ++i) {
    SetPairLength(material, diameter, length / segments, i, &chain);
    chain.natural_angle[i] = material.curvature * LengthAround(chain, i);
  }
  return chain;
}

VineState NaturalState(const VineChain& chain) {
  VineState state;
  state.q.setZero(6 * static_cast<Eigen::Index>(chain.half_length.size()));
  state.v = state.q;
  Vector2 at = chain.base;
  double heading = chain.base_heading;
  for (int i = 0; i < chain.pairs; ++i) {
    const double d = chain.half_length[i];
    heading += chain.natural_angle[i];
    PlacePair(d, at, heading, 2 * d, i, &state.q);
    at += 4 * d * Vector2(std::cos(heading), std::sin(heading));
  }
  return state;
}

}  // namespace strand
