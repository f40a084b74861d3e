// The loops of every instruction set that this machine has agree with those of any machine.
#include "model/energy/rod_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/rods.h"

namespace strand {
namespace rod_loops_test {

constexpr double kTolerance = 1e-13;  // of the largest value

// Lengths about the widths of packs and blocks.
constexpr int kLengths[] = {3, 7, 8, 9, 10, 63, 64, 65, 66, 67, 140};

void ExpectNear(std::span<const double> values, std::span<const double> expected) {
  ASSERT_EQ(values.size(), expected.size());
  double scale = 0;
  for (double value : expected) scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], kTolerance * scale) << "at " << i;
  }
}

std::span<const double> Numbers(const std::vector<Vector3>& vectors) {
  return {vectors.data()->data(), 3 * vectors.size()};
}

// Calls check(rest, chain, loops) with random rods and each set of loops.
template <class Check>
void OnRandomRods(int order, const Check& check) {
  for (const int links : kLengths) {
    for (const testing::Material material : testing::kMaterials) {
      for (const bool closed : {false, true}) {
        const RodRest rest =
            testing::MakeRest(links, closed, material, CurvatureMeasure::kAngle, 5, order);
        const testing::RandomChain chain = closed ? testing::MakeRandomRing(links, 0.1, 6)
                                                  : testing::MakeRandomChain(links, 0.8, 0.1, 6);
        for (const RodLoops* loops : AvailableRodLoops()) {
          SCOPED_TRACE(std::to_string(links) + " links, width " + std::to_string(loops->width));
          check(rest, chain, *loops);
        }
      }
    }
  }
}

const RodLoops& Baseline() { return *AvailableRodLoops().front(); }

TEST(RodLoops, TwistsAgree) {
  OnRandomRods(2, [](const RodRest& rest, const testing::RandomChain& chain, const auto& loops) {
    const std::vector<double> correction(rest.joints(), 0.1);
    std::vector<double> twists(rest.joints()), expected(rest.joints());
    loops.twists(rest, chain.frames, correction, chain.twists, twists);
    for (int i = 0; i < rest.joints(); ++i) {
      const double angle = TwistAngle(chain.frames[i], chain.frames[rest.next(i)]);
      expected[i] = Unwrap(angle + correction[i], chain.twists[i]);
    }
    ExpectNear(twists, expected);
  });
}

TEST(RodLoops, JointsAgree) {
  OnRandomRods(2, [](const RodRest& rest, const testing::RandomChain& chain, const auto& loops) {
    std::vector<Vector3> couples(rest.joints()), expected(rest.joints());
    const RodEnergy energy = loops.joints(rest, chain.frames, chain.twists, couples, nullptr);
    const RodEnergy same = Baseline().joints(rest, chain.frames, chain.twists, expected, nullptr);
    EXPECT_NEAR(energy.bend, same.bend, kTolerance * same.bend);
    EXPECT_NEAR(energy.twist, same.twist, kTolerance * same.twist);
    ExpectNear(Numbers(couples), Numbers(expected));
    const RodEnergy alone = loops.joints(rest, chain.frames, chain.twists, {}, nullptr);
    EXPECT_EQ(alone.bend, energy.bend);
    EXPECT_EQ(alone.twist, energy.twist);
  });
}

TEST(RodLoops, CurvatureChangesAgree) {
  OnRandomRods(4, [](const RodRest& rest, const testing::RandomChain& chain, const auto& loops) {
    std::vector<Vector3> couples(rest.joints(), Vector3(1, 2, 3)), expected = couples;
    const double energy = loops.curvature_changes(rest, chain.frames, chain.twists, couples);
    const double same = Baseline().curvature_changes(rest, chain.frames, chain.twists, expected);
    EXPECT_NEAR(energy, same, kTolerance * same);
    ExpectNear(Numbers(couples), Numbers(expected));
    EXPECT_EQ(loops.curvature_changes(rest, chain.frames, chain.twists, {}), energy);
  });
}

// A block in the middle of a rod, with the directions of links beyond it.
WideBlock RandomBlock(int first, int count) {
  testing::Random random(first + count);
  WideBlock block;
  block.first = first, block.count = count;
  for (int j = 0; j < WideBlock::kReach; ++j) {
    const Vector3 direction = random.Vector().normalized();
    for (int c = 0; c < 3; ++c) block.direction[c][j] = direction[c];
    block.moment[j] = random.Uniform(-1, 1);
  }
  return block;
}

TEST(RodLoops, WideTermsAgree) {
  constexpr int kLinks = 140;
  const RodRest rest = testing::MakeRest(kLinks, false, testing::Material::kStraight,
                                         CurvatureMeasure::kAngle, 5, 6);
  for (const auto& [first, count] : {std::pair(0, 64), std::pair(64, 64), std::pair(128, 12)}) {
    const auto evaluate = [&](const RodLoops& loops) {
      WideBlock block = RandomBlock(first, count);
      std::vector<double> numbers(WideBlock::kReach);
      loops.holonomy(rest.wide, block, numbers.data());
      numbers.resize(count);
      numbers.push_back(loops.turns(rest.wide, true, true, &block));
      for (const auto& couple : block.couple) {
        numbers.insert(numbers.end(), couple, couple + count + 3);
      }
      return numbers;
    };
    for (const RodLoops* loops : AvailableRodLoops()) {
      SCOPED_TRACE("width " + std::to_string(loops->width));
      ExpectNear(evaluate(*loops), evaluate(Baseline()));
    }
  }
}

TEST(RodLoops, DirectionsAreTurned) {
  const testing::RandomChain chain = testing::MakeRandomChain(21, 0.8, 0.1, 6);
  const Frame carry = chain.frames[3];
  for (const RodLoops* loops : AvailableRodLoops()) {
    WideBlock block;
    loops->directions(chain.frames, carry, 2, &block);
    for (int k = 0; k < 21; ++k) {
      const Vector3 expected = carry * chain.frames[k].col(0);
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(block.direction[c][2 + k], expected[c], 1e-15);
    }
  }
}

}  // namespace rod_loops_test
}  // namespace strand
