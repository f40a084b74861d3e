#include "model/energy/rod_slip.h"

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

// Elements of one kind; their history starts at `first`.
template <int D>
SlipElements<D> Arranged(const char* field, std::vector<SlipElement> JointSlip::* kind,
                         std::span<const JointSlip> joints, std::span<const double> span,
                         int first) {
  SlipElements<D> elements;
  elements.count = static_cast<int>((joints[0].*kind).size());
  elements.joints = static_cast<int>(joints.size()), elements.first = first;
  for (const JointSlip& joint : joints) {
    CheckElements(field, joint.*kind);
    if ((joint.*kind).size() == (joints[0].*kind).size()) continue;
    throw ConfigError(field, std::to_string((joint.*kind).size()) + " elements",
                      std::to_string(elements.count) + ", as of the first joint");
  }
  for (int e = 0; e < elements.count; ++e) {
    for (int i = 0; i < elements.joints; ++i) {
      const SlipElement& element = (joints[i].*kind)[e];
      elements.share.push_back(element.share);
      elements.threshold.push_back(element.threshold * span[i]);
    }
  }
  return elements;
}

}  // namespace

RodSlip::RodSlip(std::span<const JointSlip> joints, std::span<const RodStiffness> stiffness,
                 std::span<const double> span, const Hardening& hardening)
    : hardening_(hardening) {
  if (joints.empty()) return;
  CheckHardening({hardening.kinematic, hardening.isotropic});
  bend_ = Arranged<2>("bend_elements", &JointSlip::bend, joints, span, 0);
  const int of_bend = HistoryPerJoint(bend_.count, 0) * bend_.joints;
  twist_ = Arranged<1>("twist_elements", &JointSlip::twist, joints, span, of_bend);
  for (const RodStiffness& s : stiffness) ratio_.push_back(std::sqrt(s.EI[1] / s.EI[0]));
}

}  // namespace strand
