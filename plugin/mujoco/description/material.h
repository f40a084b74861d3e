// Properties of a cable along its length: section, density and elastic constants.
#pragma once

#include <vector>

#include "model/config/rod_material.h"
#include "model/energy/rod.h"
#include "model/geometry/frame.h"
#include "plugin/mujoco/description/description.h"

namespace strand::mujoco {

/// The description's section; `radius` (m) is the local radius, for circles and tubes only.
Section MakeSection(const SectionDescription& section, double radius);

/// Mass of a segment of the cable, and its inertia about its own centre of mass.
struct PartMass {
  double mass = 0;                    ///< kg
  double center = 0;                  ///< m from the start of the segment
  Vector3 inertia = Vector3::Zero();  ///< kg m^2, about the link's x, y and z axes
};

/// Radius and density are constant or linear between breaks, and the elastic constants follow from
/// them. Integrals use five-point Gauss quadrature between breaks, exact for masses and inertias.
class Material {
 public:
  /// `nodes`: arclength (m) of every node. Throws ConfigError if the stiffness is missing or given
  /// twice, or if stretches overlap or extend beyond the cable's end.
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
