// Steps of growing robots: optimality, random surroundings, energy, rejected input.
#include "model/vine/vine.h"

#include <gtest/gtest.h>

#include "model/config/error.h"
#include "tests/support/finite_difference.h"
#include "tests/support/vines.h"

namespace strand {
namespace vine_test {

using testing::Matrix;
using testing::Vector;

// Rows of the published step's equalities, by differences: joints, and d s / dt by v and dt q.
Matrix EqualityRows(const VineChain& chain, const VineState& state, double dt) {
  const int pairs = chain.pairs, size = 6 * pairs;
  const auto joints = [&](const Vector& q) {
    Vector c(4 * pairs);
    PairGeometry previous{};
    for (int i = 0; i < pairs; ++i) {
      const PairGeometry here = MakePairGeometry(q, i);
      c.segment<4>(4 * i) = JointErrors(chain, q, i, previous, here);
      previous = here;
    }
    return c;
  };
  const auto rates = [&](const Vector& q, const Vector& v) {
    Vector rate(pairs);
    for (int i = 0; i < pairs; ++i) {
      const Vector2 D = q.segment<2>(6 * i + 3) - q.segment<2>(6 * i);
      rate[i] = D.dot(v.segment<2>(6 * i + 3) - v.segment<2>(6 * i)) / D.norm();
    }
    return rate;
  };
  const Vector q = state.q.head(size), v = state.v.head(size);
  Matrix rows(5 * pairs, size);
  rows.topRows(4 * pairs) = testing::CentralJacobian(joints, q, 1e-6);
  const auto of_q = [&](const Vector& x) { return rates(x, v); };
  const auto of_v = [&](const Vector& x) { return rates(q, x); };
  rows.bottomRows(pairs) =
      dt * testing::CentralJacobian(of_q, q, 1e-6) + testing::CentralJacobian(of_v, v, 1e-6);
  return rows;
}

double SegmentLength(const VineChain& chain, const Vector& q, int i) {
  return Extension(q, i) + 2 * chain.half_length[i];
}

// M (v+ - v) - dt F - N' n, which the multipliers of the equalities have to balance. `at`: the
// state at which joint torques and contact rows are taken, the start or the end of the step.
Vector FreeImpulse(const Vine& vine, const VineState& before, const VineState& at) {
  const VineChain& chain = vine.chain();
  const double dt = vine.options().dt;
  Vector impulse(6 * chain.pairs);
  for (int k = 0; k < chain.bodies(); ++k) {
    const auto change = vine.state().v.segment<3>(3 * k) - before.v.segment<3>(3 * k);
    impulse.segment<2>(3 * k) = chain.mass[k / 2] * change.head<2>();
    impulse[3 * k + 2] = chain.inertia[k / 2] * change[2];
  }
  for (int i = 0; i < chain.pairs; ++i) {
    const double torque =
        -chain.stiffness[i] * JointAngle(chain, at.q, i) - chain.damping[i] * JointRate(at.v, i);
    impulse[6 * i + 2] -= dt * torque;
    if (i > 0) impulse[6 * i - 1] += dt * torque;
  }
  for (const VineContact& contact : vine.contacts()) {
    const double th = at.q[6 * contact.point + 5];
    const double behind = (1 - contact.share) * SegmentLength(chain, at.q, contact.point);
    const double along = chain.half_length[contact.point] - behind;
    const Vector2 arm(-along * std::sin(th), along * std::cos(th));
    impulse.segment<2>(6 * contact.point + 3) -= contact.impulse * contact.normal;
    impulse[6 * contact.point + 5] -= contact.impulse * contact.normal.dot(arm);
  }
  return impulse;
}

TEST(Vine, EveryPublishedStepIsOptimal) {
  for (testing::VineScene scene : {testing::RuntimeScene(30), testing::ClutteredScene()}) {
    testing::UsePublishedStep(&scene.options);
    scene.options.corner_normal = CornerNormal::kGradient;
    Vine vine = scene.Make();
    int pushing = 0;
    for (int step = 0; step < scene.steps; ++step) {
      const VineState before = vine.state();
      ASSERT_TRUE(vine.Step(scene.growth).ok());
      for (const VineContact& contact : vine.contacts()) {
        // Dual feasible, and complementary: the linearised gap is zero.
        EXPECT_GE(contact.impulse, 0);
        const double th = before.q[6 * contact.point + 5];
        const double d = vine.chain().half_length[contact.point];
        const auto v = vine.state().v.segment<3>(6 * contact.point + 3);
        const Vector2 move = v.head<2>() + v[2] * d * Vector2(-std::sin(th), std::cos(th));
        EXPECT_NEAR(contact.gap + scene.options.dt * contact.normal.dot(move), 0, 1e-12);
        ++pushing;
      }
      if (step % 20 != 0 && vine.contacts().empty()) continue;
      if (step % 5 != 0) continue;
      const Matrix rows = EqualityRows(vine.chain(), before, scene.options.dt);
      const Vector free = FreeImpulse(vine, before, before);
      const Vector multipliers = rows.transpose().colPivHouseholderQr().solve(free);
      EXPECT_LT((rows.transpose() * multipliers - free).norm(), 1e-6 * free.norm() + 1e-12);
    }
    EXPECT_GT(pushing, 100);
  }
}

// Rows of joints and extensions at positions q, by differences.
Matrix PositionRows(const VineChain& chain, const Vector& q) {
  const auto constraints = [&](const Vector& x) { return testing::Constraints(chain, x); };
  return testing::CentralJacobian(constraints, q, 1e-6);
}

// Impulses act at the end of the step, up to the linearisation of the last program; contacts with
// an impulse are closed.
TEST(Vine, EveryConvergedStepIsOptimal) {
  for (testing::VineScene scene : {testing::RuntimeScene(30), testing::ClutteredScene()}) {
    Vine vine = scene.Make();
    int pushing = 0;
    double worst = 0;
    for (int step = 0; step < scene.steps; ++step) {
      const VineState before = vine.state();
      ASSERT_TRUE(vine.Step(scene.growth).ok());
      for (const VineContact& contact : vine.contacts()) {
        EXPECT_GE(contact.impulse, 0);
        const Vector2 end = ContactPoint(vine.chain(), vine.state().q, contact.point);
        const double th = vine.state().q[6 * contact.point + 5];
        const double length = SegmentLength(vine.chain(), vine.state().q, contact.point);
        const Vector2 start = end - length * Vector2(std::cos(th), std::sin(th));
        const PlanarObstacle& obstacle = scene.obstacles[contact.object];
        const double gap = contact.OnSegment() ? testing::LineGap(obstacle, start, end)
                                               : EvaluateGap(obstacle, end).gap;
        EXPECT_NEAR(gap, scene.options.diameter / 2, 1e-9);
        ++pushing;
      }
      if (step % 5 != 0) continue;
      const Matrix rows = PositionRows(vine.chain(), vine.state().q);
      const Vector free = FreeImpulse(vine, before, vine.state());
      const Vector multipliers = rows.transpose().colPivHouseholderQr().solve(free);
      worst = std::max(worst, (rows.transpose() * multipliers - free).norm() / free.norm());
    }
    EXPECT_LT(worst, 1e-3);
    EXPECT_GT(pushing, 100);
  }
}

// Every gap and joint holds at every step; a run that ends early reports why.
void ExpectNoPenetration(double friction, int seeds, int least_finished) {
  int finished = 0, contacts = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    testing::VineScene scene = testing::RandomScene(seed);
    scene.options.friction = friction;
    Vine vine = scene.Make();
    VineReport report;
    for (int step = 0; step < scene.steps && report.ok(); ++step) {
      report = vine.Step(scene.growth);
      const VineReport now = vine.CheckState();
      ASSERT_GE(now.least_gap, -1e-9) << "seed " << seed << ", step " << step;
      ASSERT_LE(now.joint_error, 1e-9) << "seed " << seed << ", step " << step;
      if (step % 5 == 0) {
        ASSERT_GE(testing::SkinGap(vine), -2e-9) << "seed " << seed << ", step " << step;
      }
      ASSERT_TRUE(vine.state().q.allFinite() && vine.state().v.allFinite());
      contacts += report.contacts;
      for (const VineContact& contact : vine.contacts()) {
        EXPECT_GE(contact.impulse, 0);
        EXPECT_LE(std::abs(contact.friction), (1 + 1e-9) * friction * contact.impulse + 1e-12);
      }
    }
    finished += report.ok();
    if (report.ok()) continue;
    EXPECT_TRUE(report.status == VineStatus::kInfeasible ||
                report.status == VineStatus::kNotConverged);
    const std::string message = vine.Describe(report);
    EXPECT_TRUE(message.find("contact point") != std::string::npos ||
                message.find("segment") != std::string::npos ||
                message.find("pair") != std::string::npos)
        << message;
  }
  EXPECT_GE(finished, least_finished);
  EXPECT_GT(contacts, 10 * seeds);
}

TEST(Vine, NothingPenetratesInRandomSurroundings) { ExpectNoPenetration(0, 500, 490); }

TEST(Vine, NothingPenetratesWithFriction) { ExpectNoPenetration(0.4, 200, 190); }

TEST(Vine, ATrappedRobotIsNamed) {
  testing::VineScene scene = testing::RuntimeScene(10);
  scene.obstacles = {MakePlanarBox({0.42, -0.5}, {0.1, 1}),
                     MakePlanarBox({0.1, 0.0121}, {0.31, 0.1}),
                     MakePlanarBox({0.1, -0.1121}, {0.31, 0.1})};
  Vine vine = scene.Make();
  VineReport report;
  for (int step = 0; step < 100 && report.ok(); ++step) report = vine.Step(scene.growth);
  EXPECT_EQ(report.status, VineStatus::kInfeasible);
  EXPECT_EQ(vine.Describe(report), "infeasible: contact point " + std::to_string(report.point) +
                                       " and object " + std::to_string(report.object) +
                                       " (polygon) cannot be kept apart: the robot is trapped");
  EXPECT_GE(vine.CheckState().least_gap, -1e-9);  // the last good state
  EXPECT_LE(vine.CheckState().joint_error, 1e-9);
}

std::string ErrorMessage(const testing::VineScene& scene) {
  try {
    scene.Make();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Vine, BadInputIsReported) {
  const testing::VineScene good = testing::RuntimeScene(10);
  testing::VineScene bad = good;
  bad.chain.mass[2] = -1;
  EXPECT_EQ(ErrorMessage(bad), "mass, 2: got '-1', allowed: finite numbers > 0");
  bad = good;
  bad.options.dt = 0;
  EXPECT_EQ(ErrorMessage(bad), "dt: got '0', allowed: finite numbers > 0");
  bad = good;
  bad.state.q[4] = NAN;
  EXPECT_EQ(ErrorMessage(bad), "q, 4: got 'nan', allowed: finite numbers");
  bad = good;
  bad.obstacles = {MakeCircle({0.4, 0}, 0.01)};
  EXPECT_EQ(ErrorMessage(bad),
            "start, contact point 4 and object 0 (circle): got '-0.022', allowed: "
            "gaps of at least -1e-06 m");
  bad = good;
  bad.state.q[13] += 1e-3;
  EXPECT_EQ(ErrorMessage(bad),
            "start, pair 2: got '0.001', allowed: errors of joints up to 1e-06 m");
  Vine vine = good.Make();
  EXPECT_THROW(vine.Step(std::vector<double>{1}), ConfigError);
  EXPECT_THROW(vine.Step(std::vector<double>(5, NAN)), ConfigError);
}

// Relative energy that a free robot loses in `seconds`, apart from the energy taken by its damping.
double NumericalLoss(double dt, double damping, double seconds) {
  testing::VineScene scene = testing::OscillationScene();
  scene.options.dt = dt;
  scene.chain.damping.assign(scene.chain.pairs, damping);
  Vine vine = scene.Make();
  const auto energy = [&] { return EvaluateEnergy(vine.chain(), vine.state(), {0, 0}).total(); };
  const double start = energy();
  double dissipated = 0, last = start;
  for (int step = 0; step < std::lround(seconds / dt); ++step) {
    EXPECT_TRUE(vine.Step(scene.growth).ok());
    for (int i = 0; i < vine.chain().pairs; ++i) {
      const double rate = JointRate(vine.state().v, i);
      dissipated += dt * damping * rate * rate;
    }
    EXPECT_LE(energy(), last + 1e-12 * start);  // never gains energy
    last = energy();
  }
  return (start - last - dissipated) / start;
}

TEST(Vine, EnergyErrorIsFirstOrder) {
  for (const double damping : {0.0, 3e-3}) {
    const double coarse = NumericalLoss(2e-4, damping, 1), fine = NumericalLoss(1e-4, damping, 1);
    EXPECT_GT(fine, 0);
    EXPECT_LT(fine, 0.1) << fine << " " << coarse;
    EXPECT_NEAR(coarse / fine, 2, 0.2);  // first order in dt
  }
}

TEST(Vine, LengthGrowsAsPrescribedWithoutDrift) {
  testing::VineScene scene = testing::RuntimeScene(30);
  Vine vine = scene.Make();
  for (int step = 0; step < scene.steps; ++step) ASSERT_TRUE(vine.Step(scene.growth).ok());
  EXPECT_NEAR(ChainLength(vine.chain(), vine.state().q), 0.4 + 0.04 * scene.steps * 0.01, 1e-9);
}

}  // namespace vine_test
}  // namespace strand
