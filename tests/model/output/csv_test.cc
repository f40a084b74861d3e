#include <gtest/gtest.h>

#include <sstream>

#include "model/config/parse.h"
#include "tests/support/recording.h"

namespace strand {
namespace csv_test {

using testing::Content;
using testing::Record;
using testing::Sample;

class Csv : public testing::RecordingTest {
 protected:
  std::vector<std::vector<std::string>> Rows(int samples,
                                             const RecordLayout& layout = testing::Layout()) const {
    Record(folder_ / "a.csv", samples, layout);
    std::vector<std::vector<std::string>> rows;
    std::istringstream text(Content(folder_ / "a.csv"));
    for (std::string line; std::getline(text, line);) {
      rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }
};

TEST_F(Csv, HeaderHasNamesAndUnits) {
  const auto rows = Rows(0);
  ASSERT_EQ(rows.size(), 1u);
  const auto& head = rows[0];
  ASSERT_EQ(head.size(), 1u + 12 + 9 + 1 + 3 + 4 + 12 + 3 + 9);
  EXPECT_EQ(head[0], "time (s)");
  EXPECT_EQ(head[1], "position_0_x (m)");
  EXPECT_EQ(head[12], "position_3_z (m)");
  EXPECT_EQ(head[13], "director_0_x (1)");
  EXPECT_EQ(head[22], "energy (J)");
  EXPECT_EQ(head[24], "pull_y (N)");
  EXPECT_EQ(head[26], "mass_0 (kg)");
  EXPECT_EQ(head[41], "force_3_z (N)");
  EXPECT_EQ(head[44], "twist_2 (rad)");
  EXPECT_EQ(head[53], "couple_2_z (N m)");
}

TEST_F(Csv, AShellAloneHasNoEdgeColumns) {
  const auto rows = Rows(1, testing::BareShellLayout());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].size(), 1u + 12 + 1 + 3 + 4 + 12);
  EXPECT_EQ(rows[0][13], "energy (J)");
  EXPECT_EQ(rows[1].size(), rows[0].size());
}

TEST_F(Csv, NumbersRoundTrip) {
  const auto rows = Rows(3);
  ASSERT_EQ(rows.size(), 4u);
  for (int k = 0; k < 3; ++k) {
    const Sample sample(k);
    std::vector<double> expected = {sample.frame().time};
    for (const auto& vectors : {sample.positions, sample.directors}) {
      for (const Vector3& v : vectors) expected.insert(expected.end(), {v[0], v[1], v[2]});
    }
    for (const auto& values : sample.series) {
      expected.insert(expected.end(), values.begin(), values.end());
    }
    const auto& row = rows[static_cast<size_t>(k) + 1];
    ASSERT_EQ(row.size(), expected.size());
    for (size_t i = 0; i < row.size(); ++i) {
      EXPECT_EQ(ParseNumber(rows[0][i], row[i], kAnyNumber), expected[i]) << rows[0][i];
    }
  }
}

}  // namespace csv_test
}  // namespace strand
