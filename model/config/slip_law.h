// The elastic-slip elements (stencil/slip.h) that stand for a section of elastic-plastic fibres.
//
// Fibres at the distance u (in units of the outermost one) from the neutral axis, or from the
// centre in torsion, yield at 1 / u times the strain of first yield. With S(u) the share of the
// elastic stiffness that those within u contribute, the moment over that of first yield is
//     M(x) = integral of min(x, 1 / u) dS(u),
// e.g. 3/2 - 1 / (2 x^2) of a rectangle and 4/3 - 1 / (3 x^3) of a circle in torsion. Elements are
// quadrature points of this integral: they keep the elastic stiffness and the fully plastic moment.
#pragma once

#include <vector>

#include "model/config/rod_material.h"
#include "model/config/section.h"

namespace strand {

/// Share of a joint's stiffness that slips, and the strain at which it does.
struct SlipElement {
  double share = 0;
  double threshold = 0;
};

inline constexpr int kBendElements = 8, kTwistElements = 8;

/// Elements of bending, thresholds in units of the strain of first yield: within .7 % of M(x) of
/// circles, ellipses, tubes and rectangles.
std::vector<SlipElement> BendElements(const Section& section);

/// Elements of torsion: within .5 % for circles and tubes. The fully plastic torque of rectangles
/// is that of the sand heap (Nadai); that of ellipses lies between the exact values for a circle,
/// 4/3, and a flat one, 16 / (3 pi).
std::vector<SlipElement> TwistElements(const Section& section);

/// Elements of a joint. Thresholds are strains per length (1/m, rad/m), those of bending about the
/// section's y axis.
struct JointSlip {
  std::vector<SlipElement> bend, twist;
};

/// Elements of a joint between edges with these sections that yield at `stress` (Pa), in torsion at
/// stress / sqrt(3) (von Mises). The weaker section counts.
JointSlip SlipOf(const Section& a, const Section& b, const RodStiffness& stiffness, double stress);

}  // namespace strand
