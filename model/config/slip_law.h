// The elastic-slip elements (stencil/slip.h) that stand for a section of elastic-plastic fibres.
//
// Fibres at the distance u (in units of the outermost one) from the neutral axis, or from the
// centre in torsion, yield at 1 / u times the strain of first yield. With S(u) the share of the
// elastic stiffness that those within u contribute, the moment over that of first yield is
//     M(x) = integral of min(x, 1 / u) dS(u),
// e.g. 3/2 - 1 / (2 x^2) of a rectangle and 4/3 - 1 / (3 x^3) of a circle in torsion. Elements are
// quadrature points of this integral: they keep the elastic stiffness and the fully plastic moment.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "model/config/rod_material.h"
#include "model/config/section.h"

namespace strand {

/// Share of a joint's stiffness that slips, and the strain at which it does.
struct SlipElement {
  double share = 0;
  double threshold = 0;
};

/// Elements from pairs of numbers in a row: shares, and strains per length (1/m, rad/m). Throws
/// ConfigError, which names `field`, as CheckElements does or if a number is missing.
std::vector<SlipElement> ElementsOf(const char* field, std::span<const double> pairs);

/// Throws ConfigError unless shares and thresholds are > 0 and finite, and the shares' sum is <= 1.
void CheckElements(const char* field, std::span<const SlipElement> elements);

/// Throws ConfigError unless these are one or two plastic moduli, as fractions of the elastic
/// modulus: finite numbers >= 0, of kinematic and, if given, isotropic hardening.
void CheckHardening(std::span<const double> moduli);
inline void CheckHardening(std::initializer_list<double> moduli) {
  CheckHardening(std::span(moduli.begin(), moduli.size()));
}

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
/// stress / sqrt(3) (von Mises). The weaker section counts. Joints in a row with sections
/// of the same shape take a fraction of the time of the first.
JointSlip SlipOf(const Section& a, const Section& b, const RodStiffness& stiffness, double stress);

}  // namespace strand
