// Functions compiled twice, the second time for processors with AVX and FMA, of which the loader
// takes what fits. It takes glibc: musl's cannot.
#pragma once

#include <cstdlib>  // __GLIBC__

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define STRAND_CLONES [[gnu::target_clones("fma", "default")]]
#else
#define STRAND_CLONES
#endif
/// What they call has to become part of them.
#define STRAND_INLINE [[gnu::always_inline]] inline
