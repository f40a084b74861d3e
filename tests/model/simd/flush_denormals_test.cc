#include "model/simd/flush_denormals.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace strand {
namespace flush_denormals_test {

double HalfOf(double number) {
  volatile double factor = 0.5, operand = number;
  return factor * operand;
}

TEST(FlushDenormals, LastsForTheLifetimeOfTheObject) {
  const double smallest = std::numeric_limits<double>::min();
  EXPECT_GT(HalfOf(smallest), 0);
#if defined(__SSE2__) || defined(__aarch64__)
  try {
    const FlushDenormals flush;
    EXPECT_EQ(HalfOf(smallest), 0);
    EXPECT_EQ(HalfOf(2 * smallest), smallest);
    {
      const FlushDenormals again;
    }
    EXPECT_EQ(HalfOf(smallest), 0);
    throw std::runtime_error("leaves the scope");
  } catch (const std::runtime_error&) {
  }
#endif
  EXPECT_GT(HalfOf(smallest), 0);
}

}  // namespace flush_denormals_test
}  // namespace strand
