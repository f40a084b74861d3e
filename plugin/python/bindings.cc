// The extension module strand._strand. It knows the adapters by their C interface alone, so one
// build of it serves every version of MuJoCo.

#include <dlfcn.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "plugin/mujoco/adapter_api.h"

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

  std::string Generate(const strand::CableDescription& cable) const {
    std::string mjcf, error;
    if (api_->generate(cable, &mjcf, &error) != 0) throw nb::value_error(error.c_str());
    return mjcf;
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
  module.def("ring_nodes", [](double radius, int links, int overlap) {
    return ToArray(strand::RingNodes(radius, links, overlap));
  });
}

void BindCable(nb::module_& module) {
  using strand::CableDescription;
  using strand::EndCondition;
  using strand::Integrator;
  using strand::Root;
  nb::enum_<Root>(module, "Root").value("end", Root::kEnd).value("middle", Root::kMiddle);
  nb::enum_<EndCondition>(module, "EndCondition")
      .value("free", EndCondition::kFree)
      .value("fixed", EndCondition::kFixed)
      .value("mocap", EndCondition::kMocap)
      .value("weld", EndCondition::kWeld);
  nb::enum_<Integrator>(module, "Integrator")
      .value("Euler", Integrator::kEuler)
      .value("implicitfast", Integrator::kImplicitFast)
      .value("discrete", Integrator::kDiscrete);
  nb::class_<CableDescription>(module, "CableDescription")
      .def(nb::init<>())
      .def_rw("prefix", &CableDescription::prefix)
      .def_prop_rw(
          "nodes", [](const CableDescription& cable) { return ToArray(cable.nodes); },
          [](CableDescription& cable, const NodeArray& nodes) {
            cable.nodes.assign(nodes.rowwise().begin(), nodes.rowwise().end());
          })
      .def_rw("normal", &CableDescription::normal)
      .def_rw("radius", &CableDescription::radius)
      .def_rw("density", &CableDescription::density)
      .def_rw("EI", &CableDescription::EI)
      .def_rw("GJ", &CableDescription::GJ)
      .def_rw("keys", &CableDescription::keys)
      .def_rw("closed", &CableDescription::closed)
      .def_rw("root", &CableDescription::root)
      .def_rw("ends", &CableDescription::ends)
      .def_rw("weld_to", &CableDescription::weld_to)
      .def_rw("damping", &CableDescription::damping)
      .def_rw("stabilize", &CableDescription::stabilize)
      .def_rw("integrator", &CableDescription::integrator)
      .def_rw("timestep", &CableDescription::timestep)
      .def_rw("gravity", &CableDescription::gravity)
      .def_rw("collide", &CableDescription::collide)
      .def_rw("friction", &CableDescription::friction)
      .def_rw("rgba", &CableDescription::rgba);
}

}  // namespace

NB_MODULE(_strand, module) {
  module.attr("__version__") = STRAND_VERSION;
  nb::class_<Adapter>(module, "Adapter")
      .def(nb::init<const std::string&>(), nb::arg("path"),
           "Loads an adapter library, which registers Strand's plugins with MuJoCo.")
      .def_prop_ro("mujoco_version", &Adapter::mujoco_version,
                   "The MuJoCo version that the adapter was built for.")
      .def("generate", &Adapter::Generate, nb::arg("cable"), "A cable as MJCF text.")
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
      .def_ro("closed", &strand::RodProfile::closed);
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const strand::ConfigError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  BindShapes(module);
  BindCable(module);
}
