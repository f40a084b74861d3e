#include "plugin/mujoco/adapter/load.h"

#include <vector>

#include "plugin/mujoco/adapter/pull.h"

namespace strand::mujoco {
namespace {

// Bodies of the cable, and those on them.
std::vector<bool> OnCable(const mjModel* m, const Chain& chain) {
  std::vector<bool> on_cable(m->nbody, false);
  for (int k = 0; k < chain.links(); ++k) {
    if (!chain.is_point(k)) on_cable[chain.body[k]] = on_cable[chain.far_body[k]] = true;
  }
  for (int body = 1; body < m->nbody; ++body) {
    on_cable[body] = on_cable[body] || on_cable[m->body_parentid[body]];
  }
  return on_cable;
}

// Mass (kg) of free rigid bodies that constraints tie to a cable which something else holds. Other
// bodies that are tied to it may hold it.
double MassTiedTo(const mjModel* m, const std::vector<bool>& on_cable) {
  bool held = false;
  for (int body = 1; body < m->nbody; ++body) {
    const int root = m->body_rootid[body];
    held = held || (on_cable[body] && (!on_cable[root] || m->body_dofnum[root] != 6));
  }
  std::vector<bool> counted(m->nbody, false);
  double mass = 0;
  for (int e = 0; e < m->neq; ++e) {
    auto [body, other] = TiedBodies(m, e);
    if (body < 0 || !m->eq_active0[e] || on_cable[body] == on_cable[other]) continue;
    if (on_cable[body]) body = other;
    const int root = m->body_rootid[body];
    if (!IsFreeBody(m, body)) {
      held = true;
    } else if (!counted[root]) {
      counted[root] = true;
      mass += m->body_subtreemass[root];
    }
  }
  return held ? mass : 0;
}

}  // namespace

bool IsFreeBody(const mjModel* m, int body) {
  const int root = m->body_rootid[body];
  int joints = 0;
  for (int b = root; b < m->nbody; ++b) joints += m->body_rootid[b] == root ? m->body_jntnum[b] : 0;
  return joints == 1 && m->body_dofnum[root] == 6;
}

double HangingMass(const mjModel* m, const Chain& chain) {
  const std::vector<bool> on_cable = OnCable(m, chain);
  double mass = MassTiedTo(m, on_cable);
  for (int body = 1; body < m->nbody; ++body) mass += on_cable[body] ? m->body_mass[body] : 0;
  return mass;
}

}  // namespace strand::mujoco
