// Helpers of the loops (*_loops.inl) that evaluate STRAND_WIDTH stencils side by side; the
// anonymous namespace gives each including file its own copy.
#include <algorithm>

#include "model/assembly/hessian_plan.h"
#include "model/energy/configuration.h"

namespace strand {
namespace {

constexpr int kWidth = STRAND_WIDTH;
using P = Pack<kWidth>;
using Vector3P = Vector3Of<P>;
using Matrix3P = Matrix3Of<P>;

// Stencils that are evaluated together; the last one is repeated where the count is not a multiple.
struct Lanes {
  Lanes(int first, int end) : count(std::min(kWidth, end - first)) {
    for (int lane = 0; lane < kWidth; ++lane) item[lane] = first + std::min(lane, count - 1);
  }
  int count;
  int item[kWidth];
};

template <class Array>
P Load(const Array& array, const int (&item)[kWidth]) {
  double number[kWidth];
  for (int lane = 0; lane < kWidth; ++lane) number[lane] = array[item[lane]];
  return P(number);
}

double Largest(const P& pack) {
  double largest = 0;
  for (int lane = 0; lane < kWidth; ++lane) largest = std::max(largest, pack[lane]);
  return largest;
}

double Sum(const P& pack, const Lanes& lanes) {
  double sum = 0;
  for (int lane = 0; lane < lanes.count; ++lane) sum += pack[lane];
  return sum;
}

template <class Matrix>
void Scatter(const Matrix& hessian, const HessianPlan& plan, const Lanes& lanes, double* values) {
  const P* numbers = hessian.data();
  for (int lane = 0; lane < lanes.count; ++lane) {
    const HessianPlan::Stencil& stencil = plan.stencil[lanes.item[lane]];
    const HessianEntry* end = plan.entry.data() + stencil.end;
    double* own = values + stencil.base;
    for (const HessianEntry* entry = plan.entry.data() + stencil.begin; entry != end; ++entry) {
      own[entry->offset] += numbers[entry->number][lane];
    }
  }
}

}  // namespace
}  // namespace strand
