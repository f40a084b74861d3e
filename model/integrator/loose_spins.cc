#include "model/integrator/loose_spins.h"

#include <algorithm>
#include <numeric>

namespace strand {

// Edges that are coupled by twisting stiffness alone spin freely together. The bending of straight
// isotropic rods does not resist that. In each such group one spin is loose.
std::vector<char> LooseSpins(const Network& network, const Dofs& dofs, const ElasticRest& rest) {
  std::vector<int> first(network.edges());  // union-find: an earlier edge of the group, or itself
  std::iota(first.begin(), first.end(), 0);
  const auto group = [&](int e) {
    while (first[e] != e) e = first[e];
    return e;
  };
  std::vector<char> loose(dofs.size(), 0);
  for (int angle : dofs.edges()) loose[angle] = !dofs.locked(angle);
  for (int b = 0; b < network.bodies(); ++b) {
    for (const TiedEdge& tied : network.body(b).edge) loose[dofs.edge(tied.edge)] = 0;
  }
  for (int i = 0; i < rest.joints(); ++i) {
    const int a = group(rest.joint[i].edge[0]), c = group(rest.joint[i].edge[1]);
    const bool bends = !rest.isotropic_straight &&
                       (rest.bend_stiffness[0][i] > 0 || rest.bend_stiffness[1][i] > 0);
    char &of_a = loose[dofs.edge(a)], &of_c = loose[dofs.edge(c)];
    if (bends) of_a = of_c = 0;
    if (a == c || !(bends || rest.twist_stiffness[i] > 0)) continue;
    first[std::max(a, c)] = std::min(a, c);
    const bool both = of_a && of_c;
    of_a = of_c = 0;
    loose[dofs.edge(std::min(a, c))] = both;
  }
  return loose;
}

}  // namespace strand
