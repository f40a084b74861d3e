// The generator's input: a cable as plain data in SI units, without MuJoCo's headers. A field is
// optional where the generator chooses the value if the user does not.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/energy/rod.h"
#include "model/geometry/frame.h"

namespace strand {

enum class SectionShape { kCircle, kTube, kBox, kEllipse };
enum class Root { kAuto, kEnd, kMiddle };
enum class EndCondition {
  kFree,
  kFixed,  ///< held in its initial pose by the body that the cable is attached to
  kBall,   ///< as kFixed, but free to turn
  kWeld,   ///< held by the body or site named in CableDescription::end_to
  kPin,    ///< as kWeld, but free to turn
  kMocap,  ///< held by the mocap body `<prefix>start` or `<prefix>end`
  kFeed,   ///< slides out of the body that the cable is attached to, along the first link
};
/// What is held at a held end: the direction of the rod at its first or last node (the joint there
/// spans half a link), or the pose of the whole first or last link.
enum class Clamp { kNode, kLink };
enum class RestShape { kDrawn, kStraight };
/// Chosen by the generator, or a ChainCurvature (in the same order).
enum class Curvature { kAuto, kAngle, kTangent, kSmooth4, kSmooth };
enum class Twist { kAuto, kQuasistatic, kDynamic };
enum class Integrator { kAuto, kEuler, kImplicit, kImplicitFast, kDiscrete };

struct SectionDescription {
  SectionShape shape = SectionShape::kCircle;
  /// Of circle and tube (m): one value; two (start and end, linear in between); or one per link.
  std::vector<double> radius{0.005};
  double inner_radius = 0;  ///< of a tube (m)
  double width = 0;         ///< of box and ellipse, along the links' y axes (m)
  double height = 0;        ///< of box and ellipse, along the links' z axes (m)
};

/// Either EI and GJ, or young and one of shear and poisson.
struct Stiffness {
  std::optional<std::array<double, 2>> EI;  ///< N m^2, about the links' y and z axes
  std::optional<double> GJ;                 ///< N m^2
  std::optional<double> young, shear;       ///< Pa
  std::optional<double> poisson;
};

/// Where the material leaves elasticity: it yields, or its strands slip (model/stencil/slip.h).
struct SlipDescription {
  std::optional<double> yield_stress;  ///< Pa, of the section's fibres
  /// In place of it: pairs of a share of the stiffness and the strain per length (1/m, rad/m) at
  /// which it slips.
  std::optional<std::vector<double>> bend_elements, twist_elements;
  /// Plastic moduli of kinematic and, if given, isotropic hardening as fractions of the elastic
  /// one.
  std::optional<std::vector<double>> hardening;

  bool given() const { return yield_stress || bend_elements || twist_elements; }
};

/// A stretch of the cable with its own properties; those not given are as in the rest of the cable.
struct Stretch {
  double begin = 0, end = 0;  ///< arclength (m)
  Stiffness stiffness;
  std::optional<double> radius;   ///< of circle and tube (m)
  std::optional<double> density;  ///< kg/m^3
};

/// How the cable loses energy. At most one of the first three is given; they set the joints'
/// viscous damping (N m s/rad).
struct Damping {
  std::optional<double> joint;  ///< of each joint (N m s/rad)
  std::optional<double>
      loss_time;                ///< ratio of viscous to elastic moment's rate (s): D = tau EI / l
  std::optional<double> ratio;  ///< damping ratio of the first bending mode
  double whip = 1;              ///< scales the damping that keeps chains from cracking like whips
};

struct ContactDescription {
  bool collide = true;
  bool self_contact = true;
  std::vector<double> friction{0.6};  ///< sliding; spinning (m); rolling (m)
  int condim = 3;
  int contype = 1, conaffinity = 1;
  double margin = 0;  ///< m
  int priority = 1;   ///< the geom of higher priority sets friction and softness of a contact
  std::optional<std::array<double, 2>> solref;
  std::optional<std::vector<double>> solimp;  ///< 3 to 5 numbers
};

/// Where a cable is joined to others by branches. It follows from the list of branches.
struct Junctions {
  std::vector<int> nodes;  ///< at which branches start, in order, each once
  bool at_start = false;   ///< this cable starts at a junction of another one
  /// Of that junction (N m/rad), in bending and twist; none: rigid.
  std::optional<std::array<double, 2>> stiffness;
};

struct Branch;

struct CableDescription {
  std::string prefix = "cable_";  ///< goes before every name; the plugin instance is <prefix>rod

  std::vector<Vector3> nodes;     ///< n + 1 points (m): link k lies between nodes k and k + 1
  std::optional<Vector3> normal;  ///< y axis of the first link (made orthogonal)
  Vector3 pos = Vector3::Zero();  ///< start pose: the nodes are given in this frame (m)
  std::array<double, 4> quat{1, 0, 0, 0};
  bool closed = false;  ///< the last node coincides with the first: closed by a weld

  SectionDescription section;
  std::vector<double> density{1000};  ///< kg/m^3: one, two or one per link, as for radius
  Stiffness stiffness;
  SlipDescription slip;
  std::vector<Stretch> stretches;
  RestShape rest = RestShape::kDrawn;
  double rest_twist = 0;  ///< rad
  Curvature curvature = Curvature::kAuto;
  Twist twist = Twist::kAuto;
  Damping damping;

  Root root = Root::kAuto;
  /// Links per kinematic tree; 0: the whole cable is one tree.
  std::optional<int> pieces;
  std::array<EndCondition, 2> ends{EndCondition::kFree, EndCondition::kFree};
  std::array<std::string, 2> end_to;
  Clamp clamp = Clamp::kNode;
  /// Length (m) outside of the body that a start with kFeed slides out of; none: all that can be.
  std::optional<double> fed;

  ContactDescription contact;
  std::array<float, 4> rgba{0.15f, 0.35f, 0.65f, 1.0f};
  std::optional<int> group;  ///< of the geoms: 0, or 3 (hidden) with a skin
  bool skin = false;         ///< a smooth tube
  /// Von Mises stresses (Pa) drawn blue and red.
  std::optional<std::array<double, 2>> color;

  Integrator integrator = Integrator::kAuto;
  std::optional<double> timestep;     ///< s
  bool stabilize = true;              ///< numerical stiffness for large steps
  std::optional<double> max_tension;  ///< N: stable up to this; by default the tension known
  std::array<double, 3> gravity{0, 0, -9.81};

  std::vector<Branch> branches;
  Junctions junctions;

  /// Further keys of strand.cable (curvature, holds, color, ...), passed on unchanged; they
  /// override the keys that follow from the fields above.
  std::vector<std::pair<std::string, std::string>> keys;
};

/// A cable that starts at a node of another cable, to which a junction joins it.
struct Branch {
  std::string name;             ///< its prefix is that of the cable, its name and "_"
  std::string on;               ///< name of the branch on which it starts; empty: the cable itself
  double at = 0;                ///< arclength along that one (m); the nearest node is used
  std::optional<double> angle;  ///< rad: of its x axis to that one's direction at the node
  double azimuth = 0;           ///< rad: turns this about the direction, from the y axis
  std::optional<std::array<double, 2>> junction;  ///< as Junctions::stiffness
  /// Drawn from its first node, in the frame at the junction or, without an angle, in the frame of
  /// the cable. Its start is free and it has no branches of its own.
  CableDescription cable;
};

}  // namespace strand
