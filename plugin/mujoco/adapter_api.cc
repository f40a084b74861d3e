#include "plugin/mujoco/adapter_api.h"

#include <cstring>
#include <exception>

#include "plugin/mujoco/cable.h"
#include "plugin/mujoco/generator.h"

namespace {

using strand::mujoco::Cable;
using strand::mujoco::CableReadout;

int Read(const void* model, const void* data, int instance, double* readout) {
  const auto* m = static_cast<const mjModel*>(model);
  const auto* d = static_cast<const mjData*>(data);
  if (instance < 0 || instance >= m->nplugin) return -1;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin || std::strcmp(plugin->name, "strand.cable") != 0) return -1;
  auto* cable = reinterpret_cast<Cable*>(d->plugin_data[instance]);
  if (!cable) return -1;
  const CableReadout values = cable->Read(m, d);
  std::memcpy(readout, &values, sizeof(values));
  return 0;
}

int Generate(const strand::CableDescription& cable, std::string* mjcf, std::string* error) {
  try {
    *mjcf = strand::mujoco::GenerateMjcf(cable);
    return 0;
  } catch (const std::exception& problem) {
    *error = problem.what();
    return -1;
  }
}

const StrandAdapterApi kApi = {STRAND_MUJOCO_VERSION, strand::mujoco::kReadoutSize, Read, Generate};

}  // namespace

extern "C" const StrandAdapterApi* strand_adapter_api(void) { return &kApi; }
