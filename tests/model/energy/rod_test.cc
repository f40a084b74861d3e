#include "model/energy/rod.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/energy/wide_terms.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"
#include "tests/support/rods.h"

namespace strand {
namespace rod_test {

using testing::MakeParameters;
using testing::MakeRandomChain;
using testing::MakeRandomRing;
using testing::MakeRest;
using testing::Material;
using testing::RandomChain;
using testing::TotalEnergy;

constexpr CurvatureMeasure kBoth[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};

struct BadCase {
  const char* field;
  const char* words;  // part of the message
  std::function<void(RodParameters*)> spoil;
};

void ExpectError(const BadCase& bad, const RodParameters& good, std::span<const Frame> frames) {
  RodParameters parameters = good;
  bad.spoil(&parameters);
  try {
    MakeRodRest(parameters, frames);
    ADD_FAILURE() << "accepted: " << bad.field << ", " << bad.words;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.field(), bad.field);
    EXPECT_NE(std::string(error.what()).find(bad.words), std::string::npos) << error.what();
  }
}

TEST(MakeRodRest, BadParametersAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const RandomChain chain = MakeRandomChain(4, 0.5, 0, 1);
  const auto good = MakeParameters(4, false, Material::kStraight, CurvatureMeasure::kAngle, 1);
  ASSERT_NO_THROW(MakeRodRest(good, chain.frames));
  const BadCase cases[] = {
      {"links", "at least 2", [](RodParameters* p) { p->length.resize(1); }},
      {"links", "'0'", [](RodParameters* p) { p->length.clear(); }},
      {"frames", "one per link: 3", [](RodParameters* p) { p->length.resize(3); }},
      {"stiffness", "one per joint: 3", [](RodParameters* p) { p->stiffness.resize(2); }},
      {"stiffness", "one per joint: 4", [](RodParameters* p) { p->closed = true; }},
      {"length", ">= 0", [](RodParameters* p) { p->length[1] = p->length[2] = 0; }},
      {"length", ">= 0", [](RodParameters* p) { p->length[1] = -0.1; }},
      {"length", "nan", [=](RodParameters* p) { p->length[0] = nan; }},
      {"length", "inf", [=](RodParameters* p) { p->length[0] = inf; }},
      {"EI", ">= 0", [](RodParameters* p) { p->stiffness[2].EI[1] = -1; }},
      {"EI", "nan", [=](RodParameters* p) { p->stiffness[0].EI[0] = nan; }},
      {"GJ", "inf", [=](RodParameters* p) { p->stiffness[1].GJ = inf; }},
      {"GJ", "> 0", [](RodParameters* p) { p->stiffness[1].GJ = 0; }},
      {"rest_twist", "nan", [=](RodParameters* p) { p->rest_twist = nan; }},
      {"rest_curvature", "inf", [=](RodParameters* p) { p->rest_curvature[1] = inf; }},
  };
  for (const BadCase& bad : cases) ExpectError(bad, good, chain.frames);
}

TEST(MakeRodRest, ClosedRodNeedsThreeLinks) {
  const auto closed = MakeParameters(2, true, Material::kStraight, CurvatureMeasure::kAngle, 1);
  const RandomChain chain = MakeRandomChain(2, 0.5, 0, 1);
  ExpectError({"links", "at least 3 for a closed rod", [](RodParameters*) {}}, closed,
              chain.frames);
}

TEST(MakeRodRest, StiffnessIsDividedByTheVoronoiLength) {
  RodParameters p = MakeParameters(3, true, Material::kUneven, CurvatureMeasure::kAngle, 2);
  p.rest_twist = 1.5;
  const RodRest rest = MakeRodRest(p, MakeRandomChain(3, 0.5, 0, 2).frames);
  ASSERT_EQ(rest.joints(), 3);
  EXPECT_TRUE(rest.isotropic_straight);
  const double total = p.length[0] + p.length[1] + p.length[2];
  for (int i = 0; i < 3; ++i) {
    const double l = 0.5 * (p.length[i] + p.length[(i + 1) % 3]);
    EXPECT_NEAR(rest.joint[i].bend.stiffness[0], p.stiffness[i].EI[0] / l, 1e-13);
    EXPECT_NEAR(rest.joint[i].bend.stiffness[1], p.stiffness[i].EI[1] / l, 1e-13);
    EXPECT_NEAR(rest.joint[i].twist.stiffness, p.stiffness[i].GJ / l, 1e-13);
    EXPECT_NEAR(rest.joint[i].twist.natural, 1.5 * l / total, 1e-14);
  }
}

// Pure twist of a joint that is bent at rest: each frame turns about its own edge by half the
// twist. The bending energy that comes with it must not stiffen the joint.
TEST(MakeRodRest, ABentJointTwistsWithItsOwnStiffness) {
  for (const double phi : {0.05, 0.2, 0.4}) {
    RodParameters parameters;
    parameters.average = BendAverage::kEnergies;
    parameters.length = {0.1, 0.1};
    parameters.stiffness = {{{0.02, 0.05}, 0.03}};
    Frame a = Frame::Identity();
    Frame b = Eigen::AngleAxisd(phi, Vector3(0, 0.6, 0.8)).toRotationMatrix();
    const RodRest rest = MakeRodRest(parameters, std::vector<Frame>{a, b});
    const double twist = 1e-3, natural = TwistAngle(a, b);
    a = Eigen::AngleAxisd(-twist / 2, Vector3(a.col(0))) * a;
    b = Eigen::AngleAxisd(twist / 2, Vector3(b.col(0))) * b;
    const std::vector<double> twists{natural + twist};
    const RodEnergy energy = EvaluateRod(rest, std::vector<Frame>{a, b}, twists, {});
    EXPECT_GT(energy.bend, 0);
    EXPECT_NEAR((energy.bend + energy.twist) / (0.5 * 0.3 * twist * twist), 1, 1e-5) << phi;
  }
}

TEST(MakeRodRest, DetectsIsotropicStraightRods) {
  for (Material material : testing::kMaterials) {
    const bool simple = material == Material::kStraight || material == Material::kUneven;
    EXPECT_EQ(MakeRest(5, false, material, CurvatureMeasure::kAngle, 3).isotropic_straight, simple);
  }
  // Rounding errors in a straight model do not make the rod curved; a real bend does.
  for (double bend : {1e-10, 1e-7}) {
    std::vector<Frame> frames(4, Frame::Identity());
    frames[2] = Eigen::AngleAxisd(bend, Vector3::UnitZ()) * frames[2];
    auto p = MakeParameters(4, false, Material::kCurved, CurvatureMeasure::kAngle, 3);
    EXPECT_EQ(MakeRodRest(p, frames).isotropic_straight, bend < 1e-9);
  }
}

void ExpectNothing(const RodRest& rest, std::span<const Frame> frames,
                   std::span<const double> twists) {
  std::vector<Vector3> couples(rest.joints());
  const RodEnergy energy = EvaluateRod(rest, frames, twists, couples);
  EXPECT_LT(energy.bend + energy.twist, 1e-24);
  for (const Vector3& couple : couples) EXPECT_LT(couple.norm(), 1e-11);
}

// Frames of a rod that is turned at each joint by the given turn (rad, in its own axes) besides the
// turns between the given frames.
std::vector<Frame> Bent(std::span<const Frame> frames, const std::vector<Vector3>& turns) {
  std::vector<Frame> bent{frames[0]};
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    const Frame drawn = frames[i].transpose() * frames[i + 1];
    const Eigen::AngleAxisd turn(turns[i].norm(), turns[i].normalized());
    bent.push_back(bent.back() * drawn * turn.toRotationMatrix());
  }
  return bent;
}

TEST(Rod, IsAtRestWithTheCurvatureThatIsAdded) {
  for (CurvatureMeasure measure : kBoth) {
    for (Material material : testing::kMaterials) {
      const RandomChain chain = MakeRandomChain(6, 0.3, 0, 5);
      RodParameters p = MakeParameters(6, false, material, measure, 5);
      p.rest_straight = false;
      p.rest_curvature = {0.7, -1.1};
      std::vector<Vector3> turns;
      for (int i = 0; i < 5; ++i) {
        turns.push_back(0.5 * (p.length[i] + p.length[i + 1]) * Vector3(0, 0.7, -1.1));
      }
      const RodRest rest = MakeRodRest(p, chain.frames);
      const std::vector<Frame> bent = Bent(chain.frames, turns);
      std::vector<double> twists(5);
      for (int i = 0; i < 5; ++i) twists[i] = TwistAngle(bent[i], bent[i + 1]);
      if (p.rest_twist == 0) ExpectNothing(rest, bent, twists);
      EXPECT_GT(EvaluateRod(rest, chain.frames, twists, {}).bend, 0);
    }
  }
}

TEST(Rod, InitialShapeIsAtRest) {
  for (CurvatureMeasure measure : kBoth) {
    for (int links : {2, 3, 17, 120}) {
      const RandomChain chain = MakeRandomChain(links, 1.5, 0.3, 4);
      auto p = MakeParameters(links, false, Material::kAllAtOnce, measure, 4);
      p.rest_twist = 0;
      if (links % 2 == 0) p.average = BendAverage::kMiddle;
      const RodRest rest = MakeRodRest(p, chain.frames);
      ExpectNothing(rest, chain.frames, chain.twists);
      // The rod may be placed anywhere.
      testing::Random random(4);
      const Eigen::Matrix3d rotation = random.Rotation();
      std::vector<Frame> moved;
      for (const Frame& frame : chain.frames) moved.push_back(rotation * frame);
      ExpectNothing(rest, moved, chain.twists);
    }
  }
}

TEST(Rod, InitialRingIsAtRest) {
  for (CurvatureMeasure measure : kBoth) {
    const RandomChain ring = MakeRandomRing(30, 0.1, 5);
    auto p = MakeParameters(30, true, Material::kAllAtOnce, measure, 5);
    p.rest_twist = 0;
    ExpectNothing(MakeRodRest(p, ring.frames), ring.frames, ring.twists);
  }
}

TEST(Rod, RestTwistIsTheNaturalTwist) {
  auto p = MakeParameters(9, false, Material::kUneven, CurvatureMeasure::kAngle, 6);
  p.rest_twist = 27 * kTwoPi;
  const std::vector<Frame> straight(9, Frame::Identity());
  const RodRest rest = MakeRodRest(p, straight);
  std::vector<double> twists;
  double total = 0;
  for (const auto& joint : rest.joint) total += joint.twist.natural;
  for (const auto& joint : rest.joint) twists.push_back(joint.twist.natural);
  EXPECT_NEAR(total, 27 * kTwoPi, 1e-11);
  ExpectNothing(rest, straight, twists);
}

// Bend energy B sum f(phi)^2 / 2 and twist energy C sum m^2 / 2, written out.
TEST(Rod, EnergyOfAPlainRodByHand) {
  const RandomChain chain = MakeRandomChain(6, 1.2, 3.3, 7);
  const RodRest rest = MakeRest(6, false, Material::kUneven, CurvatureMeasure::kAngle, 7);
  double bend = 0, twist = 0;
  for (int i = 0; i < 5; ++i) {
    const double phi = std::acos(chain.frames[i].col(0).dot(chain.frames[i + 1].col(0)));
    bend += 0.5 * rest.joint[i].bend.stiffness[0] * phi * phi;
    twist += 0.5 * rest.joint[i].twist.stiffness * chain.twists[i] * chain.twists[i];
  }
  const RodEnergy energy = EvaluateRod(rest, chain.frames, chain.twists, {});
  EXPECT_NEAR(energy.bend, bend, 1e-12 * bend);
  EXPECT_NEAR(energy.twist, twist, 1e-12 * twist);
}

TEST(Rod, RigidRotationTurnsTheCouples) {
  for (Material material : testing::kMaterials) {
    const RandomChain ring = MakeRandomRing(12, 1.0, 8);
    const RodRest rest = MakeRest(12, true, material, CurvatureMeasure::kTangent, 8);
    testing::Random random(8);
    const Eigen::Matrix3d rotation = random.Rotation();
    std::vector<Frame> moved;
    for (const Frame& frame : ring.frames) moved.push_back(rotation * frame);
    std::vector<Vector3> couples(12), turned(12);
    EvaluateRod(rest, ring.frames, ring.twists, couples);
    EvaluateRod(rest, moved, ring.twists, turned);
    EXPECT_NEAR(TotalEnergy(rest, moved, ring.twists), TotalEnergy(rest, ring.frames, ring.twists),
                1e-10);
    for (int i = 0; i < 12; ++i) {
      EXPECT_LT((turned[i] - rotation * couples[i]).norm(), 1e-11) << i;
      EXPECT_GT(couples[i].norm(), 1e-3);
    }
  }
}

// The work of the couples on links that turn at random is the change of the energy, for any twist
// of the joints, and orders 2, 4 and 6.
TEST(Rod, CouplesInTheMiddleAreTheSlopeOfTheEnergy) {
  const int links = 9;
  for (int order : {2, 4, 6}) {
    for (Material material : {Material::kCurved, Material::kAnisotropic, Material::kAllAtOnce}) {
      const double twist = order == 2 ? 4.0 : 1.0;
      const RandomChain chain = MakeRandomChain(links, 0.6, twist, 21);
      RodParameters p = MakeParameters(links, false, material, CurvatureMeasure::kAngle, 21);
      p.average = BendAverage::kMiddle, p.order = order;
      p.length.assign(links, 0.1), p.stiffness.assign(links - 1, p.stiffness[0]);
      const RodRest rest = MakeRodRest(p, MakeRandomChain(links, 0.5, 0.1, 22).frames);
      std::vector<double> correction(links - 1), twists(links - 1);
      if (order > 2) CorrectTwists(rest, chain.frames, correction);
      MeasureTwists(rest, chain.frames, correction, chain.twists, twists);
      std::vector<Vector3> couples(links - 1), spin(links);
      EvaluateRod(rest, chain.frames, twists, couples);
      testing::Random random(23);
      double work = 0;
      for (int k = 0; k < links; ++k) {
        spin[k] = random.Vector();
        if (k > 0) work += couples[k - 1].dot(spin[k]);
        if (k < links - 1) work -= couples[k].dot(spin[k]);
      }
      const auto energy = [&](double h) {
        std::vector<Frame> moved;
        for (int k = 0; k < links; ++k) {
          const Eigen::AngleAxisd turn(h * spin[k].norm(), spin[k].normalized());
          moved.push_back(turn.toRotationMatrix() * chain.frames[k]);
        }
        std::vector<double> turned(links - 1), change(links - 1);
        if (order > 2) CorrectTwists(rest, moved, change);
        MeasureTwists(rest, moved, change, twists, turned);
        return TotalEnergy(rest, moved, turned);
      };
      testing::ExpectSecondOrder(
          testing::SweepSteps(0.02, 10,
                              [&](double h) {
                                const double slope = (energy(h) - energy(-h)) / (2 * h);
                                return std::abs(slope + work) / std::abs(work);
                              }),
          1e-7);
    }
  }
}

// Each joint has a pair of opposite couples, so that a rod exerts nothing on the world: rotating it
// rigidly does no work. Here each couple on a link is computed from its own frame's derivative
// instead.
TEST(Rod, CouplesOnLinksSumToZero) {
  for (Material material : testing::kMaterials) {
    const RandomChain chain = MakeRandomChain(17, 0.8, 2.0, 9);
    const RodRest rest = MakeRest(17, false, material, CurvatureMeasure::kAngle, 9);
    Vector3 sum = Vector3::Zero();
    double largest = 0;
    for (int i = 0; i < rest.joints(); ++i) {
      const Frame &a = chain.frames[i], &b = chain.frames[i + 1];
      const JointGeometry geometry(a.col(0), b.col(0));
      JointGradient g;
      BendMaterial(geometry, a, b, rest.joint[i].bend, rest.measure, BendAverage::kEnergies, &g);
      AddTwist(geometry, chain.twists[i], rest.joint[i].twist, &g);
      const Vector3 on_a = g.segment<3>(kTangentA).cross(geometry.t_a) - g[kAngleA] * geometry.t_a;
      sum += on_a + CoupleOnB(geometry, g);
      largest = std::max(largest, on_a.norm());
    }
    EXPECT_GT(largest, 1);
    EXPECT_LT(sum.norm(), 1e-12 * largest);
  }
}

TEST(Rod, SameResultWithoutCouplesAndWhenRepeated) {
  const RandomChain chain = MakeRandomChain(40, 0.8, 2.0, 10);
  const RodRest rest = MakeRest(40, false, Material::kAllAtOnce, CurvatureMeasure::kAngle, 10);
  std::vector<Vector3> once(39), again(39);
  const RodEnergy full = EvaluateRod(rest, chain.frames, chain.twists, once);
  const RodEnergy plain = EvaluateRod(rest, chain.frames, chain.twists, {});
  EvaluateRod(rest, chain.frames, chain.twists, again);
  EXPECT_EQ(full.bend, plain.bend);
  EXPECT_EQ(full.twist, plain.twist);
  EXPECT_EQ(once, again);
}

}  // namespace rod_test
}  // namespace strand
