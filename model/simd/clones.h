// Functions compiled for several processors.
#pragma once

#include <cstdlib>  // __GLIBC__

// Twice, the second time for processors with AVX and FMA, of which the loader takes what fits. It
// takes glibc: musl's cannot.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define STRAND_CLONES [[gnu::target_clones("fma", "default")]]
#else
#define STRAND_CLONES
#endif

// For processors with registers of kWideLanes numbers alone: whoever calls asks RunsWide.
#if defined(__x86_64__) && defined(__GNUC__)
#define STRAND_WIDE [[gnu::target("avx512f,avx512vl,avx512dq,fma")]]
#else
#define STRAND_WIDE
#endif

/// What they call has to become part of them.
#define STRAND_INLINE [[gnu::always_inline]] inline

namespace strand {

inline constexpr int kWideLanes = 8;

inline bool RunsWide() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

}  // namespace strand
