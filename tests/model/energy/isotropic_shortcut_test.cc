// When the bending energy may be taken as independent of the material angles.
#include <gtest/gtest.h>

#include <vector>

#include "model/energy/elastic.h"

namespace strand {
namespace isotropic_shortcut_test {

bool Shortcut(BendAverage average, const std::array<double, 2>& EI, double kink,
              bool rest_straight = false) {
  Network network;
  network.AddRod({{0, 0, 0}, {1, 0, 0}, {2, kink, 0}, {3, 2 * kink, 0}}, Vector3::UnitZ());
  ElasticOptions options;
  options.average = average, options.rest_straight = rest_straight;
  const std::vector<EdgeMaterial> material(3, {1, EI, 1, 1, 1});
  return ElasticRest(network, material, options).isotropic_straight;
}

TEST(IsotropicShortcut, NeedsARoundStraightRod) {
  EXPECT_TRUE(Shortcut(BendAverage::kEnergies, {2, 2}, 0));
  EXPECT_TRUE(Shortcut(BendAverage::kEnergies, {2, 2}, 0.1, true));
  EXPECT_FALSE(Shortcut(BendAverage::kEnergies, {2, 2}, 0.1));
  EXPECT_FALSE(Shortcut(BendAverage::kEnergies, {2, 3}, 0));
}

// One curvature seen from two frames with a twist m between them: the mean is shorter by cos(m /
// 2), so it depends on the angles for any rod.
TEST(IsotropicShortcut, DoesNotApplyToMeanCurvatures) {
  EXPECT_FALSE(Shortcut(BendAverage::kCurvatures, {2, 2}, 0));
  EXPECT_FALSE(Shortcut(BendAverage::kCurvatures, {2, 2}, 0, true));
}

}  // namespace isotropic_shortcut_test
}  // namespace strand
