// The solver of MAT-DiSMech's code, to reproduce its figures: solver/newton.h is the one to use.
#pragma once

#include "model/solver/newton.h"

namespace strand {

/// Stopping rule of MAT-DiSMech's code: full Newton steps, damped by a factor of .9 each from the
/// tenth on, until one of three numbers is small. The first two are evaluated before the last step.
struct PublishedStop {
  double force = 1e-4;      ///< N, norm of the residual
  double reduction = 1e-4;  ///< norm of the residual, as a fraction of the first one
  double change = 0;        ///< m, largest move of a node: its 1e-2 m/s times dt
};

/// Solves as MAT-DiSMech does, from the problem's trial, without line search, collision detection
/// or any other safeguard.
SolveReport SolveAsPublished(NewtonProblem& problem, const PublishedStop& stop, int max_iterations);

}  // namespace strand
