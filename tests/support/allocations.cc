#include "tests/support/allocations.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
#include <cstddef>

namespace {
long allocations = 0;
}

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

long strand::testing::Allocations() { return allocations; }
#endif
