// Functions compiled for several processors.
#pragma once

#include <cstdlib>  // __GLIBC__

// Compiles a function twice, once for any processor and once for AVX and FMA. The loader chooses
// the version that the processor supports. This needs glibc; musl's loader cannot do it.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define STRAND_CLONES [[gnu::target_clones("fma", "default")]]
#else
#define STRAND_CLONES
#endif

// Compiles a function only for processors with registers of kWideLanes doubles. Callers must check
// RunsWide first.
#if defined(__x86_64__) && defined(__GNUC__)
#define STRAND_WIDE [[gnu::target("avx512f,avx512vl,avx512dq,fma")]]
#else
#define STRAND_WIDE
#endif

/// Functions called by these must be inlined, to be compiled for the same processor.
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
