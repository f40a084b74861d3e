#include "plugin/mujoco/adapter/ties.h"

#include <algorithm>

#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/adapter/softness.h"

namespace strand::mujoco {
namespace {

bool AreHalvesOfALink(const Chain& chain, const std::array<int, 2>& bodies) {
  const auto [a, b] = bodies;
  for (int k = 0; k < chain.links(); ++k) {
    const int near = chain.body[k], far = chain.far_body[k];
    if ((near == a && far == b) || (near == b && far == a)) return true;
  }
  return false;
}

// True for a link and for what a link carries, unless that is another cable.
bool Carries(const mjModel* m, int instance, int body) {
  while (body > 0 && m->body_plugin[body] < 0) body = m->body_parentid[body];
  return body > 0 && m->body_plugin[body] == instance;
}

// True if the tie is softer than Strand's own holds, which yield as little as the step allows.
bool IsSoft(const mjModel* m, const Softness& softness) {
  constexpr double kSofter = 10;
  const bool discrete = m->opt.integrator == kDiscrete;
  const Softness own = HoldSoftness(discrete, m->opt.timestep, Held::kBody);
  return Yield(softness, 1) > kSofter * Yield(own, 1);
}

Softness SoftnessOf(const mjModel* m, int equality) {
  Softness softness;
  std::copy_n(m->eq_solref + mjNREF * equality, softness.solref.size(), softness.solref.begin());
  std::copy_n(m->eq_solimp + mjNIMP * equality, softness.solimp.size(), softness.solimp.begin());
  return softness;
}

}  // namespace

std::array<int, 2> TiedBodies(const mjModel* m, int equality) {
  const int type = m->eq_type[equality];
  if (type != mjEQ_CONNECT && type != mjEQ_WELD) return {-1, -1};
  std::array<int, 2> tied{m->eq_obj1id[equality], m->eq_obj2id[equality]};
  if (m->eq_objtype[equality] == mjOBJ_SITE) {
    for (int& body : tied) body = m->site_bodyid[body];
  }
  return tied;
}

Tie SoftestTie(const mjModel* m, const Chain& chain, int instance) {
  Tie softest;
  for (int equality = 0; equality < m->neq; ++equality) {
    const std::array<int, 2> tied = TiedBodies(m, equality);
    if (AreHalvesOfALink(chain, tied)) continue;
    if (!Carries(m, instance, tied[0]) && !Carries(m, instance, tied[1])) continue;
    const Softness softness = SoftnessOf(m, equality);
    if (!IsSoft(m, softness)) continue;
    // The inverse weights of a body are those of displacements and of rotations.
    const double inverse = m->body_invweight0[2 * tied[0]] + m->body_invweight0[2 * tied[1]];
    const double yield = Yield(softness, inverse);
    if (yield > softest.yield) softest = {equality, yield};
  }
  return softest;
}

bool IsOnCable(const mjModel* m, int body, int instance) {
  while (body > 0 && m->body_plugin[body] != instance) body = m->body_parentid[body];
  return body > 0;
}

bool IsFreeBody(const mjModel* m, int body) {
  const int root = m->body_rootid[body];
  int joints = 0;
  for (int b = root; b < m->nbody; ++b) joints += m->body_rootid[b] == root ? m->body_jntnum[b] : 0;
  return joints == 1 && m->body_dofnum[root] == 6;
}

}  // namespace strand::mujoco
