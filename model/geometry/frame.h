// Frames along a rod: parallel transport between edge directions, and twist measured against it.
//
// A frame is a rotation matrix with columns (t, m1, m2): edge direction and the two material
// directors. For a link of a chain these are the x, y and z axes of its body.
//
// Source: M. Bergou et al., "Discrete Viscous Threads", ACM TOG 29(4), 2010, section 4.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "model/simd/pack.h"

namespace strand {

/// T: double, or Pack<W> for W doubles at once.
template <class T>
using Vector3Of = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3Of = Eigen::Matrix<T, 3, 3>;
using Vector3 = Vector3Of<double>;
using Frame = Matrix3Of<double>;

inline constexpr double kTwoPi = 2 * std::numbers::pi;

/// Angle (rad, 0 to pi) between two vectors of any length > 0, accurate also near 0 and pi.
inline double AngleBetween(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Smallest 1 + t_a . t_b that enters a quotient. It is reached only within 5e-5 rad of a fold by
/// pi, where parallel transport has no limit; the floor keeps every result finite there.
inline constexpr double kFoldFloor = 1e-9;

template <class T>
T FoldGuarded(const T& one_plus_cosine) {
  return Max(one_plus_cosine, T(kFoldFloor));
}

/// Parallel transport of v from unit t_a to unit t_b: the smallest rotation that takes t_a to t_b,
/// applied to v with v . t_a = 0. Singular for t_b = -t_a (guarded, finite).
template <class T>
Vector3Of<T> ParallelTransport(const Vector3Of<T>& v, const Vector3Of<T>& t_a,
                               const Vector3Of<T>& t_b) {
  return v - (v.dot(t_b) / FoldGuarded<T>(T(1) + t_a.dot(t_b))) * (t_a + t_b);
}
inline Vector3 ParallelTransport(const Vector3& v, const Vector3& t_a, const Vector3& t_b) {
  return ParallelTransport<double>(v, t_a, t_b);
}

/// Cosine and sine of TwistAngle, times a common factor > 0.
template <class T>
struct TwistDirectionOf {
  T cosine, sine;
};
template <class T>
TwistDirectionOf<T> TwistDirection(const Matrix3Of<T>& a, const Matrix3Of<T>& b) {
  const Vector3Of<T> t_a = a.col(0), t_b = b.col(0), m = a.col(1);
  // ParallelTransport of m without its quotient
  const Vector3Of<T> d = FoldGuarded<T>(T(1) + t_a.dot(t_b)) * m - m.dot(t_b) * (t_a + t_b);
  return {d.dot(b.col(1)), -d.dot(b.col(2))};
}

/// Angle (rad, in (-pi, pi]) about t_b from the parallel-transported director of a to that of b.
template <class T>
T TwistAngle(const Matrix3Of<T>& a, const Matrix3Of<T>& b) {
  const TwistDirectionOf<T> direction = TwistDirection<T>(a, b);
  return Atan2(direction.sine, direction.cosine);
}

inline double TwistAngle(const Frame& a, const Frame& b) { return TwistAngle<double>(a, b); }

/// Cosine and sine of half the twist with this direction; full turns are counted by `near` (rad),
/// which is closer to the twist than pi.
template <class T>
TwistDirectionOf<T> HalfTurn(const TwistDirectionOf<T>& direction,
                             const std::type_identity_t<T>& near) {
  const T& c = direction.cosine;
  const T& s = direction.sine;
  const T per_size = T(1) / Max(Sqrt(T(c * c + s * s)), T(1e-300));
  const auto obtuse = c < T(0);
  // The larger one of cos and sin by its square, the other by sin(2 x) = 2 sin x cos x.
  const T larger = Sqrt(T(T(0.5) + T(0.5) * Abs(c) * per_size));
  const T smaller = T(0.5) * Abs(s) * per_size / larger;
  TwistDirectionOf<T> half;
  half.cosine = Select(obtuse, smaller, larger);
  half.sine = Select(obtuse, larger, smaller);
  half.sine = Select(s < T(0), T(-half.sine), half.sine);
  if (All(Abs(T(near)) < T(3))) return half;
  const T turns = Round(T((near - Atan2(s, c)) * T(1 / kTwoPi)));
  const T odd = Abs(T(T(0.5) * turns - Round(T(T(0.5) * turns))));  // 0 or 1/2
  const T sign = T(1) - T(4) * odd;
  return {sign * half.cosine, sign * half.sine};
}

/// Angle (rad) about c by which parallel transport from a over b to c turns further than parallel
/// transport directly from a to c: the solid angle of the spherical triangle (A. van Oosterom and
/// J. Strackee, IEEE Trans. Biomed. Eng. 30, 1983). a and b are unit vectors; c may have any
/// length.
inline double Holonomy(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double volume = a.dot(b.cross(c));
  if (volume == 0) return 0;  // in a plane
  return 2 * std::atan2(volume, c.norm() * (1 + a.dot(b)) + b.dot(c) + c.dot(a));
}

/// The angle equal to `angle` modulo 2 pi that is nearest to `reference`.
template <class T>
  requires(!std::is_arithmetic_v<T>)
T Unwrap(const T& angle, const std::type_identity_t<T>& reference) {
  return angle + T(kTwoPi) * Round(T((reference - angle) * T(1 / kTwoPi)));
}
inline double Unwrap(double angle, double reference) {
  return angle + kTwoPi * std::round((reference - angle) / kTwoPi);
}

/// Frame a, parallel-transported to t_b and turned by `twist` (rad) about it.
Frame TransportFrame(const Frame& a, const Vector3& t_b, double twist);

/// Frame b turned further by the fraction `part` of the rotation from a to b, about the same axis
/// and including twist: extrapolates a curve of constant curvature and twist rate.
Frame ContinueFrame(const Frame& a, const Frame& b, double part);

/// Rotation vector (rad, length <= pi) of the rotation from `a` to `b`, in a's axes.
Vector3 RotationVector(const Frame& a, const Frame& b);

}  // namespace strand
