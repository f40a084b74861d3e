#include "model/stencil/friction.h"

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

void CheckFriction(double coefficient, const char* field, double value) {
  if (!(coefficient >= 0) || !std::isfinite(coefficient)) {
    throw ConfigError("coefficient", std::to_string(coefficient), "finite numbers >= 0");
  }
  if (!(value > 0) || !std::isfinite(value)) {
    throw ConfigError(field, std::to_string(value), "finite numbers > 0");
  }
}

}  // namespace

FrictionLaw RegularisedFriction(double coefficient, double slip_tolerance) {
  CheckFriction(coefficient, "slip_tolerance", slip_tolerance);
  return {FrictionLaw::Kind::kRegularised, coefficient, 7.5 / slip_tolerance, 0};
}

FrictionLaw AnchoredFriction(double coefficient, double stiffness) {
  CheckFriction(coefficient, "stiffness", stiffness);
  return {FrictionLaw::Kind::kAnchored, coefficient, 0, stiffness};
}

FrictionForce EvaluateFriction(const FrictionLaw& law, const Vector3& slip, double normal_force,
                               LaggedDirection* lagged) {
  FrictionForce friction;
  const double limit = law.coefficient * normal_force, length = slip.norm();
  if (!(limit > 0)) return friction;
  const bool anchored = law.kind == FrictionLaw::Kind::kAnchored;
  const bool sticks = anchored && law.stiffness * length <= limit;
  // f / |s|, df / d|s|, and the fraction f / (mu N) of the force that is proportional to N.
  double secant = law.stiffness, tangent = law.stiffness, share = 0;
  if (!sticks) {
    share = anchored ? 1 : std::tanh(law.steepness * length);
    secant = length > 0 ? limit * share / length : limit * law.steepness;
    tangent = anchored ? 0 : limit * law.steepness * (1 - share) * (1 + share);
  }
  const Vector3 direction = length > 0 ? Vector3(slip / length) : Vector3::Zero();
  friction.force = -secant * slip;
  const Vector3 w = lagged ? lagged->At(slip, 1 - tangent / secant) : direction;
  friction.by_slip =
      0.5 * (secant - tangent) * (w * direction.transpose() + direction * w.transpose());
  friction.by_slip.diagonal().array() -= secant;
  friction.by_normal_force = -law.coefficient * share * direction;
  return friction;
}

double FrictionPotential(const FrictionLaw& law, double slip, double normal_force) {
  const double limit = law.coefficient * normal_force;
  if (!(limit > 0)) return 0;
  if (law.kind == FrictionLaw::Kind::kAnchored) {
    const double yield = limit / law.stiffness;
    return slip <= yield ? 0.5 * law.stiffness * slip * slip : limit * (slip - 0.5 * yield);
  }
  const double x = law.steepness * slip;  // log cosh x in a form that cannot overflow
  return limit / law.steepness * (x + std::log1p(std::exp(-2 * x)) - std::log(2.0));
}

Vector3 AdvanceAnchor(const FrictionLaw& law, const Vector3& slip, double normal_force) {
  const double limit = law.coefficient * normal_force, length = slip.norm();
  if (law.kind != FrictionLaw::Kind::kAnchored || !(limit > 0)) return Vector3::Zero();
  if (law.stiffness * length <= limit) return slip;
  // Below the limit by more than round-off, so that the next step starts in the sticking range.
  constexpr double kInside = 1 - 1e-12;
  return kInside * limit / (law.stiffness * length) * slip;
}

bool Sticks(const FrictionLaw& law, const Vector3& slip, double normal_force) {
  constexpr double kCreeps = 1.5;  // regularised: tanh(1.5) is 0.9
  if (law.kind == FrictionLaw::Kind::kRegularised) return law.steepness * slip.norm() < kCreeps;
  return law.stiffness * slip.norm() <= law.coefficient * normal_force;
}

Vector3 RotateAnchor(const Vector3& slip, const Vector3& normal_before,
                     const Vector3& normal_after) {
  return ParallelTransport(slip, normal_before, normal_after);
}

PointFriction EvaluatePointFriction(const FrictionLaw& law, const PointContact& contact,
                                    const Vector3& displacement, double rate,
                                    LaggedDirection* lagged) {
  const Vector3& n = contact.normal;
  const Eigen::Matrix3d& curvature = contact.curvature;
  const double along = n.dot(displacement);
  PointFriction point;
  point.slip = rate * (displacement - along * n);
  const FrictionForce friction = EvaluateFriction(law, point.slip, contact.force, lagged);
  point.force = friction.force;
  const Vector3 turned = n + curvature * displacement;  // the curvature is symmetric
  const Eigen::Matrix3d slip_by_position =
      rate * (Eigen::Matrix3d::Identity() - n * turned.transpose() - along * curvature);
  point.by_position.noalias() = friction.by_slip * slip_by_position;
  point.by_position += contact.force_by_gap * friction.by_normal_force * n.transpose();
  return point;
}

FrozenFriction EvaluateFrozenFriction(const FrictionLaw& law, const FrozenContact& contact,
                                      const Vector3& displacement, double rate) {
  const PointContact still{contact.normal, Eigen::Matrix3d::Zero(), contact.force, 0};
  const PointFriction point = EvaluatePointFriction(law, still, displacement, rate);
  return {FrictionPotential(law, point.slip.norm(), contact.force) / rate, point.force,
          point.by_position};
}

}  // namespace strand
