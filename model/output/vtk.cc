// Source: Kitware, "VTK File Formats for VTK Version 4.2" (XML formats, PolyData and Collection);
// 64-bit block lengths: version 1.0 of the format.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
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

class PvdRecorder final : public Recorder {
 public:
  PvdRecorder(const std::filesystem::path& path, RecordLayout given)
      : Recorder(std::move(given)), path_(path), collection_(path) {
    for (const auto& [a, b] : layout().edges) {
      ends_.insert(ends_.end(), {a, b});
      line_ends_.push_back(static_cast<int64_t>(ends_.size()));
    }
    node_radius_.resize(static_cast<size_t>(layout().nodes));
    for (size_t e = 0; e < layout().edges.size(); ++e) {
      for (const int node : layout().edges[e]) {
        double& radius = node_radius_[static_cast<size_t>(node)];
        radius = std::max(radius, layout().radius[e]);
      }
    }
    MakeHead();
    collection_.Write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n");
  }

 private:
  // The XML before the data is the same for every sample: the arrays keep their sizes.
  void MakeHead() {
    const size_t nodes = static_cast<size_t>(layout().nodes), edges = layout().edges.size();
    head_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n";
    Declare("TimeValue", "Float64", 1, 1, true);
    DeclareSeries(SeriesPlace::kNetwork);
    head_ += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(nodes) +
             "\" NumberOfVerts=\"0\" NumberOfLines=\"" + std::to_string(edges) +
             "\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n";
    Declare("Points", "Float64", nodes, 3);
    head_ += "</Points>\n<Lines>\n";
    Declare("connectivity", "Int64", 2 * edges, 1);
    Declare("offsets", "Int64", edges, 1);
    head_ += "</Lines>\n<PointData Scalars=\"radius\">\n";
    Declare("radius", "Float64", nodes, 1);
    DeclareSeries(SeriesPlace::kNode);
    head_ += "</PointData>\n<CellData>\n";
    Declare("radius", "Float64", edges, 1);
    Declare("directors", "Float64", edges, 3);
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

  void DeclareSeries(SeriesPlace place) {
    for (const Series& one : layout().series) {
      if (one.place != place) continue;
      Declare(one.name, "Float64", layout().Size(one) / static_cast<size_t>(one.components),
              one.components, place == SeriesPlace::kNetwork);
    }
  }

  template <class T>
  void WriteBlock(WholeFile* file, std::span<const T> values) const {
    const uint64_t bytes = values.size_bytes();
    file->Write(&bytes, sizeof(bytes));
    file->Write(values.data(), bytes);
  }

  void WriteSeries(WholeFile* file, const RecordFrame& frame, SeriesPlace place) const {
    for (size_t i = 0; i < frame.series.size(); ++i) {
      if (layout().series[i].place == place) WriteBlock(file, frame.series[i]);
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
    WriteBlock(&file, std::span<const int64_t>(ends_));
    WriteBlock(&file, std::span<const int64_t>(line_ends_));
    WriteBlock(&file, std::span<const double>(node_radius_));
    WriteSeries(&file, frame, SeriesPlace::kNode);
    WriteBlock(&file, std::span<const double>(layout().radius));
    WriteBlock(&file, frame.directors);
    WriteSeries(&file, frame, SeriesPlace::kEdge);
    file.Write("\n</AppendedData>\n</VTKFile>\n");
    file.Finish();
    entry_ = "<DataSet timestep=\"";
    AppendNumber(&entry_, frame.time);
    entry_ += "\" part=\"0\" file=\"" + EscapedForXml(name) + "\"/>\n";
    collection_.Write(entry_);
  }

  void Finish() override {
    collection_.Write("</Collection>\n</VTKFile>\n");
    collection_.Finish();
    for (WholeFile& file : samples_written_) file.Commit();
    collection_.Commit();
  }

  std::filesystem::path path_;
  WholeFile collection_;
  std::vector<WholeFile> samples_written_;  // closed, still beside their names
  std::vector<int64_t> ends_, line_ends_;
  std::vector<double> node_radius_;  // the larger of its edges'
  std::string head_, entry_;
  size_t offset_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> OpenPvd(const std::filesystem::path& path, RecordLayout layout) {
  return std::make_unique<PvdRecorder>(path, std::move(layout));
}

}  // namespace strand
