// Spins of edges that nothing holds, which statics has to hold where they are.
#pragma once

#include <vector>

#include "model/assembly/dofs.h"
#include "model/energy/elastic.h"

namespace strand {

/// Per dof: 1 of the spin of one edge in each group that can spin freely together.
std::vector<char> LooseSpins(const Network& network, const Dofs& dofs, const ElasticRest& rest);

}  // namespace strand
