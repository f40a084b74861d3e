// A described cable as links and joints: lengths, frames, sections, joint stiffnesses.
#pragma once

#include <vector>

#include "model/config/section.h"
#include "model/energy/rod.h"
#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/material.h"

namespace strand::mujoco {

/// The links between the nodes, with the start pose applied, and the joints between them.
struct DrawnRod {
  std::vector<Vector3> nodes;    ///< in the frame of the body that carries the cable (m)
  std::vector<Frame> frames;     ///< of each link
  std::vector<double> length;    ///< of each link (m)
  std::vector<PartMass> mass;    ///< of each link
  std::vector<double> radius;    ///< of each link of circular or tubular section: its mean (m)
  std::vector<Section> section;  ///< of each link, with that radius
  /// Of each joint: one at a clamp, two at a junction, one at every other inner node.
  std::vector<RodStiffness> stiffness;
  std::vector<double> span;  ///< length of rod that each of those joints stands for (m)
  /// Of each joint: how much stiffer it is as drawn than straight, (f / sin phi)^2 of the curvature
  /// measure f: 1 for small turns, large where the drawn shape is sharply bent.
  std::vector<double> stiffening;
  double inside = 0;                 ///< m: of a cable that is fed, not outside of its guide
  bool clamped[2] = {false, false};  ///< a clamp at the first node, at the last node
  std::vector<int> junctions;        ///< inner nodes at which branches start
  bool isotropic = true;             ///< EI is the same about both axes everywhere

  int links() const { return static_cast<int>(frames.size()); }
  double total_length() const;
  double total_mass() const;                                                ///< kg
  double mass_per_length() const { return total_mass() / total_length(); }  ///< kg/m
  std::vector<double> Arclengths() const;                                   ///< of the nodes (m)

  /// Frame in which a node clamp holds the rod: the initial shape, continued to the end node.
  Frame ClampFrame(int side) const;

  /// Frame of a junction at an inner node: between those of the two links.
  Frame JunctionFrame(int node) const;

  bool HasJunction(int node) const;

  /// Lengths of the links (m) and their frames, in order, with clamps and junctions as links of
  /// length zero. The joints lie between them.
  struct Sequence {
    std::vector<double> length;
    std::vector<Frame> frame;
  };
  Sequence WithPoints() const;

  /// Index in stiffness and span of the joint at a node; at a junction of that before or after it.
  int JointBefore(int node) const;
  int JointAfter(int node) const { return JointBefore(node) + HasJunction(node); }
  /// A link beside a joint.
  int LinkAt(int joint) const;
};

/// Throws ConfigError if nodes coincide, the ends of a closed cable are apart, the stiffness is
/// missing or given twice, or a stretch extends beyond the cable's end.
DrawnRod DrawRod(const CableDescription& cable);

}  // namespace strand::mujoco
