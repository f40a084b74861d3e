#include "model/geometry/text_geometry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace text_geometry_test {

using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>;

TextGeometry Parse(const std::string& text) { return ParseTextGeometry("a.txt", text); }

std::string ErrorMessage(const std::string& text) {
  try {
    Parse(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string CheckErrorMessage(const TextGeometry& geometry) {
  try {
    CheckTextGeometry(geometry);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kNodes = "*Nodes\n0, 0, 0\n1, 0, 0\n0, 1, 0\n1, 1, 2.5\n";

void ExpectTheSquare(const TextGeometry& found) {
  const std::vector<Vector3> nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 2.5}};
  EXPECT_EQ(found.node, nodes);
  EXPECT_EQ(found.edge, (std::vector<Edge>{{0, 3}}));
  EXPECT_EQ(found.triangle, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
}

TEST(TextGeometry, SectionsAreRead) {
  ExpectTheSquare(Parse(kNodes + "*Edges\n1, 4\n*Triangles\n1, 2, 3\n2, 4, 3\n"));
}

TEST(TextGeometry, SectionsComeInAnyOrderAndAgain) {
  ExpectTheSquare(
      Parse("*Triangles\n1, 2, 3\n*Nodes\n0,0,0\n1,0,0\n*Edges\n1,4\n*Triangles\n2,4,3\n"
            "*Nodes\n0,1,0\n1,1,2.5"));
}

TEST(TextGeometry, NamesHaveAnyCase) {
  ExpectTheSquare(
      Parse("*nodes\n0 0 0\n1 0 0\n0 1 0\n1 1 2.5\n*EDGES\n1 4\n*tRiangles\n1 2 3\n"
            "2 4 3\n"));
}

TEST(TextGeometry, CommentsBlanksAndEmptyLinesAreIgnored) {
  ExpectTheSquare(
      Parse("# a square\n\n  *Nodes  # of it\n\t0,0 , 0# first\n 1 0\t0 \n\n"
            "0   ,1,0\n  # no node\n1,1,2.5\n*Edges\n1,4\n*Triangles\n1 2,3\n2 4 3"));
}

TEST(TextGeometry, AnyLineEndingAndByteOrderMarkAreAccepted) {
  const std::string text = kNodes + "*Edges\n1, 4\n*Triangles\n1, 2, 3\n2, 4, 3\n";
  for (const char* end : {"\r\n", "\r"}) {
    std::string other = "\xEF\xBB\xBF";
    for (const char c : text) c == '\n' ? other.append(end) : other.append(1, c);
    ExpectTheSquare(Parse(other));
    EXPECT_NE(ErrorMessage(other + "*Faces").find("line 11"), std::string::npos);
  }
}

TEST(TextGeometry, NumbersHaveAnyForm) {
  const TextGeometry found = Parse(
      "*Nodes\n0.000000e+00, -1E-3, +.5\n100e-02 5. 1e3\n*Edges\n"
      "1.000000e+00, 2.0");
  EXPECT_EQ(found.node, (std::vector<Vector3>{{0, -1e-3, .5}, {1, 5, 1000}}));
  EXPECT_EQ(found.edge, (std::vector<Edge>{{0, 1}}));
}

TEST(TextGeometry, OlderDialectCountsNodesOfShellsAfterThoseOfRods) {
  const TextGeometry found = Parse(
      "*shellNodes\n2,0,0\n3,0,0\n2,1,0\n*rodNodes\n0,0,0\n1,0,0\n*FaceNodes\n3,4,5\n"
      "*rodEdges\n1,2\n*rodshellJointEdges\n2,3\n");
  EXPECT_EQ(found.node,
            (std::vector<Vector3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}}));
  EXPECT_EQ(found.edge, (std::vector<Edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(found.triangle, (std::vector<Triangle>{{2, 3, 4}}));
}

TEST(TextGeometry, ErrorsNameLineAndField) {
  EXPECT_EQ(ErrorMessage("*Nodes\n0, 0, 0\n1, a, 0\n"),
            "a.txt, line 3, Nodes, y: got 'a', allowed: a finite number");
  for (const char* number : {"nan", "inf", "-inf", "1e999", "0x1", "1d3", "--1"}) {
    EXPECT_EQ(
        ErrorMessage(std::string("*rodNodes\n0, 0, ") + number),
        std::string("a.txt, line 2, rodNodes, z: got '") + number + "', allowed: a finite number");
  }
  for (const char* number : {"1.5", "x", "0", "-1", "1e10", "nan"}) {
    EXPECT_EQ(ErrorMessage(kNodes + "*Edges\n# one\n1, " + number),
              std::string("a.txt, line 8, Edges, j: got '") + number +
                  "', allowed: integers from 1 (the first node) to the number of nodes");
  }
}

TEST(TextGeometry, NodesOfElementsExistAndDiffer) {
  EXPECT_EQ(ErrorMessage("*FaceNodes\n1, 2, 5\n" + kNodes),
            "a.txt, line 2, FaceNodes, k: got '5', allowed: nodes from 1 to 4");
  EXPECT_EQ(ErrorMessage(kNodes + "*Edges\n1, 2\n3, 3"),
            "a.txt, line 8, Edges, j: got '3', allowed: a node other than i");
  EXPECT_EQ(ErrorMessage(kNodes + "*Triangles\n1, 2, 3\n3, 4, 3"),
            "a.txt, line 8, Triangles, k: got '3', allowed: a node other than i");
}

TEST(TextGeometry, RowsHaveTheRightNumberOfValues) {
  for (const char* row : {"1, 2", "1, 2, 3, 4", "1,,2", "1, 2,", ",1, 2", "1;2;3", ","}) {
    EXPECT_EQ(ErrorMessage(std::string("*Nodes\n") + row),
              std::string("a.txt, line 2, Nodes: got '") + row +
                  "', allowed: 3 numbers between commas or blanks");
  }
  EXPECT_EQ(ErrorMessage("*Edges\n1, 2, 3"),
            "a.txt, line 2, Edges: got '1, 2, 3', allowed: 2 numbers between commas or blanks");
  EXPECT_EQ(ErrorMessage("*Triangles\n1 2"),
            "a.txt, line 2, Triangles: got '1 2', allowed: 3 numbers between commas or blanks");
}

TEST(TextGeometry, UnknownSectionsAreRejected) {
  for (const char* name : {"*Faces", "*", "*Nodes, x", "*Node"}) {
    const std::string message = ErrorMessage(std::string("# head\n") + name + "\n1, 2, 3");
    EXPECT_EQ(message.find(std::string("a.txt, line 2, section: got '") + name +
                           "', allowed: *Nodes | *Edges | *Triangles | *rodNodes"),
              0u)
        << message;
  }
  EXPECT_EQ(ErrorMessage("\n1, 2, 3\n"),
            "a.txt, line 2: got '1, 2, 3', allowed: a section such as *Nodes before the first row");
}

TEST(TextGeometry, EmptyFilesAreRejected) {
  EXPECT_EQ(ErrorMessage(""), "a.txt: got 'an empty file', allowed: text with a section *Nodes");
  EXPECT_EQ(ErrorMessage("# nothing\n"), "a.txt, Nodes: got 'none', allowed: one or more");
  EXPECT_EQ(ErrorMessage("*Edges\n1, 2\n"), "a.txt, Nodes: got 'none', allowed: one or more");
  EXPECT_EQ(ErrorMessage(std::string("*\0N\0", 4)),
            "a.txt: got 'bytes that are no text', allowed: text with a section *Nodes");
}

TEST(TextGeometry, FilesThatCannotBeReadAreNamed) {
  const auto folder = std::filesystem::temp_directory_path();
  for (const auto& path : {folder, folder / "strand_is_not_there.txt"}) {
    try {
      ReadTextGeometry(path);
      FAIL() << path;
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find("file: got '" + path.string() + "', allowed: a readable file ("), 0u)
          << message;
    }
  }
}

TEST(TextGeometry, CheckNamesTheElement) {
  TextGeometry good{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1}}, {{0, 1, 2}}};
  CheckTextGeometry(good);
  TextGeometry bad = good;
  bad.node[1].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(CheckErrorMessage(bad), "node 1, y: got 'inf', allowed: a finite number");
  bad = good;
  bad.edge.push_back({1, 3});
  EXPECT_EQ(CheckErrorMessage(bad), "edge 1, j: got '3', allowed: nodes from 0 to 2");
  bad.edge.back() = {-1, 0};
  EXPECT_EQ(CheckErrorMessage(bad), "edge 1, i: got '-1', allowed: nodes from 0 to 2");
  bad = good;
  bad.triangle[0] = {2, 1, 1};
  EXPECT_EQ(CheckErrorMessage(bad), "triangle 0, k: got '1', allowed: a node other than j");
  EXPECT_EQ(CheckErrorMessage({}), "nodes: got 'none', allowed: one or more");
}

// The authors' own files, where STRAND_DATA provides them.
TEST(TextGeometry, PublishedFilesAreRead) {
  const char* data = std::getenv("STRAND_DATA");
  if (data == nullptr) GTEST_SKIP() << "STRAND_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "rod_shell";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    ++files;
    const TextGeometry found = ReadTextGeometry(entry.path());
    EXPECT_GE(found.node.size(), 3u) << entry.path();
    EXPECT_GE(found.edge.size() + found.triangle.size(), 2u) << entry.path();
  }
  EXPECT_GE(files, 60);
  const TextGeometry canopy = ReadTextGeometry(folder /
                                               "matlab/parachute/"
                                               "triangle_parachute_n4_python.txt");
  EXPECT_EQ(canopy.node.size(), 22u);
  EXPECT_EQ(canopy.edge.size(), 9u);
  EXPECT_EQ(canopy.triangle.size(), 16u);
  EXPECT_EQ(canopy.node[7], Vector3(-0.866025, 0, 0));  // the first vertex of the shell
  EXPECT_EQ(canopy.edge.back(), (Edge{6, 7}));          // the joint to it
}

}  // namespace text_geometry_test
}  // namespace strand
