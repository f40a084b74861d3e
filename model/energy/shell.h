// Data of shells: stiffness and natural shape of their edges, hinges and triangles.
//
// Stretching, by default: triangles with E and nu of the sheet (stencil/membrane.h).
//
// Stretching as in the published code: springs. Every edge has the axial stiffness k_s = sqrt(3) /
// 2 E h l; a lattice of equilateral triangles then has the sheet's Young's modulus and a Poisson's
// ratio of 1/3. With mid-edge normals k_s = 2 / (1 - nu^2) E h l instead: a penalty against
// stretching, 4 / sqrt(3) / (1 - nu^2) times too stiff.
//
// Bending by hinges: B = 2 / sqrt(3) E h^3 / 12. On equilateral triangles that is a plate of
// D = E h^3 / 12 and a Poisson's ratio of -1/3 for any nu: the energy per area is
// D / 2 (tr^2 - 8 / 3 det) of the curvature, since phi_k = l sqrt(3) / 2 (kappa_nn - kappa_tt / 3)
// with the curvatures across (n) and along (t) the edge. The constants of springs and hinges are
// those of MAT-DiSMech's code; its paper prints half of both (eq. 10, 17).
//
// Bending by mid-edge normals: stencil/mid_edge.h, for any nu and any triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/config/damping.h"
#include "model/geometry/network.h"

namespace strand {

class Dofs;

/// Model of the resistance to stretching.
enum class Membrane {
  kContinuum,  ///< triangles of constant strain: E and nu on any mesh
  kSprings,    ///< along the edges, as in the published code
};

struct ShellMaterial {
  double young = 0;      ///< E (Pa), >= 0
  double poisson = 0;    ///< nu, > -1, <= 0.5
  double thickness = 0;  ///< h (m), > 0
  double density = 0;    ///< kg/m^3, >= 0
  Membrane membrane = Membrane::kContinuum;
  RayleighDamping damping{};
};

/// k_b = E h^3 / (24 (1 - nu^2)) (N m): stiffness of bending by mid-edge normals.
double MidEdgeFactor(const ShellMaterial& of);

/// B (N m) of a hinge. A clamped hinge (2 B) represents the bending of the adjacent triangle alone,
/// half of the area that belongs to an inner hinge.
double HingeStiffness(const ShellMaterial& of, bool clamped = false);

/// Constant data of the shells' energy. Natural values may be driven.
class ShellRest {
 public:
  /// `material` per shell of the network, whose shape is the rest shape. Throws ConfigError if the
  /// count is wrong or a value is out of range.
  ShellRest(const Network& network, std::span<const ShellMaterial> material);

  int edges() const { return static_cast<int>(edge.size()); }

  // The following throw ConfigError if a mesh edge's index or a value is out of range.

  /// Sets the natural angle (rad) of the hinge at an edge: 0 flat, positive towards the normals.
  void SetNaturalAngle(int edge, double angle);
  /// Sets the rest length (m) of an edge. Triangles keep the stiffness of the original rest shape.
  void SetRestLength(int edge, double length);
  /// Sets the stiffness of bending by mid-edge normals to zero: another force computes it
  /// (FrozenMidEdge).
  void DropMidEdgeBending();

  std::vector<ShellMaterial> material;  ///< per shell
  // Per mesh edge.
  std::vector<MeshEdge> edge;
  std::vector<int> shell_of_edge;
  std::vector<double> axial_stiffness, rest_length;  ///< k_s (N) of springs, else a scale; l (m)
  std::vector<double> hinge_stiffness;               ///< B (N m); 0 with mid-edge normals
  std::vector<double> natural_angle;                 ///< phibar (rad); 0 at the rim
  std::vector<double> near_angle;  ///< rad: a hinge's angle is the one nearest to it (mod 2 pi)
  std::vector<double> natural_rotation;  ///< xibar (rad) of mid-edge normals, 0 at rest
  // Per triangle.
  std::vector<Triangle> triangle;
  std::vector<double> area;  ///< m^2, at rest
  std::vector<int> shell_of_triangle;
  std::vector<std::array<double, 6>> membrane_stiffness;  ///< K_00, 10, 11, .. (N/m^3), or 0
  std::vector<std::array<double, 6>> facet_stiffness;     ///< M_00, 10, 11, 20, 21, 22 (N m), or 0
  std::vector<std::array<double, 3>> facet_weight;        ///< w of each edge (stencil/mid_edge.h)

 private:
  void AddEdge(const Network& network, int shell, int index);
  void AddTriangle(const Network& network, int shell, int index);
};

/// Adds a third of the mass of every triangle (volume h A) to each degree of freedom of its nodes
/// (kg), with the shells' own densities or with a common `density` (kg/m^3). The rotations of
/// mid-edge normals have no mass.
void AddShellMass(const ShellRest& rest, const Dofs& dofs, std::vector<double>* mass);
void AddShellMass(const ShellRest& rest, const Dofs& dofs, double density,
                  std::vector<double>* mass);
/// Adds the mass damping alpha m (N s/m) of the shells.
void AddMassDamping(const ShellRest& rest, const Dofs& dofs, std::vector<double>* drag);

}  // namespace strand
