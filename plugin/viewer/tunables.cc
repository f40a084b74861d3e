#include "plugin/viewer/tunables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>

#include "plugin/viewer/names.h"

namespace strand::viewer {
namespace {

constexpr double kLargestFactor = 100;

// A factor of some of the model's numbers.
template <class Numbers>
Tunable Factor(const std::string& name, std::vector<mjtNum> original, const Numbers& numbers) {
  Tunable factor{name, "x", 1 / kLargestFactor, kLargestFactor, true, false, 1, 1, {}};
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
    tunables->push_back({name, unit, least, most, logarithmic, false, now, now, set});
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

// Factors of the stiffness of all cables. The joint stiffness that stabilises them, which the
// plugin cancels, changes with the larger one.
void AddStiffness(const mjModel* m, const Cables& cables, std::vector<Tunable>* tunables) {
  if (cables.instance.empty()) return;
  const std::vector<mjtNum> stabilizer(m->jnt_stiffness, m->jnt_stiffness + m->njnt);
  auto factors = std::make_shared<std::array<double, 2>>(std::array{1.0, 1.0});
  for (const int k : {0, 1}) {
    Tunable factor{k ? "GJ" : "EI", "x", 1 / kLargestFactor, kLargestFactor, true, false, 1, 1, {}};
    factor.set = [cables, stabilizer, factors, k](mjModel* model, mjData* d, double value) {
      const auto& [EI, GJ] = *factors;
      (*factors)[k] = value;
      for (int instance : cables.instance) cables.api->scale(model, d, instance, EI, GJ);
      for (int j = 0; j < model->njnt; ++j) {
        const int instance = model->body_plugin[model->jnt_bodyid[j]];
        if (std::ranges::find(cables.instance, instance) == cables.instance.end()) continue;
        model->jnt_stiffness[j] = std::max(EI, GJ) * stabilizer[j];
      }
    };
    tunables->push_back(factor);
  }
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
                    {}};
    control.set = [k](mjModel*, mjData* data, double value) { data->ctrl[k] = value; };
    tunables->push_back(control);
  }
}

}  // namespace

std::vector<Tunable> TunablesOf(const mjModel* m, const mjData* d, const Cables& cables) {
  std::vector<Tunable> tunables;
  AddStiffness(m, cables, &tunables);
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

void RestoreModel(const std::vector<Tunable>& tunables, mjModel* m, mjData* d) {
  for (const Tunable& tunable : tunables) {
    if (!tunable.control && tunable.value != tunable.original) tunable.set(m, d, tunable.original);
  }
}

}  // namespace strand::viewer
