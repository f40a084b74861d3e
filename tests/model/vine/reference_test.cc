// Published scenes compared with reference trajectories (mm, 10 digits), where STRAND_DATA has
// them.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "tests/support/vines.h"

namespace strand {
namespace reference_test {

std::vector<double> Numbers(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');)
    numbers.push_back(std::atof(cell.c_str()));
  return numbers;
}

// The lines below the heading; packed files are read through gzip.
std::vector<std::vector<double>> ReadTable(const std::filesystem::path& path) {
  const std::string command = path.extension() == ".gz" ? "gzip -dc" : "cat";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen((command + " '" + path.string() + "'").c_str(), "r"), pclose);
  std::string text;
  char block[65536];
  while (const size_t count = std::fread(block, 1, sizeof(block), pipe.get())) {
    text.append(block, count);
  }
  std::vector<std::vector<double>> table;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) table.push_back(Numbers(line));
  return table;
}

std::filesystem::path References() {
  const char* data = std::getenv("STRAND_DATA");
  if (data == nullptr) return {};
  return std::filesystem::path(data) / "vine_reference";
}

using Impulses = std::map<std::pair<int, int>, double>;  // by object and point, both from 1

// Largest errors of positions (mm), headings (rad) and contact impulses (kg mm/s).
struct Deviation {
  double position = 0, heading = 0, impulse = 0;
};

Deviation Follow(testing::VineScene scene, const std::filesystem::path& states,
                 const std::filesystem::path& contacts) {
  testing::UsePublishedStep(&scene.options);
  Vine vine = scene.Make();
  const auto table = ReadTable(states);
  EXPECT_EQ(static_cast<int>(table.size()), scene.steps + 1);
  std::map<int, Impulses> pushed;
  if (!contacts.empty()) {
    for (const auto& row : ReadTable(contacts)) {
      pushed[int(row[0])][{int(row[2]), int(row[3])}] = row[4];
    }
  }
  Deviation worst;
  for (size_t step = 0; step < table.size(); ++step) {
    for (int k = 0; k < vine.chain().bodies(); ++k) {
      const double* row = table[step].data() + 2 + 3 * k;
      const auto body = vine.state().q.segment<3>(3 * k);
      worst.position = std::max(worst.position, std::abs(row[0] - 1e3 * body[0]));
      worst.position = std::max(worst.position, std::abs(row[1] - 1e3 * body[1]));
      worst.heading = std::max(worst.heading, std::abs(row[2] - body[2]));
    }
    if (step + 1 == table.size()) break;
    EXPECT_TRUE(vine.Step(scene.growth).ok());
    Impulses expected = pushed[static_cast<int>(step) + 1];  // stored with the state after it
    for (const VineContact& contact : vine.contacts()) {
      expected[{contact.object + 1, contact.point + 1}] -= 1e3 * contact.impulse;
    }
    for (const auto& [where, left] : expected) {
      worst.impulse = std::max(worst.impulse, std::abs(left));
    }
  }
  return worst;
}

TEST(VineReference, GrowsPastACircle) {
  const auto folder = References();
  if (folder.empty()) GTEST_SKIP() << "STRAND_DATA is not set";
  const Deviation worst = Follow(testing::RuntimeScene(30), folder / "runtime30_state.csv.gz",
                                 folder / "runtime30_contact.csv");
  EXPECT_LT(worst.position, 1e-6);
  EXPECT_LT(worst.heading, 1e-8);
  EXPECT_LT(worst.impulse, 1e-6);
}

TEST(VineReference, GrowsBetweenBoxes) {
  const auto folder = References();
  if (folder.empty()) GTEST_SKIP() << "STRAND_DATA is not set";
  const Deviation worst =
      Follow(testing::ClutteredScene(), folder / "cluttered50_code_state.csv.gz",
             folder / "cluttered50_code_contact.csv");
  EXPECT_LT(worst.position, 1e-3);
  EXPECT_LT(worst.impulse, 1e-3);
}

TEST(VineReference, Oscillates) {
  const auto folder = References();
  if (folder.empty()) GTEST_SKIP() << "STRAND_DATA is not set";
  const Deviation worst =
      Follow(testing::OscillationScene(), folder / "oscillation10_synthetic_state.csv.gz", {});
  EXPECT_LT(worst.position, 1e-6);
}

}  // namespace reference_test
}  // namespace strand
