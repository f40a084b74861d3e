#include <gtest/gtest.h>

#include "tests/support/allocations.h"
#include "tests/support/vines.h"

namespace strand {
namespace {

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

#endif

}  // namespace
}  // namespace strand
