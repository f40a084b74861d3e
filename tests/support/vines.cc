#include "tests/support/vines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace strand::testing {

Eigen::VectorXd Constraints(const VineChain& chain, const Eigen::VectorXd& q) {
  Eigen::VectorXd c(5 * chain.pairs);
  PairGeometry previous{};
  for (int i = 0; i < chain.pairs; ++i) {
    const PairGeometry here = MakePairGeometry(q, i);
    c.segment<4>(5 * i) = JointErrors(chain, q, i, previous, here);
    c[5 * i + 4] = here.extension;
    previous = here;
  }
  return c;
}

VineScene ClutteredScene() {
  constexpr int kPairs = 25;
  constexpr double kInch = 1 / 39.3701;
  VineScene scene;
  scene.chain = AlikeChain(kPairs, 0.003, 0.002, 5e-6, 0.03, 10e-6);
  scene.chain.base_heading = -52 * std::numbers::pi / 180;
  scene.state = NaturalState(scene.chain);
  scene.options.diameter = 0.015;
  scene.options.dt = 1.0 / 90;
  const double boxes[6][4] = {{5.5, -5, 4, 7},   {4, -17, 7, 5},    {13.5, -17, 8, 6},
                              {13.5, -30, 4, 5}, {20.5, -30, 4, 5}, {13.5, -30, 10, 1}};
  for (const auto& box : boxes) {
    scene.obstacles.push_back(
        MakePlanarBox({box[0] * kInch, box[1] * kInch}, {box[2] * kInch, box[3] * kInch}));
  }
  scene.growth.assign(kPairs, 0.205 / kPairs);
  scene.steps = 269;
  return scene;
}

VineScene OscillationScene() {
  constexpr int kPairs = 5;
  VineScene scene;
  scene.chain = AlikeChain(kPairs, 0.016845, 0.001, 200e-6, 0.5, 30e-6);
  for (double& angle : scene.chain.natural_angle) angle = 0.05;
  scene.state = NaturalState(scene.chain);
  for (double& angle : scene.chain.natural_angle) angle = 0;
  scene.growth.assign(kPairs, 0.0);
  scene.steps = 300;
  return scene;
}

double LineGap(const PlanarObstacle& obstacle, const Vector2& a, const Vector2& b) {
  const auto gap = [&](double t) { return EvaluateGap(obstacle, a + t * (b - a)).gap; };
  double low = 0, high = 1;
  for (int k = 0; k < 80; ++k) {
    const double first = low + (high - low) / 3, second = high - (high - low) / 3;
    (gap(first) < gap(second) ? high : low) = gap(first) < gap(second) ? second : first;
  }
  return std::min({gap(low), gap(0), gap(1)});
}

double SkinGap(const Vine& vine) {
  double least = INFINITY;
  Vector2 start = vine.chain().base;
  for (int i = 0; i < vine.chain().pairs; ++i) {
    const Vector2 end = ContactPoint(vine.chain(), vine.state().q, i);
    for (const PlanarObstacle& obstacle : vine.obstacles()) {
      const double far = least + obstacle.radius + (end - start).norm();
      if ((end - obstacle.centre).norm() > far) continue;
      least = std::min(least, LineGap(obstacle, start, end));
    }
    start = end;
  }
  return least - vine.options().diameter / 2;
}

PlanarObstacle RandomObstacle(Random* random) {
  const Vector2 centre(random->Uniform(0.2, 0.7), random->Uniform(-0.3, 0.3));
  const double size = random->Uniform(0.02, 0.08);
  const double kind = random->Uniform(0, 3);
  if (kind < 1) return MakeCircle(centre, size);
  if (kind < 2) {
    return MakeRotatedBox(centre, random->Uniform(0, 3), 2 * size, random->Uniform(0.02, 0.1));
  }
  std::vector<Vector2> vertices;  // on a circle, hence convex
  const double start = random->Uniform(0, 1);
  for (int k = 0; k < 5; ++k) {
    const double angle = start + kTwoPi * (k + random->Uniform(0, 0.6)) / 5;
    vertices.push_back(centre + size * Vector2(std::cos(angle), std::sin(angle)));
  }
  return MakePolygon(vertices);
}

VineScene RandomScene(std::uint64_t seed) {
  Random random(seed);
  VineScene scene;
  const int pairs = 5 + static_cast<int>(random.Uniform(0, 15));
  const double length = random.Uniform(0.15, 0.3);
  scene.chain = AlikeChain(pairs, length / pairs / 4, 0.001 * random.Uniform(0.5, 3),
                           random.Uniform(5e-6, 200e-6), random.Uniform(0.01, 0.5),
                           random.Uniform(1e-5, 1e-3));
  scene.chain.base_heading = random.Uniform(-0.3, 0.3);
  scene.state = NaturalState(scene.chain);
  scene.options.diameter = random.Uniform(0.01, 0.03);
  scene.growth.assign(pairs, random.Uniform(0.05, 0.3) / pairs);
  scene.steps = 200;
  const int objects = 1 + static_cast<int>(random.Uniform(0, 8));
  while (static_cast<int>(scene.obstacles.size()) < objects) {
    const PlanarObstacle obstacle = RandomObstacle(&random);
    const Vector2 tip = ContactPoint(scene.chain, scene.state.q, pairs - 1);
    if (LineGap(obstacle, scene.chain.base, tip) > scene.options.diameter / 2 + 1e-3)
      scene.obstacles.push_back(obstacle);
  }
  return scene;
}

}  // namespace strand::testing
