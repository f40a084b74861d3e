// Growth at the tip: skin is everted there, and the skin deployed before stands still.
//
// All pairs except the last have the same length h. The last one grows from h e to h (1 + e); then
// a finished pair is split off. In retraction it shrinks to h e / 2; then it is merged with its
// predecessor, which becomes the last pair. Splitting does not change the shape or the velocities
// of any point of the skin; merging turns the last e h / 2 into the predecessor's line. The tail
// inside, which runs to the tip at twice its speed, has no mass.
#pragma once

#include "model/vine/material.h"

namespace strand {

/// e: least length of the last pair after a split, as a fraction of h.
inline constexpr double kLeastTip = 1.0 / 16;

/// Length (m) of the last pair.
double TipLength(const VineChain& chain);

enum class TipChange { kNone, kSplit, kMerged, kFull, kNothingLeft };

/// Splits the last pair or merges it with its predecessor, if the tip's next move by `growth` (m,
/// < 0: retraction) requires it. `segment`: h (m). kFull: there is no room for another pair;
/// kNothingLeft: there is no predecessor to retract into.
TipChange RemeshTip(const VineMaterial& material, double diameter, double segment, double growth,
                    VineChain* chain, VineState* state);

}  // namespace strand
