// Packs compared with plain doubles, lane by lane. A program of its own, without the model library:
// a function of wide packs compiled here must not replace the one compiled there for a newer
// instruction set.
#include "model/simd/pack.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "model/stencil/bend.h"
#include "model/stencil/edge.h"
#include "model/stencil/stretch.h"
#include "model/stencil/twist.h"
#include "tests/support/joint_case.h"

namespace strand {
namespace pack_test {

using testing::Dense;
using testing::JointCase;
using testing::MakeJointCase;
using testing::Random;

constexpr double kPi = std::numbers::pi;

template <class P>
class PackTest : public ::testing::Test {};
using Widths = ::testing::Types<Pack<2>, Pack<4>, Pack<8>>;
TYPED_TEST_SUITE(PackTest, Widths);

// A pack with the numbers get(0), get(1), ... in its lanes.
template <class P, class Get>
P Lanes(const Get& get) {
  double number[P::kWidth];
  for (int lane = 0; lane < P::kWidth; ++lane) number[lane] = get(lane);
  return P(number);
}

// Shuffles numbers so that each pack has lanes on both sides of every branch.
std::vector<double> Mixed(const std::vector<double>& numbers) {
  std::vector<double> mixed;
  for (size_t k = 0; k < numbers.size(); ++k) mixed.push_back(numbers[k * 7919 % numbers.size()]);
  return mixed;
}

template <class P, class Packed, class Single>
void ExpectEqualLanes(const std::vector<double>& x, const Packed& packed, const Single& single) {
  for (size_t first = 0; first < x.size(); first += P::kWidth) {
    const auto at = [&](int lane) { return x[(first + lane) % x.size()]; };
    const P result = packed(Lanes<P>(at));
    for (int lane = 0; lane < P::kWidth; ++lane) {
      EXPECT_EQ(result[lane], single(at(lane))) << "of " << at(lane) << " in lane " << lane;
    }
  }
}

std::vector<double> WideRange() {
  std::vector<double> x{0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 1e15, -1e15, 0x1p50, 0x1p50 + 0.5};
  Random random(1);
  for (int k = 0; k < 491; ++k) {
    const double size = std::pow(10.0, random.Uniform(-20, 15));
    x.push_back(k % 2 ? size : -size);
  }
  return Mixed(x);
}

TYPED_TEST(PackTest, ElementaryFunctionsAreTheStandardOnes) {
  using P = TypeParam;
  const std::vector<double> x = WideRange();
  std::vector<double> sizes = x;
  for (double& size : sizes) size = std::abs(size);
  ExpectEqualLanes<P>(
      sizes, [](const P& v) { return Sqrt(v); }, [](double v) { return std::sqrt(v); });
  ExpectEqualLanes<P>(
      x, [](const P& v) { return Round(v); }, [](double v) { return std::nearbyint(v); });
  ExpectEqualLanes<P>(x, [](const P& v) { return Abs(v); }, [](double v) { return std::abs(v); });
  ExpectEqualLanes<P>(
      x, [](const P& v) { return Max(v, P(0.25)); }, [](double v) { return std::max(v, 0.25); });
  ExpectEqualLanes<P>(
      x, [](const P& v) { return Select(v < P(1), P(3) - v, v / P(7)); },
      [](double v) { return v < 1 ? 3 - v : v / 7; });
  ExpectEqualLanes<P>(
      x, [](const P& v) { return Unwrap<P>(P(0.3), v * P(1e-6)); },
      [](double v) { return Unwrap(0.3, v * 1e-6); });
}

TYPED_TEST(PackTest, AllTestsEveryLane) {
  using P = TypeParam;
  EXPECT_TRUE(All(P(1) < P(2)));
  EXPECT_FALSE(All(P(2) < P(1)));
  for (int odd = 0; odd < P::kWidth; ++odd) {
    EXPECT_FALSE(All(Lanes<P>([odd](int lane) { return lane == odd ? 3.0 : 1.0; }) < P(2)));
  }
}

TYPED_TEST(PackTest, UnwrapIsNearestToTheReference) {
  using P = TypeParam;
  Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const P reference = Lanes<P>([&](int) { return random.Uniform(-1000, 1000); });
    const P angle = Lanes<P>([&](int) { return random.Uniform(-kPi, kPi); });
    const P unwrapped = Unwrap<P>(angle, reference);
    for (int lane = 0; lane < P::kWidth; ++lane) {
      EXPECT_LE(std::abs(unwrapped[lane] - reference[lane]), kPi + 1e-12);
      const double turns = (unwrapped[lane] - angle[lane]) / kTwoPi;
      EXPECT_NEAR(turns, std::round(turns), 1e-12);
    }
  }
}

template <class P>
double LargestAngleError(const std::vector<std::array<double, 2>>& points) {
  double largest = 0;
  for (size_t first = 0; first < points.size(); first += P::kWidth) {
    const auto at = [&](int lane) { return points[(first + lane) % points.size()]; };
    const P angle = Atan2(Lanes<P>([&](int lane) { return at(lane)[0]; }),
                          Lanes<P>([&](int lane) { return at(lane)[1]; }));
    for (int lane = 0; lane < P::kWidth; ++lane) {
      const long double exact =
          std::atan2(static_cast<long double>(at(lane)[0]), static_cast<long double>(at(lane)[1]));
      const long double error = std::abs(angle[lane] - exact);
      largest =
          std::max(largest, static_cast<double>(exact == 0 ? error : error / std::abs(exact)));
    }
  }
  return largest;
}

TYPED_TEST(PackTest, Atan2OverTheWholePlane) {
  std::vector<std::array<double, 2>> points;
  Random random(3);
  for (int k = 0; k < 200003; ++k) {
    const double angle = random.Uniform(-kPi, kPi), r = std::pow(10, random.Uniform(-50, 50));
    points.push_back({r * std::sin(angle), r * std::cos(angle)});
    const double ratio = std::pow(10, random.Uniform(-200, 200));
    points.push_back({k % 2 ? ratio : -ratio, k % 4 < 2 ? 1.0 : -1.0});
  }
  // Around the branch at 0.66, and around the diagonal.
  for (int k = 0; k < 1001; ++k) {
    points.push_back({0.66 + 1e-16 * (k - 500), k % 2 ? 1.0 : -1.0});
    points.push_back({1 + 1e-15 * (k - 500), k % 2 ? 1.0 : -1.0});
  }
  EXPECT_LT(LargestAngleError<TypeParam>(points), 3e-16);
}

TYPED_TEST(PackTest, Atan2OnTheAxes) {
  for (double r : {1e-280, 1e-20, 1.0, 3.7, 1e300}) {
    EXPECT_LT(LargestAngleError<TypeParam>({{0, r}, {r, 0}, {-r, 0}, {r, r}, {-r, r}, {-r, -r}}),
              3e-16);
  }
  // The angle is in (-pi, pi]; the sign of a zero is ignored.
  for (double zero : {0.0, -0.0}) {
    EXPECT_EQ(Atan2(TypeParam(zero), TypeParam(-2))[0], kPi);
    EXPECT_EQ(Atan2(TypeParam(zero), TypeParam(2))[0], 0);
    EXPECT_EQ(Atan2(TypeParam(3), TypeParam(zero))[0], kPi / 2);
    EXPECT_EQ(Atan2(TypeParam(zero), TypeParam(zero))[0], 0);
  }
}

// One joint per lane, with its parameters.
struct LaneCase {
  JointCase joint;
  BendRest bend;
  TwistRest twist;
  double length[2];
};

// Turning angles on both sides of every branch of the kernels: series or not, near the fold or not.
std::vector<LaneCase> LaneCases() {
  Random random(4);
  std::vector<LaneCase> cases;
  for (double turning : {0.0, 1e-9, 1e-3, 0.141, 0.142, 0.7, 1.6, 2.6, 3.12, 3.126, 3.13, 3.14}) {
    for (double twist : {0.0, 0.4, -2.5, 31.0}) {
      LaneCase one{MakeJointCase(turning, twist, &random), {}, {0.8, random.Uniform(-1, 1)}, {}};
      one.bend.stiffness = {random.Uniform(0.5, 2), random.Uniform(0.5, 2)};
      for (auto& side : one.bend.natural) {
        for (double& w : side) w = random.Uniform(-0.5, 0.5);
      }
      for (double& length : one.length) length = random.Uniform(0.2, 3);
      cases.push_back(one);
    }
  }
  return cases;
}

// The results of a kernel: energy, 8 derivatives, 8 x 8 second derivatives.
using Numbers = Eigen::Matrix<double, 73, 1>;

template <class P>
using Outcome = std::tuple<P, JointGradientOf<P>, JointHessianOf<P>>;

// Evaluates a kernel over the scalar T, with one case per lane.
enum class Kernel { kIsotropic, kEnergies, kCurvatures, kTwist };

template <class T, class Number>
Outcome<T> Run(Kernel kernel, CurvatureMeasure measure, const Number& number) {
  const auto vector = [&](const auto& of) {
    Vector3Of<T> v;
    for (int c = 0; c < 3; ++c) v[c] = number([&](const LaneCase& one) { return of(one)[c]; });
    return v;
  };
  Matrix3Of<T> frame[2];
  for (int column = 0; column < 3; ++column) {
    frame[0].col(column) =
        vector([&](const LaneCase& l) { return Vector3(l.joint.a.col(column)); });
    frame[1].col(column) =
        vector([&](const LaneCase& l) { return Vector3(l.joint.b.col(column)); });
  }
  const JointGeometryOf<T> geometry(frame[0].col(0), frame[1].col(0));
  BendRestOf<T> bend;
  for (int j = 0; j < 2; ++j) {
    bend.stiffness[j] = number([&](const LaneCase& one) { return one.bend.stiffness[j]; });
    for (int s = 0; s < 2; ++s) {
      bend.natural[s][j] = number([&](const LaneCase& one) { return one.bend.natural[s][j]; });
    }
  }
  Outcome<T> out;
  auto& [energy, gradient, hessian] = out;
  if (kernel == Kernel::kIsotropic) {
    energy = BendIsotropic<T>(geometry, bend.stiffness[0], measure, &gradient, &hessian);
  } else if (kernel != Kernel::kTwist) {
    const auto average =
        kernel == Kernel::kEnergies ? BendAverage::kEnergies : BendAverage::kCurvatures;
    energy =
        BendMaterial<T>(geometry, frame[0], frame[1], bend, measure, average, &gradient, &hessian);
  } else {
    gradient.setZero(), hessian.SetZero();
    const TwistRestOf<T> rest{number([](const LaneCase& one) { return one.twist.stiffness; }),
                              number([](const LaneCase& one) { return one.twist.natural; })};
    energy = AddTwist<T>(geometry, number([](const LaneCase& one) { return one.joint.twist; }),
                         rest, &gradient, &hessian);
  }
  const T per_length[2] = {number([](const LaneCase& one) { return 1 / one.length[0]; }),
                           number([](const LaneCase& one) { return 1 / one.length[1]; })};
  DirectionsToEdges<T>(geometry, per_length, &gradient, &hessian);
  return out;
}

// The value of one lane; a double has only one.
double Lane(double x, int) { return x; }
template <int W>
double Lane(const Pack<W>& x, int lane) {
  return x[lane];
}

template <class T>
Numbers OfLane(const Outcome<T>& out, int lane) {
  const auto& [energy, gradient, hessian] = out;
  JointHessian single;
  const auto copy = [lane](const auto& from, auto* to) {
    for (int k = 0; k < from.size(); ++k) to->data()[k] = Lane(from.data()[k], lane);
  };
  copy(hessian.aa, &single.aa), copy(hessian.bb, &single.bb), copy(hessian.ab, &single.ab);
  for (int s = 0; s < 2; ++s) {
    for (int r = 0; r < 2; ++r) copy(hessian.mixed[s][r], &single.mixed[s][r]);
  }
  single.angle_aa = Lane(hessian.angle_aa, lane);
  single.angle_ab = Lane(hessian.angle_ab, lane);
  single.angle_bb = Lane(hessian.angle_bb, lane);
  JointGradient slope;
  copy(gradient, &slope);
  Numbers numbers;
  numbers << Lane(energy, lane), slope, Dense(single).reshaped();
  return numbers;
}

// To the rounding error of the directions, which 1 / (1 + cos) magnifies near the fold. In the
// Hessian larger terms cancel there, which magnifies it by up to 1 / sin^3.
void ExpectSame(const Numbers& packed, const Numbers& single, double cosine) {
  const auto expect = [&](const auto& a, const auto& b, double magnified) {
    EXPECT_TRUE(b.allFinite());
    EXPECT_LE((a - b).norm(), (1e-14 + magnified) * (1 + b.norm()));
  };
  const double y = 1 + cosine;
  expect(packed.head<1>(), single.head<1>(), 1e-15 / y);
  expect(packed.segment<8>(1), single.segment<8>(1), 1e-15 / y);
  expect(packed.tail<64>(), single.tail<64>(), 4e-16 * std::pow(y, -1.5));
}

TYPED_TEST(PackTest, KernelsOfJointsAreThoseOfDoubles) {
  using P = TypeParam;
  const std::vector<LaneCase> cases = LaneCases();
  const int count = static_cast<int>(cases.size());
  for (auto measure : {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent}) {
    for (auto kernel :
         {Kernel::kIsotropic, Kernel::kEnergies, Kernel::kCurvatures, Kernel::kTwist}) {
      // Adjacent lanes have similar angles (stride 1) or quite different ones.
      for (int stride : {1, 4, 13}) {
        for (int first = 0; first < count; ++first) {
          const auto at = [&](int lane) { return cases[(first + stride * lane) % count]; };
          const auto packed = Run<P>(kernel, measure, [&](const auto& get) {
            return Lanes<P>([&](int lane) { return get(at(lane)); });
          });
          for (int lane = 0; lane < P::kWidth; ++lane) {
            const LaneCase one = at(lane);
            const double cosine = one.joint.geometry().cosine;
            SCOPED_TRACE(::testing::Message()
                         << "kernel " << static_cast<int>(kernel) << ", measure "
                         << static_cast<int>(measure) << ", cosine " << cosine);
            const auto single =
                Run<double>(kernel, measure, [&](const auto& get) { return get(one); });
            ExpectSame(OfLane(packed, lane), OfLane(single, 0), cosine);
          }
        }
      }
    }
  }
}

TYPED_TEST(PackTest, StretchIsThatOfDoubles) {
  using P = TypeParam;
  Random random(5);
  Vector3 t[P::kWidth];
  double length[P::kWidth], stiffness[P::kWidth], rest[P::kWidth];
  Vector3Of<P> packed_t;
  for (int lane = 0; lane < P::kWidth; ++lane) {
    t[lane] = random.Direction();
    length[lane] = random.Uniform(0.1, 3), rest[lane] = random.Uniform(0.1, 3);
    stiffness[lane] = random.Uniform(1, 1e6);
  }
  for (int c = 0; c < 3; ++c) packed_t[c] = Lanes<P>([&](int lane) { return t[lane][c]; });
  Vector3Of<P> force;
  Matrix3Of<P> block;
  const P energy = StretchEdge<P>(packed_t, P(length), P(stiffness), P(rest), &force, &block);
  for (int lane = 0; lane < P::kWidth; ++lane) {
    Vector3 single_force;
    Eigen::Matrix3d single_block;
    const double single = StretchEdge<double>(t[lane], length[lane], stiffness[lane], rest[lane],
                                              &single_force, &single_block);
    EXPECT_NEAR(energy[lane], single, 1e-15 * single);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(force[c][lane], single_force[c], 1e-15 * single_force.norm());
      for (int d = 0; d < 3; ++d) {
        EXPECT_NEAR(block(c, d)[lane], single_block(c, d), 1e-15 * single_block.norm());
      }
    }
  }
}

}  // namespace pack_test
}  // namespace strand
