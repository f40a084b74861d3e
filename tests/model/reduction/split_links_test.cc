// Links of two halves that have moved apart: the couples on the halves are minus the gradient of
// the energy, in both twist modes and for every material.
#include <gtest/gtest.h>

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

// Unknowns: rotations of the near halves, then of the far halves (world axes).
class SplitRod {
 public:
  SplitRod(TwistMode mode, Material material, bool closed, int order)
      : rest_(testing::MakeRest(kLinks, closed, material, CurvatureMeasure::kAngle, 5, order)),
        solver_(rest_, mode, {kLinks / 2}) {
    const testing::RandomChain chain = closed ? testing::MakeRandomRing(kLinks, 0.1, 6)
                                              : testing::MakeRandomChain(kLinks, 0.4, 0.1, 6);
    testing::Random random(7);
    near_ = far_ = chain.frames;
    for (int k = 1; k < kLinks; k += 3) {
      const Vector3 turn(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
      far_[k] = Rotated(far_[k], 0.2 * turn);
    }
    previous_ = chain.twists;
  }

  double Energy(const Eigen::VectorXd& q, std::vector<Vector3>* couples = nullptr) {
    std::vector<Frame> near = near_, far = far_;
    for (int k = 0; k < kLinks; ++k) {
      near[k] = Rotated(near[k], q.segment<3>(3 * k));
      far[k] = Rotated(far[k], q.segment<3>(3 * (kLinks + k)));
    }
    std::vector<double> twists(rest_.joints());
    const RodFrames frames(near, far);
    EXPECT_TRUE(solver_.Solve(frames, previous_, twists).converged);
    if (couples) EvaluateRod(rest_, solver_.material_frames(frames), twists, *couples);
    return testing::TotalEnergy(rest_, solver_.material_frames(frames), twists);
  }

  Eigen::VectorXd Couples() {
    std::vector<Vector3> couples(rest_.joints());
    Energy(Eigen::VectorXd::Zero(6 * kLinks), &couples);
    Eigen::VectorXd on_halves = Eigen::VectorXd::Zero(6 * kLinks);
    for (int i = 0; i < rest_.joints(); ++i) {
      on_halves.segment<3>(3 * rest_.next(i)) += couples[i];
      on_halves.segment<3>(3 * (kLinks + i)) -= couples[i];
    }
    return on_halves;
  }

 private:
  RodRest rest_;
  TwistSolver solver_;
  std::vector<Frame> near_, far_;
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

}  // namespace split_links_test
}  // namespace strand
