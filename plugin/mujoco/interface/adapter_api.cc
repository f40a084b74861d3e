#include "plugin/mujoco/interface/adapter_api.h"

#include <cstring>
#include <exception>

#include "plugin/mujoco/adapter/cable.h"
#include "plugin/mujoco/generator/generate.h"
#include "plugin/mujoco/interface/version.h"

namespace {

using strand::mujoco::Cable;
using strand::mujoco::CableReadout;

// The cable of a plugin instance, or null if the instance is not a strand.cable.
Cable* FindCable(const mjModel* m, const mjData* d, int instance) {
  if (instance < 0 || instance >= m->nplugin) return nullptr;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin || std::strcmp(plugin->name, "strand.cable") != 0) return nullptr;
  return reinterpret_cast<Cable*>(d->plugin_data[instance]);
}

int Read(const void* model, const void* data, int instance, double* readout) {
  const auto* m = static_cast<const mjModel*>(model);
  const auto* d = static_cast<const mjData*>(data);
  Cable* cable = FindCable(m, d, instance);
  if (!cable) return -1;
  const CableReadout values = cable->Read(m, d);
  std::memcpy(readout, &values, sizeof(values));
  return 0;
}

int Profile(const void* model, const void* data, int instance, strand::RodProfile* profile) {
  const auto* m = static_cast<const mjModel*>(model);
  const auto* d = static_cast<const mjData*>(data);
  Cable* cable = FindCable(m, d, instance);
  if (!cable) return -1;
  *profile = cable->Profile(m, d);
  return 0;
}

int Constants(const void* model, const void* data, int instance, strand::RodConstants* rod) {
  const auto* m = static_cast<const mjModel*>(model);
  const auto* d = static_cast<const mjData*>(data);
  Cable* cable = FindCable(m, d, instance);
  if (!cable) return -1;
  *rod = cable->Constants(m, d);
  return 0;
}

// Runs `work` and turns exceptions into an error text, since none may cross a C interface.
template <typename Work>
int Guarded(std::string* error, const Work& work) {
  try {
    work();
    return 0;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return -1;
  }
}

int Change(const void* model, void* data, int instance, const strand::MaterialChange* change,
           std::string* error) {
  const auto* m = static_cast<const mjModel*>(model);
  auto* d = static_cast<mjData*>(data);
  Cable* cable = FindCable(m, d, instance);
  return cable ? Guarded(error, [&] { cable->Change(m, d, *change); }) : -1;
}

int Material(const void* model, const void* data, int instance, strand::MaterialChange* change) {
  const auto* m = static_cast<const mjModel*>(model);
  const auto* d = static_cast<const mjData*>(data);
  const Cable* cable = FindCable(m, d, instance);
  if (!cable) return -1;
  *change = cable->Material(m, d);
  return 0;
}

int Generate(const strand::CableDescription& cable, std::string* mjcf, strand::Choices* choices,
             std::string* error) {
  return Guarded(error, [&] { *mjcf = strand::mujoco::GenerateMjcf(cable, choices); });
}

int Attach(const strand::CableDescription& cable, void* scene, const char* body,
           strand::Choices* choices, std::string* error) {
  return Guarded(error, [&] {
    strand::mujoco::AttachCable(cable, static_cast<mjSpec*>(scene), body, choices);
  });
}

const StrandAdapterApi kApi = {strand::kAdapterLayout,
                               strand::mujoco::kBuiltForMujoco,
                               strand::mujoco::kReadoutSize,
                               Read,
                               Profile,
                               Constants,
                               Change,
                               Material,
                               Generate,
                               Attach};

}  // namespace

extern "C" const StrandAdapterApi* strand_adapter_api(void) { return &kApi; }
