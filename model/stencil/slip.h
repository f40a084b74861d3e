// One elastic-slip element of a joint (Jenkins element): an elastic spring in series with a slider.
//
// Elements in parallel (Prandtl-Ishlinskii, Iwan 1966) make plasticity, and friction between
// strands, from one rule. Element e of a joint of stiffness B carries the share s_e of it. With
// the strain x (one component in twisting, two in bending) in units in which its slider gives way
// at |x| = r, and p the strain that has slipped,
//     force           s_e B (x - p)
//     slips if        |x - (1 + h_k) p| > r + h_i a
// where a is the length of the path of p, and h_k, h_i are the plastic moduli of kinematic and
// isotropic hardening as fractions of the elastic modulus. Backward Euler from the accepted history
// (p, a) is the radial return (Simo & Hughes, Computational Inelasticity, sections 1.4 and 3.3),
// exact for loads that do not turn. It minimises the energy below plus the work of the slider, so
// that the gradient at fixed history is the force, and cycles never make energy.
//
// The whole joint then is an elastic one whose natural shape has moved by sum_e s_e p.
#pragma once

#include <array>

#include "model/simd/pack.h"
#include "model/stencil/joint.h"

namespace strand {

/// Plastic moduli as fractions of the elastic modulus, >= 0.
struct Hardening {
  double kinematic = 0;
  double isotropic = 0;
};

/// History of an element with D strains.
template <class T, int D>
struct SlipHistory {
  std::array<T, D> slipped;  ///< p
  T path;                    ///< a
};

/// The history at the strains x, from that of the last accepted state.
template <class T, int D>
SlipHistory<T, D> Slip(const std::array<T, D>& x, const T& threshold, const Hardening& hardening,
                       const SlipHistory<T, D>& from) {
  const T back(1 + hardening.kinematic);
  std::array<T, D> force;
  T square(0);
  for (int j = 0; j < D; ++j) {
    force[j] = x[j] - back * from.slipped[j];
    square += force[j] * force[j];
  }
  const T limit = threshold + T(hardening.isotropic) * from.path;
  const auto sticks = square < limit * limit;
  SlipHistory<T, D> to = from;
  if (All(sticks)) return to;
  const T size = Sqrt(Select(sticks, T(1), square));
  const T length = Select(sticks, T(0), (size - limit) / (back + T(hardening.isotropic)));
  for (int j = 0; j < D; ++j) to.slipped[j] += length / size * force[j];
  to.path += length;
  return to;
}

/// Work of the slider over that step, per stiffness of the element.
template <int D>
double SlipWork(double threshold, const Hardening& hardening, const SlipHistory<double, D>& from,
                const SlipHistory<double, D>& to) {
  const double length = to.path - from.path, limit = threshold + hardening.isotropic * from.path;
  return length * (limit + 0.5 * hardening.isotropic * length);
}

/// Derivative of what has slipped at x: of the radial return, symmetric.
template <int D>
Eigen::Matrix<double, D, D> SlipSlope(const std::array<double, D>& x, double threshold,
                                      const Hardening& hardening,
                                      const SlipHistory<double, D>& from) {
  using Vector = Eigen::Matrix<double, D, 1>;
  const double back = 1 + hardening.kinematic;
  const Vector force = Vector::Map(x.data()) - back * Vector::Map(from.slipped.data());
  const double limit = threshold + hardening.isotropic * from.path, size = force.norm();
  if (size <= limit) return Eigen::Matrix<double, D, D>::Zero();
  const Vector along = force / size;
  const double across = (size - limit) / size;
  Eigen::Matrix<double, D, D> slope = (1 - across) * along * along.transpose();
  slope.diagonal().array() += across;
  return slope / (back + hardening.isotropic);
}

/// What an element adds to the energy of the joint with the moved natural shape, per stiffness of
/// the joint and unit strain squared, except for the square of the joint's mean slip: energy that
/// the elements lock in against each other, and that of kinematic hardening.
template <class T, int D>
T LockedEnergy(const T& share, const Hardening& hardening, const SlipHistory<T, D>& history) {
  T square(0);
  for (const T& p : history.slipped) square += p * p;
  return T(0.5 * (1 + hardening.kinematic)) * share * square;
}

}  // namespace strand
