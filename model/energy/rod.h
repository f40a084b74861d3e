// A rod of rigid links: rest state, and the loop over its joints' kernels.
//
// Link k = 0 .. n-1 has direction t_k and a material frame; joint i joins link i to link i + 1
// (the last one of a closed rod joins link n-1 to link 0). Bending and twisting depend on
// directions and frames alone, so joint i exerts the couple c_i on link i + 1 and -c_i on link i.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <vector>

#include "model/config/rod_material.h"
#include "model/energy/rod_slip.h"
#include "model/energy/wide_links.h"
#include "model/geometry/frame.h"
#include "model/stencil/bend.h"
#include "model/stencil/curvature_measure.h"
#include "model/stencil/twist.h"

namespace strand {

/// How a rod of links measures curvature: by every joint alone (curvature_measure.h), or by `angle`
/// with the terms of wide.h, correct to order 4 or 6 in the length of links.
enum class ChainCurvature { kAngle, kTangent, kSmooth4, kSmooth };
inline constexpr std::array kChainCurvatureNames{"angle", "tangent", "smooth4", "smooth"};

inline CurvatureMeasure MeasureOf(ChainCurvature curvature) {
  return curvature == ChainCurvature::kTangent ? CurvatureMeasure::kTangent
                                               : CurvatureMeasure::kAngle;
}
inline int OrderOf(ChainCurvature curvature) {
  return curvature == ChainCurvature::kSmooth4 ? 4 : curvature == ChainCurvature::kSmooth ? 6 : 2;
}

/// Geometry and stiffness of a rod. Arrays over joints have n-1 entries (closed rods: n).
struct RodParameters {
  /// Of each link (m), >= 0. A link of length 0, a clamp at an end or a junction, has a direction
  /// only, and joints next to it span half a link. There are no two such links in a row.
  std::vector<double> length;
  std::vector<RodStiffness> stiffness;  ///< of each joint
  CurvatureMeasure measure = CurvatureMeasure::kAngle;
  /// Order of the bending and twisting energy in the length of links: 2, or 4 or 6 with the terms
  /// of wide.h where links are equally long; of rods that are not isotropic and straight at rest,
  /// at most 4.
  int order = 2;
  /// kMiddle, or kEnergies, which quasistatic twist and joints that slip need.
  BendAverage average = BendAverage::kMiddle;
  bool closed = false;
  bool rest_straight = false;  ///< rest shape straight and untwisted; false: the given shape
  double rest_twist = 0;       ///< total natural twist added (rad), uniform over the length
  /// Natural curvature added (1/m), about the second and third axes of the material frames.
  std::array<double, 2> rest_curvature{};
};

/// Constant data of a rod, ready for the kernels.
struct RodRest {
  struct Joint {
    double voronoi_length;  ///< l = (l_a + l_b) / 2 (m)
    BendRest bend;
    TwistRest twist;
    std::array<std::array<double, 2>, 2> natural_seen;  ///< wbar (rad) as both links see it
  };

  int links() const { return static_cast<int>(length.size()); }
  int joints() const { return static_cast<int>(joint.size()); }
  int next(int link) const { return link + 1 == links() ? 0 : link + 1; }

  std::vector<double> length;
  std::vector<Joint> joint;
  WideLinks wide;  ///< empty if the order is 2
  /// Of each joint: how much softer in bending it is than its span, since moments vary over half a
  /// link at an end of the rod (SoftenEnd in wide_terms.cc); 1 if the order is 2.
  std::vector<double> softness;
  CurvatureMeasure measure = CurvatureMeasure::kAngle;
  BendAverage average = BendAverage::kMiddle;
  bool closed = false;
  /// Every joint isotropic and naturally straight: bending does not depend on the material angles.
  bool isotropic_straight = false;
};

/// Rest state from the parameters and the frames of the given shape. Throws ConfigError if counts,
/// lengths or stiffnesses are invalid.
RodRest MakeRodRest(const RodParameters& parameters, std::span<const Frame> frames);

/// Material frames of the links. A link may consist of two halves, held together elsewhere: the
/// near half at its first node and the far half at its last. Joint i joins the far half of link i
/// to the near half of link i + 1.
struct RodFrames {
  std::span<const Frame> near, far;
  std::span<const int> halved;  ///< links of two halves, ascending; for others far is near

  /// Links in one piece.
  template <std::convertible_to<std::span<const Frame>> Frames>
  RodFrames(const Frames& links) : near(links), far(links) {}
  RodFrames(std::span<const Frame> near_halves, std::span<const Frame> far_halves,
            std::span<const int> links_of_halves)
      : near(near_halves), far(far_halves), halved(links_of_halves) {}

  bool split() const { return !halved.empty(); }
};

struct RodEnergy {
  double bend = 0;   ///< J
  double twist = 0;  ///< J
};

/// Twists (rad) of the joints from the links' material frames, plus `correction`, per joint: of the
/// angles equal modulo 2 pi, those nearest to `previous`.
void MeasureTwists(const RodRest& rest, const RodFrames& frames, std::span<const double> correction,
                   std::span<const double> previous, std::span<double> twists);

/// The accepted history of a rod that slips, and the one at the positions that are evaluated.
struct SlipStep {
  const RodSlip& law;
  std::span<const double> from;  ///< history_size() numbers
  std::span<double> to;          ///< the same, or empty: not wanted
};

/// Energy of the whole rod. `frames` are the links' material frames (only directions matter if
/// isotropic_straight), `twists` the joints' twists m_i (rad). Fills `couples`, one per
/// joint, with the couple (N m, world axes) on the joint's second link, unless it is empty.
/// `slip`: of a rod whose joints slip; its order is 2, it averages energies and it is not
/// isotropic_straight. The energy
/// contains what hardening and the elements lock in, and the couples are its gradient at fixed
/// history `to`.
RodEnergy EvaluateRod(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                      std::span<Vector3> couples, const SlipStep* slip = nullptr);

}  // namespace strand
