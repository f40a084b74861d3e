// Equilibrium of a system: by Newton's method and, where that fails from afar, by damped motion.
//
// The motion consists of backward Euler steps that each start from rest,
//     min E(q) + (q - q_0) . M (q - q_0) / (2 dt^2),
// which grow as long as Newton's method converges easily (pseudo-transient continuation: C. T.
// Kelley & D. E. Keyes, SIAM J. Numer. Anal. 35, 1998). With friction there are many equilibria;
// the one found is that to which the motion leads. A force that follows the motion can drive it for
// ever; the search is given up then, as it is where nothing holds the system.
#pragma once

#include <functional>
#include <optional>

#include "model/integrator/solver_error.h"
#include "model/integrator/step_problem.h"

namespace strand {

/// Where an equilibrium is sought. kNearby: Newton's method alone, as along a path of equilibria
/// whose end is to be found.
enum class Reach { kNearby, kFar };

/// Equilibrium: `ramp` is called with load factors 1/steps .. 1 before each solve. Throws
/// SolverError if a solve fails; the state is then the equilibrium of the last load that converged.
/// Iterations and factorisations are those of all loads, the rest of the report is of the last one.
SolveReport SolveStatics(System& system, const NewtonOptions& options, int steps = 1,
                         const std::function<void(System&, double)>& ramp = {},
                         const std::optional<PublishedStop>& published = {},
                         Reach reach = Reach::kFar);

}  // namespace strand
