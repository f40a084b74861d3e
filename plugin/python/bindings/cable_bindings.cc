#include "plugin/python/bindings/cable_bindings.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/geometry/curve.h"
#include "model/geometry/spline.h"
#include "plugin/mujoco/cable_file/arguments.h"
#include "plugin/mujoco/cable_file/cable_file.h"
#include "plugin/mujoco/cable_file/library.h"
#include "plugin/mujoco/cable_file/options.h"
#include "plugin/mujoco/description/branches.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/description/rod.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

// Points as an array of shape (n, 3).
using PointArray = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

PointArray ToArray(const std::vector<Vector3>& points) {
  PointArray array(points.size(), 3);
  for (size_t k = 0; k < points.size(); ++k) array.row(k) = points[k].transpose();
  return array;
}

std::vector<Vector3> ToPoints(const PointArray& array) {
  return {array.rowwise().begin(), array.rowwise().end()};
}

toml::array ToTomlArray(const nb::list& list);
toml::table ToTomlTable(const nb::dict& dict);

// Calls `take` with the value as a toml++ type. Only types that a TOML file can hold are accepted.
template <class Take>
void WithValue(nb::handle value, const Take& take) {
  if (nb::isinstance<nb::bool_>(value)) return take(nb::cast<bool>(value));
  if (nb::isinstance<nb::int_>(value)) return take(nb::cast<int64_t>(value));
  if (nb::isinstance<nb::float_>(value)) return take(nb::cast<double>(value));
  if (nb::isinstance<nb::str>(value)) return take(nb::cast<std::string>(value));
  if (nb::isinstance<nb::list>(value)) return take(ToTomlArray(nb::cast<nb::list>(value)));
  if (nb::isinstance<nb::dict>(value)) return take(ToTomlTable(nb::cast<nb::dict>(value)));
  throw nb::type_error("not a type that TOML supports");
}

toml::array ToTomlArray(const nb::list& list) {
  toml::array array;
  for (nb::handle item : list) {
    WithValue(item, [&](auto&& value) { array.push_back(std::move(value)); });
  }
  return array;
}

toml::table ToTomlTable(const nb::dict& dict) {
  toml::table table;
  for (auto [key, item] : dict) {
    const auto name = nb::cast<std::string>(key);
    WithValue(item, [&](auto&& value) { table.insert_or_assign(name, std::move(value)); });
  }
  return table;
}

nb::object ToPython(const toml::node& node) {
  if (const toml::array* list = node.as_array()) {
    nb::list items;
    for (const toml::node& item : *list) items.append(ToPython(item));
    return items;
  }
  if (const toml::table* table = node.as_table()) {
    nb::dict items;
    for (const auto& [key, item] : *table) items[std::string(key).c_str()] = ToPython(item);
    return items;
  }
  if (node.is_boolean()) return nb::cast(*node.value<bool>());
  if (node.is_integer()) return nb::cast(*node.value<int64_t>());
  if (node.is_floating_point()) return nb::cast(*node.value<double>());
  return nb::cast(*node.value<std::string>());
}

CableDescription Describe(const nb::dict& arguments, const PointArray& nodes) {
  return DescribeCable(ToTomlTable(arguments), ToPoints(nodes));
}

// Name, meaning, what is allowed and the default (None: not given) of each key.
using DocumentedKey = std::tuple<std::string, std::string, std::string, nb::object>;

template <class Target>
std::vector<DocumentedKey> Documented(const std::vector<Option<Target>>& options) {
  toml::table defaults;
  std::vector<DocumentedKey> keys;
  for (const auto& option : options) {
    option.write(Target{}, &defaults);
    const toml::node* value = defaults.get(option.name);
    keys.emplace_back(option.name, option.doc, option.allowed,
                      value ? ToPython(*value) : nb::none());
  }
  return keys;
}

std::vector<std::tuple<std::string, std::vector<DocumentedKey>>> DocumentedTables() {
  std::vector<std::tuple<std::string, std::vector<DocumentedKey>>> tables;
  for (const OptionTable& table : CableOptions()) {
    tables.emplace_back(table.name, Documented(table.options));
  }
  return tables;
}

// Bending (n, 2) and twisting (n,) stiffness of the joints, in order.
std::pair<Eigen::MatrixX2d, Eigen::VectorXd> StiffnessArrays(
    const std::vector<RodStiffness>& joints) {
  Eigen::MatrixX2d EI(joints.size(), 2);
  Eigen::VectorXd GJ(joints.size());
  for (size_t i = 0; i < joints.size(); ++i) {
    EI.row(i) << joints[i].EI[0], joints[i].EI[1];
    GJ[i] = joints[i].GJ;
  }
  return {EI, GJ};
}

std::pair<Eigen::MatrixX2d, Eigen::VectorXd> JointStiffnesses(const CableDescription& cable) {
  return StiffnessArrays(mujoco::DrawRod(cable).stiffness);
}

// A cable of a description, in the frame of the whole: what the core needs of it.
struct ArmView {
  mujoco::Arm arm;
  mujoco::DrawnRod rod;

  PointArray Nodes() const {
    std::vector<Vector3> nodes;
    for (const Vector3& node : rod.nodes) {
      nodes.push_back(arm.pose.position + arm.pose.rotation * node);
    }
    return ToArray(nodes);
  }
  PointArray Normals() const {
    std::vector<Vector3> normals;
    for (const Frame& frame : rod.frames) normals.push_back(arm.pose.rotation * frame.col(1));
    return ToArray(normals);
  }
  // EI (2) and GJ (N m^2) of each link.
  std::vector<RodStiffness> LinkStiffness() const {
    const std::vector<double> nodes = rod.Arclengths();
    const mujoco::Material material(arm.cable, nodes);
    std::vector<RodStiffness> stiffness;
    for (int k = 0; k < rod.links(); ++k) {
      stiffness.push_back(material.Stiffness(nodes[k], nodes[k + 1]));
    }
    return stiffness;
  }
  // Columns: length, mass, spin inertia, area, second moment, half thickness.
  Eigen::MatrixXd Links() const {
    Eigen::MatrixXd links(rod.links(), 6);
    for (int k = 0; k < rod.links(); ++k) {
      const Section& section = rod.section[k];
      links.row(k) << rod.length[k], rod.mass[k].mass, rod.mass[k].inertia.x(), section.area,
          section.second_moment_y, std::max(section.half_y, section.half_z);
    }
    return links;
  }
};

std::vector<ArmView> ViewArms(const CableDescription& cable) {
  std::vector<ArmView> arms;
  for (const mujoco::Arm& arm : mujoco::ArmsOf(cable)) {
    arms.push_back({arm, mujoco::DrawRod(arm.cable)});
  }
  return arms;
}

void BindArms(nb::module_& module) {
  nb::class_<ArmView>(module, "CableArm", "A cable of a description with branches.")
      .def_prop_ro("name", [](const ArmView& view) { return view.arm.name; })
      .def_prop_ro(
          "on", [](const ArmView& view) { return view.arm.on; },
          "Index of the arm on which it starts; -1: none.")
      .def_prop_ro("node", [](const ArmView& view) { return view.arm.node; })
      .def_prop_ro("nodes", &ArmView::Nodes)
      .def_prop_ro("normals", &ArmView::Normals, "Directions m1 of the links.")
      .def_prop_ro(
          "junctions", [](const ArmView& view) { return view.rod.junctions; },
          "Inner nodes at which branches start.")
      .def_prop_ro(
          "hinged",
          [](const ArmView& view) { return view.arm.cable.ends[0] == EndCondition::kBall; })
      .def(
          "joint_before", [](const ArmView& view, int node) { return view.rod.JointBefore(node); },
          "node"_a)
      .def(
          "joint_after", [](const ArmView& view, int node) { return view.rod.JointAfter(node); },
          "node"_a)
      .def_prop_ro("joint_stiffness",
                   [](const ArmView& view) { return StiffnessArrays(view.rod.stiffness); })
      .def_prop_ro("link_stiffness",
                   [](const ArmView& view) { return StiffnessArrays(view.LinkStiffness()); })
      .def_prop_ro(
          "sections", [](const ArmView& view) { return view.rod.section; }, "Of each link.")
      .def_prop_ro("links", &ArmView::Links,
                   "Length, mass, spin inertia, area, second moment, half thickness of each link.");
  module.def("cable_arms", &ViewArms, nb::arg("cable"),
             "The cable and its branches, each after the one on which it starts. Raises "
             "ValueError.");
}

void BindShapes(nb::module_& module) {
  module.def(
      "straight_nodes",
      [](double length, int links) { return ToArray(StraightNodes(length, links)); }, "length"_a,
      "links"_a);
  module.def(
      "arc_nodes",
      [](double length, double angle, int links) {
        return ToArray(ArcNodes(length, angle, links));
      },
      "length"_a, "angle"_a, "links"_a);
  module.def(
      "helix_nodes",
      [](double radius, double pitch, double turns, int links) {
        return ToArray(HelixNodes(radius, pitch, turns, links));
      },
      "radius"_a, "pitch"_a, "turns"_a, "links"_a);
  module.def(
      "ring_nodes",
      [](double radius, int links, int overlap) {
        return ToArray(RingNodes(radius, links, overlap));
      },
      "radius"_a, "links"_a, "overlap"_a);
  module.def(
      "spline_nodes",
      [](const PointArray& points, int links, bool closed) {
        return ToArray(SplineNodes(ToPoints(points), links, closed));
      },
      "points"_a, "links"_a, "closed"_a);
}

}  // namespace

void BindCables(nb::module_& module) {
  BindShapes(module);
  BindArms(module);
  nb::class_<CableDescription>(module, "CableDescription")
      .def_prop_ro("nodes", [](const CableDescription& cable) { return ToArray(cable.nodes); })
      .def_ro("closed", &CableDescription::closed)
      .def_rw("pos", &CableDescription::pos)
      .def_rw("quat", &CableDescription::quat);
  module.def("read_cable_file", &ReadCableFile, nb::arg("text"),
             "Returns the cable that the text of a TOML file describes. Raises ValueError.");
  module.def(
      "describe_cable", &Describe, nb::arg("arguments"), nb::arg("nodes"),
      "Returns a cable from arguments by name and nodes (n + 1, 3) in m instead of a shape. Checks "
      "only the types of values. Raises ValueError.");
  module.def(
      "cable_arguments",
      [](const CableDescription& cable) { return ToPython(CableArguments(cable)); },
      nb::arg("cable"), nb::sig("def cable_arguments(cable: CableDescription) -> dict"),
      "Returns the arguments that describe a cable, with defaults, without what is not given.");
  module.def(
      "library_keys",
      [](const std::string& name, const std::vector<std::string>& given) {
        const auto is_given = [&](std::string_view key) {
          return std::ranges::find(given, key) != given.end();
        };
        return ToPython(LibraryKeys("material", toml::value(name), is_given));
      },
      nb::arg("name"), nb::arg("given"),
      nb::sig("def library_keys(name: str, given: Sequence[str]) -> dict"),
      "Arguments of a real cable (strand/materials/cables.toml) that complete a description in "
      "which these arguments are given. Raises ValueError.");
  module.def("joint_stiffnesses", &JointStiffnesses, nb::arg("cable"),
             "EI (n, 2) and GJ (n,) of the joints, in N m^2.");
  module.def("check_cable", &CheckCable, nb::arg("cable"),
             "Raises ValueError if the values cannot form a valid cable in any scene.");
  module.def("check_values", &mujoco::CheckDescription, nb::arg("cable"),
             "Raises ValueError if a field has a value that is not allowed in any cable.");
  module.def(
      "cable_options", &DocumentedTables,
      "List of (table, [(name, meaning, allowed values, default or None)]) for cable files.");
  module.def(
      "stretch_options", [] { return Documented(StretchOptions()); },
      "List of (name, meaning, allowed values, default or None) for the keys of a stretch.");
  module.def(
      "branch_options", [] { return Documented(BranchOptions()); },
      "List of (name, meaning, allowed values, default or None) for the keys of a branch.");
}

}  // namespace strand
