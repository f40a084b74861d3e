#include "plugin/mujoco/adapter/sliding.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plugin/mujoco/adapter/mujoco_versions.h"

namespace strand::mujoco {
namespace {

// `solimp` with MuJoCo's limits.
struct Impedance {
  explicit Impedance(const mjtNum solimp[5])
      : first(std::clamp(solimp[0], mjMINIMP, mjMAXIMP)),
        last(std::clamp(solimp[1], mjMINIMP, mjMAXIMP)),
        width(std::max(solimp[2], mjMINVAL)),
        middle(std::clamp(solimp[3], mjMINIMP, mjMAXIMP)),
        power(std::max(solimp[4], 1.0)) {}

  double At(double distance) const {
    if (width <= mjMINVAL) return 0.5 * (first + last);
    const double x = std::min(distance / width, 1.0);
    const double rise = x <= middle ? std::pow(x, power) / std::pow(middle, power - 1)
                                    : 1 - std::pow(1 - x, power) / std::pow(1 - middle, power - 1);
    return std::lerp(first, last, rise);
  }

  double first, last, width, middle, power;
};

// The reference of a contact, aref = (k (depth - t v) - B v) / c with c = 1 + t B + t^2 k along its
// normal, and -b v / (1 + t b) along its surface. `discrete` takes both at the end of the step t.
struct Reference {
  double stiffness, damping, friction;  // k (1/s^2), B, b (1/s)
  double step;                          // t (s): 0 with other integrators

  double implicit() const { return 1 + step * (damping + step * stiffness); }
  double Normal(double depth, double speed) const {
    return (stiffness * (depth - step * speed) - damping * speed) / implicit();
  }
  double Tangential(double speed) const { return friction * speed / (1 + step * friction); }
};

// True if MuJoCo limits the stiffness of contacts to what the step can resolve.
bool IsSafe(const mjModel* m) { return !(m->opt.disableflags & mjDSBL_REFSAFE); }

// k / d and B of `solref`, with the impedance d at the end of the range of `solimp`.
std::array<double, 2> Coefficients(const mjModel* m, const mjtNum solref[2], double d) {
  if (solref[0] <= 0) return {-solref[0] / (d * d), -solref[1] / d};
  const bool is_limited = m->opt.integrator != kDiscrete && IsSafe(m);
  const double time = std::max(solref[0], is_limited ? 2 * m->opt.timestep : 0.0);
  return {1 / std::pow(d * time * solref[1], 2), 2 / (d * time)};
}

Reference ReferenceOf(const mjModel* m, const mjContact& contact, const Impedance& impedance,
                      double distance, bool elliptic) {
  const auto [stiffness, damping] = Coefficients(m, contact.solref, impedance.last);
  const mjtNum* own = contact.solreffriction;
  const bool has_own = elliptic && (own[0] != 0 || own[1] != 0);
  return {.stiffness = stiffness * impedance.At(distance),
          .damping = damping,
          .friction = has_own ? Coefficients(m, own, impedance.last)[1] : damping,
          .step = m->opt.integrator == kDiscrete ? m->opt.timestep : 0};
}

double Dot(const mjModel* m, const mjData* d, int row, const mjtNum* joints) {
  if (!mj_isSparse(m)) return mju_dot(d->efc_J + m->nv * static_cast<size_t>(row), joints, m->nv);
  double sum = 0;
  const int begin = d->efc_J_rowadr[row], end = begin + d->efc_J_rownnz[row];
  for (int k = begin; k < end; ++k) sum += d->efc_J[k] * joints[d->efc_J_colind[k]];
  return sum;
}

// The rows of a contact with friction: its normal and tangents, or the edges of a pyramid, which
// are the normal plus and minus mu times each tangent.
struct Rows {
  const mjModel* m;
  const mjData* d;
  const mjContact& contact;
  int first = contact.efc_address;
  bool elliptic = d->efc_type[first] == mjCNSTR_CONTACT_ELLIPTIC;

  /// Rows that push along the normal.
  int pushing() const { return elliptic ? 1 : 2 * (contact.dim - 1); }

  double Normal(const mjtNum* joints) const {
    if (elliptic) return Dot(m, d, first, joints);
    return 0.5 * (Dot(m, d, first, joints) + Dot(m, d, first + 1, joints));
  }

  /// mu times the size of the tangential part. Of a pyramid's tangents the largest counts.
  double Friction(const mjtNum* joints) const {
    double sum = 0, largest = 0;
    for (int k = 0; k < contact.dim - 1; ++k) {
      const int edge = first + 2 * k;
      const double part = elliptic ? contact.friction[k] * Dot(m, d, first + 1 + k, joints)
                                   : 0.5 * (Dot(m, d, edge, joints) - Dot(m, d, edge + 1, joints));
      sum += part * part;
      largest = std::max(largest, std::abs(part));
    }
    return elliptic ? std::sqrt(sum) : largest;
  }
};

void CorrectContact(const mjModel* m, mjData* d, mjContact* contact) {
  const Rows rows{m, d, *contact};
  const Impedance impedance(contact->solimp);
  const bool discrete = m->opt.integrator == kDiscrete;
  const double margin = d->efc_margin[rows.first], depth = margin - contact->dist;
  // With `discrete` an earlier call may have changed both the position and the width.
  const double distance = std::abs(discrete ? d->efc_pos[rows.first] - margin : depth);
  const Reference reference = ReferenceOf(m, *contact, impedance, distance, rows.elliptic);
  if (!(reference.stiffness > 0 && std::isfinite(reference.stiffness))) return;
  const double step = reference.step;
  if (IsSafe(m) && step * step * reference.stiffness > 1) return;  // MuJoCo replaces this reference

  const double mu = contact->friction[0], g = rows.elliptic ? mu * mu / m->opt.impratio : 1;
  const double aref = reference.Normal(depth, rows.Normal(d->qvel));
  const double slip = reference.Tangential(rows.Friction(d->qvel));
  double parting = 0;
  if (slip > g * aref) {  // otherwise it sticks, whatever the accelerations
    constexpr double kUnknown = 2;
    const double pressing = std::max({aref, aref - rows.Normal(d->qacc_warmstart), 0.0});
    const double change = rows.Friction(d->qacc_warmstart);
    parting = std::max(0.0, slip - kUnknown * change - g * pressing);
  }
  const double pos = contact->dist + parting * reference.implicit() / reference.stiffness;
  std::fill_n(d->efc_pos + rows.first, rows.pushing(), pos);
  if (discrete && impedance.width > mjMINVAL) {
    constexpr double kWidest = 1e10;  // m: as good as a depth of 0
    const double wider = std::abs(pos - margin) / std::max(distance, mjMINVAL);
    contact->solimp[2] = std::clamp(impedance.width * wider, 2 * mjMINVAL, kWidest);
  }
}

}  // namespace

Sliding::Sliding(const mjModel* m, const Chain& chain) : is_link_(m->nbody, false) {
  for (const auto* bodies : {&chain.body, &chain.far_body}) {
    for (int body : *bodies) is_link_[body] = true;
  }
}

void Sliding::Correct(const mjModel* m, mjData* d) const {
  const auto is_own = [&](int geom) { return geom >= 0 && is_link_[m->geom_bodyid[geom]]; };
  for (int c = 0; c < d->ncon; ++c) {
    mjContact& contact = d->contact[c];
    const int row = contact.efc_address;
    if (row < 0 || row >= d->nefc || contact.dim < 3) continue;
    if (is_own(contact.geom[0]) || is_own(contact.geom[1])) CorrectContact(m, d, &contact);
  }
}

}  // namespace strand::mujoco
