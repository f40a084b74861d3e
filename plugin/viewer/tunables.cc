#include "plugin/viewer/tunables.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <stdexcept>

#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/viewer/names.h"

namespace strand::viewer {
namespace {

constexpr double kLargestFactor = 100;
constexpr double kMostLoops = 3, kMostTurns = 10;  // of the longest cable, by its natural shape

// A factor of some of the model's numbers.
template <class Numbers>
Tunable Factor(const std::string& name, std::vector<mjtNum> original, const Numbers& numbers) {
  Tunable factor{name, "x", 1 / kLargestFactor, kLargestFactor, true, false, 1, 1, {}, {}};
  factor.set = [original = std::move(original), numbers](mjModel* m, mjData*, double value) {
    const std::span<mjtNum> now = numbers(m);
    for (size_t k = 0; k < now.size(); ++k) now[k] = value * original[k];
  };
  return factor;
}

template <class Numbers>
void AddFactor(const std::string& name, const mjModel* m, const Numbers& numbers,
               std::vector<Tunable>* tunables) {
  const std::span<mjtNum> now = numbers(const_cast<mjModel*>(m));  // read only
  if (std::ranges::all_of(now, [](mjtNum number) { return number == 0; })) return;
  tunables->push_back(Factor(name, {now.begin(), now.end()}, numbers));
}

void AddOptions(const mjModel* m, std::vector<Tunable>* tunables) {
  const mjOption& opt = m->opt;
  const auto add = [&](const char* name, const char* unit, double least, double most,
                       bool logarithmic, double now, auto set) {
    tunables->push_back({name, unit, least, most, logarithmic, false, now, now, set, {}});
  };
  add("gravity", "m/s^2", -20, 20, false, opt.gravity[2],
      [](mjModel* model, mjData*, double value) { model->opt.gravity[2] = value; });
  add("timestep", "s", 1e-5, 0.02, true, opt.timestep,
      [](mjModel* model, mjData*, double value) { model->opt.timestep = value; });
  add("wind", "m/s", -20, 20, false, opt.wind[0],
      [](mjModel* model, mjData*, double value) { model->opt.wind[0] = value; });
  add("density", "kg/m^3", 0, 2000, false, opt.density,
      [](mjModel* model, mjData*, double value) { model->opt.density = value; });
}

// A change of the material of all cables, shared by the numbers below.
class Material {
 public:
  Material(const mjModel* m, const Cables& cables)
      : cables_(cables),
        stiffness_(m->jnt_stiffness, m->jnt_stiffness + m->njnt),
        armature_(m->dof_armature, m->dof_armature + m->nv) {}

  /// What stabilises cables changes with the larger factor: the joint stiffness that the plugin
  /// cancels, and the armature of these joints with other integrators than `discrete`. Armature
  /// also bears tension, so that it does not fall below the model's own.
  void Apply(mjModel* m, mjData* d) const {
    std::string error;  // numbers are within their ranges
    for (int instance : cables_.instance) cables_.api->change(m, d, instance, &change, &error);
    for (int j = 0; j < m->njnt; ++j) {
      const int instance = m->body_plugin[m->jnt_bodyid[j]];
      if (std::ranges::find(cables_.instance, instance) == cables_.instance.end()) continue;
      if (stiffness_[j] == 0) continue;
      const double factor = std::max(change.EI[0], change.GJ[0]);
      m->jnt_stiffness[j] = factor * stiffness_[j];
      if (m->opt.integrator == mujoco::kDiscrete) continue;
      for (int i = m->jnt_dofadr[j]; i < m->nv && m->dof_jntid[i] == j; ++i) {
        m->dof_armature[i] = std::max(1.0, factor) * armature_[i];
      }
    }
  }

  MaterialChange change;

 private:
  Cables cables_;
  std::vector<mjtNum> stiffness_, armature_;  ///< the model's own
};

// Length (m) of the longest cable.
double LongestCable(const mjModel* m, const mjData* d, const Cables& cables) {
  double longest = 0;
  for (std::size_t c = 0; c < cables.instance.size(); ++c) {
    RodProfile profile;
    cables.Read(m, d, static_cast<int>(c), &profile);
    longest = std::max(longest, std::accumulate(profile.length.begin(), profile.length.end(), 0.0));
  }
  return longest;
}

void AddMaterial(const mjModel* m, const mjData* d, const Cables& cables,
                 std::vector<Tunable>* tunables) {
  const double length = LongestCable(m, d, cables);
  if (length == 0) return;
  const auto material = std::make_shared<Material>(m, cables);
  const auto add = [&](const char* name, const char* unit, double least, double most,
                       double original, auto number) {
    const bool factor = original == 1;
    Tunable tunable{name, unit, least, most, factor, false, original, original, {}, {}};
    tunable.set = [material, number](mjModel* model, mjData* data, double value) {
      number(&material->change) = value;
      material->Apply(model, data);
    };
    tunable.again = [material](mjModel* model, mjData* data) { material->Apply(model, data); };
    tunables->push_back(tunable);
  };
  using Change = MaterialChange*;
  const double loops = 2 * kMostLoops * std::numbers::pi / length;
  const double turns = 2 * kMostTurns * std::numbers::pi / length;
  add("EI", "x", 1 / kLargestFactor, kLargestFactor, 1,
      [](Change c) -> double& { return c->EI[0]; });
  add("GJ", "x", 1 / kLargestFactor, kLargestFactor, 1,
      [](Change c) -> double& { return c->GJ[0]; });
  add("rest_curvature", "1/m", -loops, loops, 0,
      [](Change c) -> double& { return c->curvature[0]; });
  add("rest_twist", "rad/m", -turns, turns, 0, [](Change c) -> double& { return c->rest_twist; });
}

void AddControls(const mjModel* m, const mjData* d, std::vector<Tunable>* tunables) {
  for (int k = 0; k < m->nu; ++k) {
    const mjtNum* range = m->actuator_ctrlrange + 2 * k;
    const bool limited = m->actuator_ctrllimited[k];
    Tunable control{NameOf(m, mjOBJ_ACTUATOR, k, "actuator"),
                    "",
                    limited ? range[0] : -1,
                    limited ? range[1] : 1,
                    false,
                    true,
                    d->ctrl[k],
                    d->ctrl[k],
                    {},
                    {}};
    control.set = [k](mjModel*, mjData* data, double value) { data->ctrl[k] = value; };
    tunables->push_back(control);
  }
}

}  // namespace

std::vector<Tunable> TunablesOf(const mjModel* m, const mjData* d, const Cables& cables) {
  std::vector<Tunable> tunables;
  AddMaterial(m, d, cables, &tunables);
  AddFactor(
      "damping", m, [](mjModel* model) { return std::span(model->dof_damping, model->nv); },
      &tunables);
  AddFactor(
      "friction", m,
      [](mjModel* model) { return std::span(model->geom_friction, 3 * model->ngeom); }, &tunables);
  AddOptions(m, &tunables);
  AddControls(m, d, &tunables);
  return tunables;
}

void Change(double value, Tunable* tunable, Player* player) {
  if (!std::isfinite(value)) return;
  tunable->value = std::clamp(value, tunable->least, tunable->most);
  player->Post([set = tunable->set, to = tunable->value](mjModel* m, mjData* d) { set(m, d, to); });
}

void ChangeByName(const std::string& name, double value, std::vector<Tunable>* tunables,
                  Player* player) {
  std::string names;
  for (Tunable& tunable : *tunables) {
    if (tunable.name == name) return Change(value, &tunable, player);
    names += (names.empty() ? "" : ", ") + tunable.name;
  }
  throw std::invalid_argument("set: got '" + name + "', allowed: " + names);
}

Player::Command AfterJump(const std::vector<Tunable>& tunables) {
  std::vector<Player::Command> again;
  for (const Tunable& tunable : tunables) {
    if (tunable.again) again.push_back(tunable.again);
  }
  return [again](mjModel* m, mjData* d) {
    for (const Player::Command& command : again) command(m, d);
  };
}

void RestoreModel(const std::vector<Tunable>& tunables, mjModel* m, mjData* d) {
  for (const Tunable& tunable : tunables) {
    if (!tunable.control && tunable.value != tunable.original) tunable.set(m, d, tunable.original);
  }
}

}  // namespace strand::viewer
