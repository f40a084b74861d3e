#include "model/energy/rod_loops.h"

#include "model/simd/instruction_sets.h"

namespace strand {

extern const RodLoops kRodLoopsBaseline;
#ifdef STRAND_X86_LOOPS
extern const RodLoops kRodLoopsAvx2;
extern const RodLoops kRodLoopsAvx512;
#endif

std::vector<const RodLoops*> AvailableRodLoops() {
#ifdef STRAND_X86_LOOPS
  return AvailableLoops({&kRodLoopsBaseline, &kRodLoopsAvx2, &kRodLoopsAvx512});
#else
  return AvailableLoops({&kRodLoopsBaseline});
#endif
}

const RodLoops& ChooseRodLoops() {
  static const RodLoops& loops = *AvailableRodLoops().back();
  return loops;
}

}  // namespace strand
