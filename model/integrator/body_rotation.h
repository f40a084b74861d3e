// The rotation of free rigid bodies in a step.
//
// The rules of time_rule.h, applied to the carriers of a body, would replace their circles by
// chords: a body that turns by q per step would lose q^3 / 7 of its spin per radian. They are
// therefore applied to the centre of mass, to the angular momentum L about it, and to the rotation
// R against that of a free body, as in the integrators of V. Wieloch, M. Arnold, "BDF integrators
// for constrained mechanical systems on Lie groups", J. Comput. Appl. Math. 387, 2021:
//     L_hat = L_0 + c (L_0 - L_-1)
//     R_hat = exp(c d) F(dt; L_0 + tau / dt (L_hat - L_0))
// F(t; L) is the rotation of a free body in the time t with the momentum L, and d the rotation to
// the body from where F(dt_-1; L_0) would have led it in the previous step. Without moments d = 0,
// so that free bodies move like F, with constant L. The carriers turned by R_hat are the q_hat of
// the step's equation, whose solution determines
//     L = L_hat + sum_j m_j r_hat_j x r_j / tau,   v_j = v + J^-1 L x r_j
// with the arms r_j of the carriers. Moments change L exactly as forces change momentum. The
// midpoint rule has R_hat = exp(tau w) with w = J(R_hat)^-1 L_0, and ends at R^2 and 2 L - L_0.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/geometry/frame.h"
#include "model/integrator/system.h"
#include "model/integrator/time_rule.h"

namespace strand {

class BodyRotations {
 public:
  // All arrays are per dof: m, rad, m/s, rad/s.

  /// Replaces q_hat of the carriers of bodies that are free to move, in space or in a plane.
  void Predict(const System& system, const TimeRule& rule, std::span<double> predicted);

  /// Whether there are such bodies.
  bool any() const { return !turn_.empty(); }

  /// Makes `move` lead these bodies, and what is tied to them, from `start` to q_hat.
  void Lead(const System& system, std::span<const double> start, std::span<const double> predicted,
            std::span<double> move) const;

  /// Midpoint rule: makes `move` lead these bodies, and what is tied to them and has no mass, from
  /// the middle of the step to its end, as far as from the start to the middle.
  void Extrapolate(const System& system, std::span<const double> middle,
                   std::span<double> move) const;

  /// Replaces the velocities of the carriers at the end of the step, from their positions where
  /// the step's equation was solved, and at the end.
  void FindVelocities(const System& system, const TimeRule& rule, std::span<const double> predicted,
                      std::span<const double> solved, std::span<const double> end,
                      std::span<double> velocity) const;

 private:
  struct Turn {
    int body;
    std::array<int, 4> carrier;  ///< first dof of each
    int normal;                  ///< of the plane of motion: 0 to 2; -1: it moves in space
    Vector3 ahead;               ///< kg m^2/s, L_hat; by the midpoint rule L_0
  };
  std::vector<Turn> turn_;
};

}  // namespace strand
