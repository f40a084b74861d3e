#include "plugin/mujoco/generator/rod.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "plugin/mujoco/generator/check.h"

namespace strand::mujoco {
namespace {

constexpr double kRounding = 1e-9;  // of the length: arclengths in files are rounded

bool HasDirect(const Stiffness& s) { return s.EI || s.GJ; }
bool HasModuli(const Stiffness& s) { return s.young || s.shear || s.poisson; }

// EI and GJ from what is given: directly, or as moduli times the section's second moments.
JointStiffness Resolve(const Stiffness& s, const Section& section) {
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
  const double shear = s.shear ? *s.shear : *s.young / (2 * (1 + *s.poisson));
  return {{*s.young * section.second_moment_y, *s.young * section.second_moment_z},
          shear * section.torsion_constant};
}

// What a stretch does not give is as in the rest of the cable.
JointStiffness ResolveStretch(const Stiffness& stretch, const Stiffness& base,
                              const Section& section) {
  Stiffness merged = stretch;
  if (HasModuli(stretch)) {
    if (!merged.young) merged.young = base.young;
    if (!merged.shear && !merged.poisson) merged.shear = base.shear, merged.poisson = base.poisson;
  } else {
    const JointStiffness rest = Resolve(base, section);
    if (!merged.EI) merged.EI = rest.EI;
    if (!merged.GJ) merged.GJ = rest.GJ;
  }
  return Resolve(merged, section);
}

// Stiffness along the cable, constant between breaks.
class StiffnessProfile {
 public:
  StiffnessProfile(const CableDescription& cable, const Section& section, double length)
      : length_(length) {
    pieces_.push_back({0, Resolve(cable.stiffness, section)});
    std::vector<Stretch> stretches = cable.stretches;
    std::sort(stretches.begin(), stretches.end(),
              [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
    double last = 0;
    for (const Stretch& stretch : stretches) {
      if (stretch.begin < last - kRounding * length || stretch.end > length * (1 + kRounding)) {
        throw ConfigError("stretches", Number(stretch.begin) + " to " + Number(stretch.end),
                          "stretches that do not overlap, from 0 to the cable's length of " +
                              Number(length) + " m");
      }
      pieces_.push_back(
          {stretch.begin, ResolveStretch(stretch.stiffness, cable.stiffness, section)});
      pieces_.push_back({stretch.end, pieces_.front().stiffness});
      last = stretch.end;
    }
  }

  // The stretches that a joint spans act in series: 1 / EI is the mean of 1 / EI(s), which keeps
  // the chain second-order accurate wherever the breaks lie.
  JointStiffness Between(double begin, double end) const {
    if (pieces_.size() == 1) return pieces_.front().stiffness;  // to the last digit
    double compliance[3] = {};
    AddCompliance(begin, std::min(end, length_), compliance);
    if (end > length_) AddCompliance(0, end - length_, compliance);  // over the seam of a ring
    const double span = end - begin;
    return {{span / compliance[0], span / compliance[1]}, span / compliance[2]};
  }

  bool isotropic() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
      return piece.stiffness.EI[0] == piece.stiffness.EI[1];
    });
  }

 private:
  struct Piece {
    double begin;
    JointStiffness stiffness;
  };

  void AddCompliance(double begin, double end, double compliance[3]) const {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const double until = i + 1 < pieces_.size() ? pieces_[i + 1].begin : length_;
      const double part = std::min(end, until) - std::max(begin, pieces_[i].begin);
      if (part <= 0) continue;
      compliance[0] += part / pieces_[i].stiffness.EI[0];
      compliance[1] += part / pieces_[i].stiffness.EI[1];
      compliance[2] += part / pieces_[i].stiffness.GJ;
    }
  }

  double length_;
  std::vector<Piece> pieces_;
};

double Stiffening(CurvatureMeasure measure, const Frame& a, const Frame& b) {
  const double g = EvaluateMeasure(measure, JointGeometry(a.col(0), b.col(0))).g;
  return g * g;
}

Vector3 FirstNormal(const CableDescription& cable) {
  if (cable.normal) return *cable.normal;
  const Vector3 along = (cable.nodes[1] - cable.nodes[0]).normalized();
  return std::abs(along.y()) < 0.9 ? Vector3::UnitY() : Vector3::UnitZ();
}

bool NodeClamp(const CableDescription& cable, int side) {
  const EndCondition end = cable.ends[side];
  return cable.clamp == Clamp::kNode &&
         (end == EndCondition::kFixed || end == EndCondition::kWeld || end == EndCondition::kMocap);
}

void CheckClosure(const DrawnRod& rod) {
  const double gap = (rod.nodes.back() - rod.nodes.front()).norm();
  if (gap < 1e-6 * rod.length[0]) return;
  throw ConfigError("closed", Number(gap) + " m between the first and last node",
                    "a last node at the first one");
}

// Joints from clamp to clamp: half a link at a clamp, half of each neighbour elsewhere.
void SetJoints(const StiffnessProfile& profile, bool closed, DrawnRod* rod) {
  std::vector<double> ends;  // arclength of the middles of the links; of the clamps
  if (rod->clamped[0]) ends.push_back(0);
  double arclength = 0;
  for (double length : rod->length) {
    ends.push_back(arclength + 0.5 * length);
    arclength += length;
  }
  if (rod->clamped[1]) ends.push_back(arclength);
  if (closed) ends.push_back(arclength + 0.5 * rod->length[0]);
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    rod->stiffness.push_back(profile.Between(ends[i], ends[i + 1]));
    rod->span.push_back(ends[i + 1] - ends[i]);
  }
}

}  // namespace

Section MakeSection(const SectionDescription& section) {
  switch (section.shape) {
    case SectionShape::kTube:
      return TubeSection(section.radius, section.inner_radius);
    case SectionShape::kBox:
      return RectangleSection(section.width / 2, section.height / 2);
    case SectionShape::kEllipse:
      return EllipseSection(section.width / 2, section.height / 2);
    case SectionShape::kCircle:
      break;
  }
  return CircleSection(section.radius);
}

double DrawnRod::total_length() const { return std::accumulate(length.begin(), length.end(), 0.0); }

Frame DrawnRod::ClampFrame(int side) const {
  const int end = side ? links() - 1 : 0, next = side ? links() - 2 : 1;
  return ContinueFrame(frames[next], frames[end], length[end] / (length[end] + length[next]));
}

std::vector<Frame> DrawnRod::JointFrames() const {
  std::vector<Frame> all;
  if (clamped[0]) all.push_back(ClampFrame(0));
  all.insert(all.end(), frames.begin(), frames.end());
  if (clamped[1]) all.push_back(ClampFrame(1));
  return all;
}

DrawnRod DrawRod(const CableDescription& cable) {
  DrawnRod rod;
  const auto& q = cable.quat;
  const Frame turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  rod.frames = LinkFrames(cable.nodes, FirstNormal(cable));
  for (Frame& frame : rod.frames) frame = turn * frame;
  for (const Vector3& node : cable.nodes) rod.nodes.push_back(cable.pos + turn * node);
  for (int k = 0; k < rod.links(); ++k) {
    rod.length.push_back((cable.nodes[k + 1] - cable.nodes[k]).norm());
  }
  if (cable.closed) CheckClosure(rod);
  rod.section = MakeSection(cable.section);
  for (int side = 0; side < 2; ++side) rod.clamped[side] = NodeClamp(cable, side);
  const StiffnessProfile profile(cable, rod.section, rod.total_length());
  rod.isotropic = profile.isotropic();
  SetJoints(profile, cable.closed, &rod);
  std::vector<Frame> frames = rod.JointFrames();
  if (cable.closed) frames.push_back(frames.front());
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    rod.stiffening.push_back(Stiffening(cable.curvature, frames[i], frames[i + 1]));
  }
  return rod;
}

}  // namespace strand::mujoco
