// Samples are read back at the offsets that the files' XML declares.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/recording.h"

namespace strand {
namespace vtk_test {

using testing::At;
using testing::Content;
using testing::Record;
using testing::Sample;

// The value of the first attribute `name` after `from`.
std::string Attribute(const std::string& text, const std::string& name, size_t from) {
  const size_t begin = text.find(" " + name + "=\"", from) + name.size() + 3;
  return text.substr(begin, text.find('"', begin) - begin);
}

using Values = std::vector<double>;
using Indices = std::vector<int64_t>;

class Vtk : public testing::RecordingTest {
 protected:
  // The data of the array `name` in the section `section`.
  template <class T>
  static std::vector<T> Block(const std::string& bytes, const std::string& section,
                              const std::string& name, const char* components) {
    const size_t declared = bytes.find("Name=\"" + name + "\"", bytes.find("<" + section));
    EXPECT_LT(declared, bytes.find("</" + section)) << name;
    EXPECT_EQ(Attribute(bytes, "NumberOfComponents", declared), components) << name;
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const size_t block =
        bytes.find(mark) + mark.size() + std::stoul(Attribute(bytes, "offset", declared));
    std::vector<T> values(At<uint64_t>(bytes, block) / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) values[i] = At<T>(bytes, block + 8 + sizeof(T) * i);
    return values;
  }
};

std::vector<double> Flat(const std::vector<Vector3>& vectors) {
  std::vector<double> flat;
  for (const Vector3& v : vectors) flat.insert(flat.end(), {v[0], v[1], v[2]});
  return flat;
}

TEST_F(Vtk, NumbersRoundTrip) {
  Record(folder_ / "a.pvd", 3);
  for (int k = 0; k < 3; ++k) {
    const std::string bytes = Content(folder_ / ("a_00000" + std::to_string(k) + ".vtp"));
    const Sample sample(k);
    EXPECT_EQ(Block<double>(bytes, "FieldData", "TimeValue", "1"), Values{sample.frame().time});
    EXPECT_EQ(Block<double>(bytes, "FieldData", "energy", "1"), sample.series[0]);
    EXPECT_EQ(Block<double>(bytes, "FieldData", "pull", "3"), sample.series[1]);
    EXPECT_EQ(Block<double>(bytes, "Points", "Points", "3"), Flat(sample.positions));
    EXPECT_EQ(Block<double>(bytes, "PointData", "mass", "1"), sample.series[2]);
    EXPECT_EQ(Block<double>(bytes, "PointData", "force", "3"), sample.series[3]);
    EXPECT_EQ(Block<double>(bytes, "PointData", "radius", "1"), (Values{1e-3, 3e-3, 2e-3, 3e-3}));
    EXPECT_EQ(Block<double>(bytes, "CellData", "radius", "1"), testing::Layout().radius);
    EXPECT_EQ(Block<double>(bytes, "CellData", "directors", "3"), Flat(sample.directors));
    EXPECT_EQ(Block<double>(bytes, "CellData", "twist", "1"), sample.series[4]);
    EXPECT_EQ(Block<double>(bytes, "CellData", "couple", "3"), sample.series[5]);
    EXPECT_EQ(Block<int64_t>(bytes, "Lines", "connectivity", "1"), (Indices{0, 1, 1, 2, 3, 1}));
    EXPECT_EQ(Block<int64_t>(bytes, "Lines", "offsets", "1"), (Indices{2, 4, 6}));
  }
}

TEST_F(Vtk, TrianglesAreCellsAfterTheLines) {
  Record(folder_ / "a.pvd", 1, testing::ShellLayout());
  const std::string bytes = Content(folder_ / "a_000000.vtp");
  const size_t piece = bytes.find("<Piece");
  EXPECT_EQ(Attribute(bytes, "NumberOfPoints", piece), "4");
  EXPECT_EQ(Attribute(bytes, "NumberOfLines", piece), "2");
  EXPECT_EQ(Attribute(bytes, "NumberOfPolys", piece), "2");
  EXPECT_EQ(Block<int64_t>(bytes, "Lines", "connectivity", "1"), (Indices{0, 1, 3, 1}));
  EXPECT_EQ(Block<int64_t>(bytes, "Lines", "offsets", "1"), (Indices{2, 4}));
  EXPECT_EQ(Block<int64_t>(bytes, "Polys", "connectivity", "1"), (Indices{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(Block<int64_t>(bytes, "Polys", "offsets", "1"), (Indices{3, 6}));
  // A rib (edge 1) is no cell; triangles have zeros.
  const Sample sample(0);
  EXPECT_EQ(Block<double>(bytes, "Points", "Points", "3"), Flat(sample.positions));
  EXPECT_EQ(Block<double>(bytes, "PointData", "radius", "1"), (Values{1e-3, 3e-3, 0, 3e-3}));
  EXPECT_EQ(Block<double>(bytes, "CellData", "radius", "1"), (Values{1e-3, 3e-3, 0, 0}));
  const Vector3 none = Vector3::Zero();
  EXPECT_EQ(Block<double>(bytes, "CellData", "directors", "3"),
            Flat({sample.directors[0], sample.directors[2], none, none}));
  const std::vector<double>& twist = sample.series[4];
  EXPECT_EQ(Block<double>(bytes, "CellData", "twist", "1"), (Values{twist[0], twist[2], 0, 0}));
  EXPECT_EQ(Block<double>(bytes, "PointData", "force", "3"), sample.series[3]);
}

TEST_F(Vtk, AShellAloneHasNoLines) {
  Record(folder_ / "a.pvd", 1, testing::BareShellLayout());
  const std::string bytes = Content(folder_ / "a_000000.vtp");
  EXPECT_EQ(Attribute(bytes, "NumberOfLines", bytes.find("<Piece")), "0");
  EXPECT_EQ(Block<int64_t>(bytes, "Lines", "connectivity", "1"), Indices{});
  EXPECT_EQ(Block<int64_t>(bytes, "Polys", "offsets", "1"), (Indices{3, 6}));
  EXPECT_EQ(Block<double>(bytes, "CellData", "couple", "3"), Values(6, 0));
}

TEST_F(Vtk, CollectionListsTimesAndFiles) {
  Record(folder_ / "a&b.pvd", 3);
  const std::string collection = Content(folder_ / "a&b.pvd");
  size_t at = 0;
  for (int k = 0; k < 3; ++k) {
    at = collection.find("<DataSet", at + 1);
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(std::stod(Attribute(collection, "timestep", at)), Sample(k).frame().time);
    const std::string number = std::to_string(k);
    EXPECT_EQ(Attribute(collection, "file", at), "a&amp;b_00000" + number + ".vtp");
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("a&b_00000" + number + ".vtp")));
  }
  EXPECT_EQ(collection.find("<DataSet", at + 1), std::string::npos);
}

}  // namespace vtk_test
}  // namespace strand
