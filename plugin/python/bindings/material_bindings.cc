// Cross-sections, materials and what a System is made of, in the extension module.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "model/compat/mujoco_3_law.h"
#include "model/config/parse.h"
#include "model/config/rod_material.h"
#include "model/config/slip_law.h"
#include "model/stencil/feed.h"
#include "plugin/python/bindings/core_bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace strand {
namespace {

void BindSections(nb::module_& module) {
  nb::class_<Section>(module, "Section", "Geometric properties of a cross-section.")
      .def_ro("area", &Section::area, "m^2")
      .def_ro("second_moment_y", &Section::second_moment_y, "m^4, bending about y")
      .def_ro("second_moment_z", &Section::second_moment_z, "m^4, bending about z")
      .def_ro("torsion_constant", &Section::torsion_constant, "m^4")
      .def_ro("half_y", &Section::half_y, "m, outermost fibre along y")
      .def_ro("half_z", &Section::half_z, "m, outermost fibre along z")
      .def_prop_ro("bending_modulus", &BendingModulus,
                   "m^3, moment per largest stress where the section bends most easily");
  module.def("circle_section", &CircleSection, "radius"_a, "A solid circle (radius in m).");
  module.def("roark_rectangle_section", &RoarkRectangleSection, "half_y"_a, "half_z"_a,
             "A solid rectangle with half-widths in m and Roark's torsion constant.");
  module.def("shear_modulus", &ShearModulus, "young"_a, "poisson"_a, "G = E / (2 (1 + nu)), Pa.");
  module.def(
      "rod_stiffness",
      [](double young, double shear, const Section& section) {
        const auto [EI, GJ] = StiffnessOf(young, shear, section);
        return std::pair(std::pair(EI[0], EI[1]), GJ);
      },
      "young"_a, "shear"_a, "section"_a, "EI about y and z, and GJ (N m^2), of moduli in Pa.");
  module.def(
      "feed_stiffness",
      [](double outside) {
        return std::pair(FeedStiffnessAtMouth(outside).factor,
                         FeedStiffnessAfterMouth(outside).factor);
      },
      "outside"_a,
      "Stiffness of the joints before and after the link at the mouth of a guide, of which this "
      "fraction is outside, as multiples of their own.");
  module.def("mujoco_3_length_factor", &Mujoco3LengthFactor, "first"_a, "second"_a,
             "Of stiffnesses that MuJoCo 3's cable plugin divided by the first link's length.");
  module.attr("mujoco_3_floor") = kMujoco3Floor;
  module.def("von_mises_stress", &VonMisesStress, "bending"_a, "torsion"_a, "axial"_a,
             "Pa, from a section's largest stresses (model/config/section.h).");
}

using Pairs = std::vector<std::pair<double, double>>;

std::vector<SlipElement> ToElements(const Pairs& pairs) {
  std::vector<SlipElement> elements;
  for (const auto& [share, threshold] : pairs) elements.push_back({share, threshold});
  return elements;
}

Pairs ToPairs(const std::vector<SlipElement>& elements) {
  Pairs pairs;
  for (const auto& [share, threshold] : elements) pairs.emplace_back(share, threshold);
  return pairs;
}

void BindSlip(nb::module_& module) {
  nb::class_<RodStiffness>(module, "RodStiffness", "Bending and twisting stiffness of a rod.")
      .def_ro("EI", &RodStiffness::EI, "N m^2, two")
      .def_ro("GJ", &RodStiffness::GJ, "N m^2");
  nb::class_<JointSlip>(module, "JointSlip",
                        "Elements of a joint that slip (model/config/slip_law.h): pairs of a share "
                        "of its stiffness and a strain per length.")
      .def(
          "__init__",
          [](JointSlip* self, const Pairs& bend, const Pairs& twist) {
            new (self) JointSlip{ToElements(bend), ToElements(twist)};
          },
          "bend"_a, "twist"_a)
      .def_prop_ro(
          "bend", [](const JointSlip& self) { return ToPairs(self.bend); }, "1/m")
      .def_prop_ro("twist", [](const JointSlip& self) { return ToPairs(self.twist); }, "rad/m");
  module.def(
      "slip_of",
      [](const Section& a, const Section& b, const std::array<double, 2>& EI, double GJ,
         double stress) { return SlipOf(a, b, {EI, GJ}, stress); },
      "a"_a, "b"_a, "EI"_a, "GJ"_a, "stress"_a,
      "Elements of a joint of this stiffness (N m^2) between edges with these sections that yield "
      "at `stress` (Pa).");
}

void BindMaterials(nb::module_& module) {
  nb::class_<EdgeMaterial>(module, "EdgeMaterial", "Stiffness and mass of a rod's edge.")
      .def(
          "__init__",
          [](EdgeMaterial* self, double EA, const std::array<double, 2>& EI, double GJ,
             double mass_per_length, double spin_inertia_per_length, double mass_damping,
             double material_damping) {
            new (self) EdgeMaterial{EA,
                                    EI,
                                    GJ,
                                    mass_per_length,
                                    spin_inertia_per_length,
                                    {mass_damping, material_damping}};
          },
          nb::kw_only(), "EA"_a, "EI"_a, "GJ"_a, "mass_per_length"_a, "spin_inertia_per_length"_a,
          "mass_damping"_a = 0.0, "material_damping"_a = 0.0);
  nb::class_<ShellMaterial>(module, "ShellMaterial", "Material of a shell.")
      .def(
          "__init__",
          [](ShellMaterial* self, double young, double poisson, double thickness, double density,
             const std::string& membrane, double mass_damping, double material_damping) {
            const int how = ParseChoice("membrane", membrane, {"continuum", "springs"});
            new (self) ShellMaterial{young,
                                     poisson,
                                     thickness,
                                     density,
                                     static_cast<Membrane>(how),
                                     {mass_damping, material_damping}};
          },
          nb::kw_only(), "young"_a, "poisson"_a, "thickness"_a, "density"_a, "membrane"_a,
          "mass_damping"_a = 0.0, "material_damping"_a = 0.0);
  nb::class_<BodyMaterial>(module, "BodyMaterial", "Mass of a rigid body, and its stiffness.")
      .def(
          "__init__",
          [](BodyMaterial* self, double mass, double stiffness) {
            new (self) BodyMaterial{mass, stiffness};
          },
          nb::kw_only(), "mass"_a, "stiffness"_a = 0.0);
}

}  // namespace

void BindMaterial(nb::module_& module) {
  BindSections(module);
  BindSlip(module);
  BindMaterials(module);
  nb::class_<SystemParameters>(module, "SystemParameters", "What a network is made of.")
      .def(
          "__init__",
          [](SystemParameters* self, const std::vector<EdgeMaterial>& material,
             const std::vector<ShellMaterial>& shell, const std::vector<BodyMaterial>& body,
             const std::string& curvature, const std::string& average, bool twist,
             bool rest_straight, const std::string& junctions, bool frozen_mid_edge) {
            const auto chosen = static_cast<ChainCurvature>(
                ParseChoice("curvature", curvature, kChainCurvatureNames));
            const auto averaged = static_cast<BendAverage>(
                ParseChoice("average", average, {"middle", "energies", "curvatures"}));
            const bool pairs = ParseChoice("junctions", junctions, {"hub", "pairs"}) == 1;
            const ElasticOptions elastic{
                MeasureOf(chosen), OrderOf(chosen),
                averaged,          twist,
                rest_straight,     pairs ? Junction::kPairs : Junction::kHub};
            new (self) SystemParameters{material, shell, elastic, frozen_mid_edge, body};
          },
          nb::kw_only(), "material"_a, "shell"_a, "body"_a, "curvature"_a, "average"_a, "twist"_a,
          "rest_straight"_a, "junctions"_a, "frozen_mid_edge"_a);
}

}  // namespace strand
