#include "model/geometry/text_geometry.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

#include "model/config/error.h"
#include "model/config/parse.h"

namespace strand {
namespace {

enum class Kind { kNode, kShellNode, kEdge, kTriangle };

struct Section {
  const char* name;
  Kind kind;
};

constexpr Section kSections[] = {
    {"Nodes", Kind::kNode},           {"Edges", Kind::kEdge},
    {"Triangles", Kind::kTriangle},   {"rodNodes", Kind::kNode},
    {"shellNodes", Kind::kShellNode}, {"FaceNodes", Kind::kTriangle},
    {"rodEdges", Kind::kEdge},        {"rodshellJointEdges", Kind::kEdge},
};

constexpr std::string_view kBlanks = " \t";
constexpr const char* kAxis[] = {"x", "y", "z"};
constexpr const char* kCorner[] = {"i", "j", "k"};

bool SameWithoutCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

const Section& FindSection(const std::string& where, std::string_view name) {
  std::string allowed;
  for (const Section& section : kSections) {
    if (SameWithoutCase(section.name, name)) return section;
    allowed.append(allowed.empty() ? "*" : " | *").append(section.name);
  }
  throw ConfigError(where + ", section", "*" + std::string(name), allowed);
}

// Throws unless an element's nodes, numbered from 0, are below `count` and differ. `place` returns
// the element's name for errors, in which nodes are numbered from `first`.
template <size_t N, class Place>
void CheckElement(const std::array<int, N>& nodes, int count, int first, const Place& place) {
  const auto fail = [&](size_t corner, const std::string& allowed) {
    throw ConfigError(place() + ", " + kCorner[corner], std::to_string(nodes[corner] + first),
                      allowed);
  };
  for (size_t k = 0; k < N; ++k) {
    if (nodes[k] < 0 || nodes[k] >= count) {
      fail(k, "nodes from " + std::to_string(first) + " to " + std::to_string(count - 1 + first));
    }
    for (size_t j = 0; j < k; ++j) {
      if (nodes[j] == nodes[k]) fail(k, std::string("a node other than ") + kCorner[j]);
    }
  }
}

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void Add(std::string_view line) {
    ++line_;
    line = line.substr(0, line.find('#'));
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return;
    line = line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
    if (line[0] == '*') {
      section_ = &FindSection(Where(), line.substr(1));
    } else {
      AddRow(std::string(line));
    }
  }

  TextGeometry Finish() {
    geometry_.node.insert(geometry_.node.end(), shell_node_.begin(), shell_node_.end());
    if (geometry_.node.empty()) throw ConfigError(name_ + ", Nodes", "none", "one or more");
    Check(geometry_.edge, edge_place_);
    Check(geometry_.triangle, triangle_place_);
    return std::move(geometry_);
  }

 private:
  // Line and section of an element. Elements are checked at the end, because their nodes may come
  // later in the file.
  struct Place {
    int line;
    const Section* section;
  };

  std::string Where() const { return name_ + ", line " + std::to_string(line_); }
  std::string Where(const Place& place) const {
    return name_ + ", line " + std::to_string(place.line) + ", " + place.section->name;
  }

  void AddRow(const std::string& content) {
    if (section_ == nullptr) {
      throw ConfigError(Where(), content, "a section such as *Nodes before the first row");
    }
    const Place place{line_, section_};
    if (section_->kind == Kind::kNode) {
      geometry_.node.push_back(Coordinates(content));
    } else if (section_->kind == Kind::kShellNode) {
      shell_node_.push_back(Coordinates(content));
    } else if (section_->kind == Kind::kEdge) {
      geometry_.edge.push_back(Corners<2>(content));
      edge_place_.push_back(place);
    } else {
      geometry_.triangle.push_back(Corners<3>(content));
      triangle_place_.push_back(place);
    }
  }

  // The words of a row of `count` numbers, between commas, blanks or both.
  std::vector<std::string> Split(const std::string& content, size_t count) const {
    std::vector<std::string> all;
    bool hole = false;  // a number is missing before, between or after commas
    for (size_t begin = 0; begin <= content.size();) {
      const size_t end = std::min(content.find(',', begin), content.size());
      const auto words = SplitWords(std::string_view(content).substr(begin, end - begin));
      hole = hole || words.empty();
      all.insert(all.end(), words.begin(), words.end());
      begin = end + 1;
    }
    if (hole || all.size() != count) {
      throw ConfigError(Where({line_, section_}), content,
                        std::to_string(count) + " numbers between commas or blanks");
    }
    return all;
  }

  Vector3 Coordinates(const std::string& content) const {
    const auto words = Split(content, 3);
    Vector3 point;
    for (int k = 0; k < 3; ++k) {
      const std::string field = Where({line_, section_}) + ", " + kAxis[k];
      point[k] = ParseNumber(field, words[static_cast<size_t>(k)], kAnyNumber);
    }
    return point;
  }

  template <size_t N>
  std::array<int, N> Corners(const std::string& content) const {
    constexpr Range kNodes{1, std::numeric_limits<int>::max(), false,
                           "integers from 1 (the first node) to the number of nodes"};
    const auto words = Split(content, N);
    std::array<int, N> nodes;
    for (size_t k = 0; k < N; ++k) {
      const std::string field = Where({line_, section_}) + ", " + kCorner[k];
      const double number = ParseNumber(field, words[k], kNodes);
      if (number != std::floor(number)) throw ConfigError(field, words[k], kNodes.words);
      nodes[k] = static_cast<int>(number) - 1;
    }
    return nodes;
  }

  template <size_t N>
  void Check(const std::vector<std::array<int, N>>& elements,
             const std::vector<Place>& places) const {
    const int count = static_cast<int>(geometry_.node.size());
    for (size_t e = 0; e < elements.size(); ++e) {
      CheckElement(elements[e], count, 1, [&] { return Where(places[e]); });
    }
  }

  std::string name_;
  int line_ = 0;
  const Section* section_ = nullptr;
  TextGeometry geometry_;
  std::vector<Vector3> shell_node_;  // numbered after all others
  std::vector<Place> edge_place_, triangle_place_;
};

}  // namespace

TextGeometry ParseTextGeometry(const std::string& name, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // UTF-8's byte order mark
  if (text.empty()) throw ConfigError(name, "an empty file", "text with a section *Nodes");
  if (text.find('\0') != std::string_view::npos) {
    throw ConfigError(name, "bytes that are no text", "text with a section *Nodes");
  }
  Reader reader(name);
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    reader.Add(text.substr(0, end));
    text.remove_prefix(std::min(end + (text.substr(end).starts_with("\r\n") ? 2 : 1), text.size()));
  }
  return reader.Finish();
}

TextGeometry ReadTextGeometry(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  int error = file ? 0 : errno;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) error = EISDIR;
  std::ostringstream text;
  if (error == 0 && file.peek() != std::ifstream::traits_type::eof()) {
    text << file.rdbuf();
    if (!text) error = EIO;
  }
  if (error != 0) {
    throw ConfigError("file", path.string(),
                      std::string("a readable file (") + std::strerror(error) + ")");
  }
  return ParseTextGeometry(path.string(), text.view());
}

void CheckTextGeometry(const TextGeometry& geometry) {
  const auto place = [](const char* kind, size_t index) {
    return std::string(kind) + " " + std::to_string(index);
  };
  const int count = static_cast<int>(geometry.node.size());
  if (count == 0) throw ConfigError("nodes", "none", "one or more");
  for (size_t n = 0; n < geometry.node.size(); ++n) {
    for (int k = 0; k < 3; ++k) {
      const double value = geometry.node[n][k];
      if (std::isfinite(value)) continue;
      throw ConfigError(place("node", n) + ", " + kAxis[k], Text(value), kAnyNumber.words);
    }
  }
  for (size_t e = 0; e < geometry.edge.size(); ++e) {
    CheckElement(geometry.edge[e], count, 0, [&] { return place("edge", e); });
  }
  for (size_t t = 0; t < geometry.triangle.size(); ++t) {
    CheckElement(geometry.triangle[t], count, 0, [&] { return place("triangle", t); });
  }
}

}  // namespace strand
