// Behaviour that all writers share: checks, and files that appear complete or not at all.
#include "model/output/recorder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <limits>

#include "model/config/error.h"
#include "tests/support/recording.h"

namespace strand {
namespace recorder_test {

using testing::Content;
using testing::Layout;
using testing::Record;
using testing::Sample;

const std::set<std::string> kNames = {"a.csv", "a.npz", "a.pvd"};

class RecorderFiles : public testing::RecordingTest {
 protected:
  // The message of the error when recording to the file `name` in the folder.
  std::string ErrorMessage(const std::string& name, int samples = 1) const {
    try {
      Record(folder_ / name, samples);
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.field(), "output");
      return error.what();
    }
    ADD_FAILURE() << name << " was written";
    return "";
  }
};

template <class Change>
std::string LayoutErrorField(Change change) {
  RecordLayout layout = Layout();
  change(layout);
  try {
    OpenRecorder("/no/such/folder/a.csv", layout);
  } catch (const ConfigError& error) {
    return error.field();
  }
  return "";
}

TEST(RecordLayout, IsChecked) {
  EXPECT_EQ(LayoutErrorField([](RecordLayout&) {}), "output");
  EXPECT_EQ(LayoutErrorField([](RecordLayout& l) { l.nodes = 0; }), "nodes");
  for (const std::array<int, 2> edge : {std::array{0, 4}, {-1, 0}, {2, 2}}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.edges[1] = edge; }), "edges");
  }
  for (const double radius : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.radius[2] = radius; }), "radius");
  }
  EXPECT_EQ(LayoutErrorField([](RecordLayout& l) { l.radius.pop_back(); }), "radius");
  using Corners = std::array<int, 3>;
  for (const Corners& corners : {Corners{0, 1, 4}, {-1, 0, 1}, {0, 1, 1}, {1, 0, 1}, {2, 2, 0}}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.triangles = {corners}; }), "triangles");
  }
  for (const int rib : {-1, 3}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.ribs = {rib}; }), "ribs");
  }
  for (const char* name :
       {"", "2nd", "a b", "a/b", "a,b", "time", "radius", "ribs", "pull", "d\xc3\xa9"}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.series[0].name = name; }), "series.name");
  }
  for (const char* unit : {"N,m", "a\nb", "\""}) {
    EXPECT_EQ(LayoutErrorField([&](RecordLayout& l) { l.series[0].unit = unit; }), "series.unit");
  }
  EXPECT_EQ(LayoutErrorField([](RecordLayout& l) { l.series[0].components = 2; }),
            "series.components");
}

TEST_F(RecorderFiles, SizesAndTimesAreChecked) {
  const auto recorder = OpenRecorder(folder_ / "a.csv", Layout());
  const auto field_of = [&](const RecordFrame& frame) -> std::string {
    try {
      recorder->Add(frame);
    } catch (const ConfigError& error) {
      return error.field();
    }
    return "";
  };
  const Sample sample(1);
  RecordFrame frame = sample.frame();
  frame.positions = frame.positions.first(3);
  EXPECT_EQ(field_of(frame), "positions");
  frame = sample.frame();
  frame.directors = {};
  EXPECT_EQ(field_of(frame), "directors");
  frame = sample.frame();
  frame.series = frame.series.first(5);
  EXPECT_EQ(field_of(frame), "series");
  std::vector<std::span<const double>> series(sample.frame().series.begin(),
                                              sample.frame().series.end());
  series[3] = series[3].first(11);
  frame = sample.frame();
  frame.series = series;
  EXPECT_EQ(field_of(frame), "force");
  frame = sample.frame();
  frame.time = std::numeric_limits<double>::infinity();
  EXPECT_EQ(field_of(frame), "time");
  // A rejected sample is skipped and the recording continues.
  EXPECT_EQ(field_of(sample.frame()), "");
  EXPECT_EQ(field_of(sample.frame()), "time");
  EXPECT_EQ(field_of(Sample(0).frame()), "time");
  EXPECT_EQ(recorder->samples(), 1);
  recorder->Close();
  recorder->Close();
  EXPECT_EQ(field_of(Sample(2).frame()), "recorder");
}

TEST_F(RecorderFiles, AppearOnlyOnClose) {
  for (const std::string& name : kNames) {
    SCOPED_TRACE(name);
    std::ofstream(folder_ / name) << "older";
    const auto recorder = OpenRecorder(folder_ / name, Layout());
    recorder->Add(Sample(0).frame());
    for (const std::string& file : Files()) {
      EXPECT_TRUE(file == name || file.starts_with(".a")) << file;
    }
    EXPECT_EQ(Content(folder_ / name), "older");
    recorder->Close();
    EXPECT_NE(Content(folder_ / name), "older");
    const auto left = Files();
    EXPECT_EQ(left.size(), name == "a.pvd" ? 2 : 1);
    for (const std::string& file : left) std::filesystem::remove(folder_ / file);
  }
}

TEST_F(RecorderFiles, AnUnclosedRecordingLeavesNothing) {
  for (const std::string& name : kNames) {
    std::ofstream(folder_ / name) << "older";
    const auto recorder = OpenRecorder(folder_ / name, Layout());
    for (int k = 0; k < 3; ++k) recorder->Add(Sample(k).frame());
  }
  EXPECT_EQ(Files(), kNames);
  for (const std::string& name : kNames) EXPECT_EQ(Content(folder_ / name), "older");
}

TEST_F(RecorderFiles, RerunsAreByteForByteEqual) {
  for (const std::string& name : kNames) {
    Record(folder_ / name, 3);
    const std::string first = Content(folder_ / name);
    Record(folder_ / name, 3);
    EXPECT_EQ(Content(folder_ / name), first);
  }
}

TEST_F(RecorderFiles, TwoRecordingsOfOneFileDoNotMix) {
  for (const std::string& name : kNames) {
    const auto one = OpenRecorder(folder_ / name, Layout());
    one->Add(Sample(0).frame());
    Record(folder_ / name, 2);
    const std::string second = Content(folder_ / name);
    one->Add(Sample(1).frame());
    one->Close();
    EXPECT_EQ(Content(folder_ / name), second);
  }
}

TEST_F(RecorderFiles, APathThatCannotBeWrittenIsNamed) {
  std::filesystem::create_directory(folder_ / "folder.csv");
  for (const char* name : {"no/a.csv", "no/a.npz", "no/a.pvd", "folder.csv", "a.txt", "a", ""}) {
    EXPECT_NE(ErrorMessage(name, 0).find((folder_ / name).string()), std::string::npos) << name;
  }
  EXPECT_NE(ErrorMessage("no/a.csv").find("No such file"), std::string::npos);
  EXPECT_EQ(Files(), std::set<std::string>{"folder.csv"});
}

// A limit on the file size simulates a full disk.
TEST_F(RecorderFiles, AFullDiskIsReportedAndLeavesNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  const auto signal = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1000}, rlim_t{5000}, rlim_t{20000}}) {
    small.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (const std::string& name : kNames) {
      if (name == "a.pvd" && bytes >= 5000) continue;  // its single files are smaller
      const std::string message = ErrorMessage(name, 50);
      EXPECT_NE(message.find("File too large"), std::string::npos) << name << ": " << message;
      EXPECT_NE(message.find(folder_.string()), std::string::npos);
    }
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, signal);
  EXPECT_EQ(Files(), std::set<std::string>{});
}

}  // namespace recorder_test
}  // namespace strand
