// What the evaluation of a force takes and gives.
#pragma once

namespace strand {

/// Where derivatives go.
struct Derivatives {
  double* gradient = nullptr;  ///< dE/dq, added to; null: value only
  double* values = nullptr;    ///< of the system matrix, added to; null: no Hessian
  /// Of the forces without a potential once more, added to: their work is summed along the way.
  double* pathwise = nullptr;
};

/// Energy, and the largest force and moment any one stencil puts on a degree of freedom: the scale
/// that a residual is measured against.
struct Evaluation {
  double energy = 0;  ///< J
  double force = 0;   ///< N
  double moment = 0;  ///< N m
  /// J: work of what the force drives itself (obstacles) over the whole step, by the forces here.
  double driven = 0;
  /// J: what it has dissipated since the start of the step (Force::dissipates).
  double dissipated = 0;

  void operator+=(const Evaluation& other);
};

/// Stencils first .. end - 1.
struct StencilRange {
  int first, end;
};

}  // namespace strand
