#include "model/config/slip_law.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

constexpr char kPairs[] =
    "pairs of a share of the stiffness and a strain per length (1/m, rad/m), both > 0, shares <= 1 "
    "in all";

using Share = std::function<double(double)>;  // S(u)

// Radius of the hole over that of a tube, which is the only section that is not full.
double Hole(const Section& section) {
  if (section.has_corners) return 0;
  const double full = std::numbers::pi * section.half_y * section.half_z;
  const double hole = std::sqrt(std::max(0.0, 1 - section.area / full));
  return hole < 1e-6 ? 0 : hole;  // rounding
}

// Of a solid without its hole. Both shares are of stiffnesses that grow with the fourth power.
Share WithHole(double hole, const Share& solid) {
  if (hole == 0) return solid;
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

// Quadrature of the integral of min(x, 1/u) dS from `inner`, up to which S is 0: the range of u is
// divided such that the shares of the plastic moment grow towards the fibres that yield first,
// which evens out the error.
std::vector<SlipElement> Quadrature(const Share& share, double inner, int count) {
  constexpr int kCells = 4000;
  constexpr double kGrowth = 1.5;
  std::vector<double> stiffness(kCells), moment(kCells);
  double total = 0;
  for (int i = 0; i < kCells; ++i) {  // from the outermost fibre inwards
    const double high = std::lerp(1, inner, double(i) / kCells);
    const double low = std::lerp(1, inner, (i + 1.0) / kCells);
    stiffness[i] = std::max(0.0, share(high) - share(low));
    moment[i] = stiffness[i] * 2 / (high + low);
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
  for (SlipElement& element : elements) element.threshold /= element.share;
  return elements;
}

// What elements in units of first yield depend on.
struct Shape {
  explicit Shape(const Section& section)
      : corners(section.has_corners), hole(Hole(section)), torque(PlasticTorque(section)) {}
  bool operator==(const Shape&) const = default;

  bool corners;
  double hole, torque;
};

std::vector<SlipElement> Bending(const Shape& shape) {
  if (shape.corners) return Quadrature([](double u) { return u * u * u; }, 0, kBendElements);
  const Share ellipse = [](double u) {
    return 2 / std::numbers::pi * (std::asin(u) - u * (1 - 2 * u * u) * std::sqrt(1 - u * u));
  };
  return Quadrature(WithHole(shape.hole, ellipse), 0, kBendElements);
}

std::vector<SlipElement> Twisting(const Shape& shape) {
  // u^4 of a circle and u^3 of a flat rectangle, which the plastic torque tells from each other.
  const double exponent = 1 + 1 / (shape.torque - 1);
  const Share solid = [exponent](double u) { return std::pow(u, exponent); };
  return Quadrature(WithHole(shape.hole, solid), shape.hole, kTwistElements);
}

}  // namespace

std::vector<SlipElement> BendElements(const Section& section) { return Bending(Shape(section)); }

std::vector<SlipElement> TwistElements(const Section& section) { return Twisting(Shape(section)); }

std::vector<SlipElement> ElementsOf(const char* field, std::span<const double> pairs) {
  if (pairs.size() % 2 != 0) {
    throw ConfigError(field, std::to_string(pairs.size()) + " numbers", kPairs);
  }
  std::vector<SlipElement> elements;
  for (size_t k = 0; k < pairs.size(); k += 2) elements.push_back({pairs[k], pairs[k + 1]});
  CheckElements(field, elements);
  return elements;
}

void CheckElements(const char* field, std::span<const SlipElement> elements) {
  double total = 0;
  for (const SlipElement& element : elements) {
    for (double number : {element.share, element.threshold}) {
      if (number > 0 && std::isfinite(number)) continue;
      throw ConfigError(field, Text(number), kPairs);
    }
    total += element.share;
  }
  constexpr double kRounding = 1e-9;
  if (total > 1 + kRounding) {
    throw ConfigError(field, "shares of " + Text(total) + " in all", kPairs);
  }
}

void CheckHardening(std::span<const double> moduli) {
  constexpr char kAllowed[] = "1 or 2 numbers >= 0: plastic moduli over the elastic modulus";
  if (moduli.empty() || moduli.size() > 2) {
    throw ConfigError("hardening", std::to_string(moduli.size()) + " numbers", kAllowed);
  }
  for (double modulus : moduli) {
    if (modulus >= 0 && std::isfinite(modulus)) continue;
    throw ConfigError("hardening", Text(modulus), kAllowed);
  }
}

JointSlip SlipOf(const Section& a, const Section& b, const RodStiffness& stiffness, double stress) {
  const Section& section = BendingModulus(a) <= BendingModulus(b) ? a : b;
  const double moment = stress * section.second_moment_y / section.half_z;
  const double torque = stress / std::numbers::sqrt3 * section.torsion_modulus;
  // The quadrature takes as long as hundreds of joints in a step, and is made for every joint.
  thread_local Shape last(section);
  thread_local JointSlip of_last{Bending(last), Twisting(last)};
  if (const Shape shape(section); !(shape == last)) {
    of_last = {Bending(shape), Twisting(shape)};
    last = shape;
  }
  JointSlip slip = of_last;
  for (SlipElement& element : slip.bend) element.threshold *= moment / stiffness.EI[0];
  for (SlipElement& element : slip.twist) element.threshold *= torque / stiffness.GJ;
  return slip;
}

}  // namespace strand
