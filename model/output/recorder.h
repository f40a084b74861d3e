// Recordings of a simulated network of rods and shells: positions and other quantities per sample.
//
// A complete file appears under its name at Flush() and Close() and replaces an older one. Samples
// in between are written to a hidden file in the same folder. They are lost if the recorder is
// destroyed before Close().
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

enum class SeriesPlace { kNetwork, kNode, kEdge };

/// A named quantity that is recorded along with the positions.
struct Series {
  std::string name;                           ///< letters, digits and _, not starting with a digit
  std::string unit;                           ///< as people read it, e.g. "N m"; "1" if it has none
  SeriesPlace place = SeriesPlace::kNetwork;  ///< one value in total, per node or per edge
  int components = 1;                         ///< 1 (a scalar) or 3 (a vector)
};

/// Data that do not change during a recording.
struct RecordLayout {
  int nodes = 0;                          ///< N
  std::vector<std::array<int, 2>> edges;  ///< (E) indices of nodes
  std::vector<double> radius;             ///< (E) m
  std::vector<Series> series;
  std::vector<std::array<int, 3>> triangles;  ///< of shells, indices of nodes
  std::vector<int> ribs;                      ///< indices of edges that are not drawn as lines

  /// Count of numbers of a series in one sample.
  size_t Size(const Series& one) const;
};

/// One sample. The spans need to be valid only during Recorder::Add().
struct RecordFrame {
  double time = 0;                                  ///< s
  std::span<const Vector3> positions;               ///< (N) m
  std::span<const Vector3> directors;               ///< (E) material director m1
  std::span<const std::span<const double>> series;  ///< as in RecordLayout, vectors x y z
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Records one sample. Throws ConfigError if a span does not have the layout's size or time does
  /// not increase (the sample is not recorded), or if the file cannot be written (the recording is
  /// lost).
  void Add(const RecordFrame& frame);

  /// Puts complete files of all samples so far in place and continues the recording. The cost is
  /// proportional to the size of these files. Throws as Close() does.
  void Flush();

  /// Puts the files in place. Throws ConfigError, which names the path, if that fails. The older
  /// files then remain (but samples of a .pvd may have been replaced). Further calls do nothing.
  void Close();

  const RecordLayout& layout() const { return layout_; }
  int samples() const { return samples_; }

 protected:
  explicit Recorder(RecordLayout layout);  // Throws ConfigError.

 private:
  enum class State { kOpen, kClosed, kLost };

  void CheckOpen() const;
  void CheckFrame(const RecordFrame& frame) const;
  virtual void Write(const RecordFrame& frame) = 0;
  virtual void Publish() = 0;  ///< puts files of the samples so far in place; writing continues
  virtual void Finish() = 0;

  RecordLayout layout_;
  State state_ = State::kOpen;
  int samples_ = 0;
  double last_time_ = 0;
};

/// One row per sample, one column per number, units in the header. For small networks.
std::unique_ptr<Recorder> OpenCsv(const std::filesystem::path& path, RecordLayout layout);

/// Arrays for numpy.load: time (T), positions (T, N, 3), directors (T, E, 3), edges (E, 2),
/// radius (E) and every series: (T), (T, N) or (T, E), for vectors with a last axis of 3. For a
/// network with shells also triangles (number of triangles, 3) and ribs (number of ribs).
std::unique_ptr<Recorder> OpenNpz(const std::filesystem::path& path, RecordLayout layout);

/// For ParaView: a collection NAME.pvd of samples NAME_000000.vtp, ... in the same folder. Samples
/// of a longer older recording remain there, but the collection no longer lists them. Cells are the
/// edges except ribs, as lines, then the triangles, whose radius, directors and series are 0.
std::unique_ptr<Recorder> OpenPvd(const std::filesystem::path& path, RecordLayout layout);

/// The writer for the path's extension: .csv, .npz or .pvd. Throws ConfigError if the extension is
/// another one, the layout is invalid or the path cannot be written.
std::unique_ptr<Recorder> OpenRecorder(const std::filesystem::path& path, RecordLayout layout);

}  // namespace strand
