#include "plugin/python/bindings/recorder_bindings.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <tuple>

#include "model/config/parse.h"
#include "model/output/recorder.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

// Arrays are read in place, so that a sample is not copied.
using Rows = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(Vector3) == 3 * sizeof(double) && alignof(Vector3) == alignof(double));

std::span<const Vector3> ToVectors(const Rows& rows) {
  return {reinterpret_cast<const Vector3*>(rows.data()), rows.shape(0)};
}

// Name, unit, place (network, node or edge) and number of components.
using SeriesArguments = std::tuple<std::string, std::string, std::string, int>;

std::unique_ptr<Recorder> Open(const std::string& path, int nodes,
                               const std::vector<std::array<int, 2>>& edges,
                               const std::vector<double>& radius,
                               const std::vector<SeriesArguments>& series,
                               const std::vector<std::array<int, 3>>& triangles,
                               const std::vector<int>& ribs) {
  RecordLayout layout{nodes, edges, radius, {}, triangles, ribs};
  for (const auto& [name, unit, place, components] : series) {
    const int where = ParseChoice("series.place", place, {"network", "node", "edge"});
    layout.series.push_back({name, unit, static_cast<SeriesPlace>(where), components});
  }
  return OpenRecorder(path, std::move(layout));
}

void Add(Recorder& recorder, double time, const Rows& positions, const Rows& directors,
         const std::vector<Numbers>& series) {
  std::vector<std::span<const double>> values;
  for (const Numbers& one : series) values.emplace_back(one.data(), one.size());
  recorder.Add({time, ToVectors(positions), ToVectors(directors), values});
}

}  // namespace

void BindRecorder(nb::module_& module) {
  nb::class_<Recorder>(module, "Recorder")
      .def_static("open", &Open, "path"_a, "nodes"_a, "edges"_a, "radius"_a, "series"_a,
                  "triangles"_a, "ribs"_a)
      .def("add", &Add, "time"_a, "positions"_a, "directors"_a, "series"_a)
      .def("flush", &Recorder::Flush)
      .def("close", &Recorder::Close)
      .def_prop_ro("samples", &Recorder::samples);
}

}  // namespace strand
