// Loops over the joints and links of a rod of rigid links, compiled for several instruction sets.
// The widest that the machine has is chosen when the program runs.
//
// Those over links compute with arrays on the stack, into which blocks of a rod are copied.
#pragma once

#include <span>
#include <vector>

#include "model/energy/rod.h"

namespace strand {

/// Links that are copied at a time; a multiple of the lanes of every instruction set.
inline constexpr int kBlockLinks = 64;

/// Links `first` to `first + count - 1` of a rod, for the terms of wide.h. Arrays over links begin
/// with link first - 2, those over joints with joint first - 2. The directions are finite beyond
/// the last link, too.
struct WideBlock {
  static constexpr int kReach = kBlockLinks + 4 + kWideLanes;

  int first, count;
  double direction[3][kReach];
  double moment[kReach];     ///< twisting moment of the joints; 0 where there is none
  double couple[3][kReach];  ///< result: on the links beyond each joint, up to joint first + count
};

/// One set of the loops.
struct RodLoops {
  /// MeasureTwists.
  void (*twists)(const RodRest& rest, const RodFrames& frames, std::span<const double> correction,
                 std::span<const double> previous, std::span<double> twists);
  /// EvaluateRod without the terms of wide.h.
  RodEnergy (*joints)(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                      std::span<Vector3> couples, const SlipStep* slip);
  /// Sets the directions of a block from entry `entry` on to those of `links`, turned by `carry`.
  /// May overwrite later entries.
  void (*directions)(std::span<const Frame> links, const Frame& carry, int entry, WideBlock* block);
  /// Holonomy (rad) of the block's links.
  void (*holonomy)(const WideLinks& links, const WideBlock& block, double* holonomy);
  /// Energy (J) of the changes of the turns, of a rod that is isotropic and straight at rest; 0 of
  /// others. Sets the couples of these and of the holonomy, if they are wanted.
  double (*turns)(const WideLinks& links, bool isotropic_straight, bool wants_couples,
                  WideBlock* block);
  /// Energy (J) of the changes of material curvatures over links, of a rod that is not isotropic
  /// and straight at rest. Adds to the couples of the joints, unless there are none.
  double (*curvature_changes)(const RodRest& rest, const RodFrames& frames,
                              std::span<const double> twists, std::span<Vector3> couples);
  int width;
};

/// The sets that this machine can run, the widest last.
std::vector<const RodLoops*> AvailableRodLoops();
/// The widest of them.
const RodLoops& ChooseRodLoops();

}  // namespace strand
