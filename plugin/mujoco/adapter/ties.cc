#include "plugin/mujoco/adapter/ties.h"

namespace strand::mujoco {

std::array<int, 2> TiedBodies(const mjModel* m, int equality) {
  const int type = m->eq_type[equality];
  if (type != mjEQ_CONNECT && type != mjEQ_WELD) return {-1, -1};
  std::array<int, 2> tied{m->eq_obj1id[equality], m->eq_obj2id[equality]};
  if (m->eq_objtype[equality] == mjOBJ_SITE) {
    for (int& body : tied) body = m->site_bodyid[body];
  }
  return tied;
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
