#include <gtest/gtest.h>

#include "tests/support/allocations.h"
#include "tests/support/vines.h"

namespace strand {
namespace vine_allocation_test {

#ifdef STRAND_COUNTS_ALLOCATIONS

void ExpectNoAllocation(testing::VineScene scene) {
  Vine vine = scene.Make();
  int contacts = 0;
  const long before = testing::Allocations();
  for (int step = 0; step < scene.steps; ++step) contacts += vine.Step(scene.growth).contacts;
  EXPECT_EQ(testing::Allocations(), before);
  EXPECT_GT(contacts, 50);
}

TEST(VineAllocation, StepsDoNotAllocate) {
  ExpectNoAllocation(testing::RuntimeScene(30));
  ExpectNoAllocation(testing::ClutteredScene());
  testing::VineScene published = testing::ClutteredScene();
  testing::UsePublishedStep(&published.options);
  ExpectNoAllocation(published);
}

// The robot curls up until it presses on itself.
TEST(VineAllocation, ContactWithItselfDoesNotAllocate) {
  constexpr int kPairs = 30;
  testing::VineScene scene;
  scene.chain = testing::AlikeChain(kPairs, 0.0025, 5e-4, 2e-8, 0.2, 0.2);
  scene.state = NaturalState(scene.chain);
  scene.options.diameter = 0.02;
  scene.options.self_contact = true;
  scene.growth.assign(kPairs, 0.0);
  Vine vine = scene.Make();
  std::vector<double> natural(kPairs, 0.0);
  int contacts = 0;
  bool solved = true;
  long before = 0;
  for (int step = 0; step < 400; ++step) {
    if (step <= 300) {
      for (int i = 5; i < kPairs; ++i) natural[i] = 0.3 * step / 300.0;
      vine.SetNaturalAngles(natural);
      before = testing::Allocations(), contacts = 0;
    }
    const VineReport report = vine.Step(scene.growth);
    solved = solved && report.ok();
    contacts += report.contacts;
  }
  EXPECT_EQ(testing::Allocations(), before);
  EXPECT_TRUE(solved);
  EXPECT_GT(contacts, 50);
}

#endif

}  // namespace vine_allocation_test
}  // namespace strand
