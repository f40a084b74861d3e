// A growing robot as a planar chain of rigid bodies in maximal coordinates.
//
// Pair i = 0, 1, ... has two bodies a, b, each of half length d_i, that slide along each other
// (prismatic joint). Pins join the world to the first body, and b of pair i - 1 to a of pair i.
// Body k has centre (x, y) and heading th, three numbers from q[3 k] on: body 2 i is a of pair i,
// body 2 i + 1 is b.
//
//     pin        x_a - x_p - d_p cos th_p - d_a cos th_a = 0, likewise y with sin; p = b of i - 1
//     prismatic  -sin th_e D_x + cos th_e D_y = 0 for e = a, b;   D = (x_b - x_a, y_b - y_a)
//     extension  s_i = |D|, the two centres' distance; the pair is s_i + 2 d_i long
//     joint      phi_i = th_a - th_p - natural_i, with the world's heading as th_p of the first;
//                torque -K_i phi_i - C_i dphi_i / dt on a, and the opposite torque on p
//
// Source: N. Jitosho, N. Agharese, A. Okamura, Z. Manchester, "A Dynamics Simulator for Soft
// Growing Robots", ICRA 2021, eqs. 1 to 5 (eq. 2 prints a cosine for the sine in its second row).
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "model/vine/planar_obstacle.h"

namespace strand {

/// Material of a robot per length; see material.h.
struct VineMaterial {
  double EI = 0;               ///< bending stiffness (N m^2)
  double bending_damping = 0;  ///< eta, couple per rate of curvature (N m^2 s)
  double mass_per_length = 0;  ///< m (kg/m)
  double curvature = 0;        ///< natural curvature of the whole robot (1/m)
};

/// Parameters of a chain: per pair, whose two bodies are alike, and per joint, the one at the
/// pair's proximal end. Vectors may be longer than `pairs`.
struct VineChain {
  int pairs = 0;
  bool pinned = true;                 ///< false: no pin and no joint between world and first body
  Vector2 base = Vector2::Zero();     ///< the world's end of the first pin (m)
  double base_heading = 0;            ///< rest heading at the base (rad)
  std::vector<double> half_length;    ///< d (m)
  std::vector<double> mass;           ///< of each body (kg)
  std::vector<double> inertia;        ///< of each body about its centre (kg m^2)
  std::vector<double> stiffness;      ///< K (N m)
  std::vector<double> damping;        ///< C (N m s)
  std::vector<double> natural_angle;  ///< (rad)
  std::optional<VineMaterial> material;  ///< from which pairs are made, and of which they remain

  int bodies() const { return 2 * pairs; }
  int capacity() const { return static_cast<int>(half_length.size()); }
  bool HasJoint(int pair) const { return pinned || pair > 0; }
};

/// Positions (m, rad) and velocities (m/s, rad/s) of bodies 0, 1, ... Vectors may be longer than
/// the chain needs.
struct VineState {
  Eigen::VectorXd q, v;
};

/// Quantities of one pair from which constraints and their derivatives are computed.
struct PairGeometry {
  double cos_a, sin_a, cos_b, sin_b;
  double dx, dy, extension;
};

/// s of a pair (m).
double Extension(const Eigen::VectorXd& q, int pair);

PairGeometry MakePairGeometry(const Eigen::VectorXd& q, int pair);

/// Errors c(q) (m) of the pin (two) and the prismatic joint (two) of a pair. `previous`: geometry
/// of pair - 1, not read for the first pair.
Eigen::Vector4d JointErrors(const VineChain& chain, const Eigen::VectorXd& q, int pair,
                            const PairGeometry& previous, const PairGeometry& here);

/// Rows of dc/dq and ds/dq of a pair, by the coordinates of p, a and b. The pin's derivatives by
/// the centres of p and a are -1 and 1 and are not stored.
struct PairRows {
  double pin_p[2], pin_a[2];         ///< pin x, y by th_p, th_a
  Eigen::Matrix<double, 3, 3> on_a;  ///< prismatic a, prismatic b, extension by x_a, y_a, th_a
  Eigen::Matrix<double, 3, 3> on_b;  ///< the same by x_b, y_b, th_b
};

PairRows MakePairRows(const VineChain& chain, int pair, const PairGeometry& previous,
                      const PairGeometry& here);

/// Rotation phi (rad) of joint `pair` from its natural angle.
double JointAngle(const VineChain& chain, const Eigen::VectorXd& q, int pair);

/// d phi / dt (rad/s).
double JointRate(const Eigen::VectorXd& v, int pair);

/// Distal end of body b of a pair (m): an inner pin, or the tip. Contact acts there.
Vector2 ContactPoint(const VineChain& chain, const Eigen::VectorXd& q, int pair);

/// J.
struct VineEnergy {
  double kinetic = 0, bending = 0, gravity = 0;
  double total() const { return kinetic + bending + gravity; }
};

VineEnergy EvaluateEnergy(const VineChain& chain, const VineState& state, const Vector2& gravity);

/// Sum of s_i + 2 d_i (m).
double ChainLength(const VineChain& chain, const Eigen::VectorXd& q);

/// Places both bodies of a pair in line. `start`: proximal end of the pair; `extension`: s (m).
void PlacePair(double half_length, const Vector2& start, double heading, double extension, int pair,
               Eigen::VectorXd* q);

}  // namespace strand
