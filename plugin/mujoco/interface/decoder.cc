#include "plugin/mujoco/interface/decoder.h"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/cable_file/cable_file.h"
#include "plugin/mujoco/cable_file/names.h"
#include "plugin/mujoco/description/check.h"
#include "plugin/mujoco/generator/generate.h"
#include "plugin/mujoco/generator/recipe.h"

#if STRAND_HAS_DECODERS

namespace strand::mujoco {
namespace {

constexpr std::string_view kSuffix = ".cable.toml";

std::string_view Content(mjResource* resource) {
  const void* bytes = nullptr;
  const int size = mju_readResource(resource, &bytes);
  if (size < 0) throw ConfigError("file", resource->name, "a readable file");
  return {static_cast<const char*>(bytes), static_cast<size_t>(size)};
}

// Throws ConfigError if an end is held by a body of the scene, which is not known here.
void CheckEnds(const CableDescription& cable, const std::string& prefix) {
  for (int side = 0; side < 2; ++side) {
    const EndCondition end = cable.ends[side];
    if (end != EndCondition::kWeld && end != EndCondition::kPin) continue;
    const std::string site = prefix + "site_" + SideName(side);
    throw ConfigError(std::string("ends.") + SideName(side),
                      kNames<EndCondition>[static_cast<int>(end)],
                      "free, fixed, ball or mocap in a file that a scene attaches; the scene may "
                      "weld or connect the site " +
                          site + " itself");
  }
}

// Adapts a cable to any scene that may attach it.
void PrepareForAnyScene(CableDescription* cable) {
  CheckEnds(*cable, cable->prefix);
  for (const Branch& branch : cable->branches) {
    CheckEnds(branch.cable, cable->prefix + branch.name + "_");
  }
  // Below a body that is not the world, only a tree attached to that body is allowed.
  const bool held = HeldInPlace(cable->ends[0]) || HeldInPlace(cable->ends[1]);
  if (held) {
    if (cable->root == Root::kAuto) cable->root = Root::kEnd;
    for (Branch& branch : cable->branches) {
      if (!branch.cable.pieces) branch.cable.pieces = 0;
    }
  }
  // MuJoCo keeps the scene's integrator. Joints with armature are stable with all of them, without
  // it only with `discrete`.
  if (cable->integrator == Integrator::kAuto) cable->integrator = Integrator::kEuler;
}

int CanDecode(const mjResource* resource) {
  return std::string_view(resource->name).ends_with(kSuffix);
}

// No exception may pass through MuJoCo.
mjSpec* Decode(mjResource* resource, const mjVFS*, char* error, int error_size) {
  try {
    CableDescription cable = ReadCableFile(Content(resource));
    PrepareForAnyScene(&cable);
    return MakeCable(cable, nullptr).release();
  } catch (const std::exception& problem) {
    if (error) std::snprintf(error, error_size, "%s: %s", resource->name, problem.what());
  }
  return nullptr;
}

// In older versions, which only report that decoding failed, the reason is a warning.
[[maybe_unused]] mjSpec* Decode(mjResource* resource, const mjVFS* vfs) {
  char error[1000] = "";
  mjSpec* const spec = Decode(resource, vfs, error, sizeof(error));
  if (!spec) mju_warning("%s", error);
  return spec;
}

}  // namespace

void RegisterCableDecoder() {
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = "application/x-strand-cable";
  decoder.extension = ".toml";  // MuJoCo compares the part after the last dot
  decoder.can_decode = CanDecode;
  decoder.decode = Decode;  // the one with the arguments of this version
  mjp_registerDecoder(&decoder);
}

}  // namespace strand::mujoco

#else

void strand::mujoco::RegisterCableDecoder() {}

#endif
