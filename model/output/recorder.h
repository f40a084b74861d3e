// Files of a simulated network of rods and shells: what was where at each sample.
//
// A file appears under its name at Flush() and Close(), whole, and replaces an older one; what
// comes in between is written beside it (a hidden file), and is lost with a recorder that is
// destroyed unclosed.
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

/// A named quantity that is recorded beside the positions.
struct Series {
  std::string name;                           ///< letters, digits and _, not starting with a digit
  std::string unit;                           ///< as people read it, e.g. "N m"; "1" if it has none
  SeriesPlace place = SeriesPlace::kNetwork;  ///< one value in all, per node or per edge
  int components = 1;                         ///< 1 (a scalar) or 3 (a vector)
};

/// What stays the same during a recording.
struct RecordLayout {
  int nodes = 0;                          ///< N
  std::vector<std::array<int, 2>> edges;  ///< (E) indices of nodes
  std::vector<double> radius;             ///< (E) m
  std::vector<Series> series;
  std::vector<std::array<int, 3>> triangles;  ///< of shells, indices of nodes
  std::vector<int> ribs;                      ///< indices of edges that are no lines to draw

  /// Numbers of a series in one sample.
  size_t Size(const Series& one) const;
};

/// One sample. The spans need to live during Recorder::Add() alone.
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

  /// Records one sample. Throws ConfigError if a span has not the layout's size or time does not
  /// increase (the sample is left out), or if the file cannot be written (the recording is lost).
  void Add(const RecordFrame& frame);

  /// Puts files of all samples so far in place, whole, and goes on. Costs as much as they are long.
  /// Throws as Close() does.
  void Flush();

  /// Puts the files in place. Throws ConfigError, naming the path, if that fails; then the older
  /// files stay (of a .pvd, samples may have been replaced). Does nothing the second time.
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
  virtual void Publish() = 0;  ///< of what there is, and goes on
  virtual void Finish() = 0;

  RecordLayout layout_;
  State state_ = State::kOpen;
  int samples_ = 0;
  double last_time_ = 0;
};

/// One row per sample, one column per number, units in the header. For small networks.
std::unique_ptr<Recorder> OpenCsv(const std::filesystem::path& path, RecordLayout layout);

/// Arrays for numpy.load: time (T), positions (T, N, 3), directors (T, E, 3), edges (E, 2),
/// radius (E) and every series: (T), (T, N) or (T, E), a vector's with a last axis of 3. Of a
/// network with shells also triangles (number of them, 3) and ribs (number of them).
std::unique_ptr<Recorder> OpenNpz(const std::filesystem::path& path, RecordLayout layout);

/// For ParaView: a collection NAME.pvd of samples NAME_000000.vtp, ... in the same folder. Samples
/// of a longer older recording stay there, but the collection no longer lists them. Cells are the
/// edges but ribs, as lines, then the triangles, whose radius, directors and series are 0.
std::unique_ptr<Recorder> OpenPvd(const std::filesystem::path& path, RecordLayout layout);

/// The writer for the path's extension: .csv, .npz or .pvd. Throws ConfigError for another one, for
/// a layout that makes no sense and for a path that cannot be written.
std::unique_ptr<Recorder> OpenRecorder(const std::filesystem::path& path, RecordLayout layout);

}  // namespace strand
