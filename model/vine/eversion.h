// Growth at the tip: skin is everted there, and what is deployed stands still.
//
// All pairs but the last have one length h. The last grows from h e to h (1 + e), then a finished
// pair is split off; retracting, it shrinks to h e / 2, then it is taken away and its predecessor
// is the last. Splitting leaves the shape and the velocities of all points of the skin as they are;
// taking away turns the last e h / 2 into its predecessor's line. The tail inside, which runs to
// the tip at twice its speed, has no mass.
#pragma once

#include "model/vine/material.h"

namespace strand {

/// e: the last pair's least length after a split, as a part of h.
inline constexpr double kLeastTip = 1.0 / 16;

/// Length (m) of the last pair.
double TipLength(const VineChain& chain);

enum class TipChange { kNone, kSplit, kMerged, kFull, kNothingLeft };

/// Splits the last pair or takes it away as it is due for a tip that will move by `growth` (m, < 0:
/// retraction). kFull: there is no room for another pair; kNothingLeft: none to retract into.
TipChange RemeshTip(const VineMaterial& material, double diameter, double segment, double growth,
                    VineChain* chain, VineState* state);

}  // namespace strand
