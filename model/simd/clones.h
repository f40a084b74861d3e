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

// The same with all that the function calls, which is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#define STRAND_FLAT_CLONES [[gnu::flatten]] STRAND_CLONES
#else
#define STRAND_FLAT_CLONES STRAND_CLONES
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

/// Doubles per pack in functions with clones. Wider packs are passed in other registers where AVX
/// is compiled in, so that their functions must not exist both with and without it.
inline constexpr int kCloneLanes = 2;

inline bool RunsWide() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

}  // namespace strand
