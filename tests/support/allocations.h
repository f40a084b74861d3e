// Counts all calls of malloc, Eigen's and operator new's among them. For a program of its own, with
// allocations.cc; the sanitizer needs malloc itself.
#pragma once

#include <cstdlib>  // __GLIBC__

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define STRAND_COUNTS_ALLOCATIONS

namespace strand::testing {

/// So many since the program began.
long Allocations();

}  // namespace strand::testing
#endif
