// Denormal numbers are treated as zero while an object of this class lives.
//
// Quantities that decay along a rod (a force, the fill of a factorisation) end in denormal numbers
// and stay there: 0.9 times the smallest one rounds to itself. Operations on them take a processor
// a hundred times as long as others.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace strand {

class FlushDenormals {
 public:
  FlushDenormals() : before_(Control()) { SetControl(before_ | kFlush); }
  ~FlushDenormals() { SetControl(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr std::uint64_t kFlush = 0x8040;  // FTZ and DAZ of MXCSR
  static std::uint64_t Control() { return _mm_getcsr(); }
  static void SetControl(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__)
  static constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;  // FZ of FPCR
  static std::uint64_t Control() {
    std::uint64_t word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void SetControl(std::uint64_t word) { asm volatile("msr fpcr, %0" ::"r"(word)); }
#else  // slower, but equally correct
  static constexpr std::uint64_t kFlush = 0;
  static std::uint64_t Control() { return 0; }
  static void SetControl(std::uint64_t) {}
#endif

  std::uint64_t before_;
};

}  // namespace strand
