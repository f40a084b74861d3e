#include "plugin/viewer/coloring.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "plugin/mujoco/adapter/heat_color.h"
#include "plugin/viewer/names.h"

namespace strand::viewer {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double Norm(const std::vector<double>& vectors, size_t k) {
  return std::hypot(vectors[3 * k], vectors[3 * k + 1], vectors[3 * k + 2]);
}

// MuJoCo 4 has a texture besides the material.
template <class Geom>
void RemoveTexture(Geom* geom) {
  geom->matid = -1;
  if constexpr (requires { geom->texid; }) geom->texid = -1;
}

}  // namespace

Quantity QuantityOf(const std::string& key) {
  std::string keys;
  for (size_t k = 0; k < kQuantities.size(); ++k) {
    if (key == kQuantities[k].key) return static_cast<Quantity>(k);
    if (static_cast<Quantity>(k) == Quantity::kGiven) continue;  // only some scenes have it
    keys += (k ? ", " : "") + std::string(kQuantities[k].key);
  }
  throw std::invalid_argument("color: got '" + key + "', allowed: " + keys);
}

std::string WithUnit(double value, const std::string& unit) {
  constexpr const char* kPrefix[] = {"n", "u", "m", "", "k", "M", "G"};
  int thousands = 0;
  if (value != 0 && !unit.empty() && std::isfinite(value)) {
    thousands = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) / 3)), -3, 3);
  }
  if (unit.starts_with("1/")) thousands = 0;
  char text[64];
  std::snprintf(text, sizeof(text), "%.3g %s%s", value / std::pow(1000.0, thousands),
                kPrefix[thousands + 3], unit.c_str());
  return text;
}

Cables::Cables(const mjModel* m, const StrandAdapterApi* adapter) : api(adapter) {
  if (!api) return;
  for (int k = 0; k < m->nplugin; ++k) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[k]);
    if (!plugin || std::strcmp(plugin->name, "strand.cable") != 0) continue;
    instance.push_back(k);
    name.push_back(NameOf(m, mjOBJ_PLUGIN, k, "cable"));
  }
}

bool Cables::Read(const mjModel* m, const mjData* d, int cable, RodProfile* profile) const {
  return api->profile(m, d, instance[cable], profile) == 0;
}

QuantityWords Cables::Words(Quantity quantity) const {
  const QuantityWords& words = kQuantities[static_cast<int>(quantity)];
  if (quantity != Quantity::kGiven) return words;
  return {words.key, given.c_str(), given_unit.c_str()};
}

std::vector<double> JointValues(Quantity quantity, const RodProfile& profile) {
  const size_t joints = profile.span.size();
  std::vector<double> values(joints);
  for (size_t k = 0; k < joints; ++k) {
    switch (quantity) {
      case Quantity::kCurvature:
        values[k] = Norm(profile.curvature, k);
        break;
      case Quantity::kTwist:
        values[k] = std::abs(profile.twist[k]) / profile.span[k];
        break;
      case Quantity::kMoment:
        values[k] = Norm(profile.moment, k);
        break;
      case Quantity::kBendingStress:
        if (profile.bending_stress.empty()) return {};
        values[k] = profile.bending_stress[k];
        break;
      case Quantity::kTorsionStress:
        if (profile.torsion_stress.empty()) return {};
        values[k] = profile.torsion_stress[k];
        break;
      case Quantity::kNone:
      case Quantity::kTension:
      case Quantity::kVonMisesStress:
      case Quantity::kContactForce:
      case Quantity::kGiven:
        return {};
    }
  }
  return values;
}

// Links get the larger value of their joints, or the sum of the forces of their contacts.
void Coloring::FindValues(const mjModel* m, const mjData* d, const Cables& cables) {
  if (quantity == Quantity::kTension || quantity == Quantity::kVonMisesStress ||
      quantity == Quantity::kGiven) {
    if (cables.values) of_body_ = cables.values(d, kQuantities[static_cast<int>(quantity)].key);
    of_body_.resize(m->nbody, kNothing);
    return;
  }
  of_body_.assign(m->nbody, kNothing);
  RodProfile profile;
  for (size_t c = 0; c < cables.instance.size(); ++c) {
    profile = {};
    if (!cables.Read(m, d, static_cast<int>(c), &profile)) continue;
    const std::vector<double> values = JointValues(quantity, profile);
    if (quantity != Quantity::kContactForce && values.empty()) continue;
    for (size_t k = 0; k < profile.body.size(); ++k) {
      of_body_[profile.body[k]] = of_body_[profile.far_body[k]] = 0;
    }
    for (size_t k = 0; k < values.size(); ++k) {
      for (int link : profile.joint_link[k]) {
        for (int body : {profile.body[link], profile.far_body[link]}) {
          of_body_[body] = std::max(of_body_[body], values[k]);
        }
      }
    }
  }
  if (quantity == Quantity::kContactForce) AddContactForces(m, d);
}

void Coloring::AddContactForces(const mjModel* m, const mjData* d) {
  for (int c = 0; c < d->ncon; ++c) {
    mjtNum force[6];
    mj_contactForce(m, d, c, force);
    for (int geom : {d->contact[c].geom[0], d->contact[c].geom[1]}) {
      if (geom < 0) continue;
      double& value = of_body_[m->geom_bodyid[geom]];
      if (!std::isnan(value)) value += mju_norm3(force);
    }
  }
}

void Coloring::Follow(double smallest, double largest) {
  if (!fixed) least = std::min(smallest, 0.0), most = largest;
}

void Coloring::Paint(double value, float rgba[4]) const {
  mujoco::HeatColor(most > least ? (value - least) / (most - least) : 0, rgba);
}

void Coloring::ShowLinks(const mjModel* m, const Cables& cables, mjvOption* option) const {
  if (quantity == Quantity::kNone) return;
  option->flags[mjVIS_SKIN] = 0;
  for (int g = 0; g < m->ngeom; ++g) {
    const int instance = m->body_plugin[m->geom_bodyid[g]];
    if (std::ranges::find(cables.instance, instance) == cables.instance.end()) continue;
    option->geomgroup[std::clamp(m->geom_group[g], 0, mjNGROUP - 1)] = 1;
  }
}

void Coloring::Apply(const mjModel* m, const mjData* d, const Cables& cables, mjvScene* scene) {
  if (quantity == Quantity::kNone) return;
  FindValues(m, d, cables);
  double smallest = 0, largest = 0;
  for (double value : of_body_) {
    if (!std::isnan(value))
      smallest = std::min(smallest, value), largest = std::max(largest, value);
  }
  Follow(smallest, largest);
  for (int g = 0; g < scene->ngeom; ++g) {
    mjvGeom& geom = scene->geoms[g];
    if (geom.objtype != mjOBJ_GEOM || geom.objid < 0) continue;
    const double value = of_body_[m->geom_bodyid[geom.objid]];
    if (std::isnan(value)) continue;
    Paint(value, geom.rgba);
    RemoveTexture(&geom);
  }
}

}  // namespace strand::viewer
