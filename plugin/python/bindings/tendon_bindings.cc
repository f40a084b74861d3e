// Tendons in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "model/energy/tendon.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

/// Edge that carries a ring, or -1; node, or -1; offset of the ring (first two numbers) or a fixed
/// point (m).
using GivenPoint = std::tuple<int, int, Vector3>;

TendonPoint PointOf(const GivenPoint& given) {
  const auto& [edge, node, numbers] = given;
  if (edge >= 0) return TendonRing{edge, numbers.head<2>()};
  if (node >= 0) return TendonNode{node};
  return numbers;
}

}  // namespace

void BindTendons(nb::class_<System>& system, nb::module_& module) {
  nb::class_<Tendon>(module, "Tendon")
      .def("set_tension", &Tendon::SetTension, "tension"_a)
      .def("set_length", &Tendon::SetLength, "length"_a, "stiffness"_a)
      .def(
          "length",
          [](const Tendon& tendon, const System& s) { return tendon.Length(s.state().at); },
          "system"_a)
      .def(
          "tension",
          [](const Tendon& tendon, const System& s) { return tendon.Tension(s.state().at); },
          "system"_a);
  system.def(
      "add_tendon",
      [](System& s, const std::vector<GivenPoint>& given) {
        std::vector<TendonPoint> path;
        for (const GivenPoint& point : given) path.push_back(PointOf(point));
        return s.Add(std::make_unique<Tendon>(s.network(), s.dofs(), path));
      },
      "points"_a, nb::rv_policy::reference_internal);
}

}  // namespace strand
