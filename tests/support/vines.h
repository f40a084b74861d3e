// Growing robots for tests: the published scenes in SI units, and random surroundings.
#pragma once

#include <cstdint>
#include <vector>

#include "model/vine/vine.h"
#include "tests/support/random.h"

namespace strand::testing {

/// Pin, prismatic joint and extension of every pair: five rows each.
Eigen::VectorXd Constraints(const VineChain& chain, const Eigen::VectorXd& q);

struct VineScene {
  VineChain chain;
  VineState state;
  VineOptions options;
  std::vector<PlanarObstacle> obstacles;
  std::vector<double> growth;  // of every pair (m/s)
  int steps = 0;

  Vine Make() const { return Vine(chain, state, options, obstacles); }
};

// The next three are inline, since the benchmarks use them without the library of the tests.

/// Equal pairs: half length (m), mass (kg), inertia (kg m^2), stiffness (N m), damping (N m s).
inline VineChain AlikeChain(int pairs, double half_length, double mass, double inertia,
                            double stiffness, double damping) {
  VineChain chain;
  chain.pairs = pairs;
  chain.half_length.assign(pairs, half_length);
  chain.mass.assign(pairs, mass);
  chain.inertia.assign(pairs, inertia);
  chain.stiffness.assign(pairs, stiffness);
  chain.damping.assign(pairs, damping);
  chain.natural_angle.assign(pairs, 0.0);
  return chain;
}

/// Options for steps as in the published program.
inline void UsePublishedStep(VineOptions* options) {
  options->mode = VineMode::kSingleQp;
  options->implicit_bending = false;
  options->corner_normal = CornerNormal::kPublished;
  options->segment_contact = false;
}

/// 30 bodies in the paper: grows past a circle.
inline VineScene RuntimeScene(int bodies) {
  const int pairs = bodies / 2;
  VineScene scene;
  scene.chain = AlikeChain(pairs, 0.1 / pairs, 0.001, 200e-6, 0.5, 30e-6);
  scene.state = NaturalState(scene.chain);
  scene.obstacles.push_back(MakeCircle({0.470, 0.025}, 0.060));
  scene.growth.assign(pairs, 0.040 / pairs);
  scene.steps = 399;
  return scene;
}

/// 50 bodies between boxes given in inches of the published program, 1 m = 39.3701 inches.
VineScene ClutteredScene();

/// A bent robot is released: the case of the published recipe.
VineScene OscillationScene();

/// Smallest gap (m) between an obstacle and the straight line from a to b, by a search along it:
/// the signed distance from a convex body is a convex function.
double LineGap(const PlanarObstacle& obstacle, const Vector2& a, const Vector2& b);

/// Smallest gap (m) between obstacles and the skin of a robot, whose every segment is a straight
/// line between its contact points.
double SkinGap(const Vine& vine);

PlanarObstacle RandomObstacle(Random* random);

/// A straight robot at the origin, among up to eight obstacles that it does not touch.
VineScene RandomScene(std::uint64_t seed);

}  // namespace strand::testing
