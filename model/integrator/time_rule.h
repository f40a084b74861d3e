// Implicit time stepping rules, in one common form of the step's equation.
//
//     M (q - q_hat) / tau^2 + dE/dq = 0,   v = (q - q_0 - c u) / tau,
//     q_hat = q_0 + c u + tau (v_0 + c (v_0 - v_-1))
// with u = q_0 - q_-1 the displacement of the previous step. Backward Euler: c = 0, tau = dt.
// Midpoint rule: c = 0, tau = dt / 2, and the step ends at 2 q - q_0. BDF2 with the ratio of step
// lengths w = dt / dt_-1: c = w^2 / (1 + 2 w), tau = dt (1 + w) / (1 + 2 w) (Hairer, Norsett &
// Wanner, Solving Ordinary Differential Equations I, section III.5; stable for w < 1 + sqrt 2).
#pragma once

namespace strand {

struct TimeRule {
  double dt = 0;     ///< s, the whole step
  double part = 1;   ///< fraction of the step at which its equation holds
  double tau = 0;    ///< s; 0: no inertia (statics)
  double carry = 0;  ///< c

  static TimeRule Statics() { return {}; }
  static TimeRule BackwardEuler(double dt) { return {dt, 1, dt, 0}; }
  static TimeRule Midpoint(double dt) { return {dt, 0.5, 0.5 * dt, 0}; }
  static TimeRule Bdf2(double dt, double dt_before) {
    const double w = dt / dt_before;
    return {dt, 1, dt * (1 + w) / (1 + 2 * w), w * w / (1 + 2 * w)};
  }

  /// Whether the step continues past the solution of its equation.
  bool goes_on() const { return part < 1; }
  double per_tau() const { return tau > 0 ? 1 / tau : 0; }
  /// Inverse of the time (1/s) from the start to where the equation holds; 0 in statics.
  double per_time() const { return dt > 0 ? 1 / (part * dt) : 0; }
};

}  // namespace strand
