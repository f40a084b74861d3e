#include "model/output/recorder.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "model/config/error.h"

namespace strand {
namespace {

// Names of the arrays that the file formats themselves use.
constexpr std::string_view kReserved[] = {"time",   "positions", "directors", "edges",
                                          "radius", "triangles", "ribs",      "TimeValue"};

void CheckSize(const std::string& field, size_t size, size_t expected) {
  if (size != expected) {
    throw ConfigError(field, std::to_string(size) + " values", std::to_string(expected));
  }
}

void CheckEdges(const RecordLayout& layout) {
  for (const auto& [a, b] : layout.edges) {
    if (std::min(a, b) < 0 || std::max(a, b) >= layout.nodes || a == b) {
      throw ConfigError("edges", std::to_string(a) + " " + std::to_string(b),
                        "two nodes from 0 to " + std::to_string(layout.nodes - 1));
    }
  }
  CheckSize("radius", layout.radius.size(), layout.edges.size());
  for (const double radius : layout.radius) {
    if (!(radius > 0) || !std::isfinite(radius)) {
      throw ConfigError("radius", std::to_string(radius), "finite numbers > 0 (m)");
    }
  }
}

void CheckTriangles(const RecordLayout& layout) {
  for (const auto& [a, b, c] : layout.triangles) {
    if (std::min({a, b, c}) < 0 || std::max({a, b, c}) >= layout.nodes || a == b || b == c ||
        c == a) {
      throw ConfigError("triangles",
                        std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c),
                        "three nodes from 0 to " + std::to_string(layout.nodes - 1));
    }
  }
  for (const int rib : layout.ribs) {
    if (rib < 0 || static_cast<size_t>(rib) >= layout.edges.size()) {
      throw ConfigError("ribs", std::to_string(rib),
                        "edges below " + std::to_string(layout.edges.size()));
    }
  }
}

bool IsName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && !digit(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); });
}

// A unit stands in a header of comma-separated words.
bool IsUnit(std::string_view unit) {
  return std::ranges::none_of(unit, [](unsigned char c) {
    return c < ' ' || c == 127 || c == ',' || c == ';' || c == '"';
  });
}

void CheckSeries(const std::vector<Series>& series) {
  std::set<std::string_view> seen(std::begin(kReserved), std::end(kReserved));
  for (const Series& one : series) {
    if (!IsName(one.name) || !seen.insert(one.name).second) {
      throw ConfigError("series.name", one.name,
                        "letters, digits and _, each name once, and none of time, positions, "
                        "directors, edges, radius, triangles, ribs, TimeValue");
    }
    if (!IsUnit(one.unit)) {
      throw ConfigError("series.unit", one.unit, "text without commas, semicolons and quotes");
    }
    if (one.components != 1 && one.components != 3) {
      throw ConfigError("series.components", std::to_string(one.components), "1 or 3");
    }
  }
}

}  // namespace

size_t RecordLayout::Size(const Series& one) const {
  const size_t places = one.place == SeriesPlace::kNode   ? static_cast<size_t>(nodes)
                        : one.place == SeriesPlace::kEdge ? edges.size()
                                                          : 1;
  return places * static_cast<size_t>(one.components);
}

Recorder::Recorder(RecordLayout layout) : layout_(std::move(layout)) {
  if (layout_.nodes < 1) throw ConfigError("nodes", std::to_string(layout_.nodes), "1 or more");
  CheckEdges(layout_);
  CheckTriangles(layout_);
  CheckSeries(layout_.series);
}

void Recorder::CheckOpen() const {
  if (state_ == State::kClosed)
    throw ConfigError("recorder", "a sample after Close()", "samples before Close()");
  if (state_ == State::kLost) {
    throw ConfigError("recorder", "a call after its file could not be written", "no further calls");
  }
}

void Recorder::CheckFrame(const RecordFrame& frame) const {
  if (!std::isfinite(frame.time) || (samples_ > 0 && !(frame.time > last_time_))) {
    throw ConfigError("time", std::to_string(frame.time),
                      samples_ > 0 ? "finite, more than the last, " + std::to_string(last_time_)
                                   : "a finite number");
  }
  CheckSize("positions", frame.positions.size(), static_cast<size_t>(layout_.nodes));
  CheckSize("directors", frame.directors.size(), layout_.edges.size());
  CheckSize("series", frame.series.size(), layout_.series.size());
  for (size_t i = 0; i < frame.series.size(); ++i) {
    CheckSize(layout_.series[i].name, frame.series[i].size(), layout_.Size(layout_.series[i]));
  }
}

void Recorder::Add(const RecordFrame& frame) {
  CheckOpen();
  CheckFrame(frame);
  state_ = State::kLost;  // remains if writing throws, as the file may then end anywhere
  Write(frame);
  state_ = State::kOpen;
  last_time_ = frame.time;
  ++samples_;
}

void Recorder::Flush() {
  CheckOpen();
  state_ = State::kLost;
  Publish();
  state_ = State::kOpen;
}

void Recorder::Close() {
  if (state_ == State::kClosed) return;
  CheckOpen();
  state_ = State::kLost;
  Finish();
  state_ = State::kClosed;
}

std::unique_ptr<Recorder> OpenRecorder(const std::filesystem::path& path, RecordLayout layout) {
  const std::string extension = path.extension().string();
  if (extension == ".csv") return OpenCsv(path, std::move(layout));
  if (extension == ".npz") return OpenNpz(path, std::move(layout));
  if (extension == ".pvd") return OpenPvd(path, std::move(layout));
  throw ConfigError("output", path.string(), "a path that ends in .csv, .npz or .pvd");
}

}  // namespace strand
