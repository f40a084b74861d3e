// Inputs and results of a force's evaluation.
#pragma once

namespace strand {

/// Output arrays of derivatives.
struct Derivatives {
  double* gradient = nullptr;  ///< dE/dq is added to it; null: value only
  double* values = nullptr;    ///< of the system matrix; the Hessian is added; null: no Hessian
  /// Gradient of the forces without a potential alone, added a second time: their work is
  /// integrated along the path of the iterates.
  double* pathwise = nullptr;
};

/// Energy, and the largest force and moment that a single stencil exerts on a degree of freedom:
/// the scale that a residual is measured against.
struct Evaluation {
  double energy = 0;  ///< J
  double force = 0;   ///< N
  double moment = 0;  ///< N m
  /// J: work of the motion that the force prescribes (obstacles, tendons) over the whole step, if
  /// the forces stayed as evaluated.
  double driven = 0;
  /// J dissipated since the start of the step. Forces of EnergyKind::kDissipated alone, and forces
  /// whose `energy` contains it (plastic work), have it.
  double dissipated = 0;

  void operator+=(const Evaluation& other);
};

/// Stencils first to end - 1.
struct StencilRange {
  int first, end;
};

}  // namespace strand
