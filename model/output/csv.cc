#include <utility>

#include "model/output/number.h"
#include "model/output/recorder.h"
#include "model/output/whole_file.h"

namespace strand {
namespace {

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::filesystem::path& path, RecordLayout given)
      : Recorder(std::move(given)), path_(path), file_(path) {
    text_ = "time (s)";
    Name("position", "m", static_cast<size_t>(layout().nodes), 3);
    Name("director", "1", layout().edges.size(), 3);
    for (const Series& one : layout().series) {
      const bool numbered = one.place != SeriesPlace::kNetwork;
      const size_t places = layout().Size(one) / static_cast<size_t>(one.components);
      Name(one.name, one.unit, places, one.components, numbered);
    }
    text_ += '\n';
    file_.Write(text_);
  }

 private:
  // Appends the column headers of a quantity at `count` places.
  void Name(const std::string& name, const std::string& unit, size_t count, int components,
            bool numbered = true) {
    for (size_t i = 0; i < count; ++i) {
      for (int c = 0; c < components; ++c) {
        text_.append(",").append(name);
        if (numbered) text_.append("_").append(std::to_string(i));
        if (components > 1) text_.append("_").append(1, "xyz"[c]);
        text_.append(" (").append(unit).append(")");
      }
    }
  }

  void Append(double value) {
    text_ += ',';
    AppendNumber(&text_, value);
  }

  void Write(const RecordFrame& frame) override {
    text_.clear();
    AppendNumber(&text_, frame.time);
    for (const auto& vectors : {frame.positions, frame.directors}) {
      for (const Vector3& v : vectors) {
        for (int c = 0; c < 3; ++c) Append(v[c]);
      }
    }
    for (const auto& values : frame.series) {
      for (const double value : values) Append(value);
    }
    text_ += '\n';
    file_.Write(text_);
  }

  void Publish() override {
    WholeFile so_far(path_);
    CopyAll(&file_, &so_far);
    so_far.Commit();
  }

  void Finish() override { file_.Commit(); }

  std::filesystem::path path_;
  WholeFile file_;
  std::string text_;  // one row
};

}  // namespace

std::unique_ptr<Recorder> OpenCsv(const std::filesystem::path& path, RecordLayout layout) {
  return std::make_unique<CsvRecorder>(path, std::move(layout));
}

}  // namespace strand
