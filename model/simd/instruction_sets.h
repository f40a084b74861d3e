// Which of the sets of loops, compiled for several instruction sets, this machine can run.
#pragma once

#include <initializer_list>
#include <vector>

#include "model/simd/clones.h"

namespace strand {

/// Lanes of doubles in the widest set there is.
inline int WidestLanes() {
#ifdef STRAND_X86_LOOPS
  if (RunsWide()) return kWideLanes;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 2;
}

/// Those of `sets` that fit, in their order.
template <class Loops>
std::vector<const Loops*> AvailableLoops(std::initializer_list<const Loops*> sets) {
  std::vector<const Loops*> available;
  for (const Loops* loops : sets) {
    if (loops->width <= WidestLanes()) available.push_back(loops);
  }
  return available;
}

}  // namespace strand
