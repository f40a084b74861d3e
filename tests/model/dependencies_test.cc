// model/ is mechanics only: it includes no host, no GUI and no Python. Its rooms (the folders of
// model/) depend on each other in one direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace dependencies_test {

namespace fs = std::filesystem;

// A room includes its own headers and those of the rooms listed before it.
constexpr std::array<std::string_view, 13> kRooms = {
    "config", "simd",   "geometry",  "contact",    "stencil", "assembly", "solver",
    "energy", "compat", "reduction", "integrator", "output",  "vine"};

struct Include {
  fs::path file;  ///< the file that has the line, relative to model/
  std::string line;
};

std::vector<Include> AllIncludes() {
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(STRAND_MODEL_DIR)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc") continue;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with("#include")) continue;
      found.push_back({fs::relative(entry.path(), STRAND_MODEL_DIR), line});
    }
  }
  return found;
}

// The index of a room in kRooms, or the size of kRooms if it is not listed.
std::ptrdiff_t PlaceOf(std::string_view room) {
  return std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin();
}

TEST(ModelDependencies, NoHostIsIncluded) {
  const std::vector<Include> includes = AllIncludes();
  ASSERT_GE(includes.size(), 100u);
  for (const Include& include : includes) {
    for (const char* host : {"mujoco", "imgui", "nanobind", "Python", "plugin/"}) {
      EXPECT_EQ(include.line.find(host), std::string::npos) << include.file << ": " << include.line;
    }
  }
}

TEST(ModelDependencies, RoomsIncludeThoseBeforeThem) {
  constexpr std::string_view kOwn = "#include \"model/";
  for (const Include& include : AllIncludes()) {
    const std::ptrdiff_t place = PlaceOf(include.file.begin()->string());
    ASSERT_LT(place, std::ssize(kRooms)) << include.file << ": a room without a place in kRooms";
    if (!include.line.starts_with(kOwn)) continue;
    const std::string rest = include.line.substr(kOwn.size());
    EXPECT_LE(PlaceOf(rest.substr(0, rest.find('/'))), place)
        << include.file << ": " << include.line;
  }
}

}  // namespace dependencies_test
