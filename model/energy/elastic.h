// Stretching, bending and twisting of a network of rods.
//
//     E = sum_edges Stretch + sum_joints (Bend + Twist)         (the kernels of model/stencil)
// Evaluated for several edges or joints side by side (simd/pack.h), in arrays of structures'
// members, which is what the loops in elastic_loops.h run over.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/config/damping.h"
#include "model/geometry/network.h"
#include "model/stencil/bend.h"

namespace strand {

/// Stiffness and mass of a rod's cross-section, per edge.
struct EdgeMaterial {
  double EA = 0;                       ///< N
  std::array<double, 2> EI{};          ///< N m^2, bending about m1 and m2
  double GJ = 0;                       ///< N m^2
  double mass_per_length = 0;          ///< rho A (kg/m)
  double spin_inertia_per_length = 0;  ///< about the rod's own axis, rho (I_1 + I_2) (kg m)
  RayleighDamping damping{};
};

struct ElasticOptions {
  CurvatureMeasure measure = CurvatureMeasure::kAngle;
  BendAverage average = BendAverage::kEnergies;
  bool twist = true;           ///< false: no twisting energy
  bool rest_straight = false;  ///< straight and untwisted at rest, else as drawn
};

/// The frame of an edge as a joint sees it that it runs along (sign 1) or against (-1).
Frame Seen(const Frame& frame, int sign);

/// Constant data of the elastic energy, ready for the loops. Natural values may be driven.
class ElasticRest {
 public:
  /// `material` per edge of the network (of clamps' edges it does not matter); a joint takes
  /// the compliance average of its two edges, over the lengths they stand for. Throws ConfigError
  /// where a count is wrong or a stiffness is negative or not finite.
  ElasticRest(const Network& network, std::span<const EdgeMaterial> material,
              const ElasticOptions& options);

  int edges() const { return static_cast<int>(rest_length.size()); }
  int joints() const { return static_cast<int>(joint.size()); }

  // These throw ConfigError on an index or a value out of range.

  /// Own stiffness of a joint, e.g. of a connection between rods; 0 lets go of it.
  void SetJointStiffness(int i, const std::array<double, 2>& EI, double GJ);
  /// Natural integrated curvatures wbar_1, wbar_2 (rad) of a joint, seen from its first edge (that
  /// is from (-t, m1, -m2) where the joint goes against it: network.h). The second one sees them
  /// turned by the twist that the joint is drawn with.
  void SetNaturalCurvature(int i, const std::array<double, 2>& curvature);
  void SetNaturalTwist(int i, double twist);  ///< rad
  void SetRestLength(int edge, double length);

  /// GJ / l (N m) of a joint, of which bending takes a part of its own if that is curved.
  double given_twist_stiffness(int i) const { return given_twist_stiffness_[i]; }
  void SetTwistStiffness(int i, double stiffness);

  ElasticOptions options;
  /// Every joint isotropic and naturally straight: bending does not see the material angles.
  bool isotropic_straight = true;

  // Per edge.
  std::vector<std::array<int, 2>> edge_node;
  std::vector<double> axial_stiffness, rest_length;  ///< EA (N; 0 of clamps), l0 (m)
  // Per joint.
  std::vector<Joint> joint;
  std::vector<double> voronoi_length;                  ///< m
  std::array<std::vector<double>, 2> bend_stiffness;   ///< B_1, B_2 (N m)
  std::array<std::vector<double>, 4> natural;          ///< wbar_j^s at [2 s + j] (rad)
  std::vector<double> twist_stiffness, natural_twist;  ///< C (N m), mbar (rad)
  /// Twist (rad) that the frames are drawn with, and its cos and sin: 0 where the rest is straight,
  /// as they are meant to lie side by side then. Driving the natural twist leaves it.
  std::vector<double> drawn_twist;
  std::array<std::vector<double>, 2> drawn_turn;

 private:
  void AddEdge(const Network& network, int index, const EdgeMaterial& material);
  void SetDrawnShape(const Network& network, int i);
  void CorrectTwist(int i);

  std::vector<double> given_twist_stiffness_;  ///< GJ / l (N m)
};

}  // namespace strand
