// Spins of edges that nothing resists. Statics has to hold them in place.
#pragma once

#include <vector>

#include "model/assembly/dofs.h"
#include "model/energy/elastic.h"

namespace strand {

/// Per dof: 1 for the spin of one edge in each group of edges that spin freely together, else 0.
std::vector<char> LooseSpins(const Network& network, const Dofs& dofs, const ElasticRest& rest);

}  // namespace strand
