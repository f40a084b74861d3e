// Twist of a rod from the frames of its links: dynamic or quasistatic.
//
// dynamic: every link's own spin is its material angle; m_i is the twist between neighbours, with
// one winding counter per joint.
// quasistatic: links listed as `holds` (at least the two ends) fix the material angle; between
// two of them the angles satisfy dE/dtheta = 0 (Bergou et al. 2008, section 5). With
//     Theta = angle of the second hold's frame against the parallel-transported first one's,
// a naturally straight isotropic rod has the same moment M = (Theta - sum mbar_i) / sum(1 / C_i)
// in every joint, m_i = mbar_i + M / C_i; otherwise a tridiagonal Newton solve, O(n).
//
// Frames are carried across a link that consists of two halves by its material, so that its halves
// transmit the twisting moment.
//
// The results are pure functions of the frames and of `previous`, the last accepted twists. These
// determine the number of turns and, if several equilibria exist, the branch.
#pragma once

#include <span>
#include <vector>

#include "model/energy/rod.h"
#include "model/geometry/frame.h"

namespace strand {

enum class TwistMode { kQuasistatic, kDynamic };

class TwistSolver {
 public:
  struct Report {
    int iterations = 0;     ///< Newton steps, maximum over segments
    bool converged = true;  ///< false: `twists` are the best found
  };

  TwistSolver() = default;

  /// `rest` must outlive the solver. `holds`: indices of the links that hold the material angle.
  /// The two ends are added (closed rod: link 0, if `holds` is empty). Throws ConfigError if an
  /// index is out of range, or if quasistatic links of a rod that is not isotropic_straight do not
  /// average energies.
  TwistSolver(const RodRest& rest, TwistMode mode, std::vector<int> holds);

  /// Fills `twists` (rad, one per joint). `bodies`: the frames of the links.
  Report Solve(const RodFrames& bodies, std::span<const double> previous, std::span<double> twists);

  /// The material frames of the last Solve, for EvaluateRod: those of the bodies, or, if bending
  /// depends on the material angle, virtual ones between holds.
  RodFrames material_frames(const RodFrames& bodies) const {
    return needs_frames_ ? RodFrames(frames_, far_frames_, bodies.halved) : bodies;
  }

 private:
  struct Segment {
    int begin;   ///< link that holds the start
    int joints;  ///< number of joints up to the link that holds the end
    double compliance;
    double natural;
  };

  int Link(const Segment& segment, int offset) const;
  double HoldAngle(const RodFrames& bodies, const Segment& segment) const;
  void Uniform(const Segment& segment, double total, std::span<double> twists) const;
  Report Newton(const Segment& segment, const RodFrames& bodies, double total,
                std::span<const double> previous, std::span<double> twists);
  void StartFrames(const Segment& segment, const RodFrames& bodies);
  BendSide CurvatureChange(const Segment& segment, int k) const;
  double Derivatives(const Segment& segment, bool positive);
  bool NewtonStep(const Segment& segment);

  const RodRest* rest_ = nullptr;
  TwistMode mode_ = TwistMode::kQuasistatic;
  bool needs_frames_ = false;
  std::vector<Segment> segments_;
  std::vector<double> correction_;  // of the joints' twists, by CorrectTwists

  // Workspace of the Newton solve, indexed by joint (offset in the segment) or by link.
  std::vector<Frame> frames_, far_frames_;
  std::vector<double> start_, angle_, cosine_, sine_, trial_, gradient_, diagonal_, step_, pivot_;
  std::vector<std::array<std::array<double, 2>, 2>> curvature_;
};

}  // namespace strand
