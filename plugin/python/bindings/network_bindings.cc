// Networks of rods, shells and bodies in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "model/config/parse.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

using Triples = std::vector<std::array<int, 3>>;

// The nodes of all items of one kind, in order.
template <class Item>
auto NodesOf(const std::vector<Item>& items) {
  std::vector<decltype(Item::node)> nodes;
  for (const Item& item : items) nodes.push_back(item.node);
  return nodes;
}

void BindTopologies(nb::module_& module) {
  nb::class_<RodTopology>(module, "RodTopology")
      .def_ro("node", &RodTopology::node)
      .def_ro("edge", &RodTopology::edge)
      .def_ro("joint", &RodTopology::joint)
      .def_ro("closed", &RodTopology::closed);
  nb::class_<ShellTopology>(module, "ShellTopology")
      .def_ro("node", &ShellTopology::node)
      .def_ro("triangle", &ShellTopology::triangle)
      .def_ro("edge", &ShellTopology::edge)
      .def_ro("mid_edge", &ShellTopology::mid_edge);
  nb::class_<BodyTopology>(module, "BodyTopology")
      .def_ro("carrier", &BodyTopology::carrier)
      .def_ro("point", &BodyTopology::point)
      .def_prop_ro("tied", [](const BodyTopology& body) { return NodesOf(body.tie); })
      .def_ro("spread", &BodyTopology::spread)
      .def_ro("axes", &BodyTopology::axes);
}

void BindRods(nb::class_<Network>& network) {
  network
      .def(
          "add_rod",
          [](Network& self, const Rows3& nodes, const Vector3& normal, bool closed) {
            return self.AddRod(ToPoints(nodes), normal, closed);
          },
          "nodes"_a, "normal"_a, "closed"_a)
      .def("connect", &Network::Connect, "rod_a"_a, "node_a"_a, "rod_b"_a, "node_b"_a)
      .def("clamp", &Network::Clamp, "rod"_a, "end"_a)
      .def_prop_ro("nodes", &Network::nodes)
      .def_prop_ro("edges", &Network::edges)
      .def_prop_ro("joints", &Network::joints)
      .def("rod", &Network::rod, "index"_a)
      .def("edge_nodes", [](const Network& self) { return NodesOf(self.edge()); })
      .def("joint_edges",
           [](const Network& self) {
             std::vector<std::array<int, 2>> edges;
             for (const Joint& joint : self.joint()) edges.push_back(joint.edge);
             return edges;
           })
      .def("joint_nodes", [](const Network& self) { return NodesOf(self.joint()); });
}

void BindShells(nb::class_<Network>& network) {
  network
      .def(
          "add_shell",
          [](Network& self, const Rows3& vertices, const Triples& triangles, bool mid_edge) {
            return self.AddShell(ToPoints(vertices), triangles, mid_edge);
          },
          "vertices"_a, "triangles"_a, "mid_edge"_a)
      .def(
          "attach",
          [](Network& self, int rod, int node, int shell, int vertex, const std::string& joint) {
            const int how = ParseChoice("joint", joint, {"hinged", "rigid", "published"});
            return self.Attach(rod, node, shell, vertex, static_cast<Attachment>(how));
          },
          "rod"_a, "node"_a, "shell"_a, "vertex"_a, "joint"_a)
      .def("clamp_shell", &Network::ClampShell, "shell"_a, "edges"_a)
      .def_prop_ro("shells", &Network::shells)
      .def_prop_ro("ribs", &Network::ribs)
      .def("shell", &Network::shell, "index"_a)
      .def("triangle_nodes", [](const Network& self) { return NodesOf(self.triangle()); })
      .def("mesh_edge_nodes", [](const Network& self) { return NodesOf(self.mesh_edge()); });
}

void BindBodies(nb::class_<Network>& network) {
  network.def("add_body", &Network::AddBody, "centre"_a, "axes"_a, "spread"_a)
      .def(
          "add_obstacle_mesh",
          [](Network& self, const Rows3& vertices, const Triples& triangles) {
            return self.AddObstacleMesh(ToPoints(vertices), triangles);
          },
          "vertices"_a, "triangles"_a)
      .def("add_body_point", &Network::AddBodyPoint, "body"_a, "place"_a)
      .def("attach_to_body", &Network::AttachToBody, "rod"_a, "node"_a, "body"_a)
      .def("attach_shell_to_body", &Network::AttachShellToBody, "shell"_a, "vertex"_a, "body"_a)
      .def("attach_to_body_rigidly", &Network::AttachToBodyRigidly, "rod"_a, "end"_a, "body"_a)
      .def_prop_ro("bodies", &Network::bodies)
      .def("body", &Network::body, "index"_a);
}

}  // namespace

void BindNetwork(nb::module_& module) {
  BindTopologies(module);
  nb::class_<Network> network(module, "Network");
  network.def(nb::init<>());
  BindRods(network);
  BindShells(network);
  BindBodies(network);
  module.def("carrier_spread", &CarrierSpread, "mass"_a, "inertia"_a);
  module.attr("carrier_signs") = nb::cast(Eigen::Matrix<double, 4, 3>(kCarrierSigns));
}

}  // namespace strand
