#include "model/energy/elastic_loops.h"

namespace strand {

extern const ElasticLoops kElasticLoopsBaseline;
#ifdef STRAND_X86_LOOPS
extern const ElasticLoops kElasticLoopsAvx2;
extern const ElasticLoops kElasticLoopsAvx512;
#endif

const ElasticLoops& ChooseElasticLoops() {
#ifdef STRAND_X86_LOOPS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return kElasticLoopsAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kElasticLoopsAvx2;
#endif
  return kElasticLoopsBaseline;
}

}  // namespace strand
