#include "plugin/mujoco/adapter/load.h"

#include <vector>

#include "plugin/mujoco/adapter/ties.h"

namespace strand::mujoco {
namespace {

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

double HangingMass(const mjModel* m, int instance) {
  std::vector<bool> on_cable(m->nbody, false);
  double mass = 0;
  for (int body = 1; body < m->nbody; ++body) {
    on_cable[body] = IsOnCable(m, body, instance);
    if (on_cable[body]) mass += m->body_mass[body];
  }
  return mass + MassTiedTo(m, on_cable);
}

}  // namespace strand::mujoco
