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

  /// mu times the part along tangent k.
  double Friction(int k, const mjtNum* joints) const {
    if (elliptic) return contact.friction[k] * Dot(m, d, first + 1 + k, joints);
    const int edge = first + 2 * k;
    return 0.5 * (Dot(m, d, edge, joints) - Dot(m, d, edge + 1, joints));
  }

  /// The same of a vector in world axes; 0 for the tangents that are rotations.
  double Friction(int k, const Vector3& along) const {
    return k < 2 ? contact.friction[k] * mju_dot3(contact.frame + 3 * (k + 1), along.data()) : 0;
  }

  /// Size of the vector with the part `part(k)` along tangent k. In a pyramid the largest counts.
  template <class Part>
  double Size(const Part& part) const {
    double sum = 0, largest = 0;
    for (int k = 0; k < contact.dim - 1; ++k) {
      const double each = std::abs(part(k));
      sum += each * each;
      largest = std::max(largest, each);
    }
    return elliptic ? std::sqrt(sum) : largest;
  }
};

// `steady`: the steady part (m/s^2) of the relative acceleration.
void CorrectContact(const mjModel* m, mjData* d, const Vector3& steady, mjContact* contact) {
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
  const auto slip = [&](int k) { return reference.Tangential(rows.Friction(k, d->qvel)); };
  double parting = 0;
  if (rows.Size(slip) > g * aref) {  // otherwise it sticks, whatever the accelerations
    constexpr double kUnknown = 2;
    const double pressing = std::max({aref, aref - rows.Normal(d->qacc_warmstart), 0.0});
    const double sliding = rows.Size([&](int k) { return slip(k) + rows.Friction(k, steady); });
    const double change = rows.Size(
        [&](int k) { return rows.Friction(k, d->qacc_warmstart) - rows.Friction(k, steady); });
    parting = std::max(0.0, sliding - kUnknown * change - g * pressing);
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

Sliding::Sliding(const mjModel* m, const Chain& chain) : body_(chain.body), link_(m->nbody, -1) {
  for (const auto* bodies : {&chain.body, &chain.far_body}) {
    for (int k = 0; k < chain.links(); ++k) {
      if (!chain.is_point(k)) link_[(*bodies)[k]] = k;
    }
  }
}

void Sliding::Correct(const mjModel* m, mjData* d, std::span<const mjtNum> memory) const {
  const auto link = [&](int geom) { return geom < 0 ? -1 : link_[m->geom_bodyid[geom]]; };
  const auto steady = [&](int k) -> Vector3 {
    if (k < 0) return Vector3::Zero();
    return Vector3::Map(&memory[kPerLink * k + 3]);
  };
  for (int c = 0; c < d->ncon; ++c) {
    mjContact& contact = d->contact[c];
    const int row = contact.efc_address;
    if (row < 0 || row >= d->nefc || contact.dim < 3) continue;
    const int first = link(contact.geom[0]), second = link(contact.geom[1]);
    if (first < 0 && second < 0) continue;
    CorrectContact(m, d, steady(second) - steady(first), &contact);
  }
}

void Sliding::Advance(const mjModel* m, const mjData* d, std::span<mjtNum> memory) const {
  constexpr double kSteps = 4;     // over which accelerations are averaged
  constexpr double kLargest = 40;  // m/s^2: what accelerates more does not do so steadily
  for (size_t k = 0; k < body_.size(); ++k) {
    mjtNum velocity[6];  // rotation, translation
    mj_objectVelocity(m, d, mjOBJ_BODY, body_[k], velocity, 0);
    const Vector3 now = Vector3::Map(velocity + 3);
    Eigen::Map<Vector3> last(&memory[kPerLink * k]), steady(&memory[kPerLink * k + 3]);
    Vector3 acceleration = (now - last) / m->opt.timestep;
    const double size = acceleration.norm();
    if (size > kLargest) acceleration *= kLargest / size;
    steady += (acceleration - steady) / kSteps;
    last = now;
  }
}

}  // namespace strand::mujoco
