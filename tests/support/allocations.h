// Counts all calls of malloc, including those of Eigen and operator new. For a separate program,
// with allocations.cc; not with the sanitizer, which replaces malloc itself.
#pragma once

#include <cstdlib>  // __GLIBC__

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define STRAND_COUNTS_ALLOCATIONS

namespace strand::testing {

/// Number of allocations since the program began.
long Allocations();

}  // namespace strand::testing
#endif
