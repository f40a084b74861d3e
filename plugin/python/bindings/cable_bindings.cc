#include "plugin/python/bindings/cable_bindings.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "model/geometry/curve.h"
#include "model/geometry/spline.h"
#include "plugin/mujoco/cable_file/cable_file.h"
#include "plugin/mujoco/cable_file/options.h"
#include "plugin/mujoco/description/check.h"

namespace nb = nanobind;

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

CableDescription Describe(const nb::dict& tables, const PointArray& nodes) {
  const std::vector<Vector3> points = ToPoints(nodes);
  return DescribeCable(ToTomlTable(tables), &points);
}

// Name, meaning and allowed values of a table's key.
using DocumentedKey = std::tuple<std::string, std::string, std::string>;

template <class Target>
std::vector<DocumentedKey> Documented(const std::vector<Option<Target>>& options) {
  std::vector<DocumentedKey> keys;
  for (const auto& option : options) keys.emplace_back(option.name, option.doc, option.allowed);
  return keys;
}

std::vector<std::tuple<std::string, std::vector<DocumentedKey>>> DocumentedTables() {
  std::vector<std::tuple<std::string, std::vector<DocumentedKey>>> tables;
  for (const OptionTable& table : CableOptions()) {
    tables.emplace_back(table.name, Documented(table.options));
  }
  return tables;
}

void BindShapes(nb::module_& module) {
  module.def("straight_nodes",
             [](double length, int links) { return ToArray(StraightNodes(length, links)); });
  module.def("arc_nodes", [](double length, double angle, int links) {
    return ToArray(ArcNodes(length, angle, links));
  });
  module.def("helix_nodes", [](double radius, double pitch, double turns, int links) {
    return ToArray(HelixNodes(radius, pitch, turns, links));
  });
  module.def("ring_nodes", [](double radius, int links, int overlap) {
    return ToArray(RingNodes(radius, links, overlap));
  });
  module.def("spline_nodes", [](const PointArray& points, int links, bool closed) {
    return ToArray(SplineNodes(ToPoints(points), links, closed));
  });
}

}  // namespace

void BindCables(nb::module_& module) {
  BindShapes(module);
  nb::class_<CableDescription>(module, "CableDescription")
      .def_prop_ro("nodes", [](const CableDescription& cable) { return ToArray(cable.nodes); })
      .def_ro("closed", &CableDescription::closed)
      .def_rw("pos", &CableDescription::pos)
      .def_rw("quat", &CableDescription::quat);
  module.def("read_cable_file", &ReadCableFile, nb::arg("text"),
             "Returns the cable that the text of a TOML file describes. Raises ValueError.");
  module.def(
      "describe_cable", &Describe, nb::arg("tables"), nb::arg("nodes"),
      "Returns a cable from the tables of a file, as dictionaries, and nodes (n + 1, 3) in m "
      "instead of a shape. Checks only the types of values. Raises ValueError.");
  module.def("check_cable", &CheckCable, nb::arg("cable"),
             "Raises ValueError if the values cannot form a valid cable in any scene.");
  module.def("check_values", &mujoco::CheckDescription, nb::arg("cable"),
             "Raises ValueError if a field has a value that is not allowed in any cable.");
  module.def("cable_options", &DocumentedTables,
             "List of (table, [(name, meaning, allowed values)]) for cable files.");
  module.def(
      "stretch_options", [] { return Documented(StretchOptions()); },
      "List of (name, meaning, allowed values) for the keys of a stretch.");
}

}  // namespace strand
