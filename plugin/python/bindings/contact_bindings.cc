// Contact in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "model/config/parse.h"
#include "model/energy/body_contact.h"
#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;

namespace strand {
namespace {

void BindObstacles(nb::module_& module) {
  nb::class_<Obstacle>(module, "Obstacle").def_rw("velocity", &Obstacle::velocity);
  module.def("half_space", &MakeHalfSpace);
  module.def("sphere", [](const Vector3& centre, double radius, bool hollow) {
    const Obstacle sphere = MakeSphere(centre, radius);
    return hollow ? Hollow(sphere) : sphere;
  });
  module.def("capsule", [](const Vector3& a, const Vector3& b, double radius, bool hollow) {
    const Obstacle capsule = MakeCapsule(a, b, radius);
    return hollow ? Hollow(capsule) : capsule;
  });
  module.def("cylinder", [](const Vector3& a, const Vector3& b, double radius, bool hollow) {
    const Obstacle cylinder = MakeCylinder(a, b, radius);
    return hollow ? Hollow(cylinder) : cylinder;
  });
  module.def("rounded_box", &MakeRoundedBox);
  module.def("no_obstacle", &MakeNothing);
  module.def("box", [](const Vector3& centre, const Vector3& half_extents, const Frame& rotation) {
    return Placed(MakeBox(half_extents), rotation, centre);
  });
}

// Law; coefficient; stiffness (N/m) of anchored friction or slip tolerance (m/s) of regularised
// friction; whether friction acts on the surface of rods and turns them (rolling).
using FrictionArguments = std::tuple<std::string, double, double, bool>;

FrictionLaw MakeFriction(const FrictionArguments& arguments) {
  const auto& [law, coefficient, number, rolling] = arguments;
  const bool regularised = ParseChoice("law", law, {"anchored", "regularised"}) == 1;
  return regularised ? RegularisedFriction(coefficient, number)
                     : AnchoredFriction(coefficient, number);
}

// Stiffness (N/m), tolerance (m), mass that the stiffness adapts to (kg; 0: fixed stiffness),
// coefficient of restitution.
using PenaltyArguments = std::tuple<double, double, double, double>;

ContactOptions MakeOptions(const PenaltyArguments& penalty, const FrictionArguments& friction) {
  ContactOptions options;
  std::tie(options.stiffness, options.tolerance, options.adaptive_mass, options.restitution) =
      penalty;
  options.friction = MakeFriction(friction);
  options.rolling = std::get<3>(friction);
  return options;
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
  BindContactForce<ObstacleContact>(module, "ObstacleContact")
      .def("drive", [](ObstacleContact& contact, int obstacle, const Vector3& shift,
                       const Vector3& turn) { contact.Drive(obstacle, {shift, turn}); })
      .def("pose", [](const ObstacleContact& contact, int obstacle) {
        const ObstaclePose& pose = contact.pose(obstacle);
        return std::pair(pose.shift, pose.turn);
      });
  BindContactForce<SurfaceContact>(module, "RodContact")
      .def_prop_ro("candidates", &SurfaceContact::candidates);
  BindContactForce<BodyContact>(module, "BodyContact");
  system.def(
      "add_body_contact",
      [](System& s, const Eigen::VectorXd& radius, const std::vector<double>& thickness,
         const std::vector<Obstacle>& bodies, const PenaltyArguments& penalty,
         const FrictionArguments& friction) {
        return s.Add(std::make_unique<BodyContact>(
            s.network(), s.dofs(),
            std::vector<double>(radius.data(), radius.data() + radius.size()), thickness, bodies,
            MakeOptions(penalty, friction), s.Positions()));
      },
      nb::rv_policy::reference_internal);
  system.def(
      "add_obstacles",
      [](System& s, const std::vector<Obstacle>& obstacles, const Eigen::VectorXd& radius,
         const PenaltyArguments& penalty, const FrictionArguments& friction, bool nodes_alone,
         const std::vector<Obstacle>& bodies) {
        const ContactOptions options = MakeOptions(penalty, friction);
        return s.Add(std::make_unique<ObstacleContact>(
            s.network(), s.dofs(),
            std::vector<double>(radius.data(), radius.data() + radius.size()), obstacles, options,
            nodes_alone, bodies, s.Positions()));
      },
      nb::rv_policy::reference_internal);
  system.def(
      "add_rod_contact",
      [](System& s, const Eigen::VectorXd& radius, const PenaltyArguments& penalty,
         const FrictionArguments& friction, const std::vector<double>& thickness, bool smooth) {
        ContactOptions options = MakeOptions(penalty, friction);
        options.smooth = smooth;
        return s.Add(std::make_unique<SurfaceContact>(
            s.network(), s.dofs(),
            std::vector<double>(radius.data(), radius.data() + radius.size()), options, thickness,
            s.Positions()));
      },
      nb::arg("radius"), nb::arg("penalty"), nb::arg("friction"),
      nb::arg("thickness") = std::vector<double>(), nb::arg("smooth") = false,
      nb::rv_policy::reference_internal);
}

}  // namespace strand
