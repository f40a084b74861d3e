// What a cable is made of along its length: section, density and elastic constants.
#pragma once

#include <vector>

#include "model/config/rod_material.h"
#include "model/energy/rod.h"
#include "model/geometry/frame.h"
#include "plugin/mujoco/description/description.h"

namespace strand::mujoco {

/// Section of the description, at a radius (m) that circles and tubes have there.
Section MakeSection(const SectionDescription& section, double radius);

/// Mass of a part of the cable, and its inertia about its own centre of mass.
struct PartMass {
  double mass = 0;                    ///< kg
  double center = 0;                  ///< m from where the part begins
  Vector3 inertia = Vector3::Zero();  ///< kg m^2, about the link's x, y and z axes
};

/// Radius and density are constant or linear between breaks, the elastic constants follow.
/// Integrals are Gauss's with five points between breaks: exact for masses and inertias.
class Material {
 public:
  /// `nodes`: arclength (m) of every node. Throws ConfigError where stiffness is not given, or
  /// given twice, and where stretches overlap or go beyond the cable's end.
  Material(const CableDescription& cable, const std::vector<double>& nodes);

  PartMass Mass(double begin, double end) const;
  double MeanRadius(double begin, double end) const;  ///< m
  double Radius(double arclength) const;              ///< m

  /// What lies between acts in series: 1 / EI is the mean of 1 / EI(s), which keeps the chain
  /// second-order accurate wherever the breaks lie. An end beyond the cable's continues at its
  /// start.
  RodStiffness Stiffness(double begin, double end) const;

  bool isotropic() const { return isotropic_; }

 private:
  struct Piece {
    double begin, end;              // arclength (m)
    std::array<double, 2> radius;   // m, at begin and end
    std::array<double, 2> density;  // kg / m^3
    const Stretch* stretch;         // null where there is none
    Section section;                // at begin
  };
  struct Place {
    double arclength, radius, density;
    Section section;
    const Piece& piece;
  };

  Place At(const Piece& piece, double arclength) const;
  RodStiffness StiffnessAt(const Place& place) const;
  template <class Integrand>
  void Integrate(double begin, double end, const Integrand& add) const;

  const CableDescription& cable_;
  std::vector<Stretch> stretches_;  // in order
  std::vector<Piece> pieces_;
  bool isotropic_ = true;
};

}  // namespace strand::mujoco
