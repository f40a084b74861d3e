#include "model/output/text_geometry_writer.h"

#include <string>

#include "model/output/number.h"
#include "model/output/whole_file.h"

namespace strand {
namespace {

template <class Rows, class AppendValue>
void AppendSection(std::string* text, const char* name, const Rows& rows, AppendValue append) {
  if (rows.empty()) return;
  text->append("*").append(name).append("\n");
  for (const auto& row : rows) {
    const char* before = "";
    for (const auto& value : row) {
      text->append(before);
      append(value);
      before = ", ";
    }
    text->append("\n");
  }
}

}  // namespace

void WriteTextGeometry(const std::filesystem::path& path, const TextGeometry& geometry) {
  CheckTextGeometry(geometry);
  std::string text;
  const auto append_node = [&](int node) { text.append(std::to_string(node + 1)); };
  AppendSection(&text, "Nodes", geometry.node, [&](double x) { AppendNumber(&text, x); });
  AppendSection(&text, "Edges", geometry.edge, append_node);
  AppendSection(&text, "Triangles", geometry.triangle, append_node);
  WholeFile file(path);
  file.Write(text);
  file.Commit();
}

}  // namespace strand
