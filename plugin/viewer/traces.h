// Quantities over time, for plots.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace strand::viewer {

/// The latest values of one quantity, one per frame.
class Trace {
 public:
  static constexpr int kLength = 400;

  Trace(std::string name, std::string unit) : name_(std::move(name)), unit_(std::move(unit)) {}

  void Add(double value) {
    values_[next_] = static_cast<float>(value);
    next_ = (next_ + 1) % kLength;
    count_ += count_ < kLength;
  }
  void Clear() { next_ = count_ = 0; }
  void Draw(float height) const;

 private:
  std::string name_, unit_;
  std::array<float, kLength> values_{};
  int next_ = 0, count_ = 0;
};

/// A plot of values over arclength (m) from 0 to `length`.
void DrawAlong(const std::string& name, const std::string& unit, const std::vector<double>& values,
               double length, float height);

}  // namespace strand::viewer
