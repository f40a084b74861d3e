// Chooses the storage and factorisation of a linear system.
#pragma once

#include <memory>

#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"

namespace strand {

/// The fastest kind for the pattern: banded for a narrow band, sparse otherwise.
/// A general system can also be treated as symmetric (LinearSystem::Treat). `spare`: a system whose
/// memory may be reused; the result does not depend on it.
std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry,
                                               std::unique_ptr<LinearSystem> spare = nullptr);

}  // namespace strand
