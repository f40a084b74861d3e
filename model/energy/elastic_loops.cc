#include "model/energy/elastic_loops.h"

namespace strand {

extern const ElasticLoops kElasticLoopsBaseline;
#ifdef STRAND_X86_LOOPS
extern const ElasticLoops kElasticLoopsAvx2;
extern const ElasticLoops kElasticLoopsAvx512;
#endif

std::vector<const ElasticLoops*> AvailableElasticLoops() {
  std::vector<const ElasticLoops*> available{&kElasticLoopsBaseline};
#ifdef STRAND_X86_LOOPS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    available.push_back(&kElasticLoopsAvx2);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    available.push_back(&kElasticLoopsAvx512);
  }
#endif
  return available;
}

const ElasticLoops& ChooseElasticLoops() { return *AvailableElasticLoops().back(); }

}  // namespace strand
