// Registers the engine plugin `strand.cable` when the library is loaded.
#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string>

#include "plugin/mujoco/adapter_api.h"
#include "plugin/mujoco/cable.h"

namespace strand::mujoco {
namespace {

Cable* CableOf(const mjData* d, int instance) {
  return reinterpret_cast<Cable*>(d->plugin_data[instance]);
}

std::string InstanceName(const mjModel* m, int instance) {
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  return name && name[0] ? name : std::to_string(instance);
}

// Makes the cable, or writes what is wrong to `message`. Nothing may throw through MuJoCo.
Cable* MakeCable(const mjModel* m, int instance, char* message, size_t size) {
  try {
    return Cable::Create(m, instance).release();
  } catch (const std::exception& error) {
    std::snprintf(message, size, "strand.cable instance '%s': %s",
                  InstanceName(m, instance).c_str(), error.what());
  }
  return nullptr;
}

int Init(const mjModel* m, mjData* d, int instance) {
  // mju_error may leave by longjmp: no object with a destructor is alive when it is called.
  static thread_local char message[1000];
  Cable* cable = MakeCable(m, instance, message, sizeof(message));
  if (!cable) {
    d->plugin_data[instance] = 0;
    mju_error("%s", message);
    return -1;
  }
  d->plugin_data[instance] = reinterpret_cast<uintptr_t>(cable);
  return 0;
}

void RegisterCable() {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "strand.cable";
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_POS;
  plugin.nattribute = std::size(kAttributes);
  plugin.attributes = kAttributes;
  plugin.nstate = [](const mjModel* m, int instance) { return Cable::StateSize(m, instance); };
  plugin.nsensordata = [](const mjModel*, int, int) { return kReadoutSize; };
  plugin.init = Init;
  plugin.destroy = [](mjData* d, int instance) {
    delete CableOf(d, instance);
    d->plugin_data[instance] = 0;
  };
  plugin.copy = [](mjData* target, const mjModel*, const mjData* source, int instance) {
    CableOf(target, instance)->CopyScratch(*CableOf(source, instance));
  };
  plugin.reset = [](const mjModel*, mjtNum* plugin_state, void* plugin_data, int) {
    static_cast<const Cable*>(plugin_data)->Reset(plugin_state);
  };
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int capability) {
    Cable* cable = CableOf(d, instance);
    if (capability & mjPLUGIN_PASSIVE) cable->Compute(m, d);
    if (capability & mjPLUGIN_SENSOR) cable->WriteSensors(m, d);
  };
  plugin.advance = [](const mjModel* m, mjData* d, int instance) {
    CableOf(d, instance)->Advance(m, d);
  };
  plugin.visualize = [](const mjModel* m, mjData* d, const mjvOption* option, mjvScene* scene,
                        int instance) { CableOf(d, instance)->Visualize(m, d, option, scene); };
  mjp_registerPlugin(&plugin);
}

// Layouts differ between versions of MuJoCo: with another one loaded, refuse and say so.
bool VersionMatches() {
  if (mj_version() == mjVERSION_HEADER) return true;
  mju_warning(
      "strand: this adapter was built for MuJoCo %s, the one loaded is %s; "
      "strand.cable is not registered. Build an adapter for it with "
      "-DSTRAND_MUJOCO_VERSIONS=%s",
      STRAND_MUJOCO_VERSION, mj_versionString(), mj_versionString());
  return false;
}

mjPLUGIN_LIB_INIT(strand_cable) {
  if (VersionMatches()) RegisterCable();
}

}  // namespace
}  // namespace strand::mujoco
