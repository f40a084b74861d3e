#include "plugin/mujoco/legacy/legacy_cable.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/config/error.h"
#include "model/config/parse.h"
#include "plugin/mujoco/adapter/visual.h"

namespace strand::mujoco {
namespace {

// As MuJoCo 3 read it: nothing is 0, further numbers are ignored.
double FirstNumber(const mjModel* m, int instance, const char* key) {
  const std::vector<std::string> words = SplitWords(ConfigText(m, instance, key));
  return words.empty() ? 0 : ParseNumber(key, words[0], kNonNegative);
}

// Section of a link as MuJoCo 3 had it: of its first geom; zero where that is no capsule, cylinder
// or box.
Section FirstGeomSection(const mjModel* m, int body) {
  if (m->body_geomnum[body] == 0) return {};
  const int geom = m->body_geomadr[body];
  const mjtNum* size = m->geom_size + 3 * geom;
  const int type = m->geom_type[geom];
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) return CircleSection(size[0]);
  return type == mjGEOM_BOX ? RoarkRectangleSection(size[1], size[2]) : Section{};
}

// GJ, EI_y, EI_z of the joint before a link (N m^2).
Vector3 Stiffness(const mjModel* m, int body, double twist, double bend) {
  const auto [EI, GJ] = StiffnessOf(bend, twist, FirstGeomSection(m, body));
  return {GJ, EI[0], EI[1]};
}

Frame BodyFrame(const mjData* d, int body) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->xmat + 9 * body);
}

}  // namespace

std::unique_ptr<LegacyCable> LegacyCable::Create(const mjModel* m, int instance) {
  return std::unique_ptr<LegacyCable>(new LegacyCable(m, instance, ReadAttributes(m, instance)));
}

LegacyCable::Attributes LegacyCable::ReadAttributes(const mjModel* m, int instance) {
  Attributes a;
  a.twist = FirstNumber(m, instance, legacy_key::kTwist);
  a.bend = FirstNumber(m, instance, legacy_key::kBend);
  a.flat = ConfigText(m, instance, legacy_key::kFlat) == "true";
  a.vmax = FirstNumber(m, instance, legacy_key::kVmax);
  const std::string law = ConfigText(m, instance, key::kLaw);
  if (!law.empty() && ParseChoice(key::kLaw, law, {"mujoco_3", "strand"}) == 1) {
    a.law = TorqueLaw::kStrand;
  }
  return a;
}

int LegacyCable::StateSize(const mjModel* m, int instance) {
  return ConfigText(m, instance, key::kLaw) == "strand" ? Cable::StateSize(m, instance) : 0;
}

LegacyCable::LegacyCable(const mjModel* m, int instance, const Attributes& attributes)
    : warnings_(instance), state_size_(StateSize(m, instance)), vmax_(attributes.vmax) {
  if (attributes.law == TorqueLaw::kStrand) {
    MakeStrandCable(m, instance, attributes);
  } else {
    FindJoints(m, instance, attributes);
  }
}

void LegacyCable::FindJoints(const mjModel* m, int instance, const Attributes& attributes) {
  const std::vector<ReferencePose> poses = ReferencePoses(m);
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_plugin[b] != instance) continue;
    int a = m->body_parentid[b];
    while (a > 0 && m->body_plugin[a] != instance) a = m->body_parentid[a];
    const Vector3 stiffness = Stiffness(m, b, attributes.twist, attributes.bend);
    if (a == 0 || stiffness.isZero(0)) continue;
    const double length = (poses[b].origin - poses[a].origin).norm();
    if (!(length > 0)) {
      throw ConfigError("links",
                        "'" + BodyName(m, b) + "' at the origin of '" + BodyName(m, a) + "'",
                        "links whose origins lie apart at qpos0");
    }
    const Vector3 rest = attributes.flat ? Vector3(0, 0, 0)
                                         : RotationVector(poses[a].rotation.toRotationMatrix(),
                                                          poses[b].rotation.toRotationMatrix());
    joints_.push_back({a, b, {rest, stiffness / length}});
  }
}

// Creates a strand.cable whose joints have the same linear stiffness. strand.cable divides by the
// mean length of a joint's two links, MuJoCo 3 by the length of the first.
void LegacyCable::MakeStrandCable(const mjModel* m, int instance, const Attributes& attributes) {
  if (std::count(m->body_plugin, m->body_plugin + m->nbody, instance) < 2) return;  // a single link
  const Chain chain = FindChain(m, instance, false, {});
  std::vector<Vector3> stiffness;
  double largest = 0;
  for (int k = 1; k < chain.links(); ++k) {
    const double scale = Mujoco3LengthFactor(chain.length[k - 1], chain.length[k]);
    stiffness.push_back(scale * Stiffness(m, chain.body[k], attributes.twist, attributes.bend));
    largest = std::max(largest, stiffness.back().maxCoeff());
  }
  if (largest == 0) return;
  CableAttributes keys;
  for (const Vector3& s : stiffness) {
    const Vector3 positive = s.cwiseMax(kMujoco3Floor * largest);
    keys.GJ.push_back(positive.x());
    keys.EI.insert(keys.EI.end(), {positive.y(), positive.z()});
  }
  keys.twist = TwistMode::kDynamic;
  keys.rest_straight = attributes.flat;
  const Section first = FirstGeomSection(m, chain.body[0]);
  if (attributes.vmax > 0 && first.area > 0) {
    keys.color_range = {0.0, attributes.vmax / BendingModulus(first)};
  }
  strand_ = Cable::Create(m, instance, keys);
}

Vector3 LegacyCable::Couple(const mjData* d, const Joint& joint) const {
  const Frame a = BodyFrame(d, joint.first), b = BodyFrame(d, joint.second);
  return joint.spring.Couple(a, joint.spring.Strain(a, b));
}

void LegacyCable::Reset(mjtNum* plugin_state) {
  warnings_.Reset();
  if (strand_) {
    strand_->Reset(plugin_state);
  } else {
    std::fill(plugin_state, plugin_state + state_size_, 0.0);
  }
}

void LegacyCable::Compute(const mjModel* m, mjData* d) {
  if (strand_) {
    strand_->Compute(m, d);
  } else {
    warnings_.CheckStart(m, d);
  }
  for (const Joint& joint : joints_) {
    const Vector3 couple = Couple(d, joint);
    if (!couple.allFinite()) continue;  // invalid state (NaN), which MuJoCo resets
    // The first link is an ancestor of the second: the couple acts on all joints between them.
    for (int b = joint.second; b != joint.first; b = m->body_parentid[b]) {
      for (int dof = m->body_dofadr[b]; dof < m->body_dofadr[b] + m->body_dofnum[b]; ++dof) {
        d->qfrc_passive[dof] += mju_dot3(couple.data(), d->cdof + 6 * dof);
      }
    }
  }
}

void LegacyCable::Advance(const mjModel* m, mjData* d) {
  if (strand_) strand_->Advance(m, d);
}

void LegacyCable::CopyScratch(const LegacyCable& source) {
  warnings_ = source.warnings_;
  if (strand_) strand_->CopyScratch(*source.strand_);
}

void LegacyCable::Visualize(const mjModel* m, const mjData* d, const mjvOption* option,
                            mjvScene* scene) {
  if (strand_) strand_->Visualize(m, d, option, scene);
  if (!(vmax_ > 0)) return;
  std::map<int, double> moments;  // largest, by body
  for (const Joint& joint : joints_) {
    const double moment = Couple(d, joint).norm();
    if (!std::isfinite(moment)) return;
    for (int body : {joint.first, joint.second}) {
      moments[body] = std::max(moments[body], moment);
    }
  }
  for (const auto& [body, moment] : moments) {
    if (m->body_geomnum[body] == 0) continue;
    AddOverlay(m, d, option, m->body_geomadr[body], moment / vmax_, scene);
  }
}

}  // namespace strand::mujoco
