// Arrays are read back byte by byte through the archive's directory.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "model/output/zip.h"
#include "tests/support/recording.h"

namespace strand {
namespace npz_test {

using testing::At;
using testing::Content;
using testing::Record;
using testing::Sample;

struct Array {
  std::string head;
  std::string data;

  double Value(size_t i) const { return At<double>(data, 8 * i); }
};

class Npz : public testing::RecordingTest {
 protected:
  // Members listed in the directory at the end. Checks the CRC and all values that occur twice in
  // the archive.
  std::map<std::string, Array> Members(int samples,
                                       const RecordLayout& layout = testing::Layout()) const {
    Record(folder_ / "a.npz", samples, layout);
    const std::string bytes = Content(folder_ / "a.npz");
    const size_t end = bytes.size() - 22;
    EXPECT_EQ(At<uint32_t>(bytes, end), 0x06054b50u);
    EXPECT_EQ(At<uint32_t>(bytes, end - 20), 0x07064b50u);
    const auto end64 = At<uint64_t>(bytes, end - 20 + 8);
    EXPECT_EQ(At<uint32_t>(bytes, end64), 0x06064b50u);
    EXPECT_EQ(end64 + 56, end - 20);
    auto place = At<uint64_t>(bytes, end64 + 48);
    EXPECT_EQ(place + At<uint64_t>(bytes, end64 + 40), end64);
    std::map<std::string, Array> members;
    for (auto left = At<uint64_t>(bytes, end64 + 32); left > 0; --left) {
      EXPECT_EQ(At<uint32_t>(bytes, place), 0x02014b50u);
      const auto length = At<uint16_t>(bytes, place + 28);
      const std::string name = bytes.substr(place + 46, length);
      const auto size = At<uint64_t>(bytes, place + 46 + length + 4);
      const auto header = At<uint64_t>(bytes, place + 46 + length + 20);
      const std::string content = bytes.substr(header + 30 + length + 20, size);
      EXPECT_EQ(At<uint32_t>(bytes, header), 0x04034b50u);
      EXPECT_EQ(bytes.substr(header + 30, length), name);
      EXPECT_EQ(At<uint64_t>(bytes, header + 30 + length + 4), size);
      EXPECT_EQ(At<uint32_t>(bytes, header + 14), Crc32(0, content.data(), size)) << name;
      EXPECT_EQ(At<uint32_t>(bytes, place + 16), At<uint32_t>(bytes, header + 14));
      members[name] = Split(content);
      place += 46 + length + 28;
    }
    EXPECT_EQ(place, end64);
    return members;
  }

  static Array Split(const std::string& npy) {
    EXPECT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const auto length = At<uint16_t>(npy, 8);
    EXPECT_EQ((10 + length) % 64, 0);
    EXPECT_EQ(npy[9 + length], '\n');
    const std::string head = npy.substr(10, length);
    return {head.substr(0, head.find('}') + 1), npy.substr(10 + length)};
  }
};

std::string Head(const std::string& shape, const std::string& type = "<f8") {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
}

TEST(Zip, Crc32OfTheCheckWord) {
  EXPECT_EQ(Crc32(0, "123456789", 9), 0xcbf43926u);
  EXPECT_EQ(Crc32(Crc32(0, "1234", 4), "56789", 5), 0xcbf43926u);
}

TEST_F(Npz, HeadersAndShapesAreNumpys) {
  auto members = Members(5);
  EXPECT_EQ(members.size(), 11u);
  EXPECT_EQ(members["time.npy"].head, Head("5, "));
  EXPECT_EQ(members["positions.npy"].head, Head("5, 4, 3, "));
  EXPECT_EQ(members["directors.npy"].head, Head("5, 3, 3, "));
  EXPECT_EQ(members["edges.npy"].head, Head("3, 2, ", "<i4"));
  EXPECT_EQ(members["radius.npy"].head, Head("3, "));
  EXPECT_EQ(members["energy.npy"].head, Head("5, "));
  EXPECT_EQ(members["pull.npy"].head, Head("5, 3, "));
  EXPECT_EQ(members["mass.npy"].head, Head("5, 4, "));
  EXPECT_EQ(members["force.npy"].head, Head("5, 4, 3, "));
  EXPECT_EQ(members["twist.npy"].head, Head("5, 3, "));
  EXPECT_EQ(members["couple.npy"].head, Head("5, 3, 3, "));
}

TEST_F(Npz, NumbersRoundTrip) {
  constexpr size_t kSamples = 3;
  auto members = Members(kSamples);
  const RecordLayout layout = testing::Layout();
  for (size_t k = 0; k < kSamples; ++k) {
    const Sample sample(static_cast<int>(k));
    EXPECT_EQ(members["time.npy"].Value(k), sample.frame().time);
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(members["positions.npy"].Value(12 * k + i), sample.positions[i / 3][i % 3]);
    }
    for (size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(members["directors.npy"].Value(9 * k + i), sample.directors[i / 3][i % 3]);
    }
    for (size_t s = 0; s < layout.series.size(); ++s) {
      const size_t size = layout.Size(layout.series[s]);
      const Array& array = members[layout.series[s].name + ".npy"];
      ASSERT_EQ(array.data.size(), 8 * kSamples * size);
      for (size_t i = 0; i < size; ++i) {
        EXPECT_EQ(array.Value(size * k + i), sample.series[s][i]) << layout.series[s].name;
      }
    }
  }
  for (size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(members["radius.npy"].Value(e), layout.radius[e]);
    EXPECT_EQ(At<int32_t>(members["edges.npy"].data, 8 * e), layout.edges[e][0]);
    EXPECT_EQ(At<int32_t>(members["edges.npy"].data, 8 * e + 4), layout.edges[e][1]);
  }
}

TEST_F(Npz, TrianglesAndRibsAreStoredOnce) {
  auto members = Members(5, testing::ShellLayout());
  EXPECT_EQ(members.size(), 13u);
  EXPECT_EQ(members["triangles.npy"].head, Head("2, 3, ", "<i4"));
  const std::array<int, 6> corners = {0, 1, 2, 0, 2, 3};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(At<int32_t>(members["triangles.npy"].data, 4 * i), corners[i]);
  }
  EXPECT_EQ(members["ribs.npy"].head, Head("1, ", "<i4"));
  EXPECT_EQ(At<int32_t>(members["ribs.npy"].data, 0), 1);
  EXPECT_EQ(members["edges.npy"].head, Head("3, 2, ", "<i4"));  // ribs among them
  EXPECT_EQ(members["directors.npy"].head, Head("5, 3, 3, "));
}

TEST_F(Npz, AShellAloneHasNoEdges) {
  auto members = Members(5, testing::BareShellLayout());
  EXPECT_EQ(members["positions.npy"].head, Head("5, 4, 3, "));
  EXPECT_EQ(members["directors.npy"].head, Head("5, 0, 3, "));
  EXPECT_EQ(members["edges.npy"].head, Head("0, 2, ", "<i4"));
  EXPECT_EQ(members["triangles.npy"].head, Head("2, 3, ", "<i4"));
  EXPECT_EQ(members["ribs.npy"].head, Head("0, ", "<i4"));
}

TEST_F(Npz, NoSamplesMakeEmptyArrays) {
  auto members = Members(0);
  EXPECT_EQ(members["positions.npy"].head, Head("0, 4, 3, "));
  EXPECT_EQ(members["positions.npy"].data, "");
}

// More than one copy buffer.
TEST_F(Npz, LongArraysAreComplete) {
  constexpr size_t kSamples = 12000;
  auto members = Members(kSamples);
  const Array& positions = members["positions.npy"];
  ASSERT_EQ(positions.data.size(), kSamples * 12 * 8);
  for (size_t k = 0; k < kSamples; k += 100) {
    ASSERT_EQ(positions.Value(12 * k), Sample(static_cast<int>(k)).positions[0][0]);
  }
}

}  // namespace npz_test
}  // namespace strand
