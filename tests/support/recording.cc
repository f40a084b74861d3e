#include "tests/support/recording.h"

#include <fstream>
#include <iterator>

namespace strand::testing {

void RecordingTest::SetUp() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            (std::string("strand_") + info->test_suite_name() + "_" + info->name());
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directory(folder_);
}

void RecordingTest::TearDown() { std::filesystem::remove_all(folder_); }

std::set<std::string> RecordingTest::Files() const {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

std::string Content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

RecordLayout Layout() {
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

RecordLayout ShellLayout() {
  RecordLayout layout = Layout();
  layout.triangles = {{0, 1, 2}, {0, 2, 3}};
  layout.ribs = {1};
  return layout;
}

RecordLayout BareShellLayout() {
  RecordLayout layout = ShellLayout();
  layout.edges.clear();
  layout.radius.clear();
  layout.ribs.clear();
  return layout;
}

Sample::Sample(int k, const RecordLayout& layout)
    : positions(static_cast<size_t>(layout.nodes)), directors(layout.edges.size()), time_(0.1 * k) {
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

void Record(const std::filesystem::path& path, int samples, const RecordLayout& layout) {
  const auto recorder = OpenRecorder(path, layout);
  for (int k = 0; k < samples; ++k) recorder->Add(Sample(k, layout).frame());
  recorder->Close();
}

}  // namespace strand::testing
