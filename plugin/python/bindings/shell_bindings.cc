// Shells in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "model/config/error.h"
#include "model/config/parse.h"
#include "model/energy/shell_pressure.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

ShellRest& Shells(System& system) {
  if (!system.shells()) throw ConfigError("shells", "none in the network", "networks with shells");
  return system.shells()->rest();
}

void BindControls(nb::class_<System>& system) {
  system
      .def(
          "set_natural_angle",
          [](System& s, const std::vector<int>& edges, const Eigen::VectorXd& angle) {
            CheckCount("natural_angle", angle.size(), edges.size());
            for (size_t k = 0; k < edges.size(); ++k) {
              Shells(s).SetNaturalAngle(edges[k], angle[k]);
            }
          },
          "edges"_a, "angle"_a)
      .def(
          "set_mesh_rest_length",
          [](System& s, const std::vector<int>& edges, const Eigen::VectorXd& length) {
            CheckCount("rest_length", length.size(), edges.size());
            for (size_t k = 0; k < edges.size(); ++k) {
              Shells(s).SetRestLength(edges[k], length[k]);
            }
          },
          "edges"_a, "length"_a)
      .def("natural_angles",
           [](System& s) {
             const std::vector<double>& angle = Shells(s).natural_angle;
             return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                 angle.data(), static_cast<Eigen::Index>(angle.size())));
           })
      .def(
          "rotation_dof",
          [](const System& s, int edge) {
            const int edges = static_cast<int>(s.network().mesh_edge().size());
            if (edge < 0 || edge >= edges) {
              throw ConfigError("edge", std::to_string(edge), "0 to " + std::to_string(edges - 1));
            }
            return s.dofs().rotation(edge);
          },
          "edge"_a)
      .def(
          "add_pressure",
          [](System& s, int shell) {
            return s.Add(std::make_unique<ShellPressure>(s.network(), s.dofs(), shell));
          },
          "shell"_a, nb::rv_policy::reference_internal)
      .def(
          "use_threads",
          [](System& s, int threads) {
            if (s.shells()) s.shells()->UseThreads(threads);
          },
          "threads"_a);
}

}  // namespace

void BindShells(nb::class_<System>& system, nb::module_& module) {
  nb::class_<ShellPressure>(module, "ShellPressure")
      .def("set", &ShellPressure::Set, "pressure"_a)
      .def_prop_ro("pressure", &ShellPressure::pressure)
      .def(
          "volume",
          [](const ShellPressure& force, const System& of) { return force.Volume(of.state().at); },
          "system"_a);
  BindControls(system);
}

}  // namespace strand
