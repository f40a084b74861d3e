#include "model/geometry/frame.h"

namespace strand {

Frame TransportFrame(const Frame& a, const Vector3& t_b, double twist) {
  const Vector3 d1 = ParallelTransport(a.col(1), a.col(0), t_b).normalized();
  const Vector3 d2 = t_b.cross(d1);
  const double c = std::cos(twist), s = std::sin(twist);
  Frame b;
  b << t_b, c * d1 + s * d2, c * d2 - s * d1;
  return b;
}

Frame ContinueFrame(const Frame& a, const Frame& b, double part) {
  const Eigen::AngleAxisd turn(Frame(b * a.transpose()));
  return Eigen::AngleAxisd(part * turn.angle(), turn.axis()).toRotationMatrix() * b;
}

Vector3 RotationVector(const Frame& a, const Frame& b) {
  const Eigen::AngleAxisd turn(Frame(a.transpose() * b));
  return turn.angle() * turn.axis();
}

}  // namespace strand
