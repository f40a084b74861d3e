#include "model/reduction/joint_torque.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/energy/rod.h"
#include "model/stencil/edge.h"
#include "tests/support/random.h"
#include "tests/support/rod_scenes.h"
#include "tests/support/rods.h"

namespace strand {
namespace joint_torque_test {

using testing::MakeRandomChain;
using testing::RandomChain;
using testing::RodScene;
using testing::TreeArrays;

Eigen::VectorXd Torques(const RodScene& scene, std::span<const Vector3> couples, int stride) {
  Eigen::Matrix3Xd axes;
  scene.tree.Forward(Eigen::VectorXd::Zero(scene.tree.dofs()), &axes);
  // The gaps between the axes belong to the host and must not be read.
  std::vector<double> padded(stride * scene.tree.dofs(), std::numeric_limits<double>::quiet_NaN());
  for (int d = 0; d < scene.tree.dofs(); ++d) {
    for (int j = 0; j < 3; ++j) padded[d * stride + j] = axes(j, d);
  }
  Eigen::VectorXd torque = Eigen::VectorXd::Zero(scene.tree.dofs());
  JointTorqueReduction reduction(TreeArrays(scene.tree).view(), scene.link_body,
                                 static_cast<int>(couples.size()));
  reduction.AddTorques(couples, padded.data(), stride, torque.data());
  return torque;
}

std::vector<Vector3> RandomCouples(int count, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<Vector3> couples;
  // Of many magnitudes, so that sums have rounding errors.
  for (int i = 0; i < count; ++i) couples.push_back(random.Vector() / random.Uniform(0.1, 3));
  return couples;
}

// By definition: the power of every link's couple along every axis, summed over all pairs.
Eigen::VectorXd TorquesByDefinition(const RodScene& scene, std::span<const Vector3> couples) {
  Eigen::Matrix3Xd axes;
  scene.tree.Forward(Eigen::VectorXd::Zero(scene.tree.dofs()), &axes);
  const int links = static_cast<int>(scene.link_body.size());
  Eigen::VectorXd torque = Eigen::VectorXd::Zero(scene.tree.dofs());
  for (int i = 0; i < static_cast<int>(couples.size()); ++i) {
    for (int end : {0, 1}) {
      const Vector3 couple = end ? couples[i] : Vector3(-couples[i]);
      for (int b = scene.link_body[(i + end) % links]; b > 0; b = scene.tree.body(b).parent) {
        for (int d = 0; d < scene.tree.dof_count(b); ++d) {
          const int dof = scene.tree.body(b).dof_begin + d;
          torque[dof] += axes.col(dof).dot(couple);
        }
      }
    }
  }
  return torque;
}

using MakeScene = RodScene (*)(int);
constexpr MakeScene kScenes[] = {testing::SerialScene,       testing::MiddleRootScene,
                                 testing::RobotScene,        testing::ForeignBodyScene,
                                 testing::SeveralTreesScene, testing::TwoArmsScene};

TEST(JointTorque, IsTheSumOverTheSubtree) {
  for (MakeScene make : kScenes) {
    for (int links : {2, 3, 17, 120}) {
      for (bool closed : {false, true}) {
        RodScene scene = make(links);
        testing::PoseScene(MakeRandomChain(links, 0.6, 0.4, links).frames, &scene);
        const auto couples = RandomCouples(closed ? links : links - 1, links);
        const Eigen::VectorXd expected = TorquesByDefinition(scene, couples);
        EXPECT_LT((Torques(scene, couples, 3) - expected).norm(), 1e-12 * links);
        EXPECT_EQ(Torques(scene, couples, 6), Torques(scene, couples, 3));
        EXPECT_GT(expected.norm(), 0.1);
      }
    }
  }
}

TEST(JointTorque, CarriersAndForeignLeavesGetExactlyZero) {
  for (MakeScene make : kScenes) {
    RodScene scene = make(17);
    testing::PoseScene(MakeRandomChain(17, 0.6, 0.4, 1).frames, &scene);
    const Eigen::VectorXd torque = Torques(scene, RandomCouples(16, 1), 3);
    for (int body : scene.idle_bodies) {
      for (int d = 0; d < scene.tree.dof_count(body); ++d) {
        EXPECT_EQ(torque[scene.tree.body(body).dof_begin + d], 0) << "body " << body;
      }
    }
  }
}

TEST(JointTorque, AddsToExistingTorques) {
  RodScene scene = testing::SerialScene(5);
  testing::PoseScene(MakeRandomChain(5, 0.6, 0.4, 2).frames, &scene);
  const auto couples = RandomCouples(4, 2);
  const Eigen::VectorXd torque = Torques(scene, couples, 3);
  Eigen::Matrix3Xd axes;
  scene.tree.Forward(Eigen::VectorXd::Zero(scene.tree.dofs()), &axes);
  Eigen::VectorXd sum = Eigen::VectorXd::Constant(scene.tree.dofs(), 7);
  JointTorqueReduction reduction(TreeArrays(scene.tree).view(), scene.link_body,
                                 static_cast<int>(couples.size()));
  for (int pass = 1; pass <= 3; ++pass) {  // no state between calls
    reduction.AddTorques(couples, axes.data(), 3, sum.data());
    EXPECT_LT((sum - Eigen::VectorXd::Constant(sum.size(), 7) - pass * torque).norm(), 1e-13);
  }
}

// The force levers of DESIGN: nodal forces f_j and axial moments m_k of the energy give the torque
// of joint i about its node, tau_i = sum_{j>i} (x_j - x_i) x f_j + sum_{k>=i} m_k t_k.
TEST(JointTorque, EqualsTheTorqueOfNodalForces) {
  constexpr int kLinks = 9;
  const RandomChain chain = MakeRandomChain(kLinks, 0.7, 1.5, 3);
  const RodRest rest =
      testing::MakeRest(kLinks, false, testing::Material::kAllAtOnce, CurvatureMeasure::kAngle, 3);
  std::vector<Vector3> nodes{Vector3(0.3, -0.2, 0.1)};
  for (int k = 0; k < kLinks; ++k) {
    nodes.push_back(nodes[k] + rest.length[k] * chain.frames[k].col(0));
  }
  std::vector<Vector3> force(kLinks + 1, Vector3::Zero());
  std::vector<double> moment(kLinks, 0);
  for (int i = 0; i < rest.joints(); ++i) {
    const Frame &a = chain.frames[i], &b = chain.frames[i + 1];
    const JointGeometry geometry(a.col(0), b.col(0));
    JointGradient gradient;
    BendMaterial(geometry, a, b, rest.joint[i].bend, rest.measure, BendAverage::kEnergies,
                 &gradient);
    AddTwist(geometry, chain.twists[i], rest.joint[i].twist, &gradient);
    const double per_length[2] = {1 / rest.length[i], 1 / rest.length[i + 1]};
    DirectionsToEdges(geometry, per_length, &gradient, nullptr);
    NodeGradient g;
    EdgesToNodes(gradient, &g);
    for (int j : {0, 1, 2}) force[i + j] -= g.segment<3>(4 * j);
    moment[i] -= g[3], moment[i + 1] -= g[7];
  }
  std::vector<Vector3> couples(kLinks - 1);
  EvaluateRod(rest, chain.frames, chain.twists, couples);
  RodScene scene = testing::SerialScene(kLinks);
  testing::PoseScene(chain.frames, &scene);
  const Eigen::VectorXd torque = Torques(scene, couples, 3);
  for (int i = 1; i < kLinks; ++i) {
    Vector3 lever = Vector3::Zero();
    for (int j = i + 1; j <= kLinks; ++j) lever += (nodes[j] - nodes[i]).cross(force[j]);
    for (int k = i; k < kLinks; ++k) lever += moment[k] * chain.frames[k].col(0);
    const Vector3 local = chain.frames[i].transpose() * lever;
    EXPECT_LT((torque.segment<3>(3 * (i - 1)) - local).norm(), 1e-11 * lever.norm()) << i;
  }
}

}  // namespace joint_torque_test
}  // namespace strand
