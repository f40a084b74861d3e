#include "plugin/python/bindings/geometry_bindings.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "model/config/error.h"
#include "model/geometry/node_curvature.h"
#include "model/geometry/text_geometry.h"
#include "model/output/text_geometry_writer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

// One row for each node, edge or triangle.
template <class Scalar, int N>
using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, N, Eigen::RowMajor>;

template <class Scalar, int N, class Item>
Rows<Scalar, N> ToRows(const std::vector<Item>& items) {
  Rows<Scalar, N> rows(items.size(), N);
  for (size_t k = 0; k < items.size(); ++k) {
    rows.row(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::Matrix<Scalar, 1, N>>(items[k].data());
  }
  return rows;
}

template <class Item, class Scalar, int N>
std::vector<Item> FromRows(const Rows<Scalar, N>& rows) {
  std::vector<Item> items(static_cast<size_t>(rows.rows()));
  for (size_t k = 0; k < items.size(); ++k) {
    Eigen::Map<Eigen::Matrix<Scalar, 1, N>>(items[k].data()) =
        rows.row(static_cast<Eigen::Index>(k));
  }
  return items;
}

using Nodes = Rows<double, 3>;
using Edges = Rows<int, 2>;
using Triangles = Rows<int, 3>;

std::tuple<Nodes, Edges, Triangles> Read(const std::string& path) {
  const TextGeometry geometry = ReadTextGeometry(path);
  return {ToRows<double, 3>(geometry.node), ToRows<int, 2>(geometry.edge),
          ToRows<int, 3>(geometry.triangle)};
}

void Write(const std::string& path, const Nodes& nodes, const Edges& edges,
           const Triangles& triangles) {
  WriteTextGeometry(path, {FromRows<Vector3>(nodes), FromRows<std::array<int, 2>>(edges),
                           FromRows<std::array<int, 3>>(triangles)});
}

std::vector<double> Curvatures(const Nodes& nodes, const Edges& edges) {
  if (edges.size() > 0 && (edges.minCoeff() < 0 || edges.maxCoeff() >= nodes.rows())) {
    throw ConfigError("edges", "an index out of range", "indices of nodes");
  }
  return NodeCurvatures(FromRows<std::array<int, 2>>(edges),
                        {nodes.data(), static_cast<size_t>(nodes.size())});
}

}  // namespace

void BindGeometry(nb::module_& module) {
  module.def("read_text_geometry", &Read, "path"_a);
  module.def("node_curvatures", &Curvatures, "nodes"_a, "edges"_a,
             "Curvature (1/m) at each node (N, 3; m) between two edges (E, 2): the angle between "
             "them by their mean length; zero at ends and where more edges meet.");
  module.def("write_text_geometry", &Write, "path"_a, "nodes"_a, "edges"_a, "triangles"_a);
}

}  // namespace strand
