// model/ is the mechanics alone: it includes no host, no GUI and no Python.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

TEST(ModelDependencies, NoHostIsIncluded) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STRAND_MODEL_DIR)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc") continue;
    ++files;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with("#include")) continue;
      for (const char* host : {"mujoco", "imgui", "nanobind", "Python", "plugin/"}) {
        EXPECT_EQ(line.find(host), std::string::npos) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GE(files, 10);
}

}  // namespace
