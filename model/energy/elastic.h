// Stretching, bending and twisting of a network of rods.
//
//     E = sum_edges Stretch + sum_joints (Bend + Twist)         (the kernels of model/stencil)
// The loops in elastic_loops.h evaluate several edges or joints side by side (simd/pack.h); the
// data below are therefore stored as structures of arrays.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/config/damping.h"
#include "model/geometry/network.h"
#include "model/stencil/bend.h"
#include "model/stencil/natural_shape.h"

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

/// How three or more edges that meet at a node are joined. kHub: each bends and twists, over half
/// its length, against a hub. That is exact for bending in the plane of the edges: a rod bends
/// there as elsewhere. kPairs: as in DisMech's codes, with a joint of full stiffness between any
/// two edges, which stiffens rods over the length of an edge.
enum class Junction { kHub, kPairs };

struct ElasticOptions {
  CurvatureMeasure measure = CurvatureMeasure::kAngle;
  int order = 2;  ///< 4, 6: with the terms of wide_energy.h, which ElasticRest does not contain
  BendAverage average = BendAverage::kMiddle;  ///< without twist, which it needs, kEnergies
  bool twist = true;                           ///< false: no twisting energy
  bool rest_straight = false;  ///< rest shape straight and untwisted; false: the network's
  Junction junction = Junction::kHub;
};

/// Frame of an edge as seen by a joint: unchanged (sign 1), or (-t, m1, -m2) for an edge that runs
/// against the joint's direction (sign -1).
Frame Seen(const Frame& frame, int sign);

/// Constant data of the elastic energy, ready for the loops. Natural values may be driven.
class ElasticRest {
 public:
  /// `material` per edge of the network (ignored for clamps' edges). A joint gets the average
  /// compliance of its two edges, weighted by the lengths that they stand for. Throws ConfigError
  /// if a count is wrong or a stiffness is negative or not finite.
  ElasticRest(const Network& network, std::span<const EdgeMaterial> material,
              const ElasticOptions& options);

  int edges() const { return static_cast<int>(rest_length.size()); }
  int joints() const { return static_cast<int>(joint.size()); }

  // The following throw ConfigError if an index or a value is out of range.

  /// Sets the stiffness (N m^2) of one joint, e.g. of a connection between rods; 0 releases it. The
  /// joint does not belong to a hub any more.
  void SetJointStiffness(int i, const std::array<double, 2>& EI, double GJ);
  /// Natural integrated curvatures wbar_1, wbar_2 (rad) of a joint in the frame of its first edge
  /// (in (-t, m1, -m2) where that edge runs against the joint: network.h). For the second edge they
  /// are turned by the joint's initial twist (drawn_twist).
  void SetNaturalCurvature(int i, const std::array<double, 2>& curvature);
  void SetNaturalTwist(int i, double twist);  ///< rad
  /// Natural curvatures of a joint as its two edges see them in this shape; its twist only places
  /// the frame in the middle.
  void SetNatural(int i, const NaturalShape& shape);
  void SetRestLength(int edge, double length);
  /// Makes a joint softer in bending than its stiffness, which may be set again, by this factor.
  void Soften(int i, double factor);
  /// Multiplies bending and twisting of a joint by `factor` (> 0) from now on, e.g. while a rod
  /// slides out of a guide. Sets, does not accumulate. Not for orders 4 and 6, whose other terms
  /// (wide_energy.h) have stiffnesses of their own.
  void SetStiffnessFactor(int i, double factor);
  double stiffness_factor(int i) const { return factor_[i]; }
  /// The same, of the stretching of an edge; 0 leaves it to another force.
  void SetStretchFactor(int edge, double factor);

  /// GJ / l (N m) of a joint as given, times its factor. In a naturally curved joint the bending
  /// energy supplies a share of it, so that twist_stiffness is smaller.
  double given_twist_stiffness(int i) const { return factor_[i] * given_twist_stiffness_[i]; }
  void SetTwistStiffness(int i, double stiffness);

  ElasticOptions options;
  /// Every joint isotropic and naturally straight: bending does not depend on the material angles.
  bool isotropic_straight = true;

  // Per edge.
  std::vector<std::array<int, 2>> edge_node;
  std::vector<double> axial_stiffness, rest_length;  ///< EA (N; 0 for clamps), l0 (m)
  // Per joint.
  std::vector<Joint> joint;
  std::vector<double> voronoi_length;                  ///< m
  std::array<std::vector<double>, 2> bend_stiffness;   ///< B_1, B_2 (N m)
  std::array<std::vector<double>, 4> natural;          ///< wbar_j^s at [2 s + j] (rad); SetNatural
  std::vector<double> twist_stiffness, natural_twist;  ///< C (N m), mbar (rad)
  std::vector<double> softness;                        ///< factor of Soften; 1 by default
  /// Twist (rad) of the frames in the network's shape. It is 0 where the rest shape is straight,
  /// since the frames are then meant to be aligned. Driving the natural twist does not change it.
  std::vector<double> drawn_twist;
  /// By how much (rad; cos and sin) the second edge's frame is turned back before both are
  /// compared: by the drawn twist or, with kMiddle, by that of joints between rods, whose frames
  /// need not continue each other. Within a rod the section itself is drawn twisted.
  std::vector<double> turned_back;
  std::array<std::vector<double>, 2> drawn_turn;

 private:
  void AddEdge(const Network& network, int index, const EdgeMaterial& material);
  void SetDrawnShape(const Network& network, int i, bool within_rod);
  void CorrectTwist(int i);
  void SetGiven(int i, const std::array<double, 3>& stiffness);
  struct Connected {
    std::vector<int> joint, edge;
  };
  Connected TakeConnected(std::vector<int>* left) const;
  void ShareHubs(int node);

  std::vector<std::vector<int>> joints_at_;  ///< per node: joints of which it is the middle
  /// EI_1 / l, EI_2 / l, GJ / l (N m) per edge; infinite for clamps.
  std::vector<std::array<double, 3>> edge_stiffness_;
  std::vector<std::array<double, 3>>
      in_series_;            ///< EI_1, EI_2, GJ (N m^2) per joint, of its edges
  std::vector<bool> given_;  ///< per joint: set by SetJointStiffness
  std::array<std::vector<double>, 2> given_bend_stiffness_;  ///< EI / l (N m)
  std::vector<double> given_twist_stiffness_;                ///< GJ / l (N m)
  std::vector<double> factor_;                               ///< of SetStiffnessFactor
  std::vector<double> given_axial_stiffness_;                ///< EA (N)
};

}  // namespace strand
