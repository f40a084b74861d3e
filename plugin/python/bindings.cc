// The extension module strand._strand. It knows the adapters by their C interface alone, so one
// build of it serves every version of MuJoCo.

#include <dlfcn.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

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

 private:
  const StrandAdapterApi* api_;
};

}  // namespace

NB_MODULE(_strand, module) {
  module.attr("__version__") = STRAND_VERSION;
  nb::class_<Adapter>(module, "Adapter")
      .def(nb::init<const std::string&>(), nb::arg("path"),
           "Loads an adapter library, which registers Strand's plugins with MuJoCo.")
      .def_prop_ro("mujoco_version", &Adapter::mujoco_version,
                   "The MuJoCo version that the adapter was built for.");
}
