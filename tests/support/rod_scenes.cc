#include "tests/support/rod_scenes.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "tests/support/random.h"

namespace strand::testing {
namespace {

// Builds scenes with random joint positions.
class SceneBuilder {
 public:
  explicit SceneBuilder(std::uint64_t seed) : random_(seed) {}

  TreeJoint Ball() { return {.type = JointType::kBall, .turned = random_.Rotation()}; }
  TreeJoint Free() { return {.type = JointType::kFree, .turned = random_.Rotation()}; }
  static TreeJoint Slide() { return {.type = JointType::kSlide}; }
  TreeJoint Hinge() {
    const Vector3 axis = random_.Direction();
    return {.type = JointType::kHinge, .axis = axis, .angle = random_.Uniform(-2, 2)};
  }

  // Puts links `first` to `last` on an existing body, outwards, with one ball joint each.
  void Grow(int body, int first, int last, RodScene* scene) {
    const int step = last < first ? -1 : 1;
    for (int k = first; k != last + step; k += step) {
      body = scene->tree.AddBody(body, {Ball()});
      scene->link_body[k] = body;
    }
  }

  // Puts link `root` with `joints` on `parent`, and the other links on it towards both ends.
  void GrowFrom(int parent, int first, int root, int last, std::vector<TreeJoint> joints,
                RodScene* scene) {
    const int body = scene->tree.AddBody(parent, std::move(joints));
    scene->link_body[root] = body;
    if (root > first) Grow(body, root - 1, first, scene);
    if (root < last) Grow(body, root + 1, last, scene);
  }

 private:
  Random random_;
};

RodScene EmptyScene(int links) {
  RodScene scene;
  scene.link_body.assign(links, -1);
  return scene;
}

}  // namespace

RodScene SerialScene(int links) {
  SceneBuilder build(1);
  RodScene scene = EmptyScene(links);
  build.GrowFrom(0, 0, 0, links - 1, {}, &scene);
  return scene;
}

RodScene MiddleRootScene(int links) {
  SceneBuilder build(2);
  RodScene scene = EmptyScene(links);
  build.GrowFrom(0, 0, links / 2, links - 1, {build.Free()}, &scene);
  scene.idle_bodies = {scene.link_body[links / 2]};
  return scene;
}

RodScene RobotScene(int links) {
  SceneBuilder build(3);
  RodScene scene = EmptyScene(links);
  const int base = scene.tree.AddBody(0, {build.Slide(), build.Hinge()});
  const int arm = scene.tree.AddBody(base, {build.Hinge(), build.Hinge()});
  const int hand = scene.tree.AddBody(arm, {});
  build.GrowFrom(hand, 0, links / 3, links - 1, {build.Ball()}, &scene);
  const int tool = scene.tree.AddBody(scene.link_body[links - 1], {build.Hinge(), build.Slide()});
  scene.idle_bodies = {base, arm, hand, tool, scene.link_body[links / 3]};
  return scene;
}

RodScene ForeignBodyScene(int links) {
  SceneBuilder build(4);
  RodScene scene = EmptyScene(links);
  int body = 0;
  for (int k = 0; k < links; ++k) {
    if (k % 3 == 1) body = scene.tree.AddBody(body, {build.Slide(), build.Hinge()});
    std::vector<TreeJoint> joints{build.Ball()};
    if (k % 4 == 0) joints = {build.Hinge(), build.Hinge()};
    if (k % 4 == 2) joints = {build.Slide(), build.Ball(), build.Hinge()};
    if (k == 0) joints = {build.Free()};
    body = scene.tree.AddBody(body, joints);
    scene.link_body[k] = body;
  }
  scene.idle_bodies = {scene.link_body[0]};
  return scene;
}

RodScene SeveralTreesScene(int links) {
  SceneBuilder build(5);
  RodScene scene = EmptyScene(links);
  const int third = std::max(1, links / 3);
  const int cut[] = {0, third, std::max(third, links - third), links};
  for (int part : {2, 0, 1}) {
    const int first = cut[part], last = cut[part + 1] - 1;
    if (first > last) continue;
    build.GrowFrom(0, first, (first + last) / 2, last, {build.Free()}, &scene);
  }
  return scene;
}

RodScene TwoArmsScene(int links) {
  SceneBuilder build(6);
  RodScene scene = EmptyScene(links);
  const int torso = scene.tree.AddBody(0, {build.Slide(), build.Hinge()});
  const int left = scene.tree.AddBody(torso, {build.Hinge()});
  const int right = scene.tree.AddBody(torso, {build.Hinge(), build.Hinge()});
  const int half = links / 2;
  build.GrowFrom(left, 0, 0, half - 1, {build.Hinge()}, &scene);
  build.GrowFrom(right, half, links - 1, links - 1, {}, &scene);
  scene.idle_bodies = {torso};
  return scene;
}

void PoseScene(std::span<const Frame> frames, RodScene* scene) {
  std::vector<int> order(frames.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return scene->link_body[a] < scene->link_body[b]; });
  for (int k : order) scene->tree.PlaceBody(scene->link_body[k], frames[k]);
}

}  // namespace strand::testing
