#include "plugin/mujoco/adapter/ties.h"

#include <algorithm>

#include "plugin/mujoco/adapter/mujoco_versions.h"

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
bool IsPartOf(const mjModel* m, int body, int instance) {
  while (body > 0 && m->body_plugin[body] < 0) body = m->body_parentid[body];
  return body > 0 && m->body_plugin[body] == instance;
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

Softness FirmestHold(const mjModel* m) {
  return HoldSoftness(m->opt.integrator == kDiscrete, m->opt.timestep,
                      EndRatio(m->opt.integrator == mjINT_RK4));
}

Tie SoftestTie(const mjModel* m, const Chain& chain, int instance) {
  constexpr double kSofter = 10;
  const double firm = Yield(FirmestHold(m), 1);
  Tie softest;
  for (int equality = 0; equality < m->neq; ++equality) {
    const std::array<int, 2> tied = TiedBodies(m, equality);
    if (AreHalvesOfALink(chain, tied)) continue;
    if (!IsPartOf(m, tied[0], instance) && !IsPartOf(m, tied[1], instance)) continue;
    const Softness softness = SoftnessOf(m, equality);
    if (Yield(softness, 1) <= kSofter * firm) continue;
    // The inverse weights of a body are those of displacements and of rotations.
    const double inverse = m->body_invweight0[2 * tied[0]] + m->body_invweight0[2 * tied[1]];
    const double yield = Yield(softness, inverse);
    if (yield > softest.yield) softest = {equality, yield};
  }
  return softest;
}

OpenTie WidestTie(const mjModel* m, const mjData* d, int instance) {
  OpenTie widest;
  int seen = -1;
  for (int row = 0; row < d->ne; ++row) {
    const int equality = d->efc_id[row];
    // The first three rows of a connect or weld are its displacement.
    if (d->efc_type[row] != mjCNSTR_EQUALITY || equality == seen) continue;
    seen = equality;
    const auto [a, b] = TiedBodies(m, equality);
    if (IsPartOf(m, a, instance) == IsPartOf(m, b, instance)) continue;
    const double opening = mju_norm3(d->efc_pos + row);
    if (opening > widest.opening) widest = {equality, opening};
  }
  return widest;
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
