#include "model/output/text_geometry_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/config/error.h"
#include "tests/support/recording.h"

namespace strand {
namespace text_geometry_writer_test {

using testing::Content;

class TextGeometryWriter : public testing::RecordingTest {
 protected:
  std::filesystem::path Path() const { return folder_ / "a.txt"; }
};

// Doubles that no shorter decimal represents, and the limits of their range.
TextGeometry Sample() {
  const double third = 1. / 3;
  return {{{third, -third * 1e-300, 0.1},
           {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(), -0.0},
           {1e22, 5e-324, 123456789.123456789},
           {0, 1, 2}},
          {{0, 3}, {3, 2}},
          {{0, 1, 2}, {2, 1, 3}}};
}

TEST_F(TextGeometryWriter, ReadsBackExactly) {
  const TextGeometry written = Sample();
  WriteTextGeometry(Path(), written);
  const TextGeometry read = ReadTextGeometry(Path());
  EXPECT_EQ(read.node, written.node);
  EXPECT_TRUE(std::signbit(read.node[1].z()));
  EXPECT_EQ(read.edge, written.edge);
  EXPECT_EQ(read.triangle, written.triangle);
}

TEST_F(TextGeometryWriter, FollowsTheFormat) {
  WriteTextGeometry(Path(), {{{0, 0.5, -1}, {1, 0, 0}}, {{1, 0}}, {}});
  EXPECT_EQ(Content(Path()), "*Nodes\n0, 0.5, -1\n1, 0, 0\n*Edges\n2, 1\n");
}

TEST_F(TextGeometryWriter, ErrorsLeaveTheFileUnchanged) {
  WriteTextGeometry(Path(), Sample());
  const std::string before = Content(Path());
  TextGeometry bad = Sample();
  bad.triangle[1][0] = 4;
  EXPECT_THROW(WriteTextGeometry(Path(), bad), ConfigError);
  EXPECT_THROW(WriteTextGeometry(folder_ / "none" / "a.txt", Sample()), ConfigError);
  EXPECT_EQ(Content(Path()), before);
  EXPECT_EQ(Files(), (std::set<std::string>{"a.txt"}));
}

}  // namespace text_geometry_writer_test
}  // namespace strand
