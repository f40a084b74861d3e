#include "plugin/mujoco/adapter/numerical_stiffness.h"

#include <algorithm>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"

namespace strand::mujoco {
namespace {

// The rod's joint between a body and its nearest ancestor in the chain; -1 if there is none.
int RodJoint(const mjModel* m, int instance, const Chain& chain, int body) {
  const int links = chain.links();
  for (int parent = body; parent > 0;) {
    parent = m->body_parentid[parent];
    for (int i = 0; i < links; ++i) {
      const int a = chain.far_body[i], b = chain.body[(i + 1) % links];
      if ((a == parent && b == body) || (a == body && b == parent)) return i;
    }
    if (m->body_plugin[parent] == instance) return -1;
  }
  return -1;
}

// The rod's stiffness (N m) about the x, y and z axes of its links.
Vector3 OwnStiffness(const Chain& chain, std::span<const RodStiffness> stiffness, int i) {
  const double span = 0.5 * (chain.length[i] + chain.length[(i + 1) % chain.links()]);
  const auto& [EI, GJ] = stiffness[i];
  return Vector3(GJ, EI[0], EI[1]) / span;
}

// A round rod's torsion, which is a little softer than bending, is not told apart.
bool IsUneven(const RodStiffness& stiffness) { return stiffness.EI[0] != stiffness.EI[1]; }

// Shares of a spring's stiffness (N m) that the rod has itself.
void SetShares(const mjModel* m, const Vector3& own, NumericalStiffness::Spring* spring) {
  const double k = m->jnt_stiffness[spring->joint];
  const auto share = [k](double stiffness) { return std::min(1.0, stiffness / k); };
  if (spring->type == mjJNT_HINGE) {
    const Eigen::Map<const Vector3> axis(m->jnt_axis + 3 * spring->joint);
    spring->share[0] = share(axis.cwiseAbs2().dot(own));
    return;
  }
  for (int i = 0; i < 3; ++i) spring->share[i] = share(own[i]);
}

}  // namespace

NumericalStiffness::NumericalStiffness(const mjModel* m, int instance, const Chain& chain,
                                       std::span<const RodStiffness> stiffness) {
  const bool flat = std::ranges::any_of(stiffness, IsUneven);
  for (int body : chain.joint_body) {
    const int i = flat ? RodJoint(m, instance, chain, body) : -1;
    for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; ++j) {
      const int type = m->jnt_type[j];
      if (m->jnt_stiffness[j] == 0 || (type != mjJNT_BALL && type != mjJNT_HINGE)) continue;
      if (HasNonlinearSpring(m, j)) {
        throw ConfigError(key::kStabilizer,
                          "joint_stiffness, but a joint of link '" + BodyName(m, body) +
                              "' has a nonlinear spring",
                          "joints with linear stiffness only");
      }
      Spring spring{j, m->jnt_qposadr[j], m->jnt_dofadr[j], type};
      if (i >= 0 && IsUneven(stiffness[i])) {
        SetShares(m, OwnStiffness(chain, stiffness, i), &spring);
      }
      for (int axis = 0; axis < spring.dofs(); ++axis) uneven_ |= spring.share[axis] < 1;
      springs_.push_back(spring);
    }
  }
  if (springs_.empty()) {
    throw ConfigError(key::kStabilizer, "joint_stiffness, but no joint of a link has stiffness",
                      "stiffness > 0 on the ball joints between links, or stabilizer = none");
  }
}

void NumericalStiffness::AddForce(const mjModel* m, mjData* d) const {
  if (springs_.empty()) return;
  const bool cancels = !(m->opt.disableflags & mjDSBL_SPRING);
  if (cancels) Cancel(m, d);
  if (m->opt.integrator == mjINT_RK4) return;
  const bool discrete = m->opt.integrator == kDiscrete;
  if (discrete ? cancels && uneven_ : !(m->opt.disableflags & mjDSBL_DAMPER)) Damp(m, d);
}

bool NumericalStiffness::LacksDiscrete(const mjModel* m) const {
  constexpr double kNone = 0.01;  // of h^2 k
  if (m->opt.integrator == kDiscrete) return false;
  const double least = kNone * m->opt.timestep * m->opt.timestep;
  return std::ranges::any_of(springs_, [&](const Spring& spring) {
    return m->dof_armature[spring.dof] < least * m->jnt_stiffness[spring.joint];
  });
}

void NumericalStiffness::Cancel(const mjModel* m, mjData* d) const {
  // Without tendons and flexes, MuJoCo's spring force on these joints comes only from their
  // springs.
  const bool alone = m->ntendon == 0 && m->nflex == 0;
  for (const Spring& spring : springs_) {
    if (alone) {
      const int end = spring.dof + spring.dofs();
      for (int i = spring.dof; i < end; ++i) d->qfrc_passive[i] -= d->qfrc_spring[i];
      continue;
    }
    const double stiffness = m->jnt_stiffness[spring.joint];
    const mjtNum* qpos = d->qpos + spring.qpos;
    const mjtNum* reference = m->qpos_spring + spring.qpos;
    mjtNum* torque = d->qfrc_passive + spring.dof;
    if (spring.type == mjJNT_HINGE) {
      torque[0] += stiffness * (qpos[0] - reference[0]);
      continue;
    }
    mjtNum quaternion[4], difference[3];
    mju_copy4(quaternion, qpos);
    mju_normalize4(quaternion);
    mju_subQuat(difference, quaternion, reference);
    mju_addToScl3(torque, difference, stiffness);
  }
}

// `discrete` has -h k v on the right side, of which too much is taken back. With other integrators
// the damping is added, limited to what the armature makes stable. (They would solve MuJoCo's own
// joint damping implicitly, but not the constraints.)
void NumericalStiffness::Damp(const mjModel* m, mjData* d) const {
  const double h = m->opt.timestep;
  const bool discrete = m->opt.integrator == kDiscrete;
  for (const Spring& spring : springs_) {
    const double k = m->jnt_stiffness[spring.joint];
    const double has = discrete ? h * k : 0;
    const double most = discrete ? h * k : m->dof_armature[spring.dof] / h;
    for (int i = 0; i < spring.dofs(); ++i) {
      const double damping = std::min(h * k * spring.share[i], most);
      d->qfrc_passive[spring.dof + i] += (has - damping) * d->qvel[spring.dof + i];
    }
  }
}

}  // namespace strand::mujoco
