#include "model/energy/step_force.h"

#include <string>

#include "model/config/error.h"

namespace strand {

std::span<const double> TakeMemory(std::span<const double>* memory, size_t count) {
  if (memory->size() < count) {
    throw ConfigError("memory", std::to_string(memory->size()) + " numbers",
                      "at least " + std::to_string(count) + ": the state of the same forces");
  }
  const std::span<const double> taken = memory->first(count);
  *memory = memory->subspan(count);
  return taken;
}

}  // namespace strand
