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

namespace strand {
namespace {

using Triples = std::vector<std::array<int, 3>>;

void BindTopology(nb::class_<Network>& network, nb::module_& module) {
  nb::class_<ShellTopology>(module, "ShellTopology")
      .def_ro("node", &ShellTopology::node)
      .def_ro("triangle", &ShellTopology::triangle)
      .def_ro("edge", &ShellTopology::edge)
      .def_ro("mid_edge", &ShellTopology::mid_edge);
  network
      .def("add_shell",
           [](Network& self, const Rows3& vertices, const Triples& triangles, bool mid_edge) {
             return self.AddShell(ToPoints(vertices), triangles, mid_edge);
           })
      .def("attach",
           [](Network& self, int rod, int node, int shell, int vertex, const std::string& joint) {
             const int how = ParseChoice("joint", joint, {"hinged", "rigid", "published"});
             return self.Attach(rod, node, shell, vertex, static_cast<Attachment>(how));
           })
      .def("clamp_shell", &Network::ClampShell)
      .def_prop_ro("shells", &Network::shells)
      .def_prop_ro("ribs", &Network::ribs)
      .def("shell", &Network::shell)
      .def("triangle_nodes",
           [](const Network& self) {
             Triples nodes;
             for (const Triangle& triangle : self.triangle()) nodes.push_back(triangle.node);
             return nodes;
           })
      .def("mesh_edge_nodes", [](const Network& self) {
        std::vector<std::array<int, 2>> nodes;
        for (const MeshEdge& edge : self.mesh_edge()) nodes.push_back(edge.node);
        return nodes;
      });
}

ShellRest& Shells(System& system) {
  if (!system.shells()) throw ConfigError("shells", "none in the network", "networks with shells");
  return system.shells()->rest();
}

void BindControls(nb::class_<System>& system) {
  system
      .def("set_natural_angle",
           [](System& s, const std::vector<int>& edges, const Eigen::VectorXd& angle) {
             CheckCount("natural_angle", angle.size(), edges.size());
             for (size_t k = 0; k < edges.size(); ++k) {
               Shells(s).SetNaturalAngle(edges[k], angle[k]);
             }
           })
      .def("set_mesh_rest_length",
           [](System& s, const std::vector<int>& edges, const Eigen::VectorXd& length) {
             CheckCount("rest_length", length.size(), edges.size());
             for (size_t k = 0; k < edges.size(); ++k) {
               Shells(s).SetRestLength(edges[k], length[k]);
             }
           })
      .def("natural_angles",
           [](System& s) {
             const std::vector<double>& angle = Shells(s).natural_angle;
             return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                 angle.data(), static_cast<Eigen::Index>(angle.size())));
           })
      .def("rotation_dof",
           [](const System& s, int edge) {
             const int edges = static_cast<int>(s.network().mesh_edge().size());
             if (edge < 0 || edge >= edges) {
               throw ConfigError("edge", std::to_string(edge), "0 to " + std::to_string(edges - 1));
             }
             return s.dofs().rotation(edge);
           })
      .def(
          "add_pressure",
          [](System& s, int shell) {
            return s.Add(std::make_unique<ShellPressure>(s.network(), s.dofs(), shell));
          },
          nb::rv_policy::reference_internal)
      .def("use_threads", [](System& s, int threads) {
        if (s.shells()) s.shells()->UseThreads(threads);
      });
}

}  // namespace

void BindShells(nb::class_<Network>& network, nb::class_<System>& system, nb::module_& module) {
  nb::class_<ShellPressure>(module, "ShellPressure")
      .def("set", &ShellPressure::Set)
      .def_prop_ro("pressure", &ShellPressure::pressure)
      .def("volume", [](const ShellPressure& force, const System& of) {
        return force.Volume(of.state().at);
      });
  BindTopology(network, module);
  BindControls(system);
}

}  // namespace strand
