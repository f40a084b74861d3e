// The terms of higher order (stencil/wide.h) of the rods of a network.
//
// The terms that belong to joint i depend on the directions of the links i-2 .. i+3 and on the
// material angles of its own two:
//     E_i = B / 2 (change of turns over link i+1, second change at joint i)
//           + C [ (m - mbar) c + c^2 / 2 ],   c = -(h_i + h_{i+1}) / 2
// which completes the twisting energy C (m - mbar)^2 / 2 of the joint to C (m + c - mbar)^2 / 2.
// The terms, and where there are none, are those of the plugin's rods (energy/wide_terms.h). Joints
// between rods have none.
#pragma once

#include <array>
#include <vector>

#include "model/energy/elastic.h"
#include "model/energy/force.h"
#include "model/energy/rod.h"

namespace strand {

class WideEnergy : public Force {
 public:
  /// `order`: 4 or 6. Softens the bending of the outermost joints of rods in `rest`, which must
  /// outlive this. Throws ConfigError unless all rods are isotropic and straight at rest.
  WideEnergy(const Network& network, const Dofs& dofs, int order, ElasticRest* rest);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  static constexpr int kLinks = 6, kSize = 3 * (kLinks + 1) + 2;  ///< nodes, then two angles

  /// A joint with terms. Links and joints that do not exist or have no part in them are -1.
  struct Site {
    std::array<int, kLinks> edge;
    std::array<int, kLinks + 1> node;  ///< first dof of each
    std::array<int, 2> angle;          ///< dofs
    std::array<int, 5> joint;          ///< i-2 .. i+2 in the network
    bool change, second_change;        ///< whether the rod has these terms here
    /// Of the links i and i + 1; zero: none.
    std::array<HolonomyWeights, 2> holonomy;
  };
  struct Derived;

  void AddRod(const Network& network, const Dofs& dofs, int rod, int order);
  static std::array<int, kSize> DofsOf(const Site& site);
  static void DirectionsToEdges(const Site& site, const Configuration& at, Derived* derived);
  double BendingTerms(const Site& site, const std::array<Vector3, 5>& turn, Derived* out) const;
  double TwistTerms(const Site& site, double twist, const std::array<Vector3, kLinks>& t,
                    const std::array<Vector3, 5>& turn, Derived* out) const;
  double Terms(const Site& site, const Configuration& at, Derived* out) const;

  ElasticRest* rest_;
  std::vector<Site> site_;
  std::vector<std::array<int, kSize * kSize>> entry_;
};

}  // namespace strand
