#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "model/output/recorder.h"
#include "model/output/whole_file.h"
#include "model/output/zip.h"

namespace strand {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");
static_assert(sizeof(Vector3) == 3 * sizeof(double));

// Header of a .npy file. Source: NumPy Enhancement Proposal 1, format 1.0.
std::string NpyHead(const char* type, const std::vector<size_t>& shape) {
  std::string text = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
  for (const size_t size : shape) text += std::to_string(size) + ", ";
  text += "), }";
  constexpr size_t kBefore = 10;  // magic, version, length
  const size_t padded = (kBefore + text.size() + 1 + 63) / 64 * 64;
  text.append(padded - kBefore - text.size() - 1, ' ');
  text += '\n';
  std::string head = "\x93NUMPY\x01";
  head += '\0';
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}

// Members of the archive follow each other, and their lengths are known only at the end. Until then
// each array is written to its own file.
class NpzRecorder final : public Recorder {
 public:
  NpzRecorder(const std::filesystem::path& path, RecordLayout given)
      : Recorder(std::move(given)), path_(path) {
    const WholeFile writable(path);
    Start(path, "time", {});
    Start(path, "positions", {static_cast<size_t>(layout().nodes), 3});
    Start(path, "directors", {layout().edges.size(), 3});
    for (const Series& one : layout().series) {
      std::vector<size_t> shape;
      if (one.place == SeriesPlace::kNode) shape.push_back(static_cast<size_t>(layout().nodes));
      if (one.place == SeriesPlace::kEdge) shape.push_back(layout().edges.size());
      if (one.components == 3) shape.push_back(3);
      Start(path, one.name, std::move(shape));
    }
  }

 private:
  struct Array {
    std::string name;
    std::vector<size_t> shape;  // shape of one sample
    WholeFile values;
  };

  void Start(std::filesystem::path path, const std::string& name, std::vector<size_t> shape) {
    path += "." + name;
    arrays_.push_back({name, std::move(shape), WholeFile(std::move(path))});
  }

  void Write(const RecordFrame& frame) override {
    arrays_[0].values.Write(&frame.time, sizeof(frame.time));
    arrays_[1].values.Write(frame.positions.data(), frame.positions.size_bytes());
    arrays_[2].values.Write(frame.directors.data(), frame.directors.size_bytes());
    for (size_t i = 0; i < frame.series.size(); ++i) {
      arrays_[3 + i].values.Write(frame.series[i].data(), frame.series[i].size_bytes());
    }
  }

  void Finish() override {
    Publish();
    arrays_.clear();
  }

  void Publish() override {
    WholeFile file(path_);
    ZipWriter zip(&file);
    for (Array& array : arrays_) {
      std::vector<size_t> shape = array.shape;
      shape.insert(shape.begin(), static_cast<size_t>(samples()));
      Begin(&zip, array.name, "<f8", shape);
      CopyAll(&array.values, &zip);
      zip.End();
    }
    static_assert(sizeof(int) == sizeof(int32_t) && sizeof(layout().edges[0]) == 2 * sizeof(int) &&
                  sizeof(layout().triangles[0]) == 3 * sizeof(int));
    Put(&zip, "edges", "<i4", layout().edges, {2});
    Put(&zip, "radius", "<f8", layout().radius, {});
    if (!layout().triangles.empty()) {
      Put(&zip, "triangles", "<i4", layout().triangles, {3});
      Put(&zip, "ribs", "<i4", layout().ribs, {});
    }
    zip.Finish();
    file.Commit();
  }

  static void Begin(ZipWriter* zip, const std::string& name, const char* type,
                    const std::vector<size_t>& shape) {
    zip->Begin(name + ".npy");
    const std::string head = NpyHead(type, shape);
    zip->Write(head.data(), head.size());
  }

  // Writes an array that is the same for all samples. `shape`: shape of one of its values.
  template <class Value>
  static void Put(ZipWriter* zip, const std::string& name, const char* type,
                  const std::vector<Value>& values, std::vector<size_t> shape) {
    shape.insert(shape.begin(), values.size());
    Begin(zip, name, type, shape);
    zip->Write(values.data(), values.size() * sizeof(Value));
    zip->End();
  }

  std::filesystem::path path_;
  std::vector<Array> arrays_;
};

}  // namespace

std::unique_ptr<Recorder> OpenNpz(const std::filesystem::path& path, RecordLayout layout) {
  return std::make_unique<NpzRecorder>(path, std::move(layout));
}

}  // namespace strand
