// Parts that are so distorted that a solver cannot continue, described for its messages.
#pragma once

#include <string>

#include "model/assembly/dofs.h"
#include "model/energy/configuration.h"
#include "model/geometry/network.h"

namespace strand {

/// The first edge without a length or triangle without an area; empty: none.
std::string CollapsedPart(const Network& network, const Dofs& dofs, const Configuration& at);

/// The edge of a rod that is crushed to the smallest part of its length, and a remedy; empty: none
/// to less than a twentieth.
std::string CrushedPart(const Network& network, const Dofs& dofs, const Configuration& at);

/// The node of a rod, or the edge of a shell, that is folded most sharply, and a remedy; empty:
/// none is folded by more than 165 degrees. Folds are where steps are most likely to fail.
std::string FoldedPart(const Network& network, const Dofs& dofs, const Configuration& at);

}  // namespace strand
