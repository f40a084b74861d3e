#include "model/config/slip_law.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace strand {
namespace {

using Share = std::function<double(double)>;  // S(u)

// Radius of the hole over that of a tube, which is the only section that is not full.
double Hole(const Section& section) {
  if (section.has_corners) return 0;
  const double full = std::numbers::pi * section.half_y * section.half_z;
  return std::sqrt(std::max(0.0, 1 - section.area / full));
}

// Of a solid without its hole. Both shares are of stiffnesses that grow with the fourth power.
Share WithHole(double hole, const Share& solid) {
  if (hole < 1e-6) return solid;
  const double removed = std::pow(hole, 4);
  return [=](double u) {
    return (solid(u) - removed * solid(std::min(1.0, u / hole))) / (1 - removed);
  };
}

// Fully plastic torque over that of first yield.
double PlasticTorque(const Section& section) {
  const double c = 2 * std::min(section.half_y, section.half_z);
  const double a = 2 * std::max(section.half_y, section.half_z);
  if (section.has_corners) return c * c * (a - c / 3) / (2 * section.torsion_modulus);
  constexpr double kCircle = 4.0 / 3, kFlat = 16 / (3 * std::numbers::pi);
  return std::lerp(kFlat, kCircle, c / a);
}

// Quadrature of the integral of min(x, 1/u) dS: the range of u is divided such that the shares of
// the plastic moment grow towards the fibres that yield first, which evens out the error.
std::vector<SlipElement> Quadrature(const Share& share, int count) {
  constexpr int kCells = 4000;
  constexpr double kGrowth = 1.5;
  std::vector<double> stiffness(kCells), moment(kCells);
  double total = 0;
  for (int i = 0; i < kCells; ++i) {  // from the outermost fibre inwards
    const double outer = 1 - double(i) / kCells, inner = outer - 1.0 / kCells;
    stiffness[i] = std::max(0.0, share(outer) - share(std::max(inner, 0.0)));
    moment[i] = stiffness[i] * 2 / (outer + inner);
    total += moment[i];
  }
  std::vector<SlipElement> elements(count);
  double passed = 0;
  for (int i = 0; i < kCells; ++i) {
    const double middle = (passed + 0.5 * moment[i]) / total;
    const int e = static_cast<int>(count * (1 - std::pow(1 - middle, 1 / kGrowth)));
    SlipElement& element = elements[std::clamp(e, 0, count - 1)];
    element.share += stiffness[i], element.threshold += moment[i];
    passed += moment[i];
  }
  std::erase_if(elements, [](const SlipElement& element) { return element.share <= 0; });
  for (SlipElement& element : elements) element.threshold /= element.share;
  return elements;
}

}  // namespace

std::vector<SlipElement> BendElements(const Section& section) {
  if (section.has_corners) {
    return Quadrature([](double u) { return u * u * u; }, kBendElements);
  }
  const Share ellipse = [](double u) {
    return 2 / std::numbers::pi * (std::asin(u) - u * (1 - 2 * u * u) * std::sqrt(1 - u * u));
  };
  return Quadrature(WithHole(Hole(section), ellipse), kBendElements);
}

std::vector<SlipElement> TwistElements(const Section& section) {
  // u^4 of a circle and u^3 of a flat rectangle, which the plastic torque tells from each other.
  const double exponent = 1 + 1 / (PlasticTorque(section) - 1);
  const Share solid = [exponent](double u) { return std::pow(u, exponent); };
  return Quadrature(WithHole(Hole(section), solid), kTwistElements);
}

JointSlip SlipOf(const Section& a, const Section& b, const RodStiffness& stiffness, double stress) {
  const Section& section = BendingModulus(a) <= BendingModulus(b) ? a : b;
  const double moment = stress * section.second_moment_y / section.half_z;
  const double torque = stress / std::numbers::sqrt3 * section.torsion_modulus;
  JointSlip slip{BendElements(section), TwistElements(section)};
  for (SlipElement& element : slip.bend) element.threshold *= moment / stiffness.EI[0];
  for (SlipElement& element : slip.twist) element.threshold *= torque / stiffness.GJ;
  return slip;
}

}  // namespace strand
