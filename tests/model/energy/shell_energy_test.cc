#include "model/energy/shell_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "model/integrator/time_stepper.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/random.h"
#include "tests/support/shells.h"

namespace strand {
namespace shell_energy_test {

using testing::kThick;
using testing::Matrix;
using testing::Mesh;
using testing::Random;
using testing::ShellNetwork;
using testing::ShellProbe;
using testing::Vector;

struct Named {
  const char* name;
  Mesh mesh;
  bool clamped = false;
};

// Flat and curved at rest, open, clamped and closed. On the tetrahedron, and for three triangles
// about a vertex, the far nodes of a triangle are its own neighbours or coincide.
std::vector<Named> Meshes() {
  using namespace testing;
  return {{"triangle", {{{0, 0, 0}, {1, 0, 0}, {0.3, 0.9, 0}}, {{0, 1, 2}}}},
          {"clamped triangle", {{{0, 0, 0}, {1, 0, 0}, {0.3, 0.9, 0}}, {{0, 1, 2}}}, true},
          {"pair", EquilateralPair(1).Shaken(0.2, 1)},
          {"hexagon", Fan(6, 1).Shaken(0.1, 2), true},
          {"square", Fan(4, 1)},
          {"three about a vertex", Fan(3, 1).Shaken(0.15, 3)},
          {"clamped three about a vertex", Fan(3, 1).Shaken(0.15, 4), true},
          {"tetrahedron", Tetrahedron(0.5).Shaken(0.1, 5)},
          {"clamped grid", Grid(2, 3, 2, 3), true},
          {"cylinder", Rolled(Grid(4, 2, 4, 2), 1.3).Shaken(0.05, 6)}};
}

// Sets natural values that differ from those of the rest shape.
void DriveRest(ShellRest* rest, std::uint64_t seed) {
  Random random(seed);
  for (int e = 0; e < rest->edges(); ++e) {
    rest->SetRestLength(e, rest->rest_length[e] * random.Uniform(0.8, 1.2));
    const double angle = rest->natural_angle[e] + random.Uniform(-0.4, 0.4);
    if (rest->edge[e].folds()) rest->SetNaturalAngle(e, angle);
  }
}

using Kind = std::tuple<bool, Membrane>;

ShellMaterial Thick(Membrane membrane) {
  ShellMaterial material = kThick;
  material.membrane = membrane;
  return material;
}

class EveryMesh : public ::testing::TestWithParam<Kind> {
 protected:
  bool mid_edge() const { return std::get<0>(GetParam()); }
  Membrane membrane() const { return std::get<1>(GetParam()); }
  ShellMaterial material() const { return Thick(membrane()); }
};
INSTANTIATE_TEST_SUITE_P(ShellEnergy, EveryMesh,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(Membrane::kContinuum,
                                                              Membrane::kSprings)),
                         [](const auto& of) {
                           const bool springs = std::get<1>(of.param) == Membrane::kSprings;
                           return std::string(std::get<0>(of.param) ? "MidEdge" : "Hinge") +
                                  (springs ? "Springs" : "Continuum");
                         });

TEST_P(EveryMesh, DerivativesMatchDifferences) {
  for (const Named& of : Meshes()) {
    for (bool symmetric : {true, false}) {
      SCOPED_TRACE(of.name);
      ShellProbe probe(ShellNetwork(of.mesh, mid_edge(), of.clamped), material(), symmetric);
      DriveRest(&probe.energy().rest(), 7);
      testing::CheckForceDerivatives(probe.force(), probe.RandomMove(0.12, 0.4, 8), 0.03, true);
    }
  }
}

// The membrane springs do not depend on rotations and would hide an error in these derivatives.
TEST_P(EveryMesh, RotationsHaveExactDerivatives) {
  if (!mid_edge()) return;
  for (const Named& of : Meshes()) {
    SCOPED_TRACE(of.name);
    ShellProbe probe(ShellNetwork(of.mesh, true, of.clamped), material());
    const Vector q = probe.RandomMove(0.12, 0.4, 9);
    const Matrix hessian = probe.force().Hessian(q);
    const Vector gradient = probe.force().Gradient(q);
    for (size_t e = 0; e < probe.network().mesh_edge().size(); ++e) {
      const int dof = probe.dofs().rotation(static_cast<int>(e));
      const double h = 1e-4;  // a quadratic: differences are exact
      Vector ahead = q, behind = q;
      ahead[dof] += h, behind[dof] -= h;
      EXPECT_NEAR((probe.force().Energy(ahead) - probe.force().Energy(behind)) / (2 * h),
                  gradient[dof], 1e-10);
      const Vector column =
          (probe.force().Gradient(ahead) - probe.force().Gradient(behind)) / (2 * h);
      EXPECT_LT((column - hessian.col(dof)).norm(), 1e-10);
    }
  }
}

TEST_P(EveryMesh, InitialShapeIsAtRest) {
  for (const Named& of : Meshes()) {
    ShellProbe probe(ShellNetwork(of.mesh, mid_edge(), of.clamped), material());
    const Vector still = Vector::Zero(probe.force().size());
    EXPECT_LT(probe.force().Energy(still), 1e-28) << of.name;
    EXPECT_LT(probe.force().Gradient(still).norm(), 1e-14) << of.name;
    EXPECT_GT(probe.force().Energy(probe.RandomMove(0.1, 0, 1)), 1e-4) << of.name;
    // The rest shape is a minimum. The only free motions are rigid ones and, at a clamp (whose wing
    // and rotation are locked elsewhere), those that do not turn its normal.
    const Vector eigenvalues = testing::Eigenvalues(probe.force().Hessian(still));
    EXPECT_GT(eigenvalues[0], -1e-13) << of.name;
    int free = 0;
    for (double value : eigenvalues) free += value < 1e-10;
    const size_t clamps = probe.network().clamp_nodes().size();
    EXPECT_EQ(free, 6 + (mid_edge() ? 3 : 2) * static_cast<int>(clamps)) << of.name;
  }
}

TEST_P(EveryMesh, RigidMotionHasNoEffect) {
  Random random(10);
  for (const Named& of : Meshes()) {
    ShellProbe probe(ShellNetwork(of.mesh, mid_edge(), of.clamped), material());
    const Vector q = probe.RandomMove(0.12, 0.4, 11), slope = probe.force().Gradient(q);
    const Eigen::Matrix3d turn = random.Rotation();
    const Vector3 by = random.Vector();
    Vector moved = q;
    Vector3 force = Vector3::Zero(), moment = force;
    for (int n = 0; n < probe.network().nodes(); ++n) {
      const int dof = probe.dofs().node(n);
      const Vector3 x = probe.Place(n, q), own = slope.segment<3>(dof);
      moved.segment<3>(dof) = turn * x + by - probe.network().node()[n];
      force += own, moment += x.cross(own);
    }
    EXPECT_LT(force.norm(), 1e-14 * slope.norm() * q.size()) << of.name;
    EXPECT_LT(moment.norm(), 1e-14 * slope.norm() * q.size()) << of.name;
    const double energy = probe.force().Energy(q);
    EXPECT_NEAR(probe.force().Energy(moved), energy, 1e-13 * energy) << of.name;
    const Vector turned = probe.force().Gradient(moved);
    for (int dof : probe.dofs().nodes()) {
      EXPECT_LT((turned.segment<3>(dof) - turn * slope.segment<3>(dof)).norm(),
                1e-13 * slope.norm());
    }
    for (int e = 0; e < probe.energy().rest().edges(); ++e) {
      const int dof = probe.dofs().rotation(e);
      if (dof >= 0) {
        EXPECT_NEAR(turned[dof], slope[dof], 1e-13 * slope.norm());
      }
    }
  }
}

TEST_P(EveryMesh, AllSetsOfLoopsAgree) {
  const auto sets = AvailableShellLoops();
  ASSERT_FALSE(sets.empty());
  for (const Named& of : Meshes()) {
    const Network network = ShellNetwork(of.mesh, mid_edge(), of.clamped);
    ShellProbe first(network, material(), true, *sets.front());
    const Vector q = first.RandomMove(0.12, 0.4, 12);
    const double energy = first.force().Energy(q);
    const Vector gradient = first.force().Gradient(q);
    const Matrix hessian = first.force().Hessian(q);
    for (const ShellLoops* loops : sets) {
      ShellProbe probe(network, material(), true, *loops);
      EXPECT_NEAR(probe.force().Energy(q), energy, 1e-13 * energy) << of.name << loops->width;
      EXPECT_LT((probe.force().Gradient(q) - gradient).norm(), 1e-13 * gradient.norm());
      EXPECT_LT((probe.force().Hessian(q) - hessian).norm(), 1e-13 * hessian.norm());
    }
  }
}

struct Everything {
  double energy, force, moment;
  std::vector<double> gradient, values;
  bool operator==(const Everything&) const = default;
};

Everything EvaluateLarge(bool mid_edge, Membrane membrane, int threads) {
  const Network network = ShellNetwork(testing::Grid(53, 49, 5, 5), mid_edge);
  EXPECT_GT(network.triangle().size(), 5000u);
  const Dofs dofs(network);
  ShellEnergy energy(network, ShellRest(network, std::vector{Thick(membrane)}), dofs);
  energy.UseThreads(threads);
  Pattern pattern(dofs.unknowns());
  energy.Couple(dofs, &pattern);
  const auto system = MakeLinearSystem(pattern, Symmetry::kSymmetric);
  energy.Bind(dofs, *system);
  Configuration at;
  at.Resize(dofs.size(), 0, 0);
  Random random(13);
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) {
      at.q[dofs.node(n) + c] = network.node()[n][c] + random.Uniform(-0.02, 0.02);
    }
  }
  Everything all;
  all.gradient.assign(dofs.size(), 0.0);
  const Evaluation value =
      energy.Evaluate({at, at, 0, 0}, {all.gradient.data(), system->values().data()});
  all.values.assign(system->values().begin(), system->values().end());
  all.energy = value.energy, all.force = value.force, all.moment = value.moment;
  return all;
}

TEST_P(EveryMesh, ResultIsBitwiseIndependentOfThreads) {
  const Everything alone = EvaluateLarge(mid_edge(), membrane(), 1);
  EXPECT_GT(alone.energy, 1e-3);
  for (int threads : {2, 4, 2}) {
    EXPECT_TRUE(EvaluateLarge(mid_edge(), membrane(), threads) == alone) << threads;
  }
}

// Two triangles folded by `fold`, without stretch.
ShellProbe Folded(double side, bool mid_edge, Membrane membrane = Membrane::kContinuum) {
  const ShellMaterial paper{3e9, 0.3, 1e-4, 800, membrane};
  return ShellProbe(ShellNetwork(testing::EquilateralPair(side), mid_edge), paper);
}

double FoldingEnergy(double side, bool mid_edge, double fold) {
  ShellProbe probe = Folded(side, mid_edge);
  Vector q = Vector::Zero(probe.force().size());
  const double height = side * std::sqrt(0.75);
  q.segment<3>(probe.dofs().node(2)) = height * Vector3(0, std::cos(fold) - 1, std::sin(fold));
  return probe.force().Energy(q);
}

// E h^3 / 12 (2 / sqrt 3) phi^2 / 2 of a hinge, and k_b l^2 / (2 A) phi^2 with mid-edge normals, at
// any size. The codes of the papers skip triangles with edges below a millimetre.
TEST(ShellEnergy, TinyTrianglesBend) {
  const double E = 3e9, h = 1e-4, nu = 0.3;
  for (double side : {1e-6, 1e-4, 9e-4, 1e-2, 10.0}) {
    for (double fold : {-2.0, -0.3, 1e-3, 0.7}) {
      const double hinge = 2 / std::sqrt(3) * E * h * h * h / 12 * fold * fold / 2;
      EXPECT_NEAR(FoldingEnergy(side, false, fold) / hinge, 1, 1e-9) << side << " " << fold;
      const double k_b = E * h * h * h / (24 * (1 - nu * nu));
      const double mid_edge = k_b * 2 / std::sqrt(3) * fold * fold;
      EXPECT_NEAR(FoldingEnergy(side, true, fold) / mid_edge, 1, 1e-9) << side << " " << fold;
    }
  }
}

// Two triangles, one of which is turned about the common edge, which is along x, by up to 1.3 turns
// and back.
TEST(ShellEnergy, ASheetFoldsThroughItself) {
  constexpr double kSide = 0.02, kStep = 0.1;
  for (bool mid_edge : {false, true}) {
    const auto pair =
        testing::ShellSystem(ShellNetwork(testing::EquilateralPair(kSide), mid_edge), kThick);
    const auto other =
        testing::ShellSystem(ShellNetwork(testing::EquilateralPair(kSide), mid_edge), kThick);
    for (System* system : {pair.get(), other.get()}) {
      for (int dof = 0; dof < system->dofs().size(); ++dof) system->Lock(dof);
    }
    TimeStepper stepper({});
    const double unit = FoldingEnergy(kSide, mid_edge, 1) /
                        (3e9 * 1e-12 / (kThick.young * std::pow(kThick.thickness, 3)));
    const double height = kSide * std::sqrt(0.75);
    const int wing = pair->dofs().node(2);
    const Vector3 at = pair->state().at.position(wing);
    for (int k = 1; k <= 164; ++k) {
      const double fold = kStep * (k <= 82 ? k : 164 - k);
      const Vector3 to = at + height * Vector3(0, std::cos(fold) - 1, std::sin(fold));
      for (int c = 0; c < 3; ++c) pair->Drive(wing + c, to[c]);
      stepper.Step(*pair);
      ASSERT_NEAR(pair->EvaluateState().energy.sum(), unit * fold * fold, 1e-9 * unit) << fold;
      if (k != 70) continue;
      other->SetState(pair->state(), pair->Memory());
      EXPECT_NEAR(other->EvaluateState().energy.sum(), unit * fold * fold, 1e-9 * unit);
      other->Place(other->state().at);  // without a history: the smallest angle
      const double least = kTwoPi - fold;
      EXPECT_NEAR(other->EvaluateState().energy.sum(), unit * least * least, 1e-9 * unit);
    }
  }
}

double EvenStretchEnergy(double side, double strain, bool mid_edge, Membrane membrane) {
  ShellProbe probe = Folded(side, mid_edge, membrane);
  Vector q = Vector::Zero(probe.force().size());
  for (int n = 0; n < 4; ++n) {
    q.segment<3>(probe.dofs().node(n)) = strain * probe.network().node()[n];
  }
  return probe.force().Energy(q);
}

// Every edge stretched by the strain e: k_s l e^2 / 2 per edge for springs; for the continuum the
// area times E h / (1 - nu) times the square of the Green strain e + e^2 / 2.
TEST(ShellEnergy, EvenStretch) {
  const double side = 0.02, strain = 0.01, Eh = 3e9 * 1e-4, nu = 0.3;
  const double green = strain + strain * strain / 2, area = std::sqrt(0.75) * side * side;
  for (bool mid_edge : {false, true}) {
    const double springs = (mid_edge ? 2 / (1 - nu * nu) : std::sqrt(0.75)) * Eh * side;
    EXPECT_NEAR(EvenStretchEnergy(side, strain, mid_edge, Membrane::kSprings) /
                    (5 * springs * side * strain * strain / 2),
                1, 1e-11);
    EXPECT_NEAR(EvenStretchEnergy(side, strain, mid_edge, Membrane::kContinuum) /
                    (area * Eh / (1 - nu) * green * green),
                1, 1e-11);
  }
}

// Shells of both kinds beside each other, and rods: each adds its own energy.
TEST(ShellEnergy, SeveralShellsInOneNetwork) {
  Network both;
  testing::AddShell(&both, testing::Fan(6, 1).Shaken(0.1, 1), true);
  both.AddRod({{3, 0, 0}, {4, 0, 0}, {5, 0, 0}}, Vector3::UnitZ());
  testing::AddShell(&both, testing::Tetrahedron(0.5), false);
  ShellProbe probe(both, kThick);
  const Vector q = probe.RandomMove(0.1, 0.3, 4);
  double sum = 0;
  for (int s : {0, 1}) {
    const Mesh mesh = s ? testing::Tetrahedron(0.5) : testing::Fan(6, 1).Shaken(0.1, 1);
    ShellProbe alone(ShellNetwork(mesh, s == 0), kThick);
    Vector own = Vector::Zero(alone.force().size());
    for (size_t v = 0; v < mesh.vertices.size(); ++v) {
      own.segment<3>(alone.dofs().node(static_cast<int>(v))) =
          q.segment<3>(probe.dofs().node(both.shell(s).node[v]));
    }
    for (size_t e = 0; s == 0 && e < both.shell(0).edge.size(); ++e) {
      own[alone.dofs().rotation(static_cast<int>(e))] =
          q[probe.dofs().rotation(both.shell(0).edge[e])];
    }
    sum += alone.force().Energy(own);
  }
  EXPECT_NEAR(probe.force().Energy(q), sum, 1e-13 * sum);
  testing::CheckForceDerivatives(probe.force(), q, 0.03, true);
}

}  // namespace shell_energy_test
}  // namespace strand
