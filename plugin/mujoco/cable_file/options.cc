#include "plugin/mujoco/cable_file/options.h"

#include <limits>

#include "plugin/mujoco/cable_file/value.h"

namespace strand {
namespace {

using Options = std::vector<Option<CableDescription>>;

// An option that sets one field of the target; `field` returns a reference to it.
template <class Target = CableDescription, class Field>
Option<Target> Key(const char* name, const char* doc, const char* allowed, Field field) {
  return {name, doc, allowed,
          [field](const toml::node& value, Target* target) {
            return ReadValue(value, &field(*target));
          },
          [field, name](const Target& target, toml::table* table) {
            WriteValue(field(target), name, table);
          }};
}

// An option whose value is the name of an enumerator.
template <class Field>
Option<CableDescription> Choice(const char* name, const char* doc, Field field) {
  using Enum = std::remove_reference_t<std::invoke_result_t<Field, CableDescription&>>;
  return Key(name, doc, Listed(kNames<Enum>).c_str(), field);
}

constexpr const char* kFlag = "true or false";

// One number for both axes, or two numbers.
bool ReadBending(const toml::node& value, std::optional<std::array<double, 2>>* EI) {
  std::vector<double> numbers;
  if (!ReadValue(value, &numbers) || numbers.size() > 2) return false;
  *EI = {numbers.front(), numbers.back()};
  return true;
}

void WriteBending(const std::optional<std::array<double, 2>>& EI, toml::table* table) {
  if (EI && (*EI)[0] == (*EI)[1]) {
    WriteValue((*EI)[0], "EI", table);
  } else {
    WriteValue(EI, "EI", table);
  }
}

// The elastic constants of the cable or of a stretch; `of` returns its Stiffness.
template <class Target, class Of>
std::vector<Option<Target>> StiffnessOptions(Of of) {
  return {
      {"EI", "bending stiffness: one value, or two about the links' y and z axes",
       "one number or two, > 0 (N m^2)",
       [of](const toml::node& value, Target* target) {
         return ReadBending(value, &of(*target).EI);
       },
       [of](const Target& target, toml::table* table) { WriteBending(of(target).EI, table); }},
      Key<Target>("GJ", "torsional stiffness", "a number > 0 (N m^2)",
                  [of](auto& target) -> auto& { return of(target).GJ; }),
      Key<Target>("young", "Young's modulus", "a number > 0 (Pa)",
                  [of](auto& target) -> auto& { return of(target).young; }),
      Key<Target>("shear", "shear modulus", "a number > 0 (Pa)",
                  [of](auto& target) -> auto& { return of(target).shear; }),
      Key<Target>("poisson", "Poisson's ratio", "a number > -1 and <= 0.5",
                  [of](auto& target) -> auto& { return of(target).poisson; }),
  };
}

// "rigid", one stiffness, or two.
bool ReadJunction(const toml::node& value, Branch* branch) {
  std::vector<double> stiffness;
  if (value.value<std::string>() == "rigid") {
    branch->junction.reset();
    return true;
  }
  if (!ReadValue(value, &stiffness) || stiffness.size() > 2) return false;
  branch->junction = {stiffness.front(), stiffness.back()};
  return true;
}

void WriteJunction(const Branch& branch, toml::table* table) {
  if (branch.junction) {
    WriteValue(branch.junction, "junction", table);
  } else {
    WriteValue(std::string("rigid"), "junction", table);
  }
}

Options TopOptions() {
  return {Key("prefix", "goes before the names of bodies, joints and sites", "a text",
              [](auto& cable) -> auto& { return cable.prefix; })};
}

Options ShapeOptions() {
  return {
      Key("normal",
          "y axis of the first link (made orthogonal); if not given: y, or z for a link along y",
          "three numbers, not along the first link",
          [](auto& cable) -> auto& { return cable.normal; }),
      Key("pos", "start pose: translation of the shape", "three numbers (m)",
          [](auto& cable) -> auto& { return cable.pos; }),
      Key("quat", "start pose: rotation of the shape, before the translation (w x y z)",
          "four numbers, not all zero", [](auto& cable) -> auto& { return cable.quat; }),
      Key("closed", "a closed cable: the last node coincides with the first", kFlag,
          [](auto& cable) -> auto& { return cable.closed; }),
  };
}

Options SectionOptions() {
  return {
      Choice("section", "outline of the section",
             [](auto& cable) -> auto& { return cable.section.shape; }),
      Key("radius", "radius of a circle or tube; two values: start and end, linear in between",
          "a number > 0 (m), two, or one per link",
          [](auto& cable) -> auto& { return cable.section.radius; }),
      Key("inner_radius", "inner radius of a tube", "a number > 0, < radius (m)",
          [](auto& cable) -> auto& { return cable.section.inner_radius; }),
      Key("width", "width of a box or ellipse, along y", "a number > 0 (m)",
          [](auto& cable) -> auto& { return cable.section.width; }),
      Key("height", "height of a box or ellipse, along z", "a number > 0 (m)",
          [](auto& cable) -> auto& { return cable.section.height; }),
  };
}

Options MaterialOptions() {
  Options options =
      StiffnessOptions<CableDescription>([](auto& cable) -> auto& { return cable.stiffness; });
  options.push_back(Key("density", "mass per volume; two values: start and end, linear in between",
                        "a number > 0 (kg/m^3), two, or one per link",
                        [](auto& cable) -> auto& { return cable.density; }));
  options.push_back(
      Key("yield_stress", "stress at which the material yields and is bent or twisted for good",
          "a number > 0 (Pa)", [](auto& cable) -> auto& { return cable.slip.yield_stress; }));
  options.push_back(Key("hardening",
                        "plastic moduli of kinematic and, if given, isotropic hardening, as "
                        "fractions of the elastic modulus; if not given: 0",
                        "1 or 2 numbers >= 0",
                        [](auto& cable) -> auto& { return cable.slip.hardening; }));
  options.push_back(Key("bend_elements",
                        "friction in bending, in place of yield_stress: shares of EI and the "
                        "curvatures at which they slip",
                        "numbers in turn: share (> 0, sum <= 1), curvature (> 0, 1/m), share, ...",
                        [](auto& cable) -> auto& { return cable.slip.bend_elements; }));
  options.push_back(
      Key("twist_elements", "the same in twisting, with shares of GJ",
          "numbers in turn: share (> 0, sum <= 1), twist rate (> 0, rad/m), share, ...",
          [](auto& cable) -> auto& { return cable.slip.twist_elements; }));
  return options;
}

Options ElasticityOptions() {
  return {
      Choice("rest", "stress-free shape: the initial shape as drawn, or straight",
             [](auto& cable) -> auto& { return cable.rest; }),
      Key("rest_twist", "natural twist added along the cable", "a finite number (rad)",
          [](auto& cable) -> auto& { return cable.rest_twist; }),
      Choice(
          "twist",
          "dynamic: the spin of every link twists the cable; quasistatic: that of the ends only; "
          "auto: dynamic, or quasistatic if the key holds is given",
          [](auto& cable) -> auto& { return cable.twist; }),
      Choice(
          "curvature",
          "measure of curvature at a joint bent by phi: phi / l, 2 tan(phi/2) / l, or phi / l with "
          "terms of neighbouring joints of order 4 or 6 (smooth); auto: smooth if there are 12 "
          "links, most of them equally long, else angle",
          [](auto& cable) -> auto& { return cable.curvature; }),
  };
}

Options DampingOptions() {
  return {
      Key("damping", "viscous damping of each joint", "a number >= 0 (N m s/rad)",
          [](auto& cable) -> auto& { return cable.damping.joint; }),
      Key("loss_time",
          "ratio of viscous to elastic stiffness (Kelvin-Voigt), with what the time step damps by "
          "itself, as long as one step",
          "a number >= 0 (s)", [](auto& cable) -> auto& { return cable.damping.loss_time; }),
      Key("damping_ratio",
          "damping ratio of the first bending mode of the straight cable with these ends",
          "a number >= 0", [](auto& cable) -> auto& { return cable.damping.ratio; }),
      Key("whip_damping",
          "scales the damping against whipping and rattling; increase it for ends that are shaken",
          "a number >= 0", [](auto& cable) -> auto& { return cable.damping.whip; }),
  };
}

bool ReadPieces(const toml::node& value, CableDescription* cable) {
  int links = 0;
  if (value.value<std::string>() == "auto") {
    cable->pieces.reset();
  } else if (value.value<std::string>() == "none" || ReadValue(value, &links)) {
    cable->pieces = links;
  } else {
    return false;
  }
  return links >= 2 || value.is_string();
}

void WritePieces(const CableDescription& cable, toml::table* table) {
  if (cable.pieces.value_or(0) > 0) {
    WriteValue(*cable.pieces, "pieces", table);
  } else {
    WriteValue(std::string(cable.pieces ? "none" : "auto"), "pieces", table);
  }
}

Options EndOptions() {
  return {
      {"pieces",
       "links per kinematic tree: a long cable is cut through links, so that the cost of a step is "
       "proportional to its length; auto: 5, or 8 without contact, where that is faster or more "
       "stable and root is auto; none: one tree",
       "auto, none, or an integer >= 2", ReadPieces, WritePieces},
      Choice("root",
             "root of the kinematic tree, if there is one; auto: the one held end, else the middle "
             "(faster)",
             [](auto& cable) -> auto& { return cable.root; }),
      Choice("start",
             "fixed, ball: held as drawn by the body that carries the cable; weld, pin: held by "
             "start_to; mocap: held by a mocap body; feed: slides out of the body that carries the "
             "cable, as from a winch",
             [](auto& cable) -> auto& { return cable.ends[0]; }),
      Choice("end", "the same for the last node",
             [](auto& cable) -> auto& { return cable.ends[1]; }),
      Key("start_to", "body, or site with x along the cable, that holds a welded or pinned start",
          "a text", [](auto& cable) -> auto& { return cable.end_to[0]; }),
      Key("end_to", "the same for the end", "a text",
          [](auto& cable) -> auto& { return cable.end_to[1]; }),
      Choice("clamp",
             "what fixed, weld and mocap hold: the direction at the node, or the whole link",
             [](auto& cable) -> auto& { return cable.clamp; }),
      Key("fed", "length outside of the body that a start with feed slides out of",
          "a link's length to the whole length (m)",
          [](auto& cable) -> auto& { return cable.fed; }),
  };
}

Options ContactOptions() {
  return {
      Key("collide", "collides with other objects and with itself", kFlag,
          [](auto& cable) -> auto& { return cable.contact.collide; }),
      Key("self_contact", "collides with itself", kFlag,
          [](auto& cable) -> auto& { return cable.contact.self_contact; }),
      Key("friction",
          "friction coefficients: sliding, spinning (m; condim 4, 6), rolling (m; condim 6)",
          "1 to 3 numbers >= 0", [](auto& cable) -> auto& { return cable.contact.friction; }),
      Key("condim", "dimension of the friction cone: 1, 3, 4 or 6; without sliding friction 1",
          "an integer", [](auto& cable) -> auto& { return cable.contact.condim; }),
      Key("contype", "bit mask of MuJoCo's contact filter", "an integer",
          [](auto& cable) -> auto& { return cable.contact.contype; }),
      Key("conaffinity", "bit mask of MuJoCo's contact filter", "an integer",
          [](auto& cable) -> auto& { return cable.contact.conaffinity; }),
      Key("margin", "distance at which contacts begin", "a number >= 0 (m)",
          [](auto& cable) -> auto& { return cable.contact.margin; }),
      Key("priority",
          "the geom of higher priority sets friction, condim, solref and solimp of a contact",
          "an integer", [](auto& cable) -> auto& { return cable.contact.priority; }),
      Key("contact_solref", "solref of contacts; if not given: as stiff as the time step allows",
          "two numbers: time constant (s), damping ratio",
          [](auto& cable) -> auto& { return cable.contact.solref; }),
      Key("contact_solimp",
          "solimp of contacts; if not given: .1 .9999, over a width that depends on the time step",
          "3 to 5 numbers: d at the surface, d at the width, width (m), midpoint (default 0.5), "
          "power (2)",
          [](auto& cable) -> auto& { return cable.contact.solimp; }),
  };
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool ReadStresses(const toml::node& value, CableDescription* cable) {
  std::array<double, 2> stress;
  if (!ReadValue(value, &stress)) return false;
  if (!(0 <= stress[0] && stress[0] < stress[1] && stress[1] < kInfinity)) return false;
  cable->color = stress;
  return true;
}

Options LookOptions() {
  return {
      Key("rgba", "colour", "four numbers from 0 to 1",
          [](auto& cable) -> auto& { return cable.rgba; }),
      {"color", "stress colours: von Mises stresses (Pa) shown as blue and as red",
       "two stresses, 0 <= lower < upper (Pa)", ReadStresses,
       [](const CableDescription& cable, toml::table* table) {
         WriteValue(cable.color, "color", table);
       }},
      Key("group", "geom group; if not given: 0, or 3 (hidden) with a skin", "an integer",
          [](auto& cable) -> auto& { return cable.group; }),
      Key("skin", "draw a smooth tube", kFlag, [](auto& cable) -> auto& { return cable.skin; }),
  };
}

Options SimulationOptions() {
  return {
      Choice("integrator",
             "auto: discrete, which solves constraints and damping together; before MuJoCo 3.13: "
             "Euler. implicit: stable for thin cables that roll fast",
             [](auto& cable) -> auto& { return cable.integrator; }),
      Key("timestep", "time step; if not given: the recommended one", "a number > 0 (s)",
          [](auto& cable) -> auto& { return cable.timestep; }),
      Key("stabilize", "numerical stiffness for large steps (plugin/mujoco/README.md)", kFlag,
          [](auto& cable) -> auto& { return cable.stabilize; }),
      Key("max_tension",
          "stable up to this tension; if not given: from the weight of the cable and its loads",
          "a number >= 0 (N)", [](auto& cable) -> auto& { return cable.max_tension; }),
      Key("gravity", "gravitational acceleration", "three numbers (m/s^2)",
          [](auto& cable) -> auto& { return cable.gravity; }),
  };
}

}  // namespace

const std::vector<OptionTable>& CableOptions() {
  static const std::vector<OptionTable> tables{
      {"", TopOptions()},
      {"shape", ShapeOptions()},
      {"section", SectionOptions()},
      {"material", MaterialOptions()},
      {"elasticity", ElasticityOptions()},
      {"damping", DampingOptions()},
      {"ends", EndOptions()},
      {"contact", ContactOptions()},
      {"look", LookOptions()},
      {"simulation", SimulationOptions()},
  };
  return tables;
}

FoundOption FindOption(std::string_view name) {
  for (const OptionTable& table : CableOptions()) {
    for (const auto& option : table.options) {
      if (option.name == name) return {&table, &option};
    }
  }
  return {};
}

const std::vector<Option<Stretch>>& StretchOptions() {
  static const std::vector<Option<Stretch>> options = [] {
    constexpr const char* kArclength = "an arclength (m)";
    std::vector<Option<Stretch>> all{
        Key<Stretch>("begin", "where it starts", kArclength,
                     [](auto& stretch) -> auto& { return stretch.begin; }),
        Key<Stretch>("end", "where it ends", kArclength,
                     [](auto& stretch) -> auto& { return stretch.end; }),
    };
    for (auto& option :
         StiffnessOptions<Stretch>([](auto& stretch) -> auto& { return stretch.stiffness; })) {
      all.push_back(std::move(option));
    }
    all.push_back(Key<Stretch>("radius", "radius of a circle or tube", "a number > 0 (m)",
                               [](auto& stretch) -> auto& { return stretch.radius; }));
    all.push_back(Key<Stretch>("density", "mass per volume", "a number > 0 (kg/m^3)",
                               [](auto& stretch) -> auto& { return stretch.density; }));
    return all;
  }();
  return options;
}

const std::vector<Option<Branch>>& BranchOptions() {
  static const std::vector<Option<Branch>> options{
      Key<Branch>("name", "goes between the prefix and the names of its bodies, joints and sites",
                  "a text, different for each branch",
                  [](auto& branch) -> auto& { return branch.name; }),
      Key<Branch>("on", "the branch on which it starts; if not given: the cable itself",
                  "the name of another branch", [](auto& branch) -> auto& { return branch.on; }),
      Key<Branch>("at", "where it starts on that one: at the node nearest to this arclength",
                  "0 to that one's length (m)", [](auto& branch) -> auto& { return branch.at; }),
      Key<Branch>(
          "angle",
          "angle between the x axis of its shape and that one's direction at the node; if not "
          "given, its shape is drawn with the axes of the cable's shape",
          "a number (rad)", [](auto& branch) -> auto& { return branch.angle; }),
      Key<Branch>("azimuth",
                  "turns the branch about that one's direction; 0: the angle is towards its y axis",
                  "a number (rad)", [](auto& branch) -> auto& { return branch.azimuth; }),
      {"junction",
       "rigid; or its stiffness in bending and twisting, one value or two; 0: a ball joint",
       "rigid, one number >= 0 or two (N m/rad)", ReadJunction, WriteJunction},
  };
  return options;
}

}  // namespace strand
