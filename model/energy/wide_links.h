// Constants of the terms of wide.h, by link.
#pragma once

#include <array>
#include <vector>

#include "model/simd/clones.h"
#include "model/stencil/wide.h"

namespace strand {

/// Terms at a link. Zero where its neighbours are missing or not alike.
struct WideLink {
  std::array<double, 2> change{};  ///< stiffness of the turns' change over the link (N m)
  double second_change = 0;        ///< of their second change over the joint after it (N m)
  HolonomyWeights holonomy{};
  /// 1 / softness of the joint before the link and of the two after it; 0 where there is none.
  std::array<double, 3> firmness{};
};

/// WideLink of all links of a rod. Every number is an array over the links, with zeros after the
/// last one, so that loops can read several links at once.
class WideLinks {
 public:
  /// Numbers of a link, in the order of WideLink.
  enum Number { kChange, kSecondChange = 2, kHolonomy, kFirmness = 7, kNumbers = 10 };

  WideLinks() = default;
  explicit WideLinks(int links) : stride_(links + kWideLanes), numbers_(kNumbers * stride_) {}

  bool empty() const { return numbers_.empty(); }

  /// The given number of link k = 0, 1, ...
  const double* of(int number) const { return numbers_.data() + number * stride_; }

  WideLink operator[](int k) const {
    const auto at = [&](int number) { return of(number)[k]; };
    return {{at(kChange), at(kChange + 1)},
            at(kSecondChange),
            {at(kHolonomy), at(kHolonomy + 1), at(kHolonomy + 2), at(kHolonomy + 3)},
            {at(kFirmness), at(kFirmness + 1), at(kFirmness + 2)}};
  }

  void Set(int k, const WideLink& link) {
    const auto& [near, skew, far, quartic] = link.holonomy;
    const double numbers[kNumbers] = {
        link.change[0],   link.change[1],   link.second_change, near, skew, far, quartic,
        link.firmness[0], link.firmness[1], link.firmness[2]};
    for (int n = 0; n < kNumbers; ++n) numbers_[n * stride_ + k] = numbers[n];
  }

 private:
  int stride_ = 0;
  std::vector<double> numbers_;
};

}  // namespace strand
