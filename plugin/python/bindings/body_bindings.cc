// Rigid bodies in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "model/energy/body_torque.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;

namespace strand {

void BindBodies(nb::class_<Network>& network, nb::class_<System>& system, nb::module_& module) {
  nb::class_<BodyTorque>(module, "BodyTorque").def("set", &BodyTorque::Set);
  system.def(
      "add_body_torque",
      [](System& s) { return s.Add(std::make_unique<BodyTorque>(s.network(), s.dofs())); },
      nb::rv_policy::reference_internal);
  nb::class_<BodyTopology>(module, "BodyTopology")
      .def_ro("carrier", &BodyTopology::carrier)
      .def_ro("point", &BodyTopology::point)
      .def_prop_ro("tied",
                   [](const BodyTopology& body) {
                     std::vector<int> nodes;
                     for (const Tie& tie : body.tie) nodes.push_back(tie.node);
                     return nodes;
                   })
      .def_ro("spread", &BodyTopology::spread)
      .def_ro("axes", &BodyTopology::axes);
  network.def("add_body", &Network::AddBody)
      .def("add_obstacle_mesh",
           [](Network& self, const Rows3& vertices,
              const std::vector<std::array<int, 3>>& triangles) {
             return self.AddObstacleMesh(ToPoints(vertices), triangles);
           })
      .def("add_body_point", &Network::AddBodyPoint)
      .def("attach_to_body", &Network::AttachToBody)
      .def("attach_shell_to_body", &Network::AttachShellToBody)
      .def("attach_to_body_rigidly", &Network::AttachToBodyRigidly)
      .def_prop_ro("bodies", &Network::bodies)
      .def("body", &Network::body);
  module.def("carrier_spread", &CarrierSpread);
  module.attr("carrier_signs") = nb::cast(Eigen::Matrix<double, 4, 3>(kCarrierSigns));
}

}  // namespace strand
