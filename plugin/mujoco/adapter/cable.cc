#include "plugin/mujoco/adapter/cable.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "model/config/error.h"
#include "model/config/parse.h"
#include "model/stencil/natural_shape.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/adapter/stiffness.h"

namespace strand::mujoco {
namespace {

// Rotation (rad) of a joint in one step above which the cable counts as diverging: beyond half a
// turn the direction of rotation is ambiguous. Cracking whips reach half of this limit. Diverging
// cables exceed it one to five steps before MuJoCo detects huge accelerations.
constexpr double kDiverges = std::numbers::pi;

KinematicTree Tree(const mjModel* m) {
  const size_t bodies = m->nbody;
  return {{m->body_parentid, bodies}, {m->body_dofadr, bodies}, {m->body_dofnum, bodies}};
}

// The links that hold the material angle of quasistatic twist.
std::vector<int> HoldIndices(const mjModel* m, int instance, const CableAttributes& attributes,
                             const Chain& chain) {
  std::vector<int> holds;
  for (const std::string& name : attributes.holds) {
    const int body = FindName(m, mjOBJ_BODY, name, instance);
    const auto link = std::find(chain.body.begin(), chain.body.end(), body);
    if (body < 0 || link == chain.body.end() || chain.is_point(link - chain.body.begin())) {
      throw ConfigError(key::kHolds, name, "names of links of this cable");
    }
    holds.push_back(static_cast<int>(link - chain.body.begin()));
  }
  for (int k = 0; k < chain.links(); ++k) {
    if (chain.is_point(k)) holds.push_back(k);  // branches turn junctions
  }
  return holds;
}

int FindSite(const mjModel* m, int instance, const char* key, const std::string& name) {
  const int site = FindName(m, mjOBJ_SITE, name, instance);
  if (site >= 0) return site;
  throw ConfigError(key, name, "the name of a site with its x axis along the rod");
}

ChainSites FindSites(const mjModel* m, int instance, const CableAttributes& attributes) {
  ChainSites sites;
  for (int side = 0; side < 2; ++side) {
    const std::string& name = attributes.clamps[side];
    if (name.empty()) continue;
    sites.clamps[side] = FindSite(m, instance, side ? key::kClampEnd : key::kClampStart, name);
  }
  for (const std::string& name : attributes.junctions) {
    sites.junctions.push_back(FindSite(m, instance, key::kJunctions, name));
  }
  return sites;
}

// Angular velocity (rad/s) of a body's x axis, without the spin about this axis, which quasistatic
// twist leaves free.
Vector3 AxisVelocity(const mjData* d, int body, const Frame& frame) {
  const Eigen::Map<const Vector3> velocity(d->cvel + 6 * body);
  const auto axis = frame.col(0);
  return velocity - axis.dot(velocity) * axis;
}

// The change of the material as numbers in the state: EI and GJ of every joint, then these.
constexpr int kOthers = 4;
constexpr int MaterialNumbers(int joints) { return 2 * joints + kOthers; }

std::vector<mjtNum> ToNumbers(const MaterialChange& change, int joints) {
  std::vector<mjtNum> numbers;
  for (const std::vector<double>* factor : {&change.EI, &change.GJ}) {
    for (int i = 0; i < joints; ++i) numbers.push_back((*factor)[factor->size() == 1 ? 0 : i]);
  }
  const auto& [y, z] = change.curvature;
  numbers.insert(numbers.end(), {change.rest_twist, y, z, change.strength});
  return numbers;
}

MaterialChange ToChange(std::span<const mjtNum> numbers) {
  const size_t joints = (numbers.size() - kOthers) / 2;
  const mjtNum* other = numbers.data() + 2 * joints;
  return {{numbers.begin(), numbers.begin() + joints},
          {numbers.begin() + joints, numbers.begin() + 2 * joints},
          other[0],
          {other[1], other[2]},
          other[3]};
}

// Room for the joints of a cable before its model is complete.
int MostJoints(const mjModel* m, int instance) {
  const auto given = [&](const char* key) { return !ConfigText(m, instance, key).empty(); };
  const int junctions = SplitWords(ConfigText(m, instance, key::kJunctions)).size();
  return static_cast<int>(std::count(m->body_plugin, m->body_plugin + m->nbody, instance)) +
         given(key::kClampStart) + given(key::kClampEnd) + junctions;
}

}  // namespace

std::unique_ptr<Cable> Cable::Create(const mjModel* m, int instance) {
  return Create(m, instance, ReadAttributes(m, instance));
}

std::unique_ptr<Cable> Cable::Create(const mjModel* m, int instance,
                                     const CableAttributes& attributes) {
  return std::unique_ptr<Cable>(new Cable(m, instance, attributes));
}

int Cable::StateSize(const mjModel* m, int instance) {
  const auto elements = [&](const char* key, int of_section) {
    if (!ConfigText(m, instance, key::kYieldStress).empty()) return of_section;
    return static_cast<int>(SplitWords(ConfigText(m, instance, key)).size() / 2);
  };
  const int joints = MostJoints(m, instance);
  const int history = RodSlip::HistoryPerJoint(elements(key::kBendElements, kBendElements),
                                               elements(key::kTwistElements, kTwistElements));
  return joints * (1 + history + Sliding::kPerLink) + MaterialNumbers(joints);
}

Cable::Cable(const mjModel* m, int instance, const CableAttributes& attributes)
    : instance_(instance),
      state_joints_(MostJoints(m, instance)),
      state_size_(StateSize(m, instance)),
      warnings_(instance),
      chain_(FindChain(m, instance, attributes.closed, FindSites(m, instance, attributes))),
      pull_(m, instance, chain_),
      sliding_(m, chain_),
      twist_mode_(attributes.twist),
      law_(attributes.law),
      holds_(HoldIndices(m, instance, attributes, chain_)) {
  parameters_.length = chain_.length;
  parameters_.stiffness = JointStiffnesses(m, attributes, chain_);
  parameters_.measure = MeasureOf(attributes.curvature);
  parameters_.order = OrderOf(attributes.curvature);
  parameters_.closed = attributes.closed;
  parameters_.rest_straight = attributes.rest_straight;
  parameters_.rest_twist = attributes.rest_twist;
  FindSlip(m, attributes);
  if (twist_mode_ == TwistMode::kQuasistatic || slip_.exists()) {
    parameters_.average = BendAverage::kEnergies;
  }
  if (!attributes.feed.empty()) feed_.emplace(m, instance, chain_, attributes.feed);
  MakeRest({});
  reduction_ = JointTorqueReduction(Tree(m), chain_.body, chain_.far_body, rest_.joints());
  if (attributes.cancel_joint_stiffness) {
    std::span<const RodStiffness> own = parameters_.stiffness;
    if (twist_mode_ != TwistMode::kDynamic) own = {};
    numerical_stiffness_ = NumericalStiffness(m, instance, chain_, own);
  }
  color_range_ = attributes.color_range;
  FindSections(m, attributes);
  for (int s = 0; s < m->nsensor; ++s) {
    if (m->sensor_plugin[s] == instance) sensors_.push_back(m->sensor_adr[s]);
  }
  for (int i = 0; i < rest_.joints(); ++i) {
    rest_angles_.push_back(TwistAngle(chain_.frame[i], chain_.frame[rest_.next(i)]));
  }
  frames_.resize(chain_.links());
  far_frames_.resize(chain_.links());
  for (int k = 0; k < chain_.links(); ++k) {
    if (chain_.is_split(k)) halved_.push_back(k);
  }
  couples_.resize(rest_.joints());
  for (RodHistory* history : {&next_, &read_}) {
    history->twist.resize(rest_.joints());
    history->slip.resize(slip_.history_size());
  }
}

void Cable::FindSlip(const mjModel* m, const CableAttributes& attributes) {
  std::vector<double> span;
  for (int i = 0; i < static_cast<int>(parameters_.stiffness.size()); ++i) {
    span.push_back(0.5 * (chain_.length[i] + chain_.length[(i + 1) % chain_.links()]));
  }
  const auto joints = JointSlips(m, attributes, chain_, parameters_.stiffness);
  slip_ = RodSlip(joints, parameters_.stiffness, span, attributes.hardening);
}

RodParameters Cable::Changed(const MaterialChange& change) const {
  RodParameters changed = parameters_;
  for (size_t i = 0; i < changed.stiffness.size(); ++i) {
    RodStiffness& s = changed.stiffness[i];
    const double EI = change.EI[change.EI.size() == 1 ? 0 : i];
    s.EI[0] *= EI, s.EI[1] *= EI;
    s.GJ *= change.GJ[change.GJ.size() == 1 ? 0 : i];
  }
  double length = 0;
  for (double link : parameters_.length) length += link;
  changed.rest_twist += change.rest_twist * length;
  changed.rest_curvature = change.curvature;
  return changed;
}

// The rest state and all that depends on the material. Changes nothing if it throws.
void Cable::MakeRest(const MaterialChange& change) {
  const size_t joints = parameters_.stiffness.size();
  const auto check = [](const char* name, double factor) {
    if (factor > 0 && std::isfinite(factor)) return;
    throw ConfigError(std::string("factor of ") + name, std::to_string(factor), "finite, > 0");
  };
  for (const auto& [name, factors] : {std::pair("EI", &change.EI), {"GJ", &change.GJ}}) {
    if (factors->size() != 1 && factors->size() != joints) {
      throw ConfigError(std::string("factors of ") + name,
                        std::to_string(factors->size()) + " numbers",
                        "1, or one per joint: " + std::to_string(joints));
    }
    for (double factor : *factors) check(name, factor);
  }
  check("strength", change.strength);
  const RodParameters changed = Changed(change);
  rest_ = MakeRodRest(changed, chain_.frame);
  if (slip_.exists()) rest_.isotropic_straight = false;
  slip_.Scale(change.strength);
  twist_solver_ = TwistSolver(rest_, twist_mode_, holds_);
  mujoco_3_joints_.clear();
  for (int i = 0; law_ == TorqueLaw::kMujoco3 && i < rest_.joints(); ++i) {
    const RodStiffness& s = changed.stiffness[i];
    const double span = rest_.joint[i].voronoi_length;
    const Vector3 drawn = changed.rest_straight
                              ? Vector3(0, 0, 0)
                              : RotationVector(chain_.frame[i], chain_.frame[rest_.next(i)]);
    const auto& [y, z] = change.curvature;
    mujoco_3_joints_.push_back(
        {drawn + span * Vector3(change.rest_twist, y, z), Vector3(s.GJ, s.EI[0], s.EI[1]) / span});
  }
  if (feed_) own_ = rest_;
  change_ = change;
  tried_ = ToNumbers(change, static_cast<int>(joints));
}

// The change of the material in this cable's plugin state.
std::span<mjtNum> Cable::MaterialState(mjtNum* plugin_state) const {
  return {plugin_state + state_size_ - MaterialNumbers(state_joints_),
          static_cast<size_t>(MaterialNumbers(rest_.joints()))};
}

// The memory of sliding contacts, before that. (MostJoints counts the links, too.)
std::span<mjtNum> Cable::SlidingState(mjtNum* plugin_state) const {
  const int numbers = Sliding::kPerLink * state_joints_;
  return {MaterialState(plugin_state).data() - numbers, static_cast<size_t>(numbers)};
}

MaterialChange Cable::Material(const mjModel* m, const mjData* d) const {
  return ToChange(MaterialState(d->plugin_state + m->plugin_stateadr[instance_]));
}

void Cable::Change(const mjModel* m, mjData* d, const MaterialChange& change) {
  MakeRest(change);
  std::ranges::copy(tried_, MaterialState(d->plugin_state + m->plugin_stateadr[instance_]).begin());
  for (int body : chain_.body) Wake(m, d, body);
}

// States may be set and copied by MuJoCo. An invalid change is not used.
void Cable::FollowState(const mjModel* m, const mjData* d) {
  const auto state = MaterialState(d->plugin_state + m->plugin_stateadr[instance_]);
  if (std::memcmp(state.data(), tried_.data(), state.size_bytes()) == 0) return;
  tried_.assign(state.begin(), state.end());
  try {
    MakeRest(ToChange(state));
  } catch (const ConfigError& error) {
    warnings_.WarnMaterial(m, error.what());
  }
}

// EI and GJ may be given without sections, so a missing section is an error only if stress colours
// need it.
void Cable::FindSections(const mjModel* m, const CableAttributes& attributes) try {
  const int joints = rest_.joints();
  for (int k = 0; k < chain_.links(); ++k) {
    if (chain_.is_point(k)) {
      sections_.emplace_back();
      continue;
    }
    const auto& radius = attributes.radius;
    const double given =
        radius.empty() ? 0 : radius[radius.size() == 1 ? 0 : std::min(k, joints - 1)];
    sections_.push_back(LinkSection(m, attributes, chain_, k, given));
  }
} catch (const ConfigError& error) {
  if (color_range_) throw;
  sections_.clear();
  no_section_ = error.what();
}

// Stress that the joint's couple, computed by the last Evaluate, causes in the section of an
// adjacent link.
Cable::JointStress Cable::Stress(int joint, int link) const {
  const RodFrames frames = twist_solver_.material_frames(Frames());
  const Frame& frame = link == joint ? frames.far[link] : frames.near[link];
  const Vector3 moment = frame.transpose() * couples_[joint];
  return {BendingStress(sections_[link], moment.y(), moment.z()),
          TorsionStress(sections_[link], moment.x())};
}

// Adds the larger stresses of the two links at the joint. Points have no section.
void Cable::AddStresses(int joint, RodProfile* profile) const {
  double bending = 0, torsion = 0, area = std::numeric_limits<double>::infinity();
  for (int link : {joint, rest_.next(joint)}) {
    if (chain_.is_point(link)) continue;
    const JointStress stress = Stress(joint, link);
    bending = std::max(bending, stress.bending);
    torsion = std::max(torsion, stress.torsion);
    area = std::min(area, sections_[link].area);
  }
  profile->bending_stress.push_back(bending);
  profile->torsion_stress.push_back(torsion);
  profile->area.push_back(area);
}

void Cable::Reset(mjtNum* plugin_state) {
  warnings_.Reset();
  // MuJoCo leaves the whole state to the plugin, so that unused entries are set, too.
  mjtNum* spare = std::copy(rest_angles_.begin(), rest_angles_.end(), plugin_state);
  std::fill(spare, plugin_state + state_size_, 0.0);
  std::ranges::copy(ToNumbers({}, rest_.joints()), MaterialState(plugin_state).begin());
}

RodEnergy Cable::Evaluate(const mjModel* m, const mjData* d, RodHistory* history,
                          bool with_couples) {
  FollowState(m, d);
  const auto frame = [](const mjtNum* axes) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(axes);
  };
  for (int k = 0; k < chain_.links(); ++k) {
    const bool point = chain_.is_point(k);
    frames_[k] = frame(point ? d->site_xmat + 9 * chain_.site[k] : d->xmat + 9 * chain_.body[k]);
  }
  if (!halved_.empty()) far_frames_ = frames_;
  for (int k : halved_) far_frames_[k] = frame(d->xmat + 9 * chain_.far_body[k]);
  if (feed_) feed_->SetStiffness(d, own_, &rest_);
  const mjtNum* state = d->plugin_state + m->plugin_stateadr[instance_];
  const std::span<const double> twists(state, rest_.joints());
  const std::span<const double> slipped(state + rest_.joints(), slip_.history_size());
  twist_solver_.Solve(Frames(), twists, history->twist);
  if (!mujoco_3_joints_.empty()) return EvaluateMujoco3Law(with_couples);
  const SlipStep slip{slip_, slipped, history->slip};
  return EvaluateRod(rest_, twist_solver_.material_frames(Frames()), history->twist,
                     with_couples ? std::span<Vector3>(couples_) : std::span<Vector3>(),
                     slip_.exists() ? &slip : nullptr);
}

RodEnergy Cable::EvaluateMujoco3Law(bool with_couples) {
  RodEnergy total;
  for (int i = 0; i < rest_.joints(); ++i) {
    const Mujoco3Joint& joint = mujoco_3_joints_[i];
    const Frame& frame = Frames().far[i];
    const Vector3 strain = joint.Strain(frame, frames_[rest_.next(i)]);
    if (with_couples) couples_[i] = joint.Couple(frame, strain);
    const RodEnergy energy = joint.Energy(strain);
    total.bend += energy.bend;
    total.twist += energy.twist;
  }
  return total;
}

void Cable::Compute(const mjModel* m, mjData* d) {
  const RodEnergy energy = Evaluate(m, d, &next_, true);
  // An invalid state (NaN) gets no torque and is not stored; MuJoCo resets it.
  computed_ = std::isfinite(energy.bend + energy.twist);
  if (!computed_) return;
  warnings_.CheckStart(m, d);
  WarnIfDiverging(m, d);
  reduction_.AddTorques(couples_, d->cdof, 6, d->qfrc_passive);
  if (feed_) {
    feed_->AddForce(m, d, own_, twist_solver_.material_frames(Frames()), next_.twist);
  }
  numerical_stiffness_.AddForce(m, d);
  if (law_ == TorqueLaw::kMujoco3) return;
  sliding_.Correct(m, d, SlidingState(d->plugin_state + m->plugin_stateadr[instance_]));
}

void Cable::WarnIfDiverging(const mjModel* m, const mjData* d) {
  if (warnings_.diverges()) return;
  const double limit = std::pow(kDiverges / m->opt.timestep, 2);
  // In most steps this bound suffices: two links turn against each other at most at the sum of
  // their speeds.
  double fastest = 0;
  const auto see = [&](int body) {
    fastest = std::max(fastest, Eigen::Map<const Vector3>(d->cvel + 6 * body).squaredNorm());
  };
  for (int body : chain_.body) see(body);
  for (int k : halved_) see(chain_.far_body[k]);
  if (4 * fastest <= limit) return;
  for (int i = 0; i < rest_.joints(); ++i) {
    const int next = rest_.next(i);
    const Vector3 turn = AxisVelocity(d, chain_.body[next], frames_[next]) -
                         AxisVelocity(d, chain_.far_body[i], Frames().far[i]);
    if (turn.squaredNorm() <= limit) continue;
    return warnings_.WarnDiverges(m, d, numerical_stiffness_.LacksDiscrete(m));
  }
}

void Cable::Advance(const mjModel* m, mjData* d) {
  const int step = warnings_.CountStep();
  if (step == 1) warnings_.CheckTiesOpen(m, d, chain_);
  if (step == 2) {
    warnings_.CheckModel(m, chain_);
    if (!numerical_stiffness_.springs().empty()) warnings_.CheckFlags(m);
    if (feed_ && !feed_->IsPrepared(m, d)) warnings_.WarnUnprepared(m);
  }
  warnings_.CheckCuts(m, d, pull_);
  // mj_passive does not call Compute if both kinds of passive force are disabled; then next_ is
  // stale.
  constexpr int kNoPassive = mjDSBL_SPRING | mjDSBL_DAMPER;
  if (!computed_ || (m->opt.disableflags & kNoPassive) == kNoPassive) {
    const RodEnergy energy = Evaluate(m, d, &next_, false);
    if (!std::isfinite(energy.bend + energy.twist)) return;
  }
  if (computed_) warnings_.CheckPull(m, d, chain_, pull_, frames_);
  computed_ = false;
  mjtNum* state = d->plugin_state + m->plugin_stateadr[instance_];
  if (law_ != TorqueLaw::kMujoco3) sliding_.Advance(m, d, SlidingState(state));
  state = std::copy(next_.twist.begin(), next_.twist.end(), state);
  std::copy(next_.slip.begin(), next_.slip.end(), state);
}

void Cable::CopyScratch(const Cable& source) {
  next_ = source.next_;
  computed_ = source.computed_;
  warnings_ = source.warnings_;
}

CableReadout Cable::Read(const mjModel* m, const mjData* d) {
  const RodEnergy energy = Evaluate(m, d, &read_, true);
  CableReadout readout;
  readout.energy = energy.bend + energy.twist;
  readout.bend_energy = energy.bend;
  readout.twist_energy = energy.twist;
  for (double twist : read_.twist) readout.twist += twist;
  // Joint i exerts couples_[i] on link i + 1 and the opposite couple on link i.
  Vector3 start = -couples_.front(), end = couples_.back();
  if (rest_.closed) {
    start += couples_.back();
    end = couples_[rest_.joints() - 2] - couples_.back();
  }
  Eigen::Map<Vector3>(readout.start_couple) = start;
  Eigen::Map<Vector3>(readout.end_couple) = end;
  return readout;
}

RodProfile Cable::Profile(const mjModel* m, const mjData* d) {
  Evaluate(m, d, &read_, true);
  RodProfile profile;
  profile.closed = rest_.closed;
  profile.twist = read_.twist;
  profile.no_section = no_section_;
  for (int k = 0; k < chain_.links(); ++k) {
    if (chain_.is_point(k)) continue;
    profile.body.push_back(chain_.body[k]);
    profile.far_body.push_back(chain_.far_body[k]);
    profile.length.push_back(rest_.length[k]);
  }
  double arclength = 0;
  int node = 0;
  for (int k = 0; k < rest_.joints(); ++k) {
    const int next = rest_.next(k);
    const bool point = chain_.is_point(k);
    arclength += rest_.length[k];
    node += !point;
    profile.arclength.push_back(arclength);
    profile.node.push_back(node);
    const int before = node - 1, after = node % static_cast<int>(profile.body.size());
    profile.joint_link.push_back({point ? after : before, chain_.is_point(next) ? before : after});
    profile.joint_body.push_back({chain_.far_body[k], chain_.body[next]});
    AddJoint(k, &profile);
  }
  return profile;
}

// Adds the state of a joint, computed by the last Evaluate. Softness applies to what a moment
// bends, not to the natural shape.
void Cable::AddJoint(int joint, RodProfile* profile) const {
  const double span = rest_.joint[joint].voronoi_length;
  const RodFrames frames = twist_solver_.material_frames(Frames());
  const Frame& before = frames.far[joint];
  const Frame& after = frames.near[rest_.next(joint)];
  const Vector3 binormal =
      CurvatureBinormal(rest_.measure, JointGeometry(before.col(0), after.col(0)));
  Frame seen[2] = {before, after};
  if (rest_.average == BendAverage::kMiddle) {
    TurnToMiddle(HalfTurn(TwistDirection(before, after), read_.twist[joint]), &seen[0], &seen[1]);
  }
  const auto& natural = rest_.joint[joint].bend.natural;
  const Vector3 at_rest =
      0.5 * (MaterialVector(natural[0], seen[0]) + MaterialVector(natural[1], seen[1]));
  const Vector3 curvature = (at_rest + (binormal - at_rest) / rest_.softness[joint]) / span;
  profile->span.push_back(span);
  for (int i = 0; i < 3; ++i) {
    profile->curvature.push_back(curvature[i]);
    profile->moment.push_back(couples_[joint][i]);
  }
  AddSet(joint, profile);
  if (!sections_.empty()) AddStresses(joint, profile);
}

void Cable::AddSet(int joint, RodProfile* profile) const {
  const double span = rest_.joint[joint].voronoi_length;
  std::array<double, 2> bend{};
  double twist = 0;
  if (slip_.exists()) {
    bend = slip_.BendSet(read_.slip, joint);
    twist = slip_.TwistSet(read_.slip, joint);
  }
  profile->set.insert(profile->set.end(), {bend[0] / span, bend[1] / span, twist / span});
}

RodConstants Cable::Constants(const mjModel* m, const mjData* d) {
  FollowState(m, d);
  const RodRest& rest = feed_ ? own_ : rest_;
  RodConstants constants;
  constants.body = chain_.body, constants.far_body = chain_.far_body;
  constants.site = chain_.site, constants.length = rest.length;
  constants.closed = rest.closed;
  constants.tangent = rest.measure == CurvatureMeasure::kTangent;
  constants.isotropic_straight = rest.isotropic_straight;
  constants.middle = rest.average == BendAverage::kMiddle;
  constants.quasistatic = twist_mode_ == TwistMode::kQuasistatic;
  constants.slips = slip_.exists();
  constants.mujoco_3_law = law_ == TorqueLaw::kMujoco3;
  if (feed_) constants.feed_joint = feed_->joint();
  constants.holds = holds_;
  for (const RodRest::Joint& joint : rest.joint) {
    const auto& [stiffness, natural] = joint.bend;
    constants.span.push_back(joint.voronoi_length);
    constants.bend_stiffness.insert(constants.bend_stiffness.end(), {stiffness[0], stiffness[1]});
    constants.natural_bend.insert(constants.natural_bend.end(),
                                  {natural[0][0], natural[0][1], natural[1][0], natural[1][1]});
    const auto& seen = joint.natural_seen;
    constants.natural_seen.insert(constants.natural_seen.end(),
                                  {seen[0][0], seen[0][1], seen[1][0], seen[1][1]});
    constants.twist_stiffness.push_back(joint.twist.stiffness);
    constants.natural_twist.push_back(joint.twist.natural);
  }
  constants.rest_straight = std::ranges::all_of(rest.joint, [](const RodRest::Joint& joint) {
    return NaturalShape{joint.bend.natural, joint.twist.natural}.straight() &&
           std::abs(joint.twist.natural) < kDrawnStraight;
  });
  for (const RodStiffness& s : Changed(change_).stiffness) {
    constants.EI.insert(constants.EI.end(), {s.EI[0], s.EI[1]});
    constants.GJ.push_back(s.GJ);
  }
  constants.softness = rest.softness;
  constants.rest_twist = rest_angles_;
  for (int k = 0; !rest.wide.empty() && k < rest.links(); ++k) {
    const WideLink link = rest.wide[k];
    const auto& [near, skew, far, quartic] = link.holonomy;
    constants.wide.insert(constants.wide.end(),
                          {link.change[0], link.change[1], link.second_change, near, skew, far,
                           quartic, link.firmness[0], link.firmness[1], link.firmness[2]});
  }
  for (const NumericalStiffness::Spring& spring : numerical_stiffness_.springs()) {
    constants.cancelled.push_back(spring.joint);
    constants.stiffness_shares.push_back(spring.share);
  }
  return constants;
}

void Cable::WriteSensors(const mjModel* m, mjData* d) {
  if (sensors_.empty()) return;
  const CableReadout readout = Read(m, d);
  for (int address : sensors_) mju_copy(d->sensordata + address, &readout.energy, kReadoutSize);
}

}  // namespace strand::mujoco
