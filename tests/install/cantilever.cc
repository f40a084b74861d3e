// Prints the sag under its weight of a steel wire of 1 m, clamped at one end.
#include <cstdio>
#include <memory>

#include "model/config/section.h"
#include "model/energy/loads.h"
#include "model/geometry/curve.h"
#include "model/integrator/statics.h"

int main() {
  const int edges = 50;
  strand::Network network;
  network.AddRod(strand::StraightNodes(1.0, edges), strand::Vector3::UnitZ());
  network.Clamp(0, 0);

  const double young = 200e9, shear = 77e9, density = 7800;  // Pa, Pa, kg/m^3
  const strand::Section section = strand::CircleSection(0.001);
  const double EI = young * section.second_moment_y;
  const strand::EdgeMaterial wire{.EA = young * section.area,
                                  .EI = {EI, EI},
                                  .GJ = shear * section.torsion_constant,
                                  .mass_per_length = density * section.area};
  strand::SystemParameters parameters;
  parameters.material.assign(network.edges(), wire);
  strand::System system(network, parameters);
  for (int c = 0; c < 3; ++c) system.Lock(system.dofs().node(0) + c);
  system.Add(std::make_unique<strand::Gravity>(system.dofs(), system.mass(),
                                               strand::Vector3(0, 0, -9.81)));
  strand::SolveStatics(system, {});
  std::printf("%.6f m\n", -system.Positions()[edges].z());
}
