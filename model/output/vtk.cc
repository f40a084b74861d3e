// Source: Kitware, "VTK File Formats for VTK Version 4.2" (XML formats, PolyData and Collection);
// 64-bit block lengths: version 1.0 of the format.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>

#include "model/output/number.h"
#include "model/output/recorder.h"
#include "model/output/whole_file.h"

namespace strand {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");
static_assert(sizeof(Vector3) == 3 * sizeof(double));

std::string EscapedForXml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Cells of one kind, as indices of points. Those of cell i end at offsets[i].
struct Cells {
  std::vector<int64_t> connectivity, offsets;

  template <size_t kCorners>
  void Add(const std::array<int, kCorners>& corners) {
    connectivity.insert(connectivity.end(), corners.begin(), corners.end());
    offsets.push_back(static_cast<int64_t>(connectivity.size()));
  }
  size_t size() const { return offsets.size(); }
};

class PvdRecorder final : public Recorder {
 public:
  PvdRecorder(const std::filesystem::path& path, RecordLayout given)
      : Recorder(std::move(given)), path_(path), collection_(path) {
    node_radius_.resize(static_cast<size_t>(layout().nodes));
    const std::set<int> ribs(layout().ribs.begin(), layout().ribs.end());
    for (size_t e = 0; e < layout().edges.size(); ++e) {
      if (ribs.contains(static_cast<int>(e))) continue;
      drawn_.push_back(e);
      lines_.Add(layout().edges[e]);
      for (const int node : layout().edges[e]) {
        double& radius = node_radius_[static_cast<size_t>(node)];
        radius = std::max(radius, layout().radius[e]);
      }
    }
    for (const auto& triangle : layout().triangles) polygons_.Add(triangle);
    MakeHead();
    collection_.Write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n");
  }

 private:
  // The XML before the data is the same for every sample: the arrays keep their sizes.
  void MakeHead() {
    const size_t nodes = static_cast<size_t>(layout().nodes);
    head_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n";
    Declare("TimeValue", "Float64", 1, 1, true);
    DeclareSeries(SeriesPlace::kNetwork);
    head_ += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(nodes) +
             "\" NumberOfVerts=\"0\" NumberOfLines=\"" + std::to_string(lines_.size()) +
             "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(polygons_.size()) +
             "\">\n<Points>\n";
    Declare("Points", "Float64", nodes, 3);
    head_ += "</Points>\n";
    DeclareCells("Lines", lines_);
    if (polygons_.size() > 0) DeclareCells("Polys", polygons_);
    head_ += "<PointData Scalars=\"radius\">\n";
    Declare("radius", "Float64", nodes, 1);
    DeclareSeries(SeriesPlace::kNode);
    head_ += "</PointData>\n<CellData>\n";
    Declare("radius", "Float64", cells(), 1);
    Declare("directors", "Float64", cells(), 3);
    DeclareSeries(SeriesPlace::kEdge);
    head_ +=
        "</CellData>\n</Piece>\n</PolyData>\n"
        "<AppendedData encoding=\"raw\">\n_";
  }

  void Declare(const std::string& name, const char* type, size_t tuples, int components,
               bool field = false) {
    head_ += std::string("<DataArray type=\"") + type + "\" Name=\"" + name +
             "\" NumberOfComponents=\"" + std::to_string(components) + "\"";
    if (field) head_ += " NumberOfTuples=\"" + std::to_string(tuples) + "\"";
    head_ += " format=\"appended\" offset=\"" + std::to_string(offset_) + "\"/>\n";
    offset_ += sizeof(uint64_t) + 8 * tuples * static_cast<size_t>(components);
  }

  void DeclareCells(const std::string& section, const Cells& cells) {
    head_ += "<" + section + ">\n";
    Declare("connectivity", "Int64", cells.connectivity.size(), 1);
    Declare("offsets", "Int64", cells.size(), 1);
    head_ += "</" + section + ">\n";
  }

  void DeclareSeries(SeriesPlace place) {
    for (const Series& one : layout().series) {
      if (one.place != place) continue;
      const size_t places = layout().Size(one) / static_cast<size_t>(one.components);
      Declare(one.name, "Float64", place == SeriesPlace::kEdge ? cells() : places, one.components,
              place == SeriesPlace::kNetwork);
    }
  }

  static constexpr std::string_view kEnd = "</Collection>\n</VTKFile>\n";

  size_t cells() const { return lines_.size() + polygons_.size(); }

  template <class T>
  void WriteBlock(WholeFile* file, std::span<const T> values) const {
    const uint64_t bytes = values.size_bytes();
    file->Write(&bytes, sizeof(bytes));
    file->Write(values.data(), bytes);
  }

  void WriteCells(WholeFile* file, const Cells& cells) const {
    WriteBlock(file, std::span<const int64_t>(cells.connectivity));
    WriteBlock(file, std::span<const int64_t>(cells.offsets));
  }

  // Writes values per edge as values per cell: those of the lines, then zeros for the triangles.
  void WriteOfEdges(WholeFile* file, const double* values, size_t components) {
    of_cells_.assign(components * cells(), 0.0);
    auto next = of_cells_.begin();
    for (const size_t edge : drawn_) {
      next = std::copy_n(values + components * edge, components, next);
    }
    WriteBlock(file, std::span<const double>(of_cells_));
  }

  void WriteSeries(WholeFile* file, const RecordFrame& frame, SeriesPlace place) {
    for (size_t i = 0; i < frame.series.size(); ++i) {
      const Series& one = layout().series[i];
      if (one.place != place) continue;
      if (place == SeriesPlace::kEdge) {
        WriteOfEdges(file, frame.series[i].data(), static_cast<size_t>(one.components));
      } else {
        WriteBlock(file, frame.series[i]);
      }
    }
  }

  // Blocks in the order of MakeHead().
  void Write(const RecordFrame& frame) override {
    char number[16];
    std::snprintf(number, sizeof(number), "_%06d.vtp", samples());
    const std::string name = path_.stem().string() + number;
    WholeFile& file = samples_written_.emplace_back(path_.parent_path() / name);
    file.Write(head_);
    WriteBlock(&file, std::span<const double>(&frame.time, 1));
    WriteSeries(&file, frame, SeriesPlace::kNetwork);
    WriteBlock(&file, frame.positions);
    WriteCells(&file, lines_);
    if (polygons_.size() > 0) WriteCells(&file, polygons_);
    WriteBlock(&file, std::span<const double>(node_radius_));
    WriteSeries(&file, frame, SeriesPlace::kNode);
    WriteOfEdges(&file, layout().radius.data(), 1);
    WriteOfEdges(&file, reinterpret_cast<const double*>(frame.directors.data()), 3);
    WriteSeries(&file, frame, SeriesPlace::kEdge);
    file.Write("\n</AppendedData>\n</VTKFile>\n");
    file.Finish();
    entry_ = "<DataSet timestep=\"";
    AppendNumber(&entry_, frame.time);
    entry_ += "\" part=\"0\" file=\"" + EscapedForXml(name) + "\"/>\n";
    collection_.Write(entry_);
  }

  void Publish() override {
    for (WholeFile& file : samples_written_) file.Commit();
    samples_written_.clear();
    WholeFile so_far(path_);
    CopyAll(&collection_, &so_far);
    so_far.Write(kEnd);
    so_far.Commit();
  }

  void Finish() override {
    collection_.Write(kEnd);
    collection_.Finish();
    for (WholeFile& file : samples_written_) file.Commit();
    collection_.Commit();
  }

  std::filesystem::path path_;
  WholeFile collection_;
  std::vector<WholeFile> samples_written_;  // closed, but not yet renamed to their targets
  std::vector<size_t> drawn_;               // edges that are drawn as lines
  Cells lines_, polygons_;
  std::vector<double> node_radius_;  // per node, the largest radius of its lines
  std::vector<double> of_cells_;
  std::string head_, entry_;
  size_t offset_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> OpenPvd(const std::filesystem::path& path, RecordLayout layout) {
  return std::make_unique<PvdRecorder>(path, std::move(layout));
}

}  // namespace strand
