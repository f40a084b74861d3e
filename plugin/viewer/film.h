// What is shown beside the bodies of a model: rods and shells whose nodes move from sample to
// sample, as of a recording or of a simulation outside MuJoCo.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace strand::viewer {

/// Edges and triangles over the nodes of a film, with their colours (RGBA).
struct FilmShapes {
  std::vector<std::array<int, 2>> edges;
  std::vector<float> radius;  ///< of edges (m)
  std::vector<std::array<float, 4>> edge_rgba;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<float, 4>> triangle_rgba;
};

/// A plot beside a film: one value of each sample over time, or a curve of each sample.
struct FilmPlot {
  std::string name, unit;
  std::vector<double> x;                 ///< of a curve's points; empty: over time
  std::vector<double> theory_x, theory;  ///< a curve to compare with; empty: none
  std::size_t size() const { return x.empty() ? 1 : x.size(); }  ///< values per sample
};

struct FilmSample {
  double time = 0;                ///< s
  std::vector<double> positions;  ///< 3 per node (m)
  std::vector<double> poses;      ///< 7 per mocap body of the model: position (m), quaternion
  std::vector<double> values;     ///< of the plots, one after the other
};

struct Film {
  FilmShapes shapes;
  std::vector<FilmPlot> plots;
  FilmSample first;
  /// The next sample. False at the end of the film, with `error` set if that is due to an error.
  std::function<bool(FilmSample* sample, std::string* error)> next;

  bool exists() const { return static_cast<bool>(next); }
};

}  // namespace strand::viewer
