// Several stencils side by side, for the texts of loops (*_loops.inl): STRAND_WIDTH lanes, in a
// namespace of its own for each of the files that include it.
#include <algorithm>

#include "model/assembly/hessian_plan.h"
#include "model/energy/configuration.h"

namespace strand {
namespace {

constexpr int kWidth = STRAND_WIDTH;
using P = Pack<kWidth>;
using Vector3P = Vector3Of<P>;
using Matrix3P = Matrix3Of<P>;

// The stencils that go through together; the last ones repeat where the count does not divide.
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
