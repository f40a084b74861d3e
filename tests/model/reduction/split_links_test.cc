// Links of two halves that have moved apart: the couples on the halves are minus the gradient of
// the energy, in both twist modes and for every material.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "model/energy/rod.h"
#include "model/reduction/quasistatic_twist.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"
#include "tests/support/rods.h"

namespace strand {
namespace split_links_test {

using testing::Material;

constexpr int kLinks = 12;

Frame Rotated(const Frame& frame, const Vector3& turn) {
  const double angle = turn.norm();
  if (angle == 0) return frame;
  return Eigen::AngleAxisd(angle, turn / angle) * frame;
}

class SplitLinks : public ::testing::TestWithParam<std::tuple<TwistMode, Material, bool, int>> {};

// Unknowns: rotations of the near halves, then of the far halves (world axes). Every `apart`-th
// link has halves, of which every third are turned against each other.
class SplitRod {
 public:
  SplitRod(TwistMode mode, Material material, bool closed, int order, int links = kLinks,
           int apart = 1)
      : rest_(testing::MakeRest(links, closed, material, CurvatureMeasure::kAngle, 5, order)),
        solver_(rest_, mode, {links / 2}) {
    const testing::RandomChain chain = closed ? testing::MakeRandomRing(links, 0.1, 6)
                                              : testing::MakeRandomChain(links, 0.4, 0.1, 6);
    testing::Random random(7);
    near_ = far_ = chain.frames;
    for (int k = 0; k < links; k += apart) {
      halved_.push_back(k);
      if (halved_.size() % 3 != 2) continue;
      const Vector3 turn(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
      far_[k] = Rotated(far_[k], 0.2 * turn);
    }
    previous_ = chain.twists;
  }

  int links() const { return rest_.links(); }

  // Gives links in one piece the rotations of their near halves.
  Eigen::VectorXd Joined(Eigen::VectorXd q) const {
    for (int k = 0; k < links(); ++k) {
      if (std::ranges::binary_search(halved_, k)) continue;
      q.segment<3>(3 * (links() + k)) = q.segment<3>(3 * k);
    }
    return q;
  }

  double Energy(const Eigen::VectorXd& q, std::vector<Vector3>* couples = nullptr) {
    std::vector<Frame> near = near_, far = far_;
    for (int k = 0; k < links(); ++k) {
      near[k] = Rotated(near[k], q.segment<3>(3 * k));
      far[k] = Rotated(far[k], q.segment<3>(3 * (links() + k)));
    }
    std::vector<double> twists(rest_.joints());
    const RodFrames frames(near, far, halved_);
    EXPECT_TRUE(solver_.Solve(frames, previous_, twists).converged);
    if (couples) EvaluateRod(rest_, solver_.material_frames(frames), twists, *couples);
    return testing::TotalEnergy(rest_, solver_.material_frames(frames), twists);
  }

  Eigen::VectorXd Couples() {
    std::vector<Vector3> couples(rest_.joints());
    Energy(Eigen::VectorXd::Zero(6 * links()), &couples);
    Eigen::VectorXd on_halves = Eigen::VectorXd::Zero(6 * links());
    for (int i = 0; i < rest_.joints(); ++i) {
      on_halves.segment<3>(3 * rest_.next(i)) += couples[i];
      on_halves.segment<3>(3 * (links() + i)) -= couples[i];
    }
    return on_halves;
  }

 private:
  RodRest rest_;
  TwistSolver solver_;
  std::vector<Frame> near_, far_;
  std::vector<int> halved_;
  std::vector<double> previous_;
};

TEST_P(SplitLinks, CouplesAreMinusTheEnergysGradient) {
  const auto [mode, material, closed, order] = GetParam();
  SplitRod rod(mode, material, closed, order);
  const Eigen::VectorXd slope =
      testing::FivePointGradient([&](const Eigen::VectorXd& q) { return rod.Energy(q); },
                                 Eigen::VectorXd::Zero(6 * kLinks), 5e-4);
  const double scale = slope.cwiseAbs().maxCoeff();
  EXPECT_GT(scale, 1e-2);
  EXPECT_LT((rod.Couples() + slope).cwiseAbs().maxCoeff(), 1e-7 * scale);
}

INSTANTIATE_TEST_SUITE_P(All, SplitLinks,
                         ::testing::Combine(::testing::Values(TwistMode::kQuasistatic,
                                                              TwistMode::kDynamic),
                                            ::testing::ValuesIn(testing::kMaterials),
                                            ::testing::Bool(), ::testing::Values(2, 4, 6)));

// Loops evaluate blocks of links, of which some end next to cuts.
TEST(SplitLinks, LongRodsInBlocks) {
  for (const int links : {63, 64, 65, 66, 68, 129, 150}) {
    for (const bool closed : {false, true}) {
      for (const int apart : {1, 5}) {
        SCOPED_TRACE(std::to_string(links) + " links, closed " + std::to_string(closed) +
                     ", halves " + std::to_string(apart) + " apart");
        SplitRod rod(TwistMode::kDynamic, Material::kStraight, closed, 6, links, apart);
        testing::Random random(links);
        const Eigen::VectorXd couples = rod.Couples();
        for (int trial = 0; trial < 3; ++trial) {
          Eigen::VectorXd q(6 * links);
          for (double& one : q) one = random.Uniform(-1, 1);
          q = rod.Joined(q);
          const double slope = testing::FivePointGradient(
              [&](const Eigen::VectorXd& s) { return rod.Energy(s[0] * q); },
              Eigen::VectorXd::Zero(1), 5e-4)[0];
          EXPECT_NEAR(couples.dot(q), -slope, 1e-7 * couples.norm() * q.norm());
        }
      }
    }
  }
}

}  // namespace split_links_test
}  // namespace strand
