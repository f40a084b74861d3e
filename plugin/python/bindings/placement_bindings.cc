// Placing rods and shells of a simulation, in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "model/integrator/placement.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {

void BindPlacement(nb::class_<System>& system) {
  system
      .def(
          "place_rod",
          [](System& s, int rod, const Rows3& nodes, const std::vector<double>& twist,
             const std::optional<Vector3>& normal,
             bool turn_clamps) { PlaceRod(s, rod, {ToPoints(nodes), twist, normal}, turn_clamps); },
          nb::arg("rod"), nb::arg("nodes"), nb::arg("twist"), nb::arg("normal").none(),
          nb::arg("turn_clamps"))
      .def(
          "place_shell",
          [](System& s, int shell, const Rows3& nodes, bool turn_clamps) {
            PlaceShell(s, shell, ToPoints(nodes), turn_clamps);
          },
          "shell"_a, "nodes"_a, "turn_clamps"_a);
}

}  // namespace strand
