#include "model/energy/rod_slip.h"

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

void Check(const char* field, std::span<const SlipElement> elements) {
  double total = 0;
  for (const SlipElement& element : elements) {
    if (!(element.share > 0) || !(element.threshold > 0) || !std::isfinite(element.threshold)) {
      throw ConfigError(field, Text(element.share) + " at " + Text(element.threshold),
                        "shares > 0 and finite thresholds > 0 (1/m, rad/m)");
    }
    total += element.share;
  }
  constexpr double kRounding = 1e-9;
  if (total > 1 + kRounding) {
    throw ConfigError(field, "shares of " + Text(total) + " in all", "a sum of shares <= 1");
  }
}

}  // namespace

RodSlip::RodSlip(std::span<const JointSlip> joints, std::span<const RodStiffness> stiffness,
                 std::span<const double> span, const Hardening& hardening)
    : hardening_(hardening) {
  if (joints.empty()) return;
  joints_ = static_cast<int>(joints.size());
  bend_ = static_cast<int>(joints[0].bend.size());
  twist_ = static_cast<int>(joints[0].twist.size());
  for (double modulus : {hardening.kinematic, hardening.isotropic}) {
    if (modulus >= 0 && std::isfinite(modulus)) continue;
    throw ConfigError("hardening", Text(modulus), "finite, >= 0 (fraction of the elastic modulus)");
  }
  for (const JointSlip& joint : joints) {
    Check("bend_elements", joint.bend);
    Check("twist_elements", joint.twist);
  }
  const auto fill = [&](int count, std::vector<SlipElement> JointSlip::* kind,
                        std::vector<double>* share, std::vector<double>* threshold) {
    for (int e = 0; e < count; ++e) {
      for (int i = 0; i < joints_; ++i) {
        const SlipElement& element = (joints[i].*kind)[e];
        share->push_back(element.share), threshold->push_back(element.threshold * span[i]);
      }
    }
  };
  fill(bend_, &JointSlip::bend, &bend_share_, &bend_threshold_);
  fill(twist_, &JointSlip::twist, &twist_share_, &twist_threshold_);
  for (const RodStiffness& s : stiffness) ratio_.push_back(std::sqrt(s.EI[1] / s.EI[0]));
}

std::array<double, 2> RodSlip::BendSet(std::span<const double> history, int joint) const {
  std::array<double, 2> set{};
  for (int e = 0; e < bend_; ++e) {
    const double share = bend_share_[e * joints_ + joint];
    for (int j = 0; j < 2; ++j) set[j] += share * history[BendAt(e, j, joint)];
  }
  set[1] /= ratio_[joint];
  return set;
}

double RodSlip::TwistSet(std::span<const double> history, int joint) const {
  double set = 0;
  for (int e = 0; e < twist_; ++e) {
    set += twist_share_[e * joints_ + joint] * history[TwistAt(e, 0, joint)];
  }
  return set;
}

}  // namespace strand
