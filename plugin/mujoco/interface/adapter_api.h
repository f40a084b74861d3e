// Interface of an adapter library, without MuJoCo's headers, so that one build of the Python module
// serves every version of MuJoCo. Pointers to mjModel and mjData are opaque here. Both sides are
// built together, so that C++ types may be passed.
#pragma once

#include <cstdint>
#include <string>

#include "plugin/mujoco/adapter/rod_constants.h"
#include "plugin/mujoco/adapter/rod_profile.h"
#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/generator/choices.h"

#if defined(_WIN32)
#define STRAND_EXPORT __declspec(dllexport)
#else
#define STRAND_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

typedef struct StrandAdapterApi {
  std::uint64_t layout;        // kAdapterLayout of the sources of this library
  const char* mujoco_version;  // "4.0.1": the one this library was built for

  // Number of values that `read` writes.
  int readout_size;

  // Reads a cable at the positions and the plugin state in mjData (kinematics must be current).
  // Returns 0, or -1 if `instance` is not a strand.cable.
  int (*read)(const void* model, const void* data, int instance, double* readout);

  // Reads the cable along its length, under the same conditions and with the same return value.
  int (*profile)(const void* model, const void* data, int instance, strand::RodProfile* profile);

  // Reads the cable's constants; return value as above.
  int (*constants)(const void* model, const void* data, int instance, strand::RodConstants* rod);

  // Changes the model's material in this mjData, from now on. Returns 0, or -1 if `instance` is not
  // a strand.cable, or with `error` set if a number is invalid.
  int (*change)(const void* model, void* data, int instance, const strand::MaterialChange* change,
                std::string* error);

  // Reads that change, with the factors of every joint. Returns 0, or -1 as above.
  int (*material)(const void* model, const void* data, int instance,
                  strand::MaterialChange* change);

  // Writes a cable as MJCF text and fills in what the generator chose. Returns 0, or -1 with
  // `error` set.
  int (*generate)(const strand::CableDescription& cable, std::string* mjcf,
                  strand::Choices* choices, std::string* error);

  // Adds a cable to the scene (an mjSpec), with its nodes in the frame of `body`. Returns 0, or -1
  // with `error` set and the scene unchanged.
  int (*attach)(const strand::CableDescription& cable, void* scene, const char* body,
                strand::Choices* choices, std::string* error);
} StrandAdapterApi;

STRAND_EXPORT const StrandAdapterApi* strand_adapter_api(void);
}

namespace strand {

/// The sizes of all types that both sides share: different if they were built from sources that do
/// not fit together.
template <class... Types>
constexpr std::uint64_t LayoutOf() {
  std::uint64_t layout = 0;
  ((layout = 1'000'003 * layout + sizeof(Types)), ...);
  return layout;
}
inline constexpr std::uint64_t kAdapterLayout =
    LayoutOf<StrandAdapterApi, CableDescription, Choices, RodProfile, RodConstants,
             MaterialChange>();

}  // namespace strand
