// The terms of wide.h, summed over the links of a rod.
//
// A term of link k depends on the turns of the joints k-2 .. k+1, seen from link k: across links
// of two halves they are carried by the material, so that, as in the rest of the energy, turning
// one half against the other does no work and joints exert pairs of opposite couples.
#pragma once

#include <span>

#include "model/energy/rod.h"

namespace strand {

/// Whether two neighbouring links (or spans of joints) of these lengths count as equal. Among
/// others there are no terms: with unequal links the positions of nodes err at second order,
/// whatever the energy. A spread of a per cent leaves a per cent of that error.
bool EquallyLong(double a, double b);

/// Sets RodRest::wide and softness for the order of accuracy; `stiffness` is that of the joints.
void SetWideTerms(int order, std::span<const RodStiffness> stiffness, RodRest* rest);

/// Corrects the joints' twists (rad) against parallel transport over the joints, as TwistAngle
/// gives them, to those against parallel transport along the curve. Half of the holonomy of every
/// link belongs to each of its joints.
void CorrectTwists(const RodRest& rest, const RodFrames& frames, std::span<double> twists);

/// Energy of bending (J) that the wide terms add. Adds to the couples (N m) of the joints, as
/// EvaluateRod does, those of the wide terms and, for the joints' `twists` (rad), of the holonomy.
double AddWideTerms(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                    std::span<Vector3> couples);

}  // namespace strand
