// Contact in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "model/energy/body_contact.h"
#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

Obstacle OneSided(const Obstacle& solid, bool hollow) { return hollow ? Hollow(solid) : solid; }

void BindObstacles(nb::module_& module) {
  nb::class_<Obstacle>(module, "Obstacle").def_rw("velocity", &Obstacle::velocity);
  module.def("half_space", &MakeHalfSpace, "point"_a, "normal"_a);
  module.def(
      "sphere",
      [](const Vector3& centre, double radius, bool hollow) {
        return OneSided(MakeSphere(centre, radius), hollow);
      },
      "centre"_a, "radius"_a, "hollow"_a);
  module.def(
      "capsule",
      [](const Vector3& a, const Vector3& b, double radius, bool hollow) {
        return OneSided(MakeCapsule(a, b, radius), hollow);
      },
      "a"_a, "b"_a, "radius"_a, "hollow"_a);
  module.def(
      "cylinder",
      [](const Vector3& a, const Vector3& b, double radius, bool hollow) {
        return OneSided(MakeCylinder(a, b, radius), hollow);
      },
      "a"_a, "b"_a, "radius"_a, "hollow"_a);
  module.def("rounded_box", &MakeRoundedBox, "half_extents"_a, "rounding"_a);
  module.def("no_obstacle", &MakeNothing);
  module.def(
      "box",
      [](const Vector3& centre, const Vector3& half_extents, const Frame& rotation) {
        return Placed(MakeBox(half_extents), rotation, centre);
      },
      "centre"_a, "half_extents"_a, "rotation"_a);
}

void BindOptions(nb::module_& module) {
  nb::class_<FrictionLaw>(module, "FrictionLaw").def_ro("coefficient", &FrictionLaw::coefficient);
  module.def("anchored_friction", &AnchoredFriction, "coefficient"_a, "stiffness"_a,
             "Sticks without creep; stiffness in N/m.");
  module.def("regularised_friction", &RegularisedFriction, "coefficient"_a, "slip_tolerance"_a,
             "Creeps below the slip tolerance (m/s), as in the published codes.");
  nb::class_<ContactOptions>(module, "ContactOptions", "Penalty and friction of contacts.")
      .def(
          "__init__",
          [](ContactOptions* self, double stiffness, double tolerance, double adaptive_mass,
             double restitution, const FrictionLaw& friction, bool rolling, bool smooth) {
            new (self) ContactOptions{stiffness, tolerance, adaptive_mass, friction,
                                      rolling,   smooth,    restitution};
          },
          nb::kw_only(), "stiffness"_a, "tolerance"_a, "adaptive_mass"_a, "restitution"_a,
          "friction"_a, "rolling"_a, "smooth"_a = false);
}

template <class Contact>
nb::class_<Contact> BindContactForce(nb::module_& module, const char* name) {
  return nb::class_<Contact>(module, name)
      .def_prop_ro("stiffness", &Contact::stiffness)
      .def_prop_ro("stiffness_work", &Contact::stiffness_work)
      .def_prop_ro("gap", [](const Contact& c) { return c.summary().gap; })
      .def_prop_ro("contacts", [](const Contact& c) { return c.summary().contacts; })
      .def_prop_ro("normal_force", [](const Contact& c) { return c.summary().normal_force; })
      .def_prop_ro("friction_force", [](const Contact& c) { return c.summary().friction_force; });
}

}  // namespace

void BindContact(nb::class_<System>& system, nb::module_& module) {
  BindObstacles(module);
  BindOptions(module);
  BindContactForce<ObstacleContact>(module, "ObstacleContact")
      .def(
          "drive",
          [](ObstacleContact& contact, int obstacle, const Vector3& shift, const Vector3& turn) {
            contact.Drive(obstacle, {shift, turn});
          },
          "obstacle"_a, "shift"_a, "turn"_a)
      .def("set_velocity", &ObstacleContact::SetVelocity, "obstacle"_a, "velocity"_a)
      .def(
          "pose",
          [](const ObstacleContact& contact, int obstacle) {
            const ObstaclePose& pose = contact.pose(obstacle);
            return std::pair(pose.shift, pose.turn);
          },
          "obstacle"_a);
  BindContactForce<SurfaceContact>(module, "RodContact")
      .def_prop_ro("candidates", &SurfaceContact::candidates);
  BindContactForce<BodyContact>(module, "BodyContact");
  system.def(
      "add_body_contact",
      [](System& s, const std::vector<double>& radius, const std::vector<double>& thickness,
         const std::vector<Obstacle>& bodies, const ContactOptions& options) {
        return s.Add(std::make_unique<BodyContact>(s.network(), s.dofs(), radius, thickness, bodies,
                                                   options, s.Positions()));
      },
      "radius"_a, "thickness"_a, "bodies"_a, "options"_a, nb::rv_policy::reference_internal);
  system.def(
      "add_obstacles",
      [](System& s, const std::vector<Obstacle>& obstacles, const std::vector<double>& radius,
         const std::vector<Obstacle>& bodies, const ContactOptions& options, bool nodes_alone) {
        return s.Add(std::make_unique<ObstacleContact>(
            s.network(), s.dofs(), radius, obstacles, options, nodes_alone, bodies, s.Positions()));
      },
      "obstacles"_a, "radius"_a, "bodies"_a, "options"_a, "nodes_alone"_a,
      nb::rv_policy::reference_internal);
  system.def(
      "add_rod_contact",
      [](System& s, const std::vector<double>& radius, const std::vector<double>& thickness,
         const ContactOptions& options) {
        return s.Add(std::make_unique<SurfaceContact>(s.network(), s.dofs(), radius, options,
                                                      thickness, s.Positions()));
      },
      "radius"_a, "thickness"_a, "options"_a, nb::rv_policy::reference_internal);
}

}  // namespace strand
