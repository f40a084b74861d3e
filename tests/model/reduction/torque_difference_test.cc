// The whole reduction: joint torques are -dE/dq. They are compared with differences of the total
// energy over every degree of freedom, for any tree, material, twist mode and curvature measure.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "model/energy/rod.h"
#include "model/reduction/joint_torque.h"
#include "model/reduction/quasistatic_twist.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"
#include "tests/support/rod_scenes.h"
#include "tests/support/rods.h"

namespace strand {
namespace torque_difference_test {

using testing::Material;
using testing::RandomChain;
using testing::RodScene;
using testing::TreeArrays;

struct SceneKind {
  const char* name;
  RodScene (*make)(int links);
  bool closed;
};

constexpr SceneKind kOpen[] = {
    {"serial", testing::SerialScene, false},      {"middle", testing::MiddleRootScene, false},
    {"robot", testing::RobotScene, false},        {"foreign", testing::ForeignBodyScene, false},
    {"trees", testing::SeveralTreesScene, false}, {"arms", testing::TwoArmsScene, false},
};
constexpr SceneKind kLoops[] = {
    {"loop", testing::SerialScene, true},
    {"loop_on_robot", testing::RobotScene, true},
    {"loop_in_trees", testing::SeveralTreesScene, true},
};

// A scene with a rod, posed and twisted.
class WoundRod {
 public:
  WoundRod(const SceneKind& kind, int links, Material material, CurvatureMeasure measure,
           TwistMode mode)
      : scene_(kind.make(links)),
        rest_(testing::MakeRest(links, kind.closed, material, measure, links)),
        solver_(rest_, mode, Holds(links, material)) {
    const int joints = rest_.joints();
    const double turns = links >= 17 ? 5 : 0.1;
    const double twist = turns * kTwoPi / joints;
    RandomChain chain = kind.closed ? testing::MakeRandomRing(links, twist, links)
                                    : testing::MakeRandomChain(links, 0.6, twist, links);
    testing::PoseScene(chain.frames, &scene_);
    // Several calls, as a host makes them: each starts from the twists of the previous one.
    previous_ = chain.twists;
    std::vector<double> twists(joints);
    for (int call = 0; call < 3; ++call) {
      converged_ = solver_.Solve(chain.frames, previous_, twists).converged;
      previous_ = twists;
    }
  }

  int dofs() const { return scene_.tree.dofs(); }
  bool converged() const { return converged_; }
  const RodScene& scene() const { return scene_; }

  double TotalTwist() const {
    double total = 0;
    for (double m : previous_) total += m;
    return total;
  }

  double Energy(const Eigen::VectorXd& q) {
    const std::vector<Frame> frames = LinkFrames(q, nullptr);
    std::vector<double> twists(rest_.joints());
    solver_.Solve(frames, previous_, twists);
    return testing::TotalEnergy(rest_, solver_.material_frames(frames), twists);
  }

  Eigen::VectorXd Torque() {
    Eigen::Matrix3Xd axes;
    const std::vector<Frame> frames = LinkFrames(Eigen::VectorXd::Zero(dofs()), &axes);
    std::vector<double> twists(rest_.joints());
    solver_.Solve(frames, previous_, twists);
    std::vector<Vector3> couples(rest_.joints());
    EvaluateRod(rest_, solver_.material_frames(frames), twists, couples);
    Eigen::VectorXd torque = Eigen::VectorXd::Zero(dofs());
    JointTorqueReduction reduction(TreeArrays(scene_.tree).view(), scene_.link_body,
                                   rest_.joints());
    reduction.AddTorques(couples, axes.data(), 3, torque.data());
    return torque;
  }

 private:
  // One material also has a grip in the middle.
  static std::vector<int> Holds(int links, Material material) {
    return material == Material::kAllAtOnce ? std::vector<int>{links / 2} : std::vector<int>{};
  }

  std::vector<Frame> LinkFrames(const Eigen::VectorXd& q, Eigen::Matrix3Xd* axes) const {
    const auto rotations = scene_.tree.Forward(q, axes);
    std::vector<Frame> frames;
    for (int body : scene_.link_body) frames.push_back(rotations[body]);
    return frames;
  }

  RodScene scene_;
  RodRest rest_;
  TwistSolver solver_;
  std::vector<double> previous_;
  bool converged_ = false;
};

class TorqueDifference
    : public ::testing::TestWithParam<std::tuple<SceneKind, int, TwistMode, CurvatureMeasure>> {};

TEST_P(TorqueDifference, TorqueIsMinusTheEnergysSlope) {
  const auto [kind, links, mode, measure] = GetParam();
  for (Material material : testing::kMaterials) {
    SCOPED_TRACE("material " + std::to_string(static_cast<int>(material)));
    WoundRod rod(kind, links, material, measure, mode);
    ASSERT_TRUE(rod.converged());
    EXPECT_GT(rod.TotalTwist(), links >= 17 ? 4.5 * kTwoPi : -0.5);
    const Eigen::VectorXd torque = rod.Torque();
    const Eigen::VectorXd slope =
        testing::FivePointGradient([&](const Eigen::VectorXd& q) { return rod.Energy(q); },
                                   Eigen::VectorXd::Zero(rod.dofs()), 5e-4);
    const double scale = slope.cwiseAbs().maxCoeff();
    EXPECT_GT(scale, 1e-2);
    EXPECT_LT((torque + slope).cwiseAbs().maxCoeff(), 1e-7 * scale);
    for (int body : rod.scene().idle_bodies) {
      for (int d = 0; d < rod.scene().tree.dof_count(body); ++d) {
        EXPECT_EQ(torque[rod.scene().tree.body(body).dof_begin + d], 0);
      }
    }
  }
}

std::string CaseName(const ::testing::TestParamInfo<TorqueDifference::ParamType>& info) {
  const auto [kind, links, mode, measure] = info.param;
  return std::string(kind.name) + "_" + std::to_string(links) + "_" +
         (mode == TwistMode::kDynamic ? "dynamic" : "quasistatic") + "_" +
         (measure == CurvatureMeasure::kAngle ? "angle" : "tangent");
}

constexpr TwistMode kModes[] = {TwistMode::kQuasistatic, TwistMode::kDynamic};
constexpr CurvatureMeasure kMeasures[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};

INSTANTIATE_TEST_SUITE_P(Open, TorqueDifference,
                         ::testing::Combine(::testing::ValuesIn(kOpen),
                                            ::testing::Values(2, 3, 17, 120),
                                            ::testing::ValuesIn(kModes),
                                            ::testing::ValuesIn(kMeasures)),
                         CaseName);

INSTANTIATE_TEST_SUITE_P(Loops, TorqueDifference,
                         ::testing::Combine(::testing::ValuesIn(kLoops),
                                            ::testing::Values(3, 17, 120),
                                            ::testing::ValuesIn(kModes),
                                            ::testing::ValuesIn(kMeasures)),
                         CaseName);

}  // namespace torque_difference_test
}  // namespace strand
