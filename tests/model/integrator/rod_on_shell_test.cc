// A rod that stands on a plate or leaves it in its plane: a T-junction.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "model/config/error.h"
#include "model/integrator/statics.h"
#include "tests/support/shells.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace rod_on_shell_test {

using testing::Mesh;
using testing::Position;
using testing::Steps;

constexpr double kSize = 0.1, kLength = 0.1, kRadius = 1e-3, kYoung = 1e9;
constexpr double kArea = std::numbers::pi * kRadius * kRadius;
constexpr double kBending = kYoung * kArea * kRadius * kRadius / 4;  // EI
constexpr EdgeMaterial kRod{
    kYoung * kArea, {kBending, kBending}, kBending / 1.3, 1e3 * kArea, 5e2 * kArea * 1e-6};
// Bends and twists like the rod, and is massless.
constexpr EdgeMaterial kRib{0, kRod.EI, kRod.GJ, 0, kRod.spin_inertia_per_length};
constexpr ShellMaterial kPlate{1e9, 0.3, 1e-3, 1000};

bool AtBorder(const Vector3& x) {
  const auto in = [](double at) { return at > 1e-9 && at < kSize - 1e-9; };
  return !in(x.x()) || !in(x.y());
}

struct Scene {
  Attachment how = Attachment::kRigid;
  bool mid_edge = true;
  Vector3 along = Vector3::UnitZ();
  int edges = 10;  ///< of the rod
};

/// A plate clamped at its border, and a rod of 0.1 m attached to its middle.
struct Junction {
  static constexpr int kCells = 8, kMiddle = kCells / 2 * (kCells + 2);

  explicit Junction(const Scene& of) {
    Network network;
    const Mesh plate = testing::Grid(kCells, kCells, kSize, kSize);
    testing::AddShell(&network, plate, of.mid_edge);
    std::vector<Vector3> line;
    for (int k = 0; k <= of.edges; ++k) {
      line.push_back(plate.vertices[kMiddle] + kLength * k / of.edges * of.along.normalized());
    }
    network.AddRod(line, of.along.cross(Vector3(0.3, -0.5, 0.1)));
    network.Attach(0, 0, 0, kMiddle, of.how);
    testing::ClampRim(&network, 0, AtBorder);
    SystemParameters parameters;
    parameters.material.assign(network.edges(), kRod);
    for (int rib : network.ribs()) parameters.material[rib] = kRib;
    parameters.shell = {kPlate};
    system = std::make_unique<System>(network, parameters);
    testing::LockNodes(system.get(), AtBorder);
    load = system->Add(std::make_unique<NodalLoad>(system->dofs()));
    tip = network.rod(0).node.back();
  }

  void Pull(int node, const Vector3& force) {
    for (int c = 0; c < 3; ++c) load->value()[system->dofs().node(node) + c] = force[c];
  }
  Vector3 Moved(int node) const { return Position(*system, node) - system->network().node()[node]; }
  /// Rotation of the plate's middle about -x and y (rad).
  Eigen::Vector2d Turn() const {
    const double across = 2 * kSize / kCells;
    const auto rise = [&](int step) {
      return (Moved(kMiddle + step).z() - Moved(kMiddle - step).z()) / across;
    };
    return {-rise(1), -rise(kCells + 1)};
  }

  std::unique_ptr<System> system;
  NodalLoad* load;
  int tip;
};

// Directions of the rod: normal to the plate, oblique, and in its plane, between mesh edges and
// along them.
const Vector3 kDirections[] = {{0, 0, 1}, {0.3, 0.2, 1}, {1, 0.4, 0}, {1, 0, 0}, {1, 1, 0}};

template <class Check>
void ForEachJunction(const Check& check) {
  for (bool mid_edge : {false, true}) {
    for (Attachment how : {Attachment::kRigid, Attachment::kPublished}) {
      for (const Vector3& along : kDirections) {
        for (int axis : {0, 1, 2}) {
          SCOPED_TRACE(::testing::Message()
                       << (mid_edge ? "mid-edge " : "hinge ") << static_cast<int>(how) << " along "
                       << along.transpose() << ", force " << axis);
          check(Scene{how, mid_edge, along}, Vector3::Unit(axis));
        }
      }
    }
  }
}

// The reactions at the border balance the load in force and moment, and Newton needs no shifts.
TEST(RodOnShell, ReactionsBalanceTheLoad) {
  ForEachJunction([](const Scene& scene, const Vector3& axis) {
    Junction made(scene);
    const Vector3 pull = 0.05 * axis;
    made.Pull(made.tip, pull);
    const SolveReport report = SolveStatics(*made.system, {.tolerance = 1e-12}, 1);
    EXPECT_LE(report.iterations, 8);
    const ForceSum& forces = made.system->EvaluateState();
    Vector3 force = pull, moment = Position(*made.system, made.tip).cross(pull);
    const Dofs& dofs = made.system->dofs();
    for (int n = 0; n < made.system->network().nodes(); ++n) {
      if (!dofs.locked(dofs.node(n))) continue;
      const double* held = &forces.gradient[dofs.node(n)];
      const Vector3 reaction(held[0], held[1], held[2]);
      force += reaction, moment += Position(*made.system, n).cross(reaction);
    }
    EXPECT_LT(force.norm(), 1e-8 * pull.norm());
    EXPECT_LT(moment.norm(), 1e-8 * kLength * pull.norm());
  });
}

TEST(RodOnShell, IsNotSingular) {
  ForEachJunction([](const Scene& scene, const Vector3& axis) {
    Junction still(scene);
    still.Pull(still.tip, 1e-3 * axis);
    const SolveReport report = SolveStatics(*still.system, {.tolerance = 1e-10});
    EXPECT_LE(report.factorizations, report.iterations + 1);  // no shifts
    for (Method method : {Method::kBdf2, Method::kMidpoint, Method::kBackwardEuler}) {
      Junction swings(scene);
      swings.Pull(swings.tip, 1e-2 * axis);
      TimeStepper stepper(Steps(method, 1e-3));
      StepReport all;
      for (int k = 0; k < 10; ++k) all += stepper.Step(*swings.system);
      EXPECT_EQ(all.rejections, 0);
      EXPECT_LE(all.factorizations, all.iterations + 10);  // at most one more per step
    }
  });
}

// The tip moves by the rotation of the first edge times the length, plus the bending of the chain
// beyond, F l / EI sum (L - x_i)^2. The first edge turns with the plate and bends at the joints
// with the ribs: at least two of these, over half the length of both edges, share the moment F L,
// half each but for their turn out of the plane in which they are bent at rest.
TEST(RodOnShell, RootTurnsWithThePlate) {
  for (bool mid_edge : {false, true}) {
    for (int axis : {0, 1}) {
      for (int n : {10, 20, 40}) {
        Junction made({.mid_edge = mid_edge, .edges = n});
        const double pull = 1e-4, l = kLength / n;
        made.Pull(made.tip, pull * Vector3::Unit(axis));
        SolveStatics(*made.system, {.tolerance = 1e-12});
        const int first = made.system->network().rod(0).node[1];
        const double root = (made.Moved(first) - made.Moved(Junction::kMiddle))[axis] / l;
        const double chain = pull * l * l * l / kBending * (n - 1) * n * (2 * n - 1) / 6;
        const double tip = (made.Moved(made.tip) - made.Moved(Junction::kMiddle))[axis];
        EXPECT_NEAR(tip, chain + root * kLength, 1e-4 * tip);
        const double plate = made.Turn()[axis], joint = root - plate;
        EXPECT_GT(plate, 0.03 * root);
        EXPECT_GT(joint, 0);
        EXPECT_LT(joint, 0.51 * pull * kLength / kBending * 0.5 * (l + kSize / Junction::kCells));
        EXPECT_LT(std::abs(made.Moved(made.tip)[1 - axis]), 1e-9);
      }
    }
  }
}

// With a hinge the plate feels no moment: a rod supported at both ends shares a load between them.
TEST(RodOnShell, HingesCarryNoMoment) {
  for (bool mid_edge : {false, true}) {
    Junction made({.how = Attachment::kHinged, .mid_edge = mid_edge});
    System& system = *made.system;
    testing::LockNode(&system, made.tip);
    system.Lock(system.dofs().edge(0));  // nothing else prevents it from spinning
    const double pull = 1e-4;
    made.Pull(system.network().rod(0).node[5], {pull, 0, 0});
    SolveStatics(system, {.tolerance = 1e-11});
    EXPECT_LT(made.Turn().norm(), 1e-9);
    EXPECT_LT(std::abs(made.Moved(Junction::kMiddle).z()), 1e-8);
    const ForceSum& forces = system.EvaluateState();
    EXPECT_NEAR(forces.gradient[system.dofs().node(made.tip)], -pull / 2, 1e-5 * pull);
    // Supported at both ends: F L^3 / 48 EI, for ten edges times 1 + 2 / n^2.
    const double beam = pull * std::pow(kLength, 3) / (48 * kBending);
    EXPECT_NEAR(made.Moved(system.network().rod(0).node[5]).x() / beam, 1.02, 2e-3);
  }
}

// Without other support a rod on a hinge is free to rotate: only a shift restrains it.
TEST(RodOnShell, RigidAttachmentsConstrainRotationAndHingesDoNot) {
  const auto largest_move = [](Attachment how, double shift) {
    Junction made({.how = how});
    StepWorkspace workspace;
    StepProblem step(*made.system, TimeRule::Statics(), workspace);
    NewtonProblem& equation = step.equation();
    equation.Evaluate(true);
    const Factorization factors = equation.system().Factor(shift, equation.weight());
    EXPECT_TRUE(factors.ok);
    EXPECT_EQ(factors.negative_pivots, 0);
    std::vector<double> x(equation.residual().size(), 1.0);
    equation.system().Solve(x);
    return equation.LargestMove(x);
  };
  for (Attachment how : {Attachment::kHinged, Attachment::kRigid}) {
    const double grows = largest_move(how, 1e-8) / largest_move(how, 1e-6);
    const double expected = how == Attachment::kHinged ? 100 : 1;
    EXPECT_NEAR(grows, expected, 0.01 * expected);
  }
}

// A rod glued to the plate along its edges: ribs parallel to the rod must not fold back on it.
TEST(RodOnShell, StiffensWhereItIsGlued) {
  double deflection[2];
  for (bool glued : {false, true}) {
    Network network;
    const Mesh strip = testing::Grid(10, 2, 0.1, 0.02);
    testing::AddShell(&network, strip, true);
    const auto at_root = [](const Vector3& x) { return x.x() < 1e-9; };
    testing::ClampRim(&network, 0, at_root);
    std::vector<Vector3> line;
    for (int k = 0; k <= 10; ++k) line.push_back(strip.vertices[11 + k]);
    if (glued) {
      network.AddRod(line, Vector3::UnitZ());
      for (int k = 0; k <= 10; ++k) network.Attach(0, k, 0, 11 + k, Attachment::kRigid);
    }
    SystemParameters parameters;
    parameters.material.assign(network.edges(), kRib);
    parameters.shell = {kPlate};
    System system(network, parameters);
    testing::LockNodes(&system, at_root);
    auto* load = system.Add(std::make_unique<NodalLoad>(system.dofs()));
    load->value()[system.dofs().node(network.shell(0).node[21]) + 2] = 1e-3;
    const SolveReport report = SolveStatics(system, {.tolerance = 1e-10});
    EXPECT_LE(report.factorizations, report.iterations + 1);  // no shifts
    deflection[glued] = Position(system, network.shell(0).node[21]).z();
  }
  EXPECT_LT(deflection[1], 0.9 * deflection[0]);
  EXPECT_GT(deflection[1], 0.1 * deflection[0]);
}

TEST(RodOnShell, RibsHaveNoDrag) {
  for (Attachment how : {Attachment::kHinged, Attachment::kRigid}) {
    const Junction made({.how = how});
    const Network& network = made.system->network();
    ASSERT_EQ(network.ribs().empty(), how == Attachment::kHinged);
    double sum = 0;
    for (double c : LineDrag(network, made.system->dofs(), 2)) sum += c;
    EXPECT_NEAR(sum, 3 * 2 * kLength, 1e-14);
  }
}

TEST(RodOnShell, RejectsARodAlongAllRibs) {
  Network network;
  testing::AddShell(&network, {{{0, 0, 0}, {1, 0.2, 0}, {1, -0.2, 0}}, {{0, 2, 1}}}, true);
  network.AddRod({{0, 0, 0}, {1, 0, 0}}, Vector3::UnitZ());
  EXPECT_THROW(network.Attach(0, 0, 0, 0, Attachment::kRigid), ConfigError);
  EXPECT_EQ(network.nodes(), 5);
  EXPECT_NO_THROW(network.Attach(0, 0, 0, 0, Attachment::kHinged));
  network.AddRod({{0, 0, 0}, {-1, 0, 0}}, Vector3::UnitZ());
  EXPECT_EQ(network.Attach(1, 0, 0, 0, Attachment::kRigid).size(), 2u + 1);
}

}  // namespace rod_on_shell_test
}  // namespace strand
