// Quantities over time and along cables, for plots.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plugin/viewer/film.h"

namespace strand::viewer {

/// Points of a line in a plot.
struct Curve {
  std::vector<double> x, y;
};

/// The latest values of one quantity, one per frame.
class Trace {
 public:
  static constexpr int kLength = 400;

  Trace(std::string name, std::string unit) : name_(std::move(name)), unit_(std::move(unit)) {}

  void Add(double time, double value) {
    times_[next_] = time, values_[next_] = value;
    next_ = (next_ + 1) % kLength;
    count_ += count_ < kLength;
  }
  void Clear() { next_ = count_ = 0; }
  /// `theory`: a curve to compare with, over time (s).
  void Draw(float height, const Curve& theory = {}) const;

 private:
  std::string name_, unit_;
  std::array<double, kLength> times_{}, values_{};
  int next_ = 0, count_ = 0;
};

/// A plot of values over arclength (m) from 0 to `length`.
void DrawAlong(const std::string& name, const std::string& unit, const std::vector<double>& values,
               double length, float height);

/// A film's curve, with values from `values` on.
void DrawCurve(const FilmPlot& plot, const double* values, float height);

}  // namespace strand::viewer
