// The constants of a cable as plain arrays, without MuJoCo's headers, for other implementations of
// the same energies.
#pragma once

#include <array>
#include <vector>

namespace strand {

/// Constants of a cable of n links and its joints (energy/rod.h). Links include clamps and
/// junctions, which have length 0 and the frame of a site.
struct RodConstants {
  std::vector<int> body, far_body;  ///< of each link: at its first and at its last node
  std::vector<int> site;            ///< of each link; -1: it has the frame of its body
  std::vector<double> length;       ///< of each link (m)
  bool closed = false;              ///< the last joint joins the last link to the first
  bool tangent = false;             ///< curvature by the tangent of half the angle, else the angle
  bool isotropic_straight = false;  ///< bending does not depend on material angles
  bool middle = false;              ///< joints bend in the frame midway between their links
  bool quasistatic = false;         ///< twist; else dynamic
  bool slips = false;               ///< yields, or its strands slip (energy/rod_slip.h)
  bool mujoco_3_law = false;        ///< MuJoCo 3's law instead of these energies
  int feed_joint = -1;     ///< MuJoCo's slide joint along which it leaves a guide; -1: none
  std::vector<int> holds;  ///< links that hold the material angle of quasistatic twist

  std::vector<double> EI;      ///< 2 per joint (N m^2)
  std::vector<double> GJ;      ///< of each joint (N m^2)
  bool rest_straight = false;  ///< naturally straight and untwisted

  std::vector<double> span;             ///< of each joint: Voronoi length (m)
  std::vector<double> bend_stiffness;   ///< 2 per joint (N m)
  std::vector<double> natural_bend;     ///< 4 per joint (rad): w_1, w_2 in the frame of the link
                                        ///< before it, then in that of the link after it; if
                                        ///< `middle`, twice those in the middle
  std::vector<double> natural_seen;     ///< 4 per joint (rad): always those in the links' frames
  std::vector<double> twist_stiffness;  ///< of each joint (N m)
  std::vector<double> natural_twist;    ///< of each joint (rad)
  std::vector<double> softness;         ///< of each joint
  std::vector<double> rest_twist;       ///< of each joint (rad): the twists at qpos0

  /// Terms of wide.h: change (2), second change, holonomy weights (4), firmness (3) of each link;
  /// empty if the order is 2.
  std::vector<double> wide;

  /// MuJoCo's joints whose stiffness only stabilises and is cancelled.
  std::vector<int> cancelled;
  /// Of each, the rod's stiffness about the joint's axes (numerical_stiffness.h).
  std::vector<std::array<double, 3>> stiffness_shares;
};

}  // namespace strand
