#include "model/energy/elastic_loops.h"

#include "model/simd/instruction_sets.h"

namespace strand {

extern const ElasticLoops kElasticLoopsBaseline;
#ifdef STRAND_X86_LOOPS
extern const ElasticLoops kElasticLoopsAvx2;
extern const ElasticLoops kElasticLoopsAvx512;
#endif

std::vector<const ElasticLoops*> AvailableElasticLoops() {
#ifdef STRAND_X86_LOOPS
  return AvailableLoops({&kElasticLoopsBaseline, &kElasticLoopsAvx2, &kElasticLoopsAvx512});
#else
  return AvailableLoops({&kElasticLoopsBaseline});
#endif
}

const ElasticLoops& ChooseElasticLoops() { return *AvailableElasticLoops().back(); }

}  // namespace strand
