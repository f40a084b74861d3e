#include "plugin/mujoco/adapter/feed.h"

#include <algorithm>
#include <cmath>

#include "model/config/error.h"
#include "model/stencil/feed.h"
#include "plugin/mujoco/description/keys.h"

namespace strand::mujoco {
namespace {

constexpr double kAlike = 1e-6;  // largest difference of link lengths, by their length

bool SlidesAlong(const mjModel* m, int joint, int body) {
  return joint >= 0 && m->jnt_type[joint] == mjJNT_SLIDE && m->jnt_bodyid[joint] == body &&
         m->jnt_axis[3 * joint] > 1 - 1e-9;
}

void Scale(const RodRest::Joint& own, double factor, RodRest::Joint* joint) {
  for (int j = 0; j < 2; ++j) joint->bend.stiffness[j] = factor * own.bend.stiffness[j];
  joint->twist.stiffness = factor * own.twist.stiffness;
}

}  // namespace

Feed::Feed(const mjModel* m, int instance, const Chain& chain, const std::string& joint)
    : joint_(FindName(m, mjOBJ_JOINT, joint, instance)),
      links_(chain.links() - 1),
      first_body_(chain.body[1]),
      last_body_(chain.body.back()),
      link_(chain.length.back()) {
  if (!SlidesAlong(m, joint_, first_body_)) {
    throw ConfigError(key::kFeed, joint, "the name of a slide joint along the first link");
  }
  for (int k = 0; k < chain.links(); ++k) {
    const bool alike = std::abs(chain.length[k] - link_) <= kAlike * link_;
    if (k == 0 ? chain.is_point(k) : alike && !chain.is_split(k)) continue;
    throw ConfigError(key::kFeed, joint,
                      "a cable of equal links in one tree, with a clamp at its start alone");
  }
  qpos_ = m->jnt_qposadr[joint_];
  dof_ = m->jnt_dofadr[joint_];
  alone_.length = {link_, link_};
  alone_.joint.resize(1);
  alone_.softness = {1};
}

// Joint 0 is at the mouth, joint k at the end of link k - 1.
Feed::Mouth Feed::At(const mjData* d) const {
  const double outside = d->qpos[qpos_] / link_;
  const double whole = std::clamp(std::ceil(outside) - 1, 0.0, links_ - 1.0);
  return {links_ - static_cast<int>(whole), outside - whole};
}

void Feed::SetStiffness(const mjData* d, const RodRest& own, RodRest* rest) const {
  const auto [joint, outside] = At(d);
  const double inside = FeedStiffnessAfterMouth(0).factor;
  for (int i = 0; i < own.joints(); ++i) {
    const double factor = i == 0       ? FeedStiffnessAtMouth(outside).factor
                          : i == joint ? FeedStiffnessAfterMouth(outside).factor
                          : i < joint  ? inside
                                       : 1;
    Scale(own.joint[i], factor, &rest->joint[i]);
  }
}

void Feed::AddForce(const mjModel* m, mjData* d, const RodRest& own, const RodFrames& frames,
                    std::span<const double> twists) {
  alone_.measure = own.measure, alone_.average = own.average;
  alone_.isotropic_straight = own.isotropic_straight;
  const auto energy = [&](int joint) {
    alone_.joint[0] = own.joint[joint];
    const auto [bend, twist] =
        EvaluateRod(alone_, frames.near.subspan(joint, 2), twists.subspan(joint, 1), {});
    return bend + twist;
  };
  const auto [joint, outside] = At(d);
  double slope = FeedStiffnessAtMouth(outside).slope * energy(0);
  if (joint < own.joints()) slope += FeedStiffnessAfterMouth(outside).slope * energy(joint);
  d->qfrc_passive[dof_] -= slope / link_;

  const double speed = d->qvel[dof_], density = m->body_mass[last_body_] / link_;
  const mjtNum* axis = d->xaxis + 3 * joint_;
  mjtNum thrust[3];
  mju_scl3(thrust, axis, -density * speed * speed);
  const int mouth = m->body_jntadr[first_body_], reel = m->body_parentid[first_body_];
  mj_applyFT(m, d, thrust, nullptr, d->xanchor + 3 * mouth, reel, d->qfrc_passive);
}

bool Feed::IsPrepared(const mjModel* m, const mjData* d) const {
  const bool inside = At(d).joint > 1;
  return !inside || m->body_mass[first_body_] < 0.5 * m->body_mass[last_body_];
}

}  // namespace strand::mujoco
