#include "plugin/viewer/traces.h"

#include <imgui.h>

#include <algorithm>

#include "plugin/viewer/coloring.h"

namespace strand::viewer {
namespace {

void Plot(const std::string& name, const std::string& words, const float* values, int count,
          int offset, float height) {
  float least = 0, most = 0;
  for (int k = 0; k < count; ++k) {
    least = std::min(least, values[k]), most = std::max(most, values[k]);
  }
  ImGui::PlotLines(("##" + name).c_str(), values, count, offset, words.c_str(), least,
                   most > least ? most : least + 1, {ImGui::GetContentRegionAvail().x, height});
}

}  // namespace

void Trace::Draw(float height) const {
  if (count_ == 0) return;
  const double now = values_[(next_ + kLength - 1) % kLength];
  Plot(name_, name_ + "  " + WithUnit(now, unit_), values_.data(), count_,
       count_ == kLength ? next_ : 0, height);
}

void DrawAlong(const std::string& name, const std::string& unit, const std::vector<double>& values,
               double length, float height) {
  if (values.empty()) return;
  const std::vector<float> numbers(values.begin(), values.end());
  const double most = *std::max_element(values.begin(), values.end());
  Plot(name, name + " along " + WithUnit(length, "m") + ", most " + WithUnit(most, unit),
       numbers.data(), static_cast<int>(numbers.size()), 0, height);
}

}  // namespace strand::viewer
