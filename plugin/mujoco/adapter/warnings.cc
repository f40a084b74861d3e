#include "plugin/mujoco/adapter/warnings.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/constraint_solver.h"
#include "plugin/mujoco/adapter/load.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/adapter/softness.h"
#include "plugin/mujoco/adapter/taut.h"
#include "plugin/mujoco/adapter/ties.h"

namespace strand::mujoco {
namespace {

constexpr double kInside = 0.25;  // of the thickness of a link's geom
constexpr int kEvery = 8;         // steps between checks

// True if MuJoCo has reset the state after finding it invalid. The cable then starts, and perhaps
// diverges, again: the warning is not repeated.
bool ResetByMujoco(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number > 0 || d->warning[mjWARN_BADQVEL].number > 0 ||
         d->warning[mjWARN_BADQACC].number > 0;
}

bool IsLink(const mjModel* m, int geom, int instance) {
  return geom >= 0 && m->body_plugin[m->geom_bodyid[geom]] == instance;
}

// True for two links that share a joint and therefore overlap there. MuJoCo omits contacts between
// parent and child, but not if the parent is fixed to the world.
bool AreNeighbours(const mjModel* m, const mjContact& contact, int instance) {
  if (!IsLink(m, contact.geom[0], instance) || !IsLink(m, contact.geom[1], instance)) return false;
  const int a = m->geom_bodyid[contact.geom[0]], b = m->geom_bodyid[contact.geom[1]];
  return m->body_parentid[a] == b || m->body_parentid[b] == a;
}

// The least width (m) of the geom's bounding box; for a capsule or cylinder, its diameter.
double Thickness(const mjModel* m, int geom) {
  const mjtNum* half_size = m->geom_aabb + 6 * geom + 3;
  return 2 * *std::min_element(half_size, half_size + 3);
}

std::string LinkName(const mjModel* m, int geom) {
  return "link '" + BodyName(m, m->geom_bodyid[geom]) + "'";
}

// Describes the object on one side of a contact.
std::string ContactSideName(const mjModel* m, const mjContact& contact, int side, int instance) {
  const int geom = contact.geom[side];
  if (IsLink(m, geom, instance)) return LinkName(m, geom);
  const char* name =
      geom >= 0 ? mj_id2name(m, mjOBJ_GEOM, geom) : mj_id2name(m, mjOBJ_FLEX, contact.flex[side]);
  const std::string kind = geom >= 0 ? "geom " : "flex ";
  if (name && name[0]) return kind + "'" + name + "'";
  if (geom < 0) return kind + std::to_string(contact.flex[side]);
  return kind + std::to_string(geom) + " of body '" + BodyName(m, m->geom_bodyid[geom]) + "'";
}

std::string EqualityName(const mjModel* m, int equality) {
  const char* name = mj_id2name(m, mjOBJ_EQUALITY, equality);
  const std::string kind = "equality ";
  return name && name[0] ? kind + "'" + name + "'" : kind + std::to_string(equality);
}

struct Overlap {
  double depth = 0;  // m
  const mjContact* contact = nullptr;
  int side = 0;  // the link's side of the contact
};

// True if the geoms of a contact do not touch yet: its `dist` is then no depth.
bool IsSpeculative(const mjModel* m, mjData* d, const mjContact& contact) {
  if (!(m->opt.enableflags & kSpeculative) || contact.geom[0] < 0 || contact.geom[1] < 0) {
    return false;
  }
  return mj_geomDistance(m, d, contact.geom[0], contact.geom[1], 0, nullptr) >= 0;
}

Overlap DeepestOverlap(const mjModel* m, mjData* d, int instance) {
  Overlap deepest;
  for (const mjContact* contact = d->contact; contact != d->contact + d->ncon; ++contact) {
    const double depth = -contact->dist;
    if (contact->exclude != 0 || !(depth > deepest.depth)) continue;
    if (AreNeighbours(m, *contact, instance)) continue;
    for (int side = 0; side < 2; ++side) {
      const int geom = contact->geom[side];
      if (!IsLink(m, geom, instance) || depth <= kInside * Thickness(m, geom)) continue;
      if (!IsSpeculative(m, d, *contact)) deepest = {depth, contact, side};
      break;
    }
  }
  return deepest;
}

double ImplicitArmatureOf(const mjModel* m, int joint) {
  return ImplicitArmature(m->dof_damping[m->jnt_dofadr[joint]], m->jnt_stiffness[joint],
                          m->opt.timestep, m->opt.integrator == kDiscrete);
}

// Tension (N) up to which the chain is stable, by its heaviest link: those of a cable that is fed
// have no mass inside the guide. `implicit`: with the joints' implicit inertia.
double StableTensionOf(const mjModel* m, const Chain& chain, bool implicit) {
  double mass = 0, length = 0, armature = std::numeric_limits<double>::infinity();
  for (int k = 0; k < chain.links(); ++k) {
    if (chain.is_point(k)) continue;
    const double far = chain.is_split(k) ? m->body_mass[chain.far_body[k]] : 0;
    const double link = m->body_mass[chain.body[k]] + far;
    if (link > mass) mass = link, length = chain.length[k];
  }
  for (int body : chain.joint_body) {
    for (int j = m->body_jntadr[body]; j < m->body_jntadr[body] + m->body_jntnum[body]; ++j) {
      if (m->jnt_type[j] != mjJNT_BALL && m->jnt_type[j] != mjJNT_HINGE) continue;
      const double added = implicit ? ImplicitArmatureOf(m, j) : 0;
      armature = std::min(armature, m->dof_armature[m->jnt_dofadr[j]] + added);
    }
  }
  return StableTension(armature, mass / length, length, m->opt.timestep);
}

// Tension (N) from which on a chain shakes. With what the integrator solves implicitly it does so a
// little below the bound of linear theory. A known load may just have the tension that the joints'
// armature is chosen for.
double ShakingTensionOf(const mjModel* m, const Chain& chain) {
  constexpr double kKnown = 1.05, kShakes = 0.95;
  return std::max(kKnown * StableTensionOf(m, chain, false),
                  kShakes * StableTensionOf(m, chain, true));
}

}  // namespace

void Warnings::CheckStart(const mjModel* m, mjData* d) {
  if (started_) return;
  started_ = true;
  if (!ResetByMujoco(d)) CheckDepth(m, d);
}

void Warnings::CheckTiesOpen(const mjModel* m, const mjData* d, const Chain& chain) const {
  if (!kHasFirmConstraints || ResetByMujoco(d)) return;  // MuJoCo 3.3 warns in its compiler
  const auto [equality, opening] = WidestTie(m, d, instance_);
  const double length = std::accumulate(chain.length.begin(), chain.length.end(), 0.0);
  if (!(opening > length / chain.links())) return;
  mju_warning(
      "cable '%s': %s starts open by %.3g mm: it pulls the cable over this distance in a few "
      "steps, and may throw it. Place what it ties together first: strand.batch.meet(model, data) "
      "moves a cable to what holds its end, also after a keyframe is loaded.",
      InstanceName(m, instance_).c_str(), EqualityName(m, equality).c_str(), 1e3 * opening);
}

void Warnings::CheckDepth(const mjModel* m, mjData* d) const {
  const auto [depth, contact, side] = DeepestOverlap(m, d, instance_);
  if (!contact) return;
  const int geom = contact->geom[side];
  mju_warning(
      "cable '%s': %s, %.3g mm thick, starts %.3g mm inside %s: the contact will throw it out. "
      "Place the cable clear of that object (links are straight between nodes), or exclude the "
      "contact.",
      InstanceName(m, instance_).c_str(), LinkName(m, geom).c_str(), 1e3 * Thickness(m, geom),
      1e3 * depth, ContactSideName(m, *contact, 1 - side, instance_).c_str());
}

void Warnings::CheckLoad(const mjModel* m, const Chain& chain) const {
  constexpr double kRounding = 1e-2;
  const double weight = HangingMass(m, instance_) * mju_norm3(m->opt.gravity);
  const double stable = StableTensionOf(m, chain, false);
  if (!(weight > (1 + kRounding) * stable)) return;
  mju_warning(
      "cable '%s' and what hangs on it weigh %.3g N, but taut it is stable up to %.3g N only with "
      "steps of %g s: hanging, it would shake itself. Generate or attach it with max_tension = "
      "%.2g or more, so that it may also swing, or take smaller steps or fewer links.",
      InstanceName(m, instance_).c_str(), weight, stable, m->opt.timestep, kSwinging * weight);
}

void Warnings::CheckTies(const mjModel* m, const Chain& chain) const {
  constexpr double kVisible = 1e-3;  // of the cable's length
  constexpr double kEarth = 9.81;    // m/s^2
  const double length = std::accumulate(chain.length.begin(), chain.length.end(), 0.0);
  const double gravity = mju_norm3(m->opt.gravity);
  const double weight = HangingMass(m, instance_) * (gravity > 0 ? gravity : kEarth);
  const Tie tie = SoftestTie(m, chain, instance_);
  if (!(tie.yield * weight > kVisible * length)) return;
  const auto [solref, solimp] = FirmestHold(m);
  mju_warning(
      "cable '%s': %s is too soft for light links: it yields by %.2g mm per newton. "
      "Strand's own have solref %g %g, solimp %g %g %g, a weld torquescale %g.",
      InstanceName(m, instance_).c_str(), EqualityName(m, tie.equality).c_str(), 1e3 * tie.yield,
      solref[0], solref[1], solimp[0], solimp[1], solimp[2], kTorqueScale);
}

void Warnings::CheckPull(const mjModel* m, const mjData* d, const Chain& chain, Pull& pull,
                         std::span<const Frame> frames) {
  constexpr double kPatience = 0.2;  // s: impacts are shorter
  constexpr double kWide = 5e-3;     // opening, by the cable's length
  if (overpulled_ < 0 || steps_ % kEvery != 0) return;
  if (stable_ < 0) stable_ = ShakingTensionOf(m, chain);
  const auto [tension, opening] = pull.Measure(d, frames);
  const double length = std::accumulate(chain.length.begin(), chain.length.end(), 0.0);
  const bool shakes = tension > stable_, opens = tension > 0 && opening > kWide * length;
  const double passed = kEvery * m->opt.timestep;
  overpulled_ = shakes || opens ? overpulled_ + passed : std::max(0.0, overpulled_ - passed);
  if (overpulled_ < kPatience) return;
  overpulled_ = -1;
  if (ResetByMujoco(d)) return;
  const std::string name = InstanceName(m, instance_);
  const double step = m->opt.timestep;
  if (opens) {
    mju_warning(
        "cable '%s' is pulled with more than its cuts bear: they have opened by %.2g mm, and carry "
        "%.3g N. Links do not stretch, and with steps of %g s more would shake it. Generate or "
        "attach it with a max_tension of 1.5 times what pulls it, or 3 times if that comes at once "
        "or swings; take smaller steps or fewer links, or pull less.",
        name.c_str(), 1e3 * opening, tension, step);
    return;
  }
  mju_warning(
      "cable '%s' is pulled with %.3g N, but taut it is stable up to %.2g N only with steps of %g "
      "s: beyond, it may shake. Generate or attach it with max_tension = %.2g or more, take "
      "smaller steps or fewer links, or pull less.",
      name.c_str(), tension, stable_, step, 1.1 * tension);
}

void Warnings::CheckCuts(const mjModel* m, const mjData* d, const Pull& pull) {
  if (loose_ || steps_ % kEvery != 2) return;
  const int equality = pull.Loose(m, d);
  if (equality < 0) return;
  loose_ = true;
  mju_warning(
      "cable '%s' comes apart: %s, which holds the halves of a link together, is switched off, by "
      "eq_active or by an option flag. Switch off the equalities of its ends alone (hold_start, "
      "hold_end), or generate the cable with pieces = none.",
      InstanceName(m, instance_).c_str(), EqualityName(m, equality).c_str());
}

void Warnings::CheckFlags(const mjModel* m) const {
  if (m->opt.integrator != kDiscrete || !(m->opt.disableflags & mjDSBL_SPRING)) return;
  mju_warning(
      "cable '%s' will diverge: the integrator discrete stabilises it by the stiffness of its "
      "joints, which option flag spring disables. Enable it, or use implicitfast and generate or "
      "attach the cable with that.",
      InstanceName(m, instance_).c_str());
}

void Warnings::WarnMaterial(const mjModel* m, const char* reason) {
  if (material_) return;
  material_ = true;
  mju_warning("cable '%s': the change of its material in the plugin state is not used: %s",
              InstanceName(m, instance_).c_str(), reason);
}

void Warnings::WarnUnprepared(const mjModel* m) const {
  mju_warning(
      "cable '%s' is fed out of a guide, but nothing holds the links inside: make a "
      "strand.Feeder(model, data) and call its update() after every step",
      InstanceName(m, instance_).c_str());
}

void Warnings::WarnDiverges(const mjModel* m, const mjData* d, bool lacks_discrete) {
  diverges_ = true;
  if (ResetByMujoco(d)) return;
  if (lacks_discrete) {
    mju_warning(
        "cable '%s' diverges at t = %.4f s: it was made for the integrator discrete. Use that, or "
        "generate or attach the cable with this one.",
        InstanceName(m, instance_).c_str(), d->time);
    return;
  }
  mju_warning(
      "cable '%s' diverges: a joint turned by more than half a turn in a time step at t = %.4f s. "
      "%sUse a smaller time step, or generate or attach the cable with this one, against which it "
      "is then stabilised. If the cable is taut, generate it with a max_tension of at least its "
      "tension; if it is jerked taut, with a max_tension of ten times the weight that jerks it and "
      "pieces = 5; if it is swung or shaken, with whip_damping 3 to 10; if it rolls fast, as short "
      "or thin cables that are thrown or pushed, with the integrator implicit and fewer than 24 "
      "links.",
      InstanceName(m, instance_).c_str(), d->time,
      SolvesLightLinks(m->opt)
          ? ""
          : "Use option solver Newton, iterations 100: CG, PGS and few iterations leave "
            "constraints of light links unsolved. ");
}

}  // namespace strand::mujoco
