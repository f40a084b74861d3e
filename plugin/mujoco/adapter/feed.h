// A cable that is fed out of the mouth of a straight guide: a winch's fairlead, a sheath, a spool.
//
// The first link is on a ball joint at the mouth and then on a slide joint along itself, whose
// position is the length outside, S. Links that are not fed out lie straight behind the one at the
// mouth. strand.Feeder changes the model as the cable moves: it keeps the joints inside from
// turning, and the mass of what is inside on the reel. Here is what depends on S in the cable's
// energy: the stiffness of the joints at the mouth (model/stencil/feed.h).
#pragma once

#include <mujoco/mujoco.h>

#include <span>
#include <string>

#include "model/energy/rod.h"
#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

class Feed {
 public:
  /// `joint`: name of the slide joint. Throws ConfigError if the cable cannot slide along it.
  Feed(const mjModel* m, int instance, const Chain& chain, const std::string& joint);

  int joint() const { return joint_; }

  /// Sets the stiffness of the rod's joints at the positions in `d`; `own` is their own.
  void SetStiffness(const mjData* d, const RodRest& own, RodRest* rest) const;

  /// Adds to qfrc_passive the force (N) by which the bent cable pushes itself out of the guide, and
  /// the thrust of what leaves the reel, or is stopped by it, on the body that carries the reel.
  void AddForce(const mjModel* m, mjData* d, const RodRest& own, const RodFrames& frames,
                std::span<const double> twists);

  /// True if the model is one that strand.Feeder has prepared, or everything is outside.
  bool IsPrepared(const mjModel* m, const mjData* d) const;

 private:
  struct Mouth {
    int joint;       // of the rod: that at the end of the link at the mouth
    double outside;  // fraction of this link
  };
  Mouth At(const mjData* d) const;

  int joint_, qpos_, dof_;
  int links_, first_body_, last_body_;
  double link_;    // length of the links (m)
  RodRest alone_;  // scratch: one joint
};

}  // namespace strand::mujoco
