// Growing robots in the extension module.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "model/config/parse.h"
#include "model/vine/vine.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

// Points in the plane as rows of an array.
using Rows2 = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;
using RowsX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<Vector2> ToPoints2(const Rows2& rows) {
  std::vector<Vector2> points;
  for (Eigen::Index k = 0; k < rows.rows(); ++k) points.push_back(rows.row(k));
  return points;
}

Rows2 ToRows2(const std::vector<Vector2>& points) {
  Rows2 rows(points.size(), 2);
  for (size_t k = 0; k < points.size(); ++k) rows.row(k) = points[k];
  return rows;
}

// State of the bodies as rows of three numbers.
RowsX ToBodies(const Eigen::VectorXd& x, int bodies) {
  return Eigen::Map<const RowsX>(x.data(), bodies, 3);
}

Eigen::VectorXd FromBodies(const char* field, const RowsX& rows, int bodies) {
  CheckCount(field, rows.size(), 3 * static_cast<size_t>(bodies));
  return Eigen::Map<const Eigen::VectorXd>(rows.data(), rows.size());
}

const char* StatusName(VineStatus status) {
  constexpr const char* kNames[] = {"solved",        "infeasible", "dependent",
                                    "not_converged", "full",       "nothing_left"};
  return kNames[static_cast<int>(status)];
}

// One row per contact: place, object, normal impulse, friction impulse, normal (two components).
RowsX Contacts(const Vine& vine) {
  RowsX rows(vine.contacts().size(), 6);
  Eigen::Index row = 0;
  for (const VineContact& c : vine.contacts()) {
    // A place on the segment that ends at a point is between this point and the one before.
    rows.row(row++) << c.point - (1 - c.share), c.object, c.impulse, c.friction, c.normal.x(),
        c.normal.y();
  }
  return rows;
}

// Gap, normal and curvature of an obstacle at each point (one row each).
nb::tuple GapsAt(const PlanarObstacle& obstacle, const Rows2& points) {
  Eigen::VectorXd gap(points.rows()), curvature(points.rows());
  Rows2 normal(points.rows(), 2);
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    const PlanarGap at = EvaluateGap(obstacle, points.row(k));
    gap[k] = at.gap, normal.row(k) = at.normal, curvature[k] = at.curvature;
  }
  return nb::make_tuple(gap, normal, curvature);
}

void BindObstacles(nb::module_& module) {
  nb::class_<PlanarObstacle>(module, "PlanarObstacle")
      .def_prop_ro("shape", [](const PlanarObstacle& o) { return ObstacleName(o); })
      .def_ro("centre", &PlanarObstacle::centre)
      .def_ro("radius", &PlanarObstacle::radius)
      .def_prop_ro("vertices", [](const PlanarObstacle& o) { return ToRows2(o.vertex); })
      .def("gap", &GapsAt, "points"_a);
  module.def("planar_circle", &MakeCircle, "centre"_a, "radius"_a);
  module.def(
      "planar_polygon", [](const Rows2& v) { return MakePolygon(ToPoints2(v)); }, "vertices"_a);
  module.def("planar_box", &MakePlanarBox, "corner"_a, "size"_a);
  module.def("planar_rotated_box", &MakeRotatedBox, "centre"_a, "angle"_a, "length"_a, "width"_a);
}

void BindConfig(nb::module_& module) {
  nb::class_<VineMaterial>(module, "VineMaterial")
      .def(nb::init<>())
      .def_rw("EI", &VineMaterial::EI)
      .def_rw("bending_damping", &VineMaterial::bending_damping)
      .def_rw("mass_per_length", &VineMaterial::mass_per_length)
      .def_rw("curvature", &VineMaterial::curvature);
  nb::class_<VineChain>(module, "VineChain")
      .def(nb::init<>())
      .def_rw("pairs", &VineChain::pairs)
      .def_rw("pinned", &VineChain::pinned)
      .def_rw("base", &VineChain::base)
      .def_rw("base_heading", &VineChain::base_heading)
      .def_rw("half_length", &VineChain::half_length)
      .def_rw("mass", &VineChain::mass)
      .def_rw("inertia", &VineChain::inertia)
      .def_rw("stiffness", &VineChain::stiffness)
      .def_rw("damping", &VineChain::damping)
      .def_rw("natural_angle", &VineChain::natural_angle)
      .def("natural_positions",
           [](const VineChain& chain) { return ToBodies(NaturalState(chain).q, chain.bodies()); });
  module.def("uniform_vine_chain", &MakeUniformChain, "material"_a, "diameter"_a, "length"_a,
             "segments"_a, "capacity"_a, "base"_a, "heading"_a);
  nb::class_<VineOptions>(module, "VineOptions")
      .def(nb::init<>())
      .def_rw("dt", &VineOptions::dt)
      .def_rw("diameter", &VineOptions::diameter)
      .def_rw("implicit_bending", &VineOptions::implicit_bending)
      .def_rw("friction", &VineOptions::friction)
      .def_rw("segment_contact", &VineOptions::segment_contact)
      .def_rw("self_contact", &VineOptions::self_contact)
      .def_rw("gravity", &VineOptions::gravity)
      .def_rw("material", &VineOptions::material)
      .def_rw("segment", &VineOptions::segment)
      .def_rw("tolerance", &VineOptions::tolerance)
      .def_rw("max_iterations", &VineOptions::max_iterations)
      .def_rw("max_halvings", &VineOptions::max_halvings)
      .def(
          "set_mode",
          [](VineOptions& o, const std::string& mode) {
            o.mode = static_cast<VineMode>(ParseChoice("mode", mode, {"converged", "single_qp"}));
          },
          "mode"_a)
      .def(
          "set_growth",
          [](VineOptions& o, const std::string& growth) {
            const int at = ParseChoice("growth", growth, {"telescoping", "tip"});
            o.growth = static_cast<VineGrowth>(at);
          },
          "growth"_a)
      .def(
          "set_corner_normal",
          [](VineOptions& o, const std::string& normal) {
            const int at = ParseChoice("corner_normal", normal, {"gradient", "published"});
            o.corner_normal = static_cast<CornerNormal>(at);
          },
          "normal"_a);
}

void BindVine(nb::module_& module) {
  nb::class_<VineReport>(module, "VineReport")
      .def_prop_ro("status", [](const VineReport& r) { return StatusName(r.status); })
      .def_prop_ro("ok", &VineReport::ok)
      .def_ro("steps", &VineReport::steps)
      .def_ro("iterations", &VineReport::iterations)
      .def_ro("pivots", &VineReport::pivots)
      .def_ro("contacts", &VineReport::contacts)
      .def_ro("joint_error", &VineReport::joint_error)
      .def_ro("least_gap", &VineReport::least_gap)
      .def_ro("point", &VineReport::point)
      .def_ro("object", &VineReport::object)
      .def_ro("on_segment", &VineReport::on_segment)
      .def_ro("pair", &VineReport::pair);
  nb::class_<Vine>(module, "Vine")
      .def(
          "__init__",
          [](Vine* self, const VineChain& chain, const RowsX& q, const RowsX& v,
             const VineOptions& options, const std::vector<PlanarObstacle>& obstacles) {
            const VineState state{FromBodies("q", q, chain.bodies()),
                                  FromBodies("v", v, chain.bodies())};
            new (self) Vine(chain, state, options, obstacles);
          },
          "chain"_a, "q"_a, "v"_a, "options"_a, "obstacles"_a)
      .def(
          "step", [](Vine& self, const std::vector<double>& rates) { return self.Step(rates); },
          "rates"_a)
      .def(
          "step", [](Vine& self, double whole) { return self.Step(self.SharedRates(whole)); },
          "whole"_a)
      .def("describe", &Vine::Describe, "report"_a)
      .def("check", &Vine::CheckState)
      .def(
          "set_state",
          [](Vine& self, const RowsX& q, const RowsX& v) {
            const int bodies = self.chain().bodies();
            self.SetState({FromBodies("q", q, bodies), FromBodies("v", v, bodies)});
          },
          "q"_a, "v"_a)
      .def(
          "set_natural_angles",
          [](Vine& self, const std::vector<double>& angles) { self.SetNaturalAngles(angles); },
          "angles"_a)
      .def_prop_ro("q", [](const Vine& s) { return ToBodies(s.state().q, s.chain().bodies()); })
      .def_prop_ro("v", [](const Vine& s) { return ToBodies(s.state().v, s.chain().bodies()); })
      .def_prop_ro("points",
                   [](const Vine& s) {
                     Rows2 points(s.chain().pairs, 2);
                     for (int i = 0; i < s.chain().pairs; ++i) {
                       points.row(i) = ContactPoint(s.chain(), s.state().q, i);
                     }
                     return points;
                   })
      .def_prop_ro("contacts", &Contacts)
      .def_prop_ro("pairs", [](const Vine& s) { return s.chain().pairs; })
      .def_prop_ro("time", &Vine::time)
      .def_prop_ro("tip", &Vine::tip)
      .def_prop_ro("length", [](const Vine& s) { return ChainLength(s.chain(), s.state().q); })
      .def_prop_ro("energy", [](const Vine& s) {
        const VineEnergy e = EvaluateEnergy(s.chain(), s.state(), s.options().gravity);
        return nb::make_tuple(e.kinetic, e.bending, e.gravity);
      });
}

}  // namespace

void BindVines(nb::module_& module) {
  BindObstacles(module);
  BindConfig(module);
  BindVine(module);
}

}  // namespace strand
