// A small network to record, and readers of the files.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/output/recorder.h"

namespace strand::testing {

/// A folder for each test, removed at the end.
class RecordingTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  std::set<std::string> Files() const;

  std::filesystem::path folder_;
};

std::string Content(const std::filesystem::path& path);

/// The T stored at an offset of a file.
template <class T>
T At(const std::string& bytes, size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof(T), bytes.size());
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// A Y of four nodes and three edges, with one series of every kind.
RecordLayout Layout();

/// The same nodes and edges with a shell of two triangles; edge 1 is a rib.
RecordLayout ShellLayout();

/// The shell alone.
RecordLayout BareShellLayout();

/// Sample k: all its numbers are different.
class Sample {
 public:
  explicit Sample(int k, const RecordLayout& layout = Layout());

  RecordFrame frame() const { return {time_, positions, directors, spans_}; }

  std::vector<Vector3> positions, directors;
  std::vector<std::vector<double>> series;

 private:
  double time_;
  std::vector<std::span<const double>> spans_;
};

void Record(const std::filesystem::path& path, int samples, const RecordLayout& layout = Layout());

}  // namespace strand::testing
