#include "model/energy/shell_loops.h"

#include "model/simd/instruction_sets.h"

namespace strand {

extern const ShellLoops kShellLoopsBaseline;
#ifdef STRAND_X86_LOOPS
extern const ShellLoops kShellLoopsAvx2;
extern const ShellLoops kShellLoopsAvx512;
#endif

std::vector<const ShellLoops*> AvailableShellLoops() {
#ifdef STRAND_X86_LOOPS
  return AvailableLoops({&kShellLoopsBaseline, &kShellLoopsAvx2, &kShellLoopsAvx512});
#else
  return AvailableLoops({&kShellLoopsBaseline});
#endif
}

}  // namespace strand
