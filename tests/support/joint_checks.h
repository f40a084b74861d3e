// Checks that every joint kernel has to pass, whatever its energy.
#pragma once

#include <algorithm>

#include "model/stencil/curvature_measure.h"
#include "tests/support/joint_case.h"

namespace strand::testing {

inline constexpr double kTurnings[] = {0, 1e-6, 1e-3, 0.1, 1, 2.5, 3.1};
inline constexpr double kTwists[] = {0, 0.3, -2, 14.5};

/// A step well below the distance to the fold, where derivatives grow without bound.
inline double FirstStep(double turning) { return 0.04 * std::min(1.0, kTangentLimit - turning); }

/// Compares gradient and Hessian at the initial frames with differences over all eleven degrees of
/// freedom, for every step of a sweep. `stiffness` (N m) scales the smallest error.
void CheckDerivatives(const JointKernel& kernel, const JointCase& joint, double first_step,
                      double stiffness);

/// Under a rigid motion the energy stays and the derivatives rotate; forces and moments balance.
void CheckRigidMotion(const JointKernel& kernel, const JointCase& joint, Random* random);

/// The same energy and gradient whether or not higher derivatives are requested.
void CheckOptionalOutputs(const JointKernel& kernel, const JointCase& joint);

}  // namespace strand::testing
