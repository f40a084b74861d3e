// What the generator makes a cable of: plain data, SI, free of MuJoCo's headers.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

enum class Root { kEnd, kMiddle };
enum class EndCondition {
  kFree,
  kFixed,  ///< held to the world where it is drawn
  kMocap,  ///< driven by the mocap body `<prefix>start` or `<prefix>end`
  kWeld,   ///< welded to a body of the scene, named in CableDescription::weld_to
};
enum class Integrator { kEuler, kImplicitFast, kDiscrete };

struct CableDescription {
  std::string prefix = "cable_";  ///< of every name; the plugin instance is <prefix>rod
  std::vector<Vector3> nodes;     ///< n + 1 points (m): link k lies between nodes k and k + 1
  Vector3 normal{0, 1, 0};        ///< y axis of the first link (made orthogonal)
  double radius = 0.005;          ///< m
  double density = 1000;          ///< kg/m^3
  std::array<double, 2> EI{};     ///< N m^2, about the links' y and z axes
  double GJ = 0;                  ///< N m^2
  /// Further keys of strand.cable (curvature, twist, rest, ...), handed on as they are.
  std::vector<std::pair<std::string, std::string>> keys;
  bool closed = false;  ///< the last node is the first: closed by a connect constraint
  Root root = Root::kEnd;
  std::array<EndCondition, 2> ends{EndCondition::kFree, EndCondition::kFree};
  std::array<std::string, 2> weld_to;
  double damping = 0;  ///< of each joint (N m s/rad)
  /// Numerical stiffness for large steps, by the recipe of plugin/mujoco/README.md.
  bool stabilize = true;
  Integrator integrator = Integrator::kDiscrete;
  double timestep = 0.002;  ///< s
  std::array<double, 3> gravity{0, 0, -9.81};
  bool collide = true;
  double friction = 0.6;  ///< sliding
  std::array<float, 4> rgba{0.15f, 0.35f, 0.65f, 1.0f};
};

}  // namespace strand
