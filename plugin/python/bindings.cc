// The extension module strand._strand. It knows the adapters by their C interface alone, so one
// build of it serves every version of MuJoCo.

#include <dlfcn.h>
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
#include "model/geometry/curve.h"
#include "plugin/mujoco/adapter_api.h"
#include "plugin/python/core_bindings.h"
#include "plugin/python/geometry_bindings.h"
#include "plugin/python/recorder_bindings.h"

namespace nb = nanobind;

namespace {

// An adapter library, in the process for good: MuJoCo keeps pointers into it.
class Adapter {
 public:
  explicit Adapter(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
      throw nb::import_error(dlerror());
    }
    using GetApi = const StrandAdapterApi* (*)();
    auto get_api = reinterpret_cast<GetApi>(dlsym(library, "strand_adapter_api"));
    api_ = get_api == nullptr ? nullptr : get_api();
    if (api_ == nullptr) {
      throw nb::import_error((path + ": not an adapter of Strand").c_str());
    }
  }

  std::string mujoco_version() const { return api_->mujoco_version; }

  // MJCF text, and in words what the generator chose.
  std::pair<std::string, std::string> Generate(const strand::CableDescription& cable) const {
    std::string mjcf, recipe, error;
    if (api_->generate(cable, &mjcf, &recipe, &error) != 0) throw nb::value_error(error.c_str());
    return {mjcf, recipe};
  }

  // `scene`: address of an mjSpec.
  std::string Attach(const strand::CableDescription& cable, std::uintptr_t scene,
                     const std::string& body) const {
    std::string recipe, error;
    if (api_->attach(cable, reinterpret_cast<void*>(scene), body.c_str(), &recipe, &error) != 0) {
      throw nb::value_error(error.c_str());
    }
    return recipe;
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

 private:
  const StrandAdapterApi* api_;
};

// Nodes as an array of shape (n + 1, 3).
using NodeArray = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

NodeArray ToArray(const std::vector<strand::Vector3>& nodes) {
  NodeArray array(nodes.size(), 3);
  for (size_t k = 0; k < nodes.size(); ++k) array.row(k) = nodes[k].transpose();
  return array;
}

void BindShapes(nb::module_& module) {
  module.def("straight_nodes", [](double length, int links) {
    return ToArray(strand::StraightNodes(length, links));
  });
  module.def("arc_nodes", [](double length, double angle, int links) {
    return ToArray(strand::ArcNodes(length, angle, links));
  });
  module.def("helix_nodes", [](double radius, double pitch, double turns, int links) {
    return ToArray(strand::HelixNodes(radius, pitch, turns, links));
  });
  module.def("ring_nodes", [](double radius, int links, int overlap) {
    return ToArray(strand::RingNodes(radius, links, overlap));
  });
}

void BindEnums(nb::module_& module) {
  using namespace strand;
  nb::enum_<SectionShape>(module, "SectionShape")
      .value("circle", SectionShape::kCircle)
      .value("tube", SectionShape::kTube)
      .value("box", SectionShape::kBox)
      .value("ellipse", SectionShape::kEllipse);
  nb::enum_<Root>(module, "Root")
      .value("auto", Root::kAuto)
      .value("end", Root::kEnd)
      .value("middle", Root::kMiddle);
  nb::enum_<EndCondition>(module, "EndCondition")
      .value("free", EndCondition::kFree)
      .value("fixed", EndCondition::kFixed)
      .value("ball", EndCondition::kBall)
      .value("weld", EndCondition::kWeld)
      .value("pin", EndCondition::kPin)
      .value("mocap", EndCondition::kMocap);
  nb::enum_<Clamp>(module, "Clamp").value("node", Clamp::kNode).value("link", Clamp::kLink);
  nb::enum_<RestShape>(module, "RestShape")
      .value("drawn", RestShape::kDrawn)
      .value("straight", RestShape::kStraight);
  nb::enum_<Twist>(module, "Twist")
      .value("auto", Twist::kAuto)
      .value("quasistatic", Twist::kQuasistatic)
      .value("dynamic", Twist::kDynamic);
  nb::enum_<CurvatureMeasure>(module, "Curvature")
      .value("angle", CurvatureMeasure::kAngle)
      .value("tangent", CurvatureMeasure::kTangent);
  nb::enum_<Integrator>(module, "Integrator")
      .value("auto", Integrator::kAuto)
      .value("Euler", Integrator::kEuler)
      .value("implicitfast", Integrator::kImplicitFast)
      .value("discrete", Integrator::kDiscrete);
}

void BindParts(nb::module_& module) {
  using namespace strand;
  nb::class_<SectionDescription>(module, "SectionDescription")
      .def(nb::init<>())
      .def_rw("shape", &SectionDescription::shape)
      .def_rw("radius", &SectionDescription::radius)
      .def_rw("inner_radius", &SectionDescription::inner_radius)
      .def_rw("width", &SectionDescription::width)
      .def_rw("height", &SectionDescription::height);
  nb::class_<Stiffness>(module, "Stiffness")
      .def(nb::init<>())
      .def_rw("EI", &Stiffness::EI, nb::arg().none())
      .def_rw("GJ", &Stiffness::GJ, nb::arg().none())
      .def_rw("young", &Stiffness::young, nb::arg().none())
      .def_rw("shear", &Stiffness::shear, nb::arg().none())
      .def_rw("poisson", &Stiffness::poisson, nb::arg().none());
  nb::class_<Stretch>(module, "Stretch")
      .def(nb::init<>())
      .def_rw("begin", &Stretch::begin)
      .def_rw("end", &Stretch::end)
      .def_rw("stiffness", &Stretch::stiffness);
  nb::class_<Damping>(module, "Damping")
      .def(nb::init<>())
      .def_rw("joint", &Damping::joint, nb::arg().none())
      .def_rw("loss_time", &Damping::loss_time, nb::arg().none())
      .def_rw("ratio", &Damping::ratio, nb::arg().none());
  nb::class_<ContactDescription>(module, "ContactDescription")
      .def(nb::init<>())
      .def_rw("collide", &ContactDescription::collide)
      .def_rw("self_contact", &ContactDescription::self_contact)
      .def_rw("friction", &ContactDescription::friction)
      .def_rw("condim", &ContactDescription::condim)
      .def_rw("contype", &ContactDescription::contype)
      .def_rw("conaffinity", &ContactDescription::conaffinity)
      .def_rw("margin", &ContactDescription::margin);
}

void BindCable(nb::module_& module) {
  using strand::CableDescription;
  nb::class_<CableDescription>(module, "CableDescription")
      .def(nb::init<>())
      .def_rw("prefix", &CableDescription::prefix)
      .def_prop_rw(
          "nodes", [](const CableDescription& cable) { return ToArray(cable.nodes); },
          [](CableDescription& cable, const NodeArray& nodes) {
            cable.nodes.assign(nodes.rowwise().begin(), nodes.rowwise().end());
          })
      .def_rw("normal", &CableDescription::normal, nb::arg().none())
      .def_rw("pos", &CableDescription::pos)
      .def_rw("quat", &CableDescription::quat)
      .def_rw("closed", &CableDescription::closed)
      .def_rw("section", &CableDescription::section)
      .def_rw("density", &CableDescription::density)
      .def_rw("stiffness", &CableDescription::stiffness)
      .def_rw("stretches", &CableDescription::stretches)
      .def_rw("rest", &CableDescription::rest)
      .def_rw("rest_twist", &CableDescription::rest_twist)
      .def_rw("twist", &CableDescription::twist)
      .def_rw("curvature", &CableDescription::curvature)
      .def_rw("damping", &CableDescription::damping)
      .def_rw("root", &CableDescription::root)
      .def_rw("ends", &CableDescription::ends)
      .def_rw("end_to", &CableDescription::end_to)
      .def_rw("clamp", &CableDescription::clamp)
      .def_rw("contact", &CableDescription::contact)
      .def_rw("rgba", &CableDescription::rgba)
      .def_rw("group", &CableDescription::group, nb::arg().none())
      .def_rw("skin", &CableDescription::skin)
      .def_rw("integrator", &CableDescription::integrator)
      .def_rw("timestep", &CableDescription::timestep, nb::arg().none())
      .def_rw("stabilize", &CableDescription::stabilize)
      .def_rw("gravity", &CableDescription::gravity)
      .def_rw("keys", &CableDescription::keys);
}

}  // namespace

NB_MODULE(_strand, module) {
  module.attr("__version__") = STRAND_VERSION;
  nb::class_<Adapter>(module, "Adapter")
      .def(nb::init<const std::string&>(), nb::arg("path"),
           "Loads an adapter library, which registers Strand's plugins with MuJoCo.")
      .def_prop_ro("mujoco_version", &Adapter::mujoco_version,
                   "The MuJoCo version that the adapter was built for.")
      .def("generate", &Adapter::Generate, nb::arg("cable"),
           "A cable as MJCF text, and what the generator chose.")
      .def("attach", &Adapter::Attach, nb::arg("cable"), nb::arg("scene"), nb::arg("body"),
           "Adds a cable to an mjSpec, given by its address; returns what was chosen.")
      .def("read", &Adapter::Read, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "The readout of a cable, in the order of strand.readout.Readout.")
      .def("profile", &Adapter::Profile, nb::arg("model"), nb::arg("data"), nb::arg("instance"),
           "The cable along its length (plugin/mujoco/rod_profile.h).");
  nb::class_<strand::RodProfile>(module, "RodProfile")
      .def_ro("body", &strand::RodProfile::body)
      .def_ro("length", &strand::RodProfile::length)
      .def_ro("arclength", &strand::RodProfile::arclength)
      .def_ro("span", &strand::RodProfile::span)
      .def_ro("curvature", &strand::RodProfile::curvature)
      .def_ro("twist", &strand::RodProfile::twist)
      .def_ro("moment", &strand::RodProfile::moment)
      .def_ro("clamp", &strand::RodProfile::clamp)
      .def_ro("closed", &strand::RodProfile::closed);
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const strand::ConfigError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  BindShapes(module);
  BindEnums(module);
  BindParts(module);
  BindCable(module);
  strand::BindCore(module);
  strand::BindVines(module);
  strand::BindGeometry(module);
  strand::BindRecorder(module);
}
