#include "plugin/mujoco/generator/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/branches.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/contact.h"
#include "plugin/mujoco/generator/hold.h"
#include "plugin/mujoco/generator/holder.h"
#include "plugin/mujoco/generator/instance.h"
#include "plugin/mujoco/generator/plan.h"
#include "plugin/mujoco/generator/skin.h"
#include "plugin/mujoco/generator/tree.h"

// Number of digits that MuJoCo writes to XML. Every supported version exports these functions, but
// no header declares them.
extern "C" {  // NOLINTBEGIN(bugprone-reserved-identifier)
MJAPI int _mjPRIVATE__get_xml_precision();
MJAPI void _mjPRIVATE__set_xml_precision(int precision);
}  // NOLINTEND(bugprone-reserved-identifier)

namespace strand::mujoco {
namespace {

// MuJoCo's XML reader accepts at most 500 nested elements.
constexpr int kDeepestTree = 480;

// Tolerance of the constraint solver, which is relative to the mean inertia of the whole model. In
// a scene with a robot, MuJoCo's default of 1e-8 lets the contacts of light links chatter, which
// also takes more iterations.
constexpr double kTolerance = 1e-12;

// Name of the body that will hold an end, which for a mocap end the cable adds; empty if free.
std::string HolderName(const CableDescription& cable, int side, const mjSpec* scene,
                       const std::string& carrier) {
  if (HeldInPlace(cable.ends[side])) return carrier;
  if (cable.ends[side] == EndCondition::kMocap) return cable.prefix + SideName(side);
  return cable.end_to[side].empty() ? "" : BodyOfHolder(scene, cable.end_to[side]);
}

// A plan with a place, but without choices.
Plan Place(const CableDescription& cable, const std::string& carrier, const Pose& carrier_pose) {
  Plan plan{cable, DrawRod(cable), {}, {}, carrier, {}};
  plan.carrier_pose = carrier_pose;
  return plan;
}

void Choose(const Surroundings& surroundings, Plan* plan) {
  plan->recipe = ChooseRecipe(plan->cable, plan->rod, surroundings);
  plan->Split();
}

Plan MakePlan(const CableDescription& cable, const std::string& carrier,
              const Surroundings& surroundings) {
  Plan plan = Place(cable, carrier, {});
  Choose(surroundings, &plan);
  return plan;
}

bool Collides(const CableDescription& cable) {
  return cable.contact.collide || std::ranges::any_of(cable.branches, [](const Branch& branch) {
           return branch.cable.contact.collide;
         });
}

// The options that cables need in any scene. A cable is thin: what meets it at speed sinks in by
// several diameters within a step, unless contacts are found before that.
void SetNeeded(const CableDescription& cable, mjOption* option) {
  option->tolerance = std::min(option->tolerance, kTolerance);
  if (Collides(cable)) option->enableflags |= kSpeculative;
}

// Friction creeps unless its constraint rows are stiffer than those of the normals.
void SetFriction(const CableDescription& cable, mjOption* option) {
  if (!Collides(cable)) return;
  option->cone = mjCONE_ELLIPTIC;
  option->impratio = 20;
}

void AddRest(const Plan& plan, mjSpec* spec) {
  AddHolds(plan, spec);
  AddExclusions(plan, spec);
  AddSkin(plan, spec);
}

// A model of the planned cable alone.
SpecPtr MakeSpec(const Plan& plan) {
  SpecPtr spec = SpecWithInstance(plan, plan.Name("rod"), nullptr);
  spec->option.timestep = plan.recipe.timestep;
  spec->option.integrator = plan.recipe.integrator;
  std::copy(plan.cable.gravity.begin(), plan.cable.gravity.end(), spec->option.gravity);
  for (const Piece& piece : plan.pieces) AddTree(plan, piece, FindBody(spec.get(), "world"));
  AddRest(plan, spec.get());
  return spec;
}

// Compiles the spec, which finds every error in the model and must precede writing it.
ModelPtr Compile(mjSpec* spec) {
  ModelPtr model(mj_compile(spec, nullptr));
  if (!model) throw ConfigError("cable", mjs_getError(spec), "a model that compiles");
  return model;
}

// Compiles the cable alone, held in its initial pose, to find errors in its keys.
void CheckByItself(const CableDescription& cable) {
  CableDescription alone = cable;
  alone.end_to = {};
  for (EndCondition& end : alone.ends) {
    if (end == EndCondition::kWeld) end = EndCondition::kFixed;
    if (end == EndCondition::kPin) end = EndCondition::kBall;
  }
  Compile(MakeSpec(MakePlan(alone, "world", {})).get());
}

void CheckNames(const Plan& plan, const mjSpec* scene) {
  const std::string& prefix = plan.cable.prefix;
  if (prefix.empty()) {
    throw ConfigError("prefix", "", "a text that is not empty, for a cable in a scene");
  }
  constexpr std::pair<mjtObj, const char*> kNames[] = {
      {mjOBJ_BODY, "link0"},          {mjOBJ_BODY, "start"},        {mjOBJ_BODY, "end"},
      {mjOBJ_BODY, "clamp_start"},    {mjOBJ_BODY, "clamp_end"},    {mjOBJ_BODY, "closure"},
      {mjOBJ_BODY, "reel"},           {mjOBJ_JOINT, "feed"},        {mjOBJ_JOINT, "joint0"},
      {mjOBJ_SITE, "node0"},          {mjOBJ_SITE, "site_start"},   {mjOBJ_SITE, "hold_start"},
      {mjOBJ_SITE, "hold_end"},       {mjOBJ_PLUGIN, "rod"},        {mjOBJ_GEOM, "geom0"},
      {mjOBJ_EQUALITY, "hold_start"}, {mjOBJ_EQUALITY, "hold_end"}, {mjOBJ_SKIN, "skin"}};
  for (const auto& [type, kind] : kNames) {
    const std::string name = prefix + kind;
    if (!FindElement(scene, type, name)) continue;
    throw ConfigError("prefix", prefix,
                      "one that is new to the scene, which already has a '" + name + "'");
  }
}

// Checks everything that could fail in a scene, before anything but names is added to it.
void CheckScene(const Plan& plan, const mjSpec* scene) {
  if (!FindBody(scene, plan.carrier)) {
    throw ConfigError("body", plan.carrier, "the name of a body of the scene");
  }
  if (scene->compiler.discardvisual && !plan.cable.contact.collide) {
    throw ConfigError(
        "collide", "false in a scene whose compiler has discardvisual",
        "true, or discardvisual = false: MuJoCo would discard the geoms of the links");
  }
  if (scene->compiler.settotalmass > 0) {
    throw ConfigError("settotalmass",
                      Text(scene->compiler.settotalmass) + " kg in the scene's compiler",
                      "none (it would scale the cable's mass, too: scale the masses and densities "
                      "of the scene instead)");
  }
  CheckNames(plan, scene);
  for (int side = 0; side < 2; ++side) plan.HolderBody(scene, side);
  CheckByItself(plan.cable);
}

// XML text of a spec that has been compiled.
std::string ToXml(const mjSpec* spec) {
  char error[1000] = "";
  std::string xml(1 << 16, '\0');
  const auto save = [&] {
    return mj_saveXMLString(spec, xml.data(), static_cast<int>(xml.size()), error, sizeof(error));
  };
  const int digits = _mjPRIVATE__get_xml_precision();
  _mjPRIVATE__set_xml_precision(17);
  int status = save();
  if (status > 0) {  // the size needed: the indentation of a deep tree grows quadratically
    xml.resize(static_cast<size_t>(status) + 1);
    status = save();
  }
  _mjPRIVATE__set_xml_precision(digits);
  if (status != 0) throw ConfigError("cable", error, "a model that MuJoCo can write");
  xml.resize(std::strlen(xml.c_str()));
  return xml;
}

// Adds the links to a scene, and everything that holds them.
void AddToScene(const Plan& plan, mjSpec* scene) {
  // The links are made in a spec of their own, without a prefix. Attaching them brings the plugin
  // instance into the scene and adds the prefix.
  CableDescription unnamed = plan.cable;
  unnamed.prefix.clear();
  const Plan links{unnamed, plan.rod, plan.recipe, plan.pieces, plan.carrier, plan.carrier_pose};
  SpecPtr own = SpecWithInstance(plan, links.Name("rod"), scene);
  mjs_activatePlugin(scene, "strand.cable");
  if (kAttachesByCopy) mjs_setDeepCopy(scene, 1);
  for (const bool held : {true, false}) {
    mjsBody* world = FindBody(own.get(), "world");
    mjsFrame* frame = mjs_addFrame(world, nullptr);
    bool empty = true;
    for (const Piece& piece : plan.pieces) {
      if (plan.HeldByCarrier(piece) != held) continue;
      mjs_setFrame(AddTree(links, piece, world)->element, frame);
      empty = false;
    }
    if (empty) continue;
    // Each attachment brings its default class, whose name must not exist yet.
    mjs_setName(mjs_getSpecDefault(own.get())->element, held ? "held" : "free");
    mjsBody* parent = FindBody(scene, held ? plan.carrier : "world");
    if (!mjs_attach(parent->element, frame->element, plan.cable.prefix.c_str(), "")) {
      throw ConfigError("cable", mjs_getError(scene), "a cable that MuJoCo can attach");
    }
  }
  if (kAttachesByCopy) mjs_setDeepCopy(scene, 0);  // MuJoCo's default
  AddRest(plan, scene);
}

// True if the end is drawn elsewhere than at the site that is to hold it, by more than a fraction
// of its link's length.
bool IsApart(const Plan& drawn, int side, const mjSpec* spec, const mjModel* scene) {
  constexpr double kApart = 0.02;
  const std::string& name = drawn.cable.end_to[side];
  if (drawn.HoldSite(spec, side) != name) return false;  // a body, which gets a site at the end
  const int site = mj_name2id(scene, mjOBJ_SITE, name.c_str());
  const Pose held = drawn.carrier_pose * drawn.HeldPose(side), at = SitePose(scene, site);
  const double turn = Eigen::AngleAxisd(at.rotation.transpose() * held.rotation).angle();
  return (at.position - held.position).norm() > kApart * drawn.rod.length[drawn.EndLink(side)] ||
         (!drawn.Turns(side) && turn > kApart);
}

// Adds what holds the ends of the drawn cable. With `discrete` all holds are alike.
void AddHolders(const Plan& drawn, const mjSpec* scene, Surroundings* surroundings) {
  const CableDescription& cable = drawn.cable;
  if (scene->option.integrator == kDiscrete) return;
  ModelPtr model;
  for (int side = 0; side < 2; ++side) {
    const std::string holder = HolderName(cable, side, scene, drawn.carrier);
    if (cable.end_to[side].empty() || holder.empty()) continue;
    if (!model) model = CompiledCopy(scene);
    if (!model) return;
    const Vector3 end = (drawn.carrier_pose * drawn.HeldPose(side)).position;
    surroundings->holder[side] = {HiddenMobility(model.get(), holder, end),
                                  IsApart(drawn, side, scene, model.get())};
  }
}

// Adds a cable to a scene, in the frame of the body `carrier`.
Plan AttachOne(const CableDescription& cable, mjSpec* scene, const std::string& carrier,
               Surroundings surroundings) {
  surroundings.scene = &scene->option;
  Plan plan = Place(cable, carrier, PoseInScene(scene, carrier));
  AddHolders(plan, scene, &surroundings);
  Choose(surroundings, &plan);
  CheckScene(plan, scene);
  for (int side = 0; side < 2; ++side) {
    plan.beside_holder[side] = BesideHolder(plan, side, scene);
  }
  CheckMouth(plan, scene);
  plan.inside = LinksInside(plan, scene);
  AddToScene(plan, scene);
  return plan;
}

// The end of a branch that is held in place is held by the body that carries the whole cable, not
// by the junction.
void HoldByCarrier(const std::string& carrier, CableDescription* branch) {
  EndCondition& end = branch->ends[1];
  if (!HeldInPlace(end)) return;
  end = end == EndCondition::kFixed ? EndCondition::kWeld : EndCondition::kPin;
  branch->end_to[1] = carrier;
}

// All arms of a cable that a body carries.
std::vector<Arm> ArmsOn(const CableDescription& cable, const std::string& carrier) {
  std::vector<Arm> arms = ArmsOf(cable);
  for (Arm& arm : arms) {
    if (arm.on >= 0) HoldByCarrier(carrier, &arm.cable);
  }
  return arms;
}

// What the other cables of a description are for one of them. A branch that ends freely carries no
// other.
Surroundings Others(const std::vector<Arm>& arms, const Arm& arm) {
  const std::vector<int>& nodes = arm.cable.junctions.nodes;
  const bool has_branches = !nodes.empty() && nodes.back() > 0;
  const bool carries = &arm == &arms[0] || has_branches || arm.cable.ends[1] != EndCondition::kFree;
  Surroundings others;
  for (const Arm& other : arms) {
    if (&other == &arm) continue;
    const DrawnRod rod = DrawRod(other.cable);
    if (carries) others.joined_mass += rod.total_mass();
    others.joined_length = std::max(others.joined_length, rod.total_length());
    others.joined_links = std::max(others.joined_links, rod.links());
  }
  return others;
}

// A body that holds an end of an arm, and the node of one arm at which it pulls at that.
struct Pull {
  int node;
  std::string body;
};

// Node of an arm at which what holds an end of another, or its own, pulls at it: the start, unless
// the other begins on it, itself or by others.
int NodeOfPull(const std::vector<Arm>& arms, int arm, int other, int side) {
  if (other == arm) return side ? static_cast<int>(arms[arm].cable.nodes.size()) - 1 : 0;
  while (other >= 0 && arms[other].on != arm) other = arms[other].on;
  return other < 0 ? 0 : arms[other].node;
}

// What holds the ends of all arms. Junctions hold the starts of branches.
std::vector<Pull> PullsOn(const std::vector<Arm>& arms, int arm, const mjSpec* scene,
                          const std::string& carrier) {
  std::vector<Pull> pulls;
  for (int other = 0; other < static_cast<int>(arms.size()); ++other) {
    for (int side = other > 0 ? 1 : 0; side < 2; ++side) {
      const std::string holder = HolderName(arms[other].cable, side, scene, carrier);
      if (!holder.empty()) pulls.push_back({NodeOfPull(arms, arm, other, side), holder});
    }
  }
  return pulls;
}

// The largest load on an arm, wherever it is cut: the heavier of those on either side, or what
// hangs on one side if something fixed holds the other. A side that is free does not pull, nor does
// a body that alone holds the other side, too.
Load LargestLoad(const std::vector<Pull>& pulls, const mjModel* scene) {
  const auto moves = [&](const std::string& body) { return CanMove(scene, body); };
  Load largest;
  for (const Pull& cut : pulls) {
    std::array<std::set<std::string>, 2> sides;
    for (const Pull& pull : pulls) sides[pull.node >= cut.node].insert(pull.body);
    if (sides[0].empty()) continue;
    for (const int side : {0, 1}) {
      std::set<std::string> bodies = sides[side];
      const std::set<std::string>& others = sides[1 - side];
      if (!std::ranges::all_of(bodies, moves) && std::ranges::all_of(others, moves)) continue;
      if (others.size() == 1) bodies.erase(*others.begin());
      const Load load = LoadOf(scene, bodies);
      if (load.mass > largest.mass) largest = load;
    }
  }
  return largest;
}

// The largest load on each arm.
std::vector<Load> Loads(const std::vector<Arm>& arms, const mjSpec* scene,
                        const std::string& carrier) {
  std::vector<Load> loads(arms.size());
  if (PullsOn(arms, 0, scene, carrier).size() < 2) return loads;
  const ModelPtr model = CompiledCopy(scene);
  for (size_t i = 0; model && i < arms.size(); ++i) {
    loads[i] = LargestLoad(PullsOn(arms, i, scene, carrier), model.get());
  }
  return loads;
}

// Puts the arm, which is given in the frame of its junction, into the frame of the body that
// carries it: the junction's, or the body that holds the end at which it starts.
std::string FindCarrier(const Plan& on, Arm* arm) {
  const int node = arm->node, side = node > 0;
  if (node > 0 && node < on.rod.links()) return on.JunctionName(node);
  if (on.HasClampBody(side)) return on.Name("clamp_") + SideName(side);
  CableDescription& cable = arm->cable;
  const auto& q = cable.quat;
  const Pose drawn{cable.pos, Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()};
  const Pose pose = on.HeldPose(side) * drawn;
  const Eigen::Quaterniond quat(pose.rotation);
  cable.pos = pose.position;
  cable.quat = {quat.w(), quat.x(), quat.y(), quat.z()};
  return on.carrier;
}

// Adds the branches to the scene, which has the cable itself, arm 0.
void AddBranches(std::vector<Arm>* arms, const std::vector<Load>& loads, Plan first,
                 mjSpec* scene) {
  std::vector<Plan> plans{std::move(first)};
  for (size_t i = 1; i < arms->size(); ++i) {
    Arm& arm = (*arms)[i];
    try {
      Surroundings surroundings = Others(*arms, arm);
      surroundings.load = loads[i];
      const std::string carrier = FindCarrier(plans[arm.on], &arm);
      plans.push_back(AttachOne(arm.cable, scene, carrier, surroundings));
    } catch (const ConfigError& error) {
      throw ConfigError(InBranch(arm.name), error);
    }
    const Plan& on = plans[arm.on];
    for (size_t j = 0; j < i; ++j) ExcludeBetween(plans[j], plans[i], scene);
    const int side = arm.node > 0;
    if (arm.node == on.EndNode(side) && on.HasClampBody(side)) {
      ExcludeHolder(on, side, plans[i], scene);
    }
  }
}

// Adds where the branches start to the choices' text.
void Report(const std::vector<Arm>& arms, const Plan& plan, Choices* choices) {
  *choices = plan.recipe.Summary();
  for (size_t i = 1; i < arms.size(); ++i) {
    const Arm& arm = arms[i];
    const std::string& on = arms[arm.on].name;
    choices->text += "; branch " + arm.name + " at node " + std::to_string(arm.node) +
                     (on.empty() ? "" : " of " + on);
  }
}

// The largest step (s) that is recommended for every arm.
double RecommendedStep(const std::vector<Arm>& arms) {
  double step = HUGE_VAL;
  for (const Arm& arm : arms) {
    step =
        std::min(step, MakePlan(arm.cable, "world", Others(arms, arm)).recipe.recommended_timestep);
  }
  return step;
}

// The deepest nesting of bodies.
int Depth(const mjSpec* spec) {
  mjsBody* world = FindBody(spec, "world");
  int deepest = 0;
  for (mjsElement* element = mjs_firstElement(const_cast<mjSpec*>(spec), mjOBJ_BODY); element;
       element = mjs_nextElement(const_cast<mjSpec*>(spec), element)) {
    int depth = 0;
    for (mjsBody* body = mjs_asBody(element); body && body != world;
         body = mjs_getParent(body->element)) {
      ++depth;
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// Adds all arms to a scene.
void AttachArms(std::vector<Arm> arms, mjSpec* scene, const std::string& body, Choices* choices) {
  for (const Arm& arm : arms) NameHolders(arm.cable, arm.on < 0 ? body : "", scene);
  const std::vector<Load> loads = Loads(arms, scene, body);
  Surroundings surroundings = Others(arms, arms[0]);
  surroundings.load = loads[0];
  Plan plan = AttachOne(arms[0].cable, scene, body, surroundings);
  if (choices) Report(arms, plan, choices);
  AddBranches(&arms, loads, std::move(plan), scene);
}

}  // namespace

SpecPtr MakeCable(const CableDescription& cable, Choices* choices) {
  CheckDescription(cable);
  std::vector<Arm> arms = ArmsOn(cable, "world");
  Surroundings surroundings = Others(arms, arms[0]);
  if (arms.size() > 1) surroundings.largest_step = RecommendedStep(arms);
  Plan plan = MakePlan(arms[0].cable, "world", surroundings);
  Choices chosen;
  Report(arms, plan, &chosen);
  SpecPtr spec = MakeSpec(plan);
  mjs_setString(spec->comment, ("strand: " + chosen.text).c_str());
  if (choices) *choices = std::move(chosen);
  AddBranches(&arms, std::vector<Load>(arms.size()), std::move(plan), spec.get());
  return spec;
}

std::string GenerateMjcf(const CableDescription& cable, Choices* choices) {
  const SpecPtr spec = MakeCable(cable, choices);
  if (Depth(spec.get()) > kDeepestTree) {
    throw ConfigError(
        "links", std::to_string(cable.nodes.size() - 1),
        "at most 480 as MJCF text with root = end, 960 with root = middle, or pieces");
  }
  SetNeeded(cable, &spec->option);
  SetFriction(cable, &spec->option);
  Compile(spec.get());
  return ToXml(spec.get());
}

void AttachCable(const CableDescription& cable, mjSpec* scene, const std::string& body,
                 Choices* choices) {
  CheckDescription(cable);
  const std::vector<Arm> arms = ArmsOn(cable, body);
  if (arms.size() > 1) {  // errors in branches are found in a copy, before the scene is modified
    const SpecPtr trial(mj_copySpec(scene));
    if (!trial) throw ConfigError("spec", mjs_getError(scene), "a scene that MuJoCo can copy");
    AttachArms(arms, trial.get(), body, nullptr);
    Compile(trial.get());
  }
  AttachArms(arms, scene, body, choices);
  SetNeeded(cable, &scene->option);
}

}  // namespace strand::mujoco
