// Selects among loops compiled for several instruction sets those that this machine can run.
#pragma once

#include <initializer_list>
#include <vector>

#include "model/simd/clones.h"

namespace strand {

/// Doubles per register in the widest instruction set of this machine.
inline int WidestLanes() {
#ifdef STRAND_X86_LOOPS
  if (RunsWide()) return kWideLanes;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 2;
}

/// Those of `sets` that this machine can run, in the given order.
template <class Loops>
std::vector<const Loops*> AvailableLoops(std::initializer_list<const Loops*> sets) {
  std::vector<const Loops*> available;
  for (const Loops* loops : sets) {
    if (loops->width <= WidestLanes()) available.push_back(loops);
  }
  return available;
}

}  // namespace strand
