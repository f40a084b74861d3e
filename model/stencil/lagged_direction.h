// Direction of a force that reverses within a small range, in Newton's method.
//
// Friction acts against the slip s with nearly constant magnitude and reverses where s passes
// through zero. Its derivative, which is that of a constant magnitude, does not show this: steps
// are too long, and iterates swing across zero. With the direction w as a separate unknown that
// satisfies |s| w = s, a step changes w in proportion to s, and both pass through zero together.
// Eliminating w from Newton's equations leaves the derivative of the force, with w in place of one
// of its two factors s / |s|. The derivative is exact where they agree, and so in the limit. This
// is the primal-dual method of T. F. Chan, G. H. Golub & P. Mulet, SIAM J. Sci. Comput. 20, 1964,
// 1999, there for total variation.
#pragma once

#include <algorithm>

#include "model/geometry/frame.h"

namespace strand {

class LaggedDirection {
 public:
  /// w at s, by the previous linearisation; |w| <= 1. To be called once per linearisation, which is
  /// remembered for the next one. The first returns s / |s|. `constant`: 1 - f' |s| / f of the
  /// force f(|s|) at s, which is 1 where f is constant and 0 where it is linear.
  Vector3 At(const Vector3& s, double constant) {
    const double length = s.norm(), before = s_.norm();
    Vector3 w = length > 0 ? Vector3(s / length) : Vector3::Zero();
    if (constant_ > 0 && before > 0) {
      w = (s - constant_ * s_.dot(s - s_) / before * w_) / before;
      w /= std::max(1.0, w.norm());
    }
    s_ = s, constant_ = constant, w_ = w;
    return w;
  }
  /// The next linearisation is the first.
  void Forget() { constant_ = 0; }

 private:
  Vector3 s_ = Vector3::Zero(), w_ = Vector3::Zero();
  double constant_ = 0;
};

/// Lagged directions of a contact in a time step.
struct ContactLag {
  LaggedDirection slip;   ///< of friction
  LaggedDirection speed;  ///< of the change of the gap, whose sign decides over restitution

  void Forget() { slip.Forget(), speed.Forget(); }
};

}  // namespace strand
