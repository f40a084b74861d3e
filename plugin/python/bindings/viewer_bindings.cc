#include "plugin/python/bindings/viewer_bindings.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/config/error.h"
#include "plugin/python/bindings/library.h"
#include "plugin/viewer/viewer_api.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

using viewer::Film;
using viewer::FilmPlot;
using viewer::Loaded;
using viewer::Request;

// A viewer library. It is never unloaded, since graphics libraries keep pointers into it.
class Viewer {
 public:
  Viewer(const std::string& path, std::uintptr_t adapter)
      : api_(OpenLibrary<StrandViewerApi>(path, "strand_viewer_api", viewer::kViewerLayout)),
        cables_(reinterpret_cast<const StrandAdapterApi*>(adapter)) {}

  std::string mujoco_version() const { return api_->mujoco_version; }

  // Python's functions are called with the interpreter locked, all else runs without it.
  void View(Request request, const nb::object& load, const nb::object& save,
            const nb::object& record) const {
    request.cables = cables_;
    request.load = [&](const std::string& file) {
      const nb::gil_scoped_acquire locked;
      return Opened(load(file));
    };
    request.save = [&](const std::string& file, const std::vector<unsigned char>& pixels, int width,
                       int height) {
      const nb::gil_scoped_acquire locked;
      return nb::cast<std::string>(save(file, BytesOf(pixels), width, height));
    };
    if (!record.is_none()) {
      request.record = [&](const std::vector<unsigned char>& pixels, int width, int height) {
        const nb::gil_scoped_acquire locked;
        return nb::cast<std::string>(record(BytesOf(pixels), width, height));
      };
    }
    request.interrupted = [] {
      const nb::gil_scoped_acquire locked;
      return PyErr_CheckSignals() != 0;
    };
    std::string error;
    int status = 0;
    {
      const nb::gil_scoped_release released;
      status = api_->view(request, &error);
    }
    if (PyErr_Occurred()) throw nb::python_error();
    if (status != 0) throw nb::value_error(error.c_str());
  }

 private:
  static nb::bytes BytesOf(const std::vector<unsigned char>& pixels) {
    return nb::bytes(pixels.data(), pixels.size());
  }

  // A Loaded, or an error.
  static Loaded Opened(const nb::object& result) {
    Loaded loaded;
    if (nb::isinstance<nb::str>(result)) {
      loaded.error = nb::cast<std::string>(result);
    } else {
      loaded = nb::cast<Loaded>(result);
    }
    return loaded;
  }

  const StrandViewerApi* api_;
  const StrandAdapterApi* cables_;
};

// A function of Python that is copied, called and dropped by threads that do not hold the
// interpreter; null if there is none.
std::shared_ptr<nb::object> Shared(const nb::object& function) {
  if (function.is_none()) return nullptr;
  return {new nb::object(function), [](nb::object* object) {
            const nb::gil_scoped_acquire locked;
            delete object;
          }};
}

template <class Result, class... Arguments>
std::function<Result(Arguments...)> FunctionOf(const nb::object& function) {
  const std::shared_ptr<nb::object> shared = Shared(function);
  if (!shared) return {};
  return [shared](Arguments... arguments) {
    const nb::gil_scoped_acquire locked;
    return nb::cast<Result>((*shared)(arguments...));
  };
}

void MakeLoaded(Loaded* loaded, std::uintptr_t model, std::uintptr_t data, const std::string& title,
                const std::optional<Film>& film, std::uintptr_t copy, const nb::object& drive,
                const nb::object& values, const std::tuple<std::string, std::string>& given,
                const nb::object& save_shape) {
  new (loaded) Loaded();
  loaded->model = reinterpret_cast<void*>(model), loaded->data = reinterpret_cast<void*>(data);
  loaded->copy = reinterpret_cast<void*>(copy);
  loaded->title = title;
  loaded->film = film.value_or(Film());
  loaded->drive = FunctionOf<std::string>(drive);
  loaded->values = FunctionOf<std::vector<double>, const std::string&>(values);
  std::tie(loaded->given, loaded->given_unit) = given;
  loaded->save_shape =
      FunctionOf<std::string, const std::string&, const std::vector<double>&>(save_shape);
}

using Cells = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Colors = Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor>;
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Poses = Eigen::Matrix<double, Eigen::Dynamic, 7, Eigen::RowMajor>;
using Sample = std::tuple<double, Points, Poses, std::vector<double>>;

template <class Array>
std::vector<typename Array::Scalar> Flat(const Array& array) {
  return {array.data(), array.data() + array.size()};
}

template <int N>
std::vector<std::array<int, N>> CellsOf(const Cells& cells, long nodes, const char* name) {
  if (cells.rows() > 0 &&
      (cells.cols() != N || cells.minCoeff() < 0 || cells.maxCoeff() >= nodes)) {
    throw ConfigError(name, "an index out of range", "indices of nodes");
  }
  std::vector<std::array<int, N>> list(cells.rows());
  for (long k = 0; k < cells.rows(); ++k) std::copy_n(cells.row(k).data(), N, list[k].begin());
  return list;
}

std::vector<std::array<float, 4>> ColorsOf(const Colors& colors, std::size_t count) {
  if (colors.rows() != static_cast<long>(count)) {
    throw ConfigError("rgba", std::to_string(colors.rows()) + " colours",
                      "one per edge or triangle: " + std::to_string(count));
  }
  std::vector<std::array<float, 4>> list(count);
  for (std::size_t k = 0; k < count; ++k) std::copy_n(colors.row(k).data(), 4, list[k].begin());
  return list;
}

viewer::FilmSample SampleOf(const Sample& sample) {
  const auto& [time, positions, poses, values] = sample;
  return {time, Flat(positions), Flat(poses), values};
}

std::function<bool(viewer::FilmSample*, std::string*)> NextOf(const nb::object& function) {
  const std::shared_ptr<nb::object> shared = Shared(function);
  return [shared](viewer::FilmSample* sample, std::string* error) {
    const nb::gil_scoped_acquire locked;
    const nb::object next = (*shared)();
    if (nb::isinstance<nb::str>(next)) *error = nb::cast<std::string>(next);
    if (next.is_none() || !error->empty()) return false;
    *sample = SampleOf(nb::cast<Sample>(next));
    return true;
  };
}

void CheckPlots(const std::vector<FilmPlot>& plots, std::size_t values) {
  std::size_t expected = 0;
  for (const FilmPlot& plot : plots) {
    expected += plot.size();
    if (plot.theory_x.size() != plot.theory.size()) {
      throw ConfigError("theory", std::to_string(plot.theory.size()) + " numbers",
                        "one per theory_x: " + std::to_string(plot.theory_x.size()));
    }
  }
  if (values != expected) {
    throw ConfigError("values", std::to_string(values) + " numbers",
                      "those of the plots: " + std::to_string(expected));
  }
}

Film MakeFilm(const Sample& first, const Cells& edges, const std::vector<float>& radius,
              const Colors& edge_rgba, const Cells& triangles, const Colors& triangle_rgba,
              const nb::object& next, const std::vector<FilmPlot>& plots) {
  Film film;
  CheckPlots(plots, std::get<3>(first).size());
  film.plots = plots;
  const long nodes = std::get<1>(first).rows();
  film.shapes.edges = CellsOf<2>(edges, nodes, "edges");
  film.shapes.radius = radius;
  film.shapes.edge_rgba = ColorsOf(edge_rgba, film.shapes.edges.size());
  film.shapes.triangles = CellsOf<3>(triangles, nodes, "triangles");
  film.shapes.triangle_rgba = ColorsOf(triangle_rgba, film.shapes.triangles.size());
  if (radius.size() != film.shapes.edges.size()) {
    throw ConfigError("radius", std::to_string(radius.size()) + " numbers",
                      "one per edge: " + std::to_string(film.shapes.edges.size()));
  }
  film.first = SampleOf(first);
  film.next = NextOf(next);
  return film;
}

}  // namespace

void BindViewer(nb::module_& m) {
  nb::class_<FilmPlot>(m, "FilmPlot", "A plot beside a film.")
      .def(
          "__init__",
          [](FilmPlot* plot, const std::string& name, const std::string& unit,
             const std::vector<double>& x, const std::vector<double>& theory_x,
             const std::vector<double>& theory) {
            new (plot) FilmPlot{name, unit, x, theory_x, theory};
          },
          "name"_a, "unit"_a, "x"_a = std::vector<double>(), "theory_x"_a = std::vector<double>(),
          "theory"_a = std::vector<double>(),
          "x: of the points of a curve, each with one value per sample; empty: one value per "
          "sample, over time. theory_x, theory: a curve to compare with.")
      .def_ro("name", &FilmPlot::name)
      .def_ro("unit", &FilmPlot::unit)
      .def_ro("x", &FilmPlot::x);
  nb::class_<Film>(m, "Film", "Rods and shells whose nodes move from sample to sample.")
      .def(
          "__init__",
          [](Film* film, const Sample& first, const Cells& edges, const std::vector<float>& radius,
             const Colors& edge_rgba, const Cells& triangles, const Colors& triangle_rgba,
             const nb::object& next, const std::vector<FilmPlot>& plots) {
            new (film) Film(
                MakeFilm(first, edges, radius, edge_rgba, triangles, triangle_rgba, next, plots));
          },
          "first"_a, "edges"_a, "radius"_a, "edge_rgba"_a, "triangles"_a, "triangle_rgba"_a,
          "next"_a, "plots"_a = std::vector<FilmPlot>(),
          "A sample is (time (s), positions (N, 3; m), poses (K, 7) of the mocap bodies: m and "
          "w x y z, values of the plots). next() returns the next one, None at the end, or an "
          "error; it must not raise. "
          "Raises ValueError if indices or counts are invalid.");
  nb::class_<Loaded>(m, "ViewScene", "A model to show.")
      .def("__init__", &MakeLoaded, "model"_a, "data"_a, "title"_a, "film"_a = nb::none(),
           "copy"_a = 0, "drive"_a = nb::none(), "values"_a = nb::none(),
           "given"_a = std::tuple<std::string, std::string>(), "save_shape"_a = nb::none(),
           "model, data: addresses of mjModel and mjData, which must outlive the viewer. film: "
           "played instead of the model. drive(): called before each step, returns an error or ''. "
           "copy: address of an mjData that gets the state for the two functions that follow. "
           "values(quantity): a number per body, NaN for bodies that are not links of cables. "
           "given: name and unit of values('given'); name '': there are none. "
           "save_shape(file, points): saves the shape, points: coordinates of the film's nodes; "
           "returns an error or ''. The functions must not raise.");
  nb::class_<Request>(m, "ViewRequest", "What a viewer is to show, and how.")
      .def(nb::init<>())
      .def_rw("scene", &Request::scene, "What is shown first.")
      .def_rw("file", &Request::file, "File that `load` opens again; empty: none.")
      .def_rw("recent", &Request::recent, "Files opened before, the latest first.")
      .def_rw("width", &Request::width, "Of the window (pixels).")
      .def_rw("height", &Request::height, "Of the window (pixels).")
      .def_rw("scale", &Request::scale, "Of texts and widgets; 0: that of the monitor.")
      .def_rw("speed", &Request::speed, "Simulated seconds per second.")
      .def_rw("paused", &Request::paused, "Starts paused.")
      .def_rw("realtime", &Request::realtime, "Frames and scripts in the clock's time.")
      .def_rw("panel", &Request::panel, "Shows the panel.")
      .def_rw("camera", &Request::camera,
              "Point looked at (m), distance (m), azimuth, elevation (degrees); None: everything.")
      .def_rw("fixed_camera", &Request::fixed_camera, "Of the model; -1: none.")
      .def_rw("color", &Request::color, "Quantity for the colours of cables.")
      .def_rw("frames", &Request::frames, "> 0: draws this many frames of 1/60 s and ends.")
      .def_rw("script", &Request::script, "Text of a script; empty: none.")
      .def_rw("picture", &Request::picture, "File for the last frame; empty: none.");
  nb::class_<Viewer>(m, "Viewer", "A viewer library, built for one version of MuJoCo.")
      .def(nb::init<const std::string&, std::uintptr_t>(), "path"_a, "adapter"_a,
           "Loads the library. adapter: Adapter.address of the same version.")
      .def_prop_ro("mujoco_version", &Viewer::mujoco_version)
      .def("view", &Viewer::View, "request"_a, "load"_a, "save"_a, "record"_a = nb::none(),
           "Shows the scene until the window is closed. load(file) returns a ViewScene or an "
           "error; save(file, pixels, width, height) and record(pixels, width, height), "
           "called for every frame of a film, return an error or ''. They must not raise. Raises "
           "ValueError if there is no display.");
}

}  // namespace strand
