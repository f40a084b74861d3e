#include "plugin/mujoco/cable_file/options.h"

#include <limits>

#include "plugin/mujoco/cable_file/value.h"

namespace strand {
namespace {

using Options = std::vector<Option<CableDescription>>;

// An option that is a field of the target, which `field` finds.
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

// An option that is one of an enumeration's names.
template <class Field>
Option<CableDescription> Choice(const char* name, const char* doc, Field field) {
  using Enum = std::remove_reference_t<std::invoke_result_t<Field, CableDescription&>>;
  return Key(name, doc, Listed(kNames<Enum>).c_str(), field);
}

constexpr const char* kFlag = "true or false";

// One number for both axes, or two.
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

// The elastic constants of the cable or of a stretch, whose Stiffness `of` finds.
template <class Target, class Of>
std::vector<Option<Target>> StiffnessOptions(Of of) {
  return {
      {"EI", "bending stiffness: one, or two about the links' y and z axes",
       "one number or two, > 0 (N m^2)",
       [of](const toml::node& value, Target* target) {
         return ReadBending(value, &of(*target).EI);
       },
       [of](const Target& target, toml::table* table) { WriteBending(of(target).EI, table); }},
      Key<Target>("GJ", "twisting stiffness", "a number > 0 (N m^2)",
                  [of](auto& target) -> auto& { return of(target).GJ; }),
      Key<Target>("young", "Young's modulus", "a number > 0 (Pa)",
                  [of](auto& target) -> auto& { return of(target).young; }),
      Key<Target>("shear", "shear modulus", "a number > 0 (Pa)",
                  [of](auto& target) -> auto& { return of(target).shear; }),
      Key<Target>("poisson", "Poisson's ratio", "a number > -1 and <= 0.5",
                  [of](auto& target) -> auto& { return of(target).poisson; }),
  };
}

Options TopOptions() {
  return {Key("prefix", "goes before the names of bodies, joints, sites", "a text",
              [](auto& cable) -> auto& { return cable.prefix; })};
}

Options ShapeOptions() {
  return {
      Key("normal", "y axis of the first link (made orthogonal); left out: y, or z along y",
          "three numbers, not along the first link",
          [](auto& cable) -> auto& { return cable.normal; }),
      Key("pos", "start pose: the shape is moved here", "three numbers (m)",
          [](auto& cable) -> auto& { return cable.pos; }),
      Key("quat", "start pose: and turned so (w x y z)", "four numbers, not all zero",
          [](auto& cable) -> auto& { return cable.quat; }),
      Key("closed", "the last node is the first: a closed cable", kFlag,
          [](auto& cable) -> auto& { return cable.closed; }),
  };
}

Options SectionOptions() {
  return {
      Choice("section", "outline of the section",
             [](auto& cable) -> auto& { return cable.section.shape; }),
      Key("radius", "of circle and tube; two: of the start and the end, linear between",
          "a number > 0 (m), two, or one per link",
          [](auto& cable) -> auto& { return cable.section.radius; }),
      Key("inner_radius", "of a tube", "a number > 0, < radius (m)",
          [](auto& cable) -> auto& { return cable.section.inner_radius; }),
      Key("width", "of box, ellipse, along y", "a number > 0 (m)",
          [](auto& cable) -> auto& { return cable.section.width; }),
      Key("height", "of box, ellipse, along z", "a number > 0 (m)",
          [](auto& cable) -> auto& { return cable.section.height; }),
  };
}

Options MaterialOptions() {
  Options options =
      StiffnessOptions<CableDescription>([](auto& cable) -> auto& { return cable.stiffness; });
  options.push_back(Key("density", "mass per volume; two: of the start and the end, linear between",
                        "a number > 0 (kg/m^3), two, or one per link",
                        [](auto& cable) -> auto& { return cable.density; }));
  return options;
}

Options ElasticityOptions() {
  return {
      Choice("rest", "stress-free shape: as drawn, or straight",
             [](auto& cable) -> auto& { return cable.rest; }),
      Key("rest_twist", "natural twist added along the cable", "a finite number (rad)",
          [](auto& cable) -> auto& { return cable.rest_twist; }),
      Choice("twist",
             "dynamic: every link's own spin counts; quasistatic: that of the ends; auto: dynamic",
             [](auto& cable) -> auto& { return cable.twist; }),
      Choice("curvature", "measure of curvature: phi / l or 2 tan(phi/2) / l",
             [](auto& cable) -> auto& { return cable.curvature; }),
  };
}

Options DampingOptions() {
  return {
      Key("damping", "of each joint", "a number >= 0 (N m s/rad)",
          [](auto& cable) -> auto& { return cable.damping.joint; }),
      Key("loss_time", "viscous to elastic stiffness (Kelvin-Voigt): joints get loss_time EI / l",
          "a number >= 0 (s)", [](auto& cable) -> auto& { return cable.damping.loss_time; }),
      Key("damping_ratio", "of the first bending mode of the straight cable with these ends",
          "a number >= 0", [](auto& cable) -> auto& { return cable.damping.ratio; }),
      Key("whip_damping",
          "scale of what joints that turn fast, or rattle, lose; more for ends that are shaken",
          "a number >= 0", [](auto& cable) -> auto& { return cable.damping.whip; }),
  };
}

Options EndOptions() {
  return {
      Choice("root",
             "where the kinematic tree starts; auto: at the one end held, else the middle (faster)",
             [](auto& cable) -> auto& { return cable.root; }),
      Choice("start",
             "fixed, ball: held where drawn by what carries the cable; weld, pin: by start_to",
             [](auto& cable) -> auto& { return cable.ends[0]; }),
      Choice("end", "the same for the last node",
             [](auto& cable) -> auto& { return cable.ends[1]; }),
      Key("start_to", "body, or site with x along the cable, that a welded or pinned start is at",
          "a text", [](auto& cable) -> auto& { return cable.end_to[0]; }),
      Key("end_to", "the same for the end", "a text",
          [](auto& cable) -> auto& { return cable.end_to[1]; }),
      Choice("clamp", "what fixed, weld, mocap hold: the direction at the node, or the whole link",
             [](auto& cable) -> auto& { return cable.clamp; }),
  };
}

Options ContactOptions() {
  return {
      Key("collide", "touches anything", kFlag,
          [](auto& cable) -> auto& { return cable.contact.collide; }),
      Key("self_contact", "touches itself", kFlag,
          [](auto& cable) -> auto& { return cable.contact.self_contact; }),
      Key("friction", "sliding, spinning (m), rolling (m)", "1 to 3 numbers >= 0",
          [](auto& cable) -> auto& { return cable.contact.friction; }),
      Key("condim", "dimension of the friction cone: 1, 3, 4 or 6", "an integer",
          [](auto& cable) -> auto& { return cable.contact.condim; }),
      Key("contype", "bit mask of MuJoCo's contact filter", "an integer",
          [](auto& cable) -> auto& { return cable.contact.contype; }),
      Key("conaffinity", "bit mask of MuJoCo's contact filter", "an integer",
          [](auto& cable) -> auto& { return cable.contact.conaffinity; }),
      Key("margin", "distance at which contacts begin", "a number >= 0 (m)",
          [](auto& cable) -> auto& { return cable.contact.margin; }),
      Key("priority", "the geom of higher priority gives friction, condim, solref and solimp",
          "an integer", [](auto& cable) -> auto& { return cable.contact.priority; }),
      Key("contact_solref", "of contacts; left out: as stiff as the time step allows",
          "two numbers: time constant (s), damping ratio",
          [](auto& cable) -> auto& { return cable.contact.solref; }),
      Key("contact_solimp",
          "of contacts; left out: .95 .9999, over a width that follows from the step",
          "3 to 5 numbers: d at the surface, d at the width, width (m), midpoint, power",
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
      {"color", "von Mises stresses (Pa) that are drawn blue and red",
       "two stresses, 0 <= lower < upper (Pa)", ReadStresses,
       [](const CableDescription& cable, toml::table* table) {
         WriteValue(cable.color, "color", table);
       }},
      Key("group", "geom group; left out: 0, or 3 (hidden) beside a skin", "an integer",
          [](auto& cable) -> auto& { return cable.group; }),
      Key("skin", "draw a smooth tube", kFlag, [](auto& cable) -> auto& { return cable.skin; }),
  };
}

Options SimulationOptions() {
  return {
      Choice("integrator",
             "auto: discrete, which solves constraints and damping together; before MuJoCo 3.13: "
             "Euler",
             [](auto& cable) -> auto& { return cable.integrator; }),
      Key("timestep", "left out: the step recommended", "a number > 0 (s)",
          [](auto& cable) -> auto& { return cable.timestep; }),
      Key("stabilize", "numerical stiffness for large steps (plugin/mujoco/README.md)", kFlag,
          [](auto& cable) -> auto& { return cable.stabilize; }),
      Key("max_tension", "stable up to this tension; left out: what the cable and its ends weigh",
          "a number >= 0 (N)", [](auto& cable) -> auto& { return cable.max_tension; }),
      Key("gravity", "m/s^2", "three numbers (m/s^2)",
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
    all.push_back(Key<Stretch>("radius", "of circle and tube", "a number > 0 (m)",
                               [](auto& stretch) -> auto& { return stretch.radius; }));
    all.push_back(Key<Stretch>("density", "mass per volume", "a number > 0 (kg/m^3)",
                               [](auto& stretch) -> auto& { return stretch.density; }));
    return all;
  }();
  return options;
}

}  // namespace strand
