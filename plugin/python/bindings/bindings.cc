// The extension module strand._strand. It uses the adapters only through their C interface, so that
// one build serves every version of MuJoCo.

#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/heat_color.h"
#include "plugin/mujoco/interface/adapter_api.h"
#include "plugin/python/bindings/cable_bindings.h"
#include "plugin/python/bindings/core_bindings.h"
#include "plugin/python/bindings/geometry_bindings.h"
#include "plugin/python/bindings/library.h"
#include "plugin/python/bindings/recorder_bindings.h"
#include "plugin/python/bindings/viewer_bindings.h"

namespace nb = nanobind;

namespace {

// An adapter library. It is never unloaded, since MuJoCo keeps pointers into it.
class Adapter {
 public:
  explicit Adapter(const std::string& path)
      : api_(strand::OpenLibrary<StrandAdapterApi>(path, "strand_adapter_api",
                                                   strand::kAdapterLayout)) {}

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(api_); }
  std::string mujoco_version() const { return api_->mujoco_version; }

  // Returns the MJCF text and what the generator chose.
  std::pair<std::string, strand::Choices> Generate(const strand::CableDescription& cable) const {
    std::string mjcf, error;
    strand::Choices choices;
    if (api_->generate(cable, &mjcf, &choices, &error) != 0) throw nb::value_error(error.c_str());
    return {mjcf, choices};
  }

  // `scene`: address of an mjSpec.
  strand::Choices Attach(const strand::CableDescription& cable, std::uintptr_t scene,
                         const std::string& body) const {
    std::string error;
    strand::Choices choices;
    if (api_->attach(cable, reinterpret_cast<void*>(scene), body.c_str(), &choices, &error) != 0) {
      throw nb::value_error(error.c_str());
    }
    return choices;
  }

  strand::RodProfile Profile(std::uintptr_t model, std::uintptr_t data, int instance) const {
    strand::RodProfile profile;
    if (api_->profile(reinterpret_cast<const void*>(model), reinterpret_cast<const void*>(data),
                      instance, &profile) != 0) {
      throw nb::index_error("not an instance of strand.cable");
    }
    return profile;
  }

  // `model` and `data`: addresses of mjModel and mjData.
  std::vector<double> Read(std::uintptr_t model, std::uintptr_t data, int instance) const {
    std::vector<double> values(api_->readout_size);
    if (api_->read(reinterpret_cast<const void*>(model), reinterpret_cast<const void*>(data),
                   instance, values.data()) != 0) {
      throw nb::index_error("not an instance of strand.cable");
    }
    return values;
  }

  strand::RodConstants Constants(std::uintptr_t model, std::uintptr_t data, int instance) const {
    strand::RodConstants constants;
    if (api_->constants(reinterpret_cast<const void*>(model), reinterpret_cast<const void*>(data),
                        instance, &constants) != 0) {
      throw nb::index_error("not an instance of strand.cable");
    }
    return constants;
  }

  strand::MaterialChange Material(std::uintptr_t model, std::uintptr_t data, int instance) const {
    strand::MaterialChange change;
    if (api_->material(reinterpret_cast<const void*>(model), reinterpret_cast<const void*>(data),
                       instance, &change) != 0) {
      throw nb::index_error("not an instance of strand.cable");
    }
    return change;
  }

  void Change(std::uintptr_t model, std::uintptr_t data, int instance,
              const std::vector<double>& EI, const std::vector<double>& GJ, double rest_twist,
              const std::array<double, 2>& curvature, double strength) const {
    const strand::MaterialChange change{EI, GJ, rest_twist, curvature, strength};
    std::string error;
    if (api_->change(reinterpret_cast<const void*>(model), reinterpret_cast<void*>(data), instance,
                     &change, &error) == 0) {
      return;
    }
    if (error.empty()) throw nb::index_error("not an instance of strand.cable");
    throw nb::value_error(error.c_str());
  }

 private:
  const StrandAdapterApi* api_;
};

// RGBA of heats from 0 to 1.
std::vector<std::array<float, 4>> HeatColors(const std::vector<double>& heats) {
  std::vector<std::array<float, 4>> colors(heats.size());
  for (size_t k = 0; k < heats.size(); ++k) strand::mujoco::HeatColor(heats[k], colors[k].data());
  return colors;
}

}  // namespace

NB_MODULE(_strand, module) {
  // MuJoCo keeps Python callbacks (set_mju_user_warning, mjcb_control) until the process ends, and
  // with them the variables of their modules: that is no leak to tell users of.
  nb::set_leak_warnings(false);
  module.attr("version") = STRAND_VERSION;
  nb::class_<Adapter>(module, "Adapter")
      .def(nb::init<const std::string&>(), nb::arg("path"),
           "Loads an adapter library, which registers Strand's plugins with MuJoCo.")
      .def_prop_ro("mujoco_version", &Adapter::mujoco_version,
                   "MuJoCo version that the adapter was built for.")
      .def_prop_ro("address", &Adapter::address, "Of the interface, for Viewer.")
      .def("generate", &Adapter::Generate, nb::arg("cable"),
           "Returns a cable as MJCF text and what the generator chose. Raises ValueError.")
      .def("attach", &Adapter::Attach, nb::arg("cable"), nb::arg("scene"), nb::arg("body"),
           "Adds a cable to an mjSpec, given by its address, and returns what the generator chose. "
           "Raises ValueError and leaves the mjSpec unchanged if the cable is invalid.")
      .def("read", &Adapter::Read, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "Returns the readout of a cable: ten numbers in the order of strand.readout.Readout. "
           "`model`, `data`: addresses of mjModel and mjData. Raises IndexError if `instance` "
           "is not a strand.cable.")
      .def("profile", &Adapter::Profile, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "Returns quantities along a cable (plugin/mujoco/adapter/rod_profile.h); arguments and "
           "errors as for read.")
      .def("constants", &Adapter::Constants, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "Returns a cable's constants (plugin/mujoco/adapter/rod_constants.h); arguments and "
           "errors as for read.")
      .def("material", &Adapter::Material, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "Returns the change of a cable's material in this state; arguments and errors as for "
           "read.")
      .def("change", &Adapter::Change, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           nb::arg("EI"), nb::arg("GJ"), nb::arg("rest_twist") = 0,
           nb::arg("curvature") = std::array<double, 2>{}, nb::arg("strength") = 1,
           "Changes a cable's material in this mjData from now on: EI, GJ: factors of the model's "
           "own, one or one per joint; rest_twist (rad/m) and curvature (1/m, about the links' y "
           "and z) are added to its "
           "natural shape; strength: factor of the strains at which it yields or slips. Kept in "
           "the plugin state. Raises ValueError if a number is invalid, "
           "IndexError as read.");
  module.def("heat_colors", &HeatColors, nb::arg("heats"),
             "RGBA of heats from 0 (blue) to 1 (red): the colour scale of cables.");
  nb::class_<strand::Choices>(module, "Recipe",
                              "What the generator chose for a cable; str() gives it in words.")
      .def_ro("root", &strand::Choices::root,
              "link at the root of the kinematic tree, if there is only one")
      .def_ro("pieces", &strand::Choices::pieces,
              "links per kinematic tree; 0: the whole cable is one tree")
      .def_ro("twist", &strand::Choices::twist, "dynamic or quasistatic")
      .def_ro("curvature", &strand::Choices::curvature, "angle, tangent, smooth4 or smooth")
      .def_ro("integrator", &strand::Choices::integrator, "name as in MuJoCo's option")
      .def_ro("timestep", &strand::Choices::timestep, "s")
      .def_ro("recommended_timestep", &strand::Choices::recommended_timestep,
              "s: the largest that resolves the cable's motion")
      .def_ro("recommended_links", &strand::Choices::recommended_links,
              "the fewest that resolve bending under the cable's weight")
      .def_ro("max_tension", &strand::Choices::max_tension, "N: stable up to this tension")
      .def_ro("give_way", &strand::Choices::give_way,
              "N: tension at which cuts open, before the cable shakes; infinite: none does")
      .def_ro("contact_solref", &strand::Choices::contact_solref, "of the cable's geoms")
      .def_ro("contact_solimp", &strand::Choices::contact_solimp, "of the cable's geoms")
      .def_ro("hold_solref", &strand::Choices::hold_solref,
              "of welds and connects that hold the cable by a body: for your own, too")
      .def_ro("hold_solimp", &strand::Choices::hold_solimp, "the same")
      .def_ro("hold_torquescale", &strand::Choices::hold_torquescale, "of such welds")
      .def_ro("text", &strand::Choices::text, "all choices and their reasons in words")
      .def(
          "__eq__", [](const strand::Choices& a, const strand::Choices& b) { return a == b; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__str__", [](const strand::Choices& choices) { return choices.text; })
      .def("__repr__",
           [](const strand::Choices& choices) { return "<Recipe: " + choices.text + ">"; });
  using strand::MaterialChange;
  nb::class_<MaterialChange>(module, "MaterialChange",
                             "A change of a cable's material (plugin/mujoco/adapter/rod_profile.h)")
      .def_ro("EI", &MaterialChange::EI)
      .def_ro("GJ", &MaterialChange::GJ)
      .def_ro("rest_twist", &MaterialChange::rest_twist)
      .def_ro("curvature", &MaterialChange::curvature)
      .def_ro("strength", &MaterialChange::strength);
  using strand::RodConstants;
  nb::class_<RodConstants>(module, "RodConstants")
      .def_ro("body", &RodConstants::body)
      .def_ro("far_body", &RodConstants::far_body)
      .def_ro("site", &RodConstants::site)
      .def_ro("length", &RodConstants::length)
      .def_ro("closed", &RodConstants::closed)
      .def_ro("tangent", &RodConstants::tangent)
      .def_ro("isotropic_straight", &RodConstants::isotropic_straight)
      .def_ro("middle", &RodConstants::middle)
      .def_ro("quasistatic", &RodConstants::quasistatic)
      .def_ro("slips", &RodConstants::slips)
      .def_ro("mujoco_3_law", &RodConstants::mujoco_3_law)
      .def_ro("feed_joint", &RodConstants::feed_joint)
      .def_ro("holds", &RodConstants::holds)
      .def_ro("EI", &RodConstants::EI)
      .def_ro("GJ", &RodConstants::GJ)
      .def_ro("rest_straight", &RodConstants::rest_straight)
      .def_ro("span", &RodConstants::span)
      .def_ro("bend_stiffness", &RodConstants::bend_stiffness)
      .def_ro("natural_bend", &RodConstants::natural_bend)
      .def_ro("natural_seen", &RodConstants::natural_seen)
      .def_ro("twist_stiffness", &RodConstants::twist_stiffness)
      .def_ro("natural_twist", &RodConstants::natural_twist)
      .def_ro("softness", &RodConstants::softness)
      .def_ro("rest_twist", &RodConstants::rest_twist)
      .def_ro("wide", &RodConstants::wide)
      .def_ro("cancelled", &RodConstants::cancelled)
      .def_ro("stiffness_shares", &RodConstants::stiffness_shares);
  nb::class_<strand::RodProfile>(module, "RodProfile")
      .def_ro("body", &strand::RodProfile::body)
      .def_ro("far_body", &strand::RodProfile::far_body)
      .def_ro("length", &strand::RodProfile::length)
      .def_ro("arclength", &strand::RodProfile::arclength)
      .def_ro("span", &strand::RodProfile::span)
      .def_ro("curvature", &strand::RodProfile::curvature)
      .def_ro("twist", &strand::RodProfile::twist)
      .def_ro("set", &strand::RodProfile::set)
      .def_ro("moment", &strand::RodProfile::moment)
      .def_ro("bending_stress", &strand::RodProfile::bending_stress)
      .def_ro("torsion_stress", &strand::RodProfile::torsion_stress)
      .def_ro("area", &strand::RodProfile::area)
      .def_ro("no_section", &strand::RodProfile::no_section)
      .def_ro("joint_body", &strand::RodProfile::joint_body)
      .def_ro("joint_link", &strand::RodProfile::joint_link)
      .def_ro("node", &strand::RodProfile::node)
      .def_ro("closed", &strand::RodProfile::closed);
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const strand::ConfigError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  strand::BindCables(module);
  strand::BindCore(module);
  strand::BindVines(module);
  strand::BindGeometry(module);
  strand::BindRecorder(module);
  strand::BindViewer(module);
}
