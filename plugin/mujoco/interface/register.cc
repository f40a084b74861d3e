// Runs when the library is loaded. Registers the plugin `strand.cable`, the plugin
// `mujoco.elasticity.cable` where MuJoCo dropped it, and the decoder of cable files.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <string>

#include "plugin/mujoco/adapter/cable.h"
#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/interface/adapter_api.h"
#include "plugin/mujoco/interface/decoder.h"
#include "plugin/mujoco/interface/version.h"
#include "plugin/mujoco/legacy/legacy_cable.h"

namespace strand::mujoco {
namespace {

// plugin_data points to an Instance: a Cable or a LegacyCable.
template <class Instance>
Instance* Get(const mjData* d, int instance) {
  return reinterpret_cast<Instance*>(d->plugin_data[instance]);
}

// Creates the instance, or writes the error to `message` and returns null. No exception may pass
// through MuJoCo.
template <class Instance>
Instance* Make(const mjModel* m, int instance, char* message, size_t size) {
  try {
    return Instance::Create(m, instance).release();
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s instance '%s': %s", Instance::kPluginName,
                  InstanceName(m, instance).c_str(), error.what());
  }
  return nullptr;
}

template <class Instance>
int Init(const mjModel* m, mjData* d, int instance) {
  // mju_error may exit by longjmp, so no object with a destructor may be alive when it is called.
  static thread_local char message[1000];
  Instance* made = Make<Instance>(m, instance, message, sizeof(message));
  if (!made) {
    d->plugin_data[instance] = 0;
    mju_error("%s", message);
    return -1;
  }
  d->plugin_data[instance] = reinterpret_cast<uintptr_t>(made);
  return 0;
}

// The common part of both plugins: everything except their keys and sensors.
template <class Instance>
mjpPlugin PassivePlugin() {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = Instance::kPluginName;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.needstage = mjSTAGE_POS;
  plugin.nstate = [](const mjModel* m, int instance) { return Instance::StateSize(m, instance); };
  plugin.init = Init<Instance>;
  plugin.destroy = [](mjData* d, int instance) {
    delete Get<Instance>(d, instance);
    d->plugin_data[instance] = 0;
  };
  plugin.copy = [](mjData* target, const mjModel*, const mjData* source, int instance) {
    Get<Instance>(target, instance)->CopyScratch(*Get<Instance>(source, instance));
  };
  plugin.reset = [](const mjModel*, mjtNum* plugin_state, void* plugin_data, int) {
    static_cast<Instance*>(plugin_data)->Reset(plugin_state);
  };
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int) {
    Get<Instance>(d, instance)->Compute(m, d);
  };
  plugin.advance = [](const mjModel* m, mjData* d, int instance) {
    Get<Instance>(d, instance)->Advance(m, d);
  };
  plugin.visualize = [](const mjModel* m, mjData* d, const mjvOption* option, mjvScene* scene,
                        int instance) {
    Get<Instance>(d, instance)->Visualize(m, d, option, scene);
  };
  return plugin;
}

void RegisterCable() {
  mjpPlugin plugin = PassivePlugin<Cable>();
  plugin.capabilityflags |= mjPLUGIN_SENSOR;
  plugin.nattribute = std::size(kAttributes);
  plugin.attributes = kAttributes;
  plugin.nsensordata = [](const mjModel*, int, int) { return kReadoutSize; };
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int capability) {
    Cable* cable = Get<Cable>(d, instance);
    if (capability & mjPLUGIN_PASSIVE) cable->Compute(m, d);
    if (capability & mjPLUGIN_SENSOR) cable->WriteSensors(m, d);
  };
  mjp_registerPlugin(&plugin);
}

// MuJoCo 3 has its own plugin of that name, which may be loaded after this one, and registering a
// name twice ends the process. So the version is checked in addition to existing plugins.
void RegisterLegacyCable() {
  int slot = -1;
  if (kHasElasticityCable || mjp_getPlugin(LegacyCable::kPluginName, &slot)) return;
  mjpPlugin plugin = PassivePlugin<LegacyCable>();
  plugin.nattribute = std::size(kLegacyAttributes);
  plugin.attributes = kLegacyAttributes;
  mjp_registerPlugin(&plugin);
}

// Struct layouts differ between versions of MuJoCo: with another version loaded, warn and register
// nothing.
bool VersionMatches() {
  if (std::strcmp(mj_versionString(), kBuiltForMujoco) == 0) return true;
  mju_warning(
      "strand: this adapter was built for MuJoCo %s, but MuJoCo %s is loaded; "
      "strand.cable is not registered. Build an adapter for that version with "
      "-DSTRAND_MUJOCO_VERSIONS=%s",
      kBuiltForMujoco, mj_versionString(), mj_versionString());
  return false;
}

STRAND_LIB_INIT(strand_cable) {
  if (!VersionMatches()) return;
  RegisterCable();
  RegisterLegacyCable();
  RegisterCableDecoder();
}

}  // namespace
}  // namespace strand::mujoco
