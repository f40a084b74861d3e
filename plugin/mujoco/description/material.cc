#include "plugin/mujoco/description/material.h"

#include <algorithm>
#include <cmath>

#include "model/config/error.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

constexpr double kRounding = 1e-9;  // relative to the length: arclengths in files are rounded

// Gauss-Legendre quadrature on [-1, 1]: exact for polynomials of degree nine.
constexpr double kGaussPoint[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                   0.9061798459386640};
constexpr double kGaussWeight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                    0.4786286704993665, 0.2369268850561891};

bool HasDirect(const Stiffness& s) { return s.EI || s.GJ; }
bool HasModuli(const Stiffness& s) { return s.young || s.shear || s.poisson; }

// EI and GJ from what is given: directly, or as moduli times the section's second moments.
RodStiffness Resolve(const Stiffness& s, const Section& section) {
  if (HasDirect(s) && HasModuli(s)) {
    throw ConfigError("EI", "a value beside young, shear or poisson",
                      "EI and GJ, or young and shear or poisson, not both");
  }
  if (HasDirect(s)) {
    if (!s.EI) throw ConfigError("EI", "nothing", "finite, > 0 (N m^2), since GJ is given");
    if (!s.GJ) throw ConfigError("GJ", "nothing", "finite, > 0 (N m^2), since EI is given");
    return {*s.EI, *s.GJ};
  }
  if (!HasModuli(s)) {
    throw ConfigError("EI", "nothing", "EI and GJ (N m^2), or young and shear or poisson");
  }
  if (!s.young) throw ConfigError("young", "nothing", "finite, > 0 (Pa)");
  if (s.shear.has_value() == s.poisson.has_value()) {
    throw ConfigError("shear", s.shear ? "a value beside poisson" : "nothing",
                      "one of shear (Pa, > 0) and poisson (> -1 and <= 0.5), since young is given");
  }
  return StiffnessOf(*s.young, s.shear ? *s.shear : ShearModulus(*s.young, *s.poisson), section);
}

// What a stretch does not give is as in the rest of the cable.
RodStiffness ResolveStretch(const Stiffness& stretch, const Stiffness& base,
                            const Section& section) {
  Stiffness merged = stretch;
  if (HasModuli(stretch)) {
    if (!merged.young) merged.young = base.young;
    if (!merged.shear && !merged.poisson) merged.shear = base.shear, merged.poisson = base.poisson;
  } else {
    const RodStiffness rest = Resolve(base, section);
    if (!merged.EI) merged.EI = rest.EI;
    if (!merged.GJ) merged.GJ = rest.GJ;
  }
  return Resolve(merged, section);
}

// The stretches sorted by arclength. Throws ConfigError if they overlap or leave the cable.
std::vector<Stretch> Ordered(std::vector<Stretch> stretches, double length) {
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  double last = 0;
  for (Stretch& stretch : stretches) {
    if (stretch.begin < last - kRounding * length || stretch.end > length * (1 + kRounding)) {
      throw ConfigError("stretches", Number(stretch.begin) + " to " + Number(stretch.end),
                        "stretches that do not overlap, from 0 to the cable's length of " +
                            Number(length) + " m");
    }
    stretch.begin = std::max(stretch.begin, last);
    stretch.end = last = std::min(stretch.end, length);
  }
  return stretches;
}

// The values at both ends of a piece that lies within link k. `values` holds one value; two, at
// the start and the end of the cable, linear in between; or one per link.
std::array<double, 2> Along(const std::vector<double>& values, double begin, double end,
                            double length, size_t k) {
  if (values.size() == 2) {
    const double slope = (values[1] - values[0]) / length;
    return {values[0] + slope * begin, values[0] + slope * end};
  }
  const double value = values[values.size() == 1 ? 0 : k];
  return {value, value};
}

}  // namespace

Section MakeSection(const SectionDescription& section, double radius) {
  switch (section.shape) {
    case SectionShape::kTube:
      return TubeSection(radius, section.inner_radius);
    case SectionShape::kBox:
      return RectangleSection(section.width / 2, section.height / 2);
    case SectionShape::kEllipse:
      return EllipseSection(section.width / 2, section.height / 2);
    case SectionShape::kCircle:
      break;
  }
  return CircleSection(radius);
}

Material::Material(const CableDescription& cable, const std::vector<double>& nodes)
    : cable_(cable), stretches_(Ordered(cable.stretches, nodes.back())) {
  std::vector<double> breaks{0, nodes.back()};
  for (const auto* values : {&cable.section.radius, &cable.density}) {
    if (values->size() > 2) breaks.insert(breaks.end(), nodes.begin(), nodes.end());
  }
  for (const Stretch& stretch : stretches_) {
    breaks.insert(breaks.end(), {stretch.begin, stretch.end});
  }
  std::sort(breaks.begin(), breaks.end());
  size_t link = 0, next = 0;
  for (size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double begin = breaks[i], end = breaks[i + 1], middle = (begin + end) / 2;
    if (begin == end) continue;
    while (link + 2 < nodes.size() && nodes[link + 1] < middle) ++link;
    while (next < stretches_.size() && stretches_[next].end < middle) ++next;
    const bool within = next < stretches_.size() && stretches_[next].begin < middle;
    const Stretch* stretch = within ? &stretches_[next] : nullptr;
    auto radius = Along(cable.section.radius, begin, end, nodes.back(), link);
    auto density = Along(cable.density, begin, end, nodes.back(), link);
    if (stretch && stretch->radius) radius.fill(*stretch->radius);
    if (stretch && stretch->density) density.fill(*stretch->density);
    pieces_.push_back(
        {begin, end, radius, density, stretch, MakeSection(cable.section, radius[0])});
    const RodStiffness stiffness = StiffnessAt(At(pieces_.back(), begin));
    isotropic_ = isotropic_ && stiffness.EI[0] == stiffness.EI[1];
  }
}

Material::Place Material::At(const Piece& piece, double arclength) const {
  const double along = (arclength - piece.begin) / (piece.end - piece.begin);
  const double radius = std::lerp(piece.radius[0], piece.radius[1], along);
  const bool uniform = piece.radius[0] == piece.radius[1];
  return {arclength, radius, std::lerp(piece.density[0], piece.density[1], along),
          uniform ? piece.section : MakeSection(cable_.section, radius), piece};
}

RodStiffness Material::StiffnessAt(const Place& place) const {
  const Stretch* stretch = place.piece.stretch;
  return ResolveStretch(stretch ? stretch->stiffness : strand::Stiffness(), cable_.stiffness,
                        place.section);
}

// Calls add(place, weight) at the points of a quadrature from begin to end.
template <class Integrand>
void Material::Integrate(double begin, double end, const Integrand& add) const {
  auto piece = std::partition_point(pieces_.begin(), pieces_.end(),
                                    [&](const Piece& before) { return before.end <= begin; });
  for (; piece != pieces_.end() && piece->begin < end; ++piece) {
    const double from = std::max(begin, piece->begin),
                 half = (std::min(end, piece->end) - from) / 2;
    for (int i = 0; i < 5; ++i) {
      add(At(*piece, from + half * (1 + kGaussPoint[i])), half * kGaussWeight[i]);
    }
  }
}

PartMass Material::Mass(double begin, double end) const {
  PartMass part;
  double first = 0, second = 0;  // moments of mass about the segment's middle
  const double middle = (begin + end) / 2;
  Integrate(begin, end, [&](const Place& place, double weight) {
    const double line = weight * place.density, from = place.arclength - middle;
    const Section& section = place.section;
    part.mass += line * section.area;
    first += line * section.area * from;
    second += line * section.area * from * from;
    part.inertia += line * Vector3(section.second_moment_y + section.second_moment_z,
                                   section.second_moment_y, section.second_moment_z);
  });
  const double offset = first / part.mass;
  const double across = second - first * offset;
  part.center = (end - begin) / 2 + offset;
  part.inertia += Vector3(0, across, across);
  return part;
}

double Material::MeanRadius(double begin, double end) const {
  double sum = 0;
  Integrate(begin, end, [&](const Place& place, double weight) { sum += weight * place.radius; });
  return sum / (end - begin);
}

double Material::Radius(double arclength) const {
  for (const Piece& piece : pieces_) {
    if (arclength <= piece.end) return At(piece, arclength).radius;
  }
  return pieces_.back().radius[1];
}

RodStiffness Material::Stiffness(double begin, double end) const {
  const Piece& first = pieces_.front();
  const bool uniform = pieces_.size() == 1 && first.radius[0] == first.radius[1];
  if (uniform) return StiffnessAt(At(first, begin));  // exact, without quadrature
  double compliance[3] = {};
  const auto add = [&](const Place& place, double weight) {
    const auto [EI, GJ] = StiffnessAt(place);
    compliance[0] += weight / EI[0], compliance[1] += weight / EI[1], compliance[2] += weight / GJ;
  };
  const double length = pieces_.back().end, span = end - begin;
  Integrate(begin, std::min(end, length), add);
  if (end > length) Integrate(0, end - length, add);  // across the seam of a ring
  return {{span / compliance[0], span / compliance[1]}, span / compliance[2]};
}

}  // namespace strand::mujoco
