#include "model/vine/eversion.h"

#include <cmath>

namespace strand {
namespace {

// The last pair as a straight line of skin, which rotates, translates and lengthens at its end.
struct TipLine {
  Vector2 start, start_velocity;
  double heading, turning, rate;

  Vector2 Along() const { return {std::cos(heading), std::sin(heading)}; }
  Vector2 VelocityAt(double along) const {
    const Vector2 t = Along();
    return start_velocity + turning * along * Vector2(-t.y(), t.x());
  }
};

TipLine MakeTipLine(const VineChain& chain, const VineState& state, int pair) {
  const auto a = state.q.segment<3>(6 * pair), va = state.v.segment<3>(6 * pair);
  const auto vb = state.v.segment<3>(6 * pair + 3);
  TipLine line;
  line.heading = a[2], line.turning = va[2];
  const Vector2 t = line.Along();
  const double d = chain.half_length[pair];
  const double apart = (vb.head<2>() - va.head<2>()).dot(t);
  line.rate = 2 * apart;  // rate of the length, which is twice the extension
  line.start = a.head<2>() - d * t;
  line.start_velocity = va.head<2>() - d * va[2] * Vector2(-t.y(), t.x()) - apart / 2 * t;
  return line;
}

void PutPair(const TipLine& line, double from, double length, double rate, int pair,
             VineState* state) {
  const Vector2 t = line.Along();
  PlacePair(length / 4, line.start + from * t, line.heading, length / 2, pair, &state->q);
  for (int body = 0; body < 2; ++body) {
    const double share = 0.25 + 0.5 * body;
    state->v.segment<3>(6 * pair + 3 * body)
        << line.VelocityAt(from + share * length) + share * rate * t,
        line.turning;
  }
}

}  // namespace

double TipLength(const VineChain& chain) { return 4 * chain.half_length[chain.pairs - 1]; }

TipChange RemeshTip(const VineMaterial& material, double diameter, double segment, double growth,
                    VineChain* chain, VineState* state) {
  const int last = chain->pairs - 1;
  const double length = TipLength(*chain);
  if (growth > 0 && length > (1 + kLeastTip) * segment) {
    if (last + 1 >= static_cast<int>(chain->half_length.size())) return TipChange::kFull;
    const TipLine line = MakeTipLine(*chain, *state, last);
    ++chain->pairs;
    chain->natural_angle[last + 1] = material.curvature * segment;
    SetPairLength(material, diameter, segment, last, chain);
    SetPairLength(material, diameter, length - segment, last + 1, chain);
    PutPair(line, 0, segment, 0, last, state);
    PutPair(line, segment, length - segment, line.rate, last + 1, state);
    return TipChange::kSplit;
  }
  if (growth < 0 && length + growth < kLeastTip / 2 * segment) {
    if (last == 0) return TipChange::kNothingLeft;
    const double rate = MakeTipLine(*chain, *state, last).rate;
    const TipLine line = MakeTipLine(*chain, *state, last - 1);
    --chain->pairs;
    SetPairLength(material, diameter, segment + length, last - 1, chain);
    PutPair(line, 0, segment + length, rate, last - 1, state);
    return TipChange::kMerged;
  }
  return TipChange::kNone;
}

}  // namespace strand
