// Interface of an adapter library, free of MuJoCo's headers: one build of the Python module serves
// every version. Pointers to mjModel and mjData are opaque here; both sides are built together,
// so that C++ types may pass.
#pragma once

#include <string>

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
  const char* mujoco_version;  // "4.0.1": the one this library was built for

  // Number of values that `read` writes.
  int readout_size;

  // Reads a cable at the positions and the plugin state in mjData (kinematics must be current).
  // Returns 0, or -1 where `instance` is not one of strand.cable's.
  int (*read)(const void* model, const void* data, int instance, double* readout);

  // The cable along its length, under the same conditions.
  int (*profile)(const void* model, const void* data, int instance, strand::RodProfile* profile);

  // Writes a cable as MJCF text, and what the generator chose. Returns 0, or -1 with
  // `error` filled.
  int (*generate)(const strand::CableDescription& cable, std::string* mjcf,
                  strand::Choices* choices, std::string* error);

  // Adds a cable to the scene (an mjSpec), drawn in the frame of `body`. Returns 0, or -1 with
  // `error` filled and the scene as it was.
  int (*attach)(const strand::CableDescription& cable, void* scene, const char* body,
                strand::Choices* choices, std::string* error);
} StrandAdapterApi;

STRAND_EXPORT const StrandAdapterApi* strand_adapter_api(void);
}
