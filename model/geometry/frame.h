// Frames along a rod: parallel transport between edge directions, and twist measured against it.
//
// A frame is a rotation matrix with columns (t, m1, m2): edge direction and the two material
// directors. For a link of a chain these are the x, y and z axes of its body.
//
// Source: M. Bergou et al., "Discrete Viscous Threads", ACM TOG 29(4), 2010, section 4.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace strand {

using Vector3 = Eigen::Vector3d;
using Frame = Eigen::Matrix3d;

inline constexpr double kTwoPi = 2 * std::numbers::pi;

/// Smallest 1 + t_a . t_b that enters a quotient. It is reached only within 5e-5 rad of a fold by
/// pi, where parallel transport has no limit; the floor keeps every result finite there.
inline constexpr double kFoldFloor = 1e-9;

inline double FoldGuarded(double one_plus_cosine) { return std::max(one_plus_cosine, kFoldFloor); }

/// Parallel transport of v from unit t_a to unit t_b: the smallest rotation that takes t_a to t_b,
/// applied to v with v . t_a = 0. Singular for t_b = -t_a (guarded, finite).
inline Vector3 ParallelTransport(const Vector3& v, const Vector3& t_a, const Vector3& t_b) {
  return v - (v.dot(t_b) / FoldGuarded(1 + t_a.dot(t_b))) * (t_a + t_b);
}

/// Angle (rad, in (-pi, pi]) about t_b from the parallel-transported director of a to that of b.
inline double TwistAngle(const Frame& a, const Frame& b) {
  const Vector3 d = ParallelTransport(a.col(1), a.col(0), b.col(0));
  return std::atan2(-d.dot(b.col(2)), d.dot(b.col(1)));
}

/// The angle equal to `angle` modulo 2 pi that is nearest to `reference`.
inline double Unwrap(double angle, double reference) {
  return angle + kTwoPi * std::round((reference - angle) / kTwoPi);
}

/// Frame b as frame a, parallel-transported to t_b and turned by `twist` about it.
inline Frame TransportFrame(const Frame& a, const Vector3& t_b, double twist) {
  const Vector3 d1 = ParallelTransport(a.col(1), a.col(0), t_b).normalized();
  const Vector3 d2 = t_b.cross(d1);
  const double c = std::cos(twist), s = std::sin(twist);
  Frame b;
  b << t_b, c * d1 + s * d2, c * d2 - s * d1;
  return b;
}

/// Frame b turned on by `part` of the turn that leads from a to b (about the same axis, twist
/// included): where a curve of constant curvature and twist rate goes on to.
inline Frame ContinueFrame(const Frame& a, const Frame& b, double part) {
  const Eigen::AngleAxisd turn(Frame(b * a.transpose()));
  return Eigen::AngleAxisd(part * turn.angle(), turn.axis()).toRotationMatrix() * b;
}

}  // namespace strand
