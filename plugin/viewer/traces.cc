#include "plugin/viewer/traces.h"

#include <imgui.h>

#include <algorithm>

#include "plugin/viewer/coloring.h"

namespace strand::viewer {
namespace {

constexpr ImU32 kInk = IM_COL32(235, 238, 242, 255), kLine = IM_COL32(240, 190, 70, 255),
                kTheory = IM_COL32(120, 200, 255, 255), kPlate = IM_COL32(40, 48, 58, 255);

// The part of the plane that a plot shows.
struct Range {
  double left, right, low = 0, high = 0;

  // Points within, and those next to them.
  void Include(const Curve& curve) {
    const std::size_t count = curve.x.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (k + 1 < count && curve.x[k + 1] < left) continue;
      if (k > 0 && curve.x[k - 1] > right) continue;
      low = std::min(low, curve.y[k]), high = std::max(high, curve.y[k]);
    }
  }
};

void DrawLine(const Curve& curve, const Range& range, const ImVec2& corner, const ImVec2& size,
              ImU32 color) {
  const double wide = std::max(range.right - range.left, 1e-12),
               high = std::max(range.high - range.low, 1e-12);
  std::vector<ImVec2> points;
  points.reserve(curve.x.size());
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    points.emplace_back(
        corner.x + size.x * static_cast<float>((curve.x[k] - range.left) / wide),
        corner.y + size.y * static_cast<float>(1 - (curve.y[k] - range.low) / high));
  }
  ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), color, 0,
                                          1.5f);
}

// A plot of `curve` over its own range of x, with words above it.
void Plot(const std::string& words, const Curve& curve, const Curve& theory, float height) {
  if (curve.x.empty()) return;
  Range range{curve.x.front(), curve.x.back()};
  range.Include(curve), range.Include(theory);
  const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, end, kPlate, 2);
  list.PushClipRect(corner, end, true);
  DrawLine(theory, range, corner, size, kTheory);
  DrawLine(curve, range, corner, size, kLine);
  list.AddText({corner.x + 4, corner.y + 2}, kInk, words.c_str());
  list.PopClipRect();
  ImGui::Dummy(size);
}

}  // namespace

void Trace::Draw(float height, const Curve& theory) const {
  if (count_ == 0) return;
  Curve curve;
  for (int k = 0; k < count_; ++k) {
    const int at = (next_ - count_ + k + kLength) % kLength;
    curve.x.push_back(times_[at]), curve.y.push_back(values_[at]);
  }
  Plot(name_ + "  " + WithUnit(curve.y.back(), unit_), curve, theory, height);
}

void DrawAlong(const std::string& name, const std::string& unit, const std::vector<double>& values,
               double length, float height) {
  if (values.empty()) return;
  Curve curve{std::vector<double>(values.size()), values};
  for (std::size_t k = 0; k < values.size(); ++k) curve.x[k] = static_cast<double>(k);
  Plot(name + " along " + WithUnit(length, "m") + ", most " +
           WithUnit(*std::ranges::max_element(values), unit),
       curve, {}, height);
}

void DrawCurve(const FilmPlot& plot, const double* values, float height) {
  const Curve curve{plot.x, {values, values + plot.size()}};
  Plot(plot.name + (plot.unit.empty() ? "" : " (" + plot.unit + ")"), curve,
       {plot.theory_x, plot.theory}, height);
}

}  // namespace strand::viewer
