// A small network to record, and readers of the files.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "model/output/recorder.h"

namespace strand::testing {

/// A folder for each test, removed at the end.
class RecordingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("strand_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  std::filesystem::path folder_;
};

inline std::string Content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The T stored at an offset of a file.
template <class T>
T At(const std::string& bytes, size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof(T), bytes.size());
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// A Y of four nodes and three edges, with one series of every kind.
inline RecordLayout Layout() {
  return {4,
          {{0, 1}, {1, 2}, {3, 1}},
          {1e-3, 2e-3, 3e-3},
          {{"energy", "J"},
           {"pull", "N", SeriesPlace::kNetwork, 3},
           {"mass", "kg", SeriesPlace::kNode},
           {"force", "N", SeriesPlace::kNode, 3},
           {"twist", "rad", SeriesPlace::kEdge},
           {"couple", "N m", SeriesPlace::kEdge, 3}},
          {},
          {}};
}

/// The same nodes and edges with a shell of two triangles; edge 1 is a rib.
inline RecordLayout ShellLayout() {
  RecordLayout layout = Layout();
  layout.triangles = {{0, 1, 2}, {0, 2, 3}};
  layout.ribs = {1};
  return layout;
}

/// The shell alone.
inline RecordLayout BareShellLayout() {
  RecordLayout layout = ShellLayout();
  layout.edges.clear();
  layout.radius.clear();
  layout.ribs.clear();
  return layout;
}

/// Sample k: all its numbers are different.
class Sample {
 public:
  explicit Sample(int k, const RecordLayout& layout = Layout())
      : positions(static_cast<size_t>(layout.nodes)),
        directors(layout.edges.size()),
        time_(0.1 * k) {
    double next = 1000 * k + 1.0 / 3;
    const auto fill = [&next](double& value) { value = next++; };
    for (auto* vectors : {&positions, &directors}) {
      for (Vector3& v : *vectors) {
        for (int c = 0; c < 3; ++c) fill(v[c]);
      }
    }
    for (const Series& one : layout.series) {
      series.emplace_back(layout.Size(one));
      for (double& value : series.back()) fill(value);
      spans_.emplace_back(series.back());
    }
  }

  RecordFrame frame() const { return {time_, positions, directors, spans_}; }

  std::vector<Vector3> positions, directors;
  std::vector<std::vector<double>> series;

 private:
  double time_;
  std::vector<std::span<const double>> spans_;
};

inline void Record(const std::filesystem::path& path, int samples,
                   const RecordLayout& layout = Layout()) {
  const auto recorder = OpenRecorder(path, layout);
  for (int k = 0; k < samples; ++k) recorder->Add(Sample(k, layout).frame());
  recorder->Close();
}

}  // namespace strand::testing
