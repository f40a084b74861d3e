#include "plugin/mujoco/description/rod.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

double Stiffening(Curvature curvature, const Frame& a, const Frame& b) {
  const auto measure =
      curvature == Curvature::kTangent ? CurvatureMeasure::kTangent : CurvatureMeasure::kAngle;
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
         (end == EndCondition::kFixed || end == EndCondition::kWeld ||
          end == EndCondition::kMocap || end == EndCondition::kFeed);
}

void CheckClosure(const DrawnRod& rod) {
  const double gap = (rod.nodes.back() - rod.nodes.front()).norm();
  if (gap < 1e-6 * rod.length[0]) return;
  throw ConfigError("closed", Number(gap) + " m between the first and last node",
                    "a last node that coincides with the first");
}

// Geoms and stresses use one mean section per link; masses are those of the exact shape.
void SetLinks(const Material& material, const SectionDescription& section, DrawnRod* rod) {
  const std::vector<double> nodes = rod->Arclengths();
  for (int k = 0; k < rod->links(); ++k) {
    rod->mass.push_back(material.Mass(nodes[k], nodes[k + 1]));
    rod->radius.push_back(material.MeanRadius(nodes[k], nodes[k + 1]));
    rod->section.push_back(MakeSection(section, rod->radius.back()));
  }
}

// Arclengths between which joints lie: middles of links, clamps and junctions.
std::vector<double> JointLimits(const DrawnRod& rod, bool closed) {
  const std::vector<double> nodes = rod.Arclengths();
  std::vector<double> limits;
  if (rod.clamped[0]) limits.push_back(0);
  for (int k = 0; k < rod.links(); ++k) {
    if (rod.HasJunction(k)) limits.push_back(nodes[k]);
    limits.push_back(nodes[k] + 0.5 * rod.length[k]);
  }
  if (rod.clamped[1]) limits.push_back(nodes.back());
  if (closed) limits.push_back(nodes.back() + 0.5 * rod.length[0]);
  return limits;
}

// A joint spans half a link beside a clamp or junction, and half of each of its two links
// elsewhere.
void SetJoints(const Material& material, const CableDescription& cable, DrawnRod* rod) {
  const std::vector<double> limits = JointLimits(*rod, cable.closed);
  for (size_t i = 0; i + 1 < limits.size(); ++i) {
    rod->stiffness.push_back(material.Stiffness(limits[i], limits[i + 1]));
    rod->span.push_back(limits[i + 1] - limits[i]);
  }
  if (!cable.junctions.stiffness) return;
  // The junction at the start acts in series with the half joint there.
  const auto [bend, twist] = *cable.junctions.stiffness;
  const auto in_series = [span = rod->span[0]](double stiffness, double junction) {
    return stiffness / (1 + stiffness / (span * junction));
  };
  for (double& EI : rod->stiffness[0].EI) EI = in_series(EI, bend);
  rod->stiffness[0].GJ = in_series(rod->stiffness[0].GJ, twist);
}

}  // namespace

std::vector<double> DrawnRod::Arclengths() const {
  std::vector<double> arclengths(1, 0.0);
  for (double l : length) arclengths.push_back(arclengths.back() + l);
  return arclengths;
}

double DrawnRod::total_mass() const {
  double total = 0;
  for (const PartMass& link : mass) total += link.mass;
  return total;
}

double DrawnRod::total_length() const { return std::accumulate(length.begin(), length.end(), 0.0); }

Frame DrawnRod::ClampFrame(int side) const {
  const int end = side ? links() - 1 : 0, next = side ? links() - 2 : 1;
  return ContinueFrame(frames[next], frames[end], length[end] / (length[end] + length[next]));
}

Frame DrawnRod::JunctionFrame(int node) const {
  const double before = length[node - 1], after = length[node];
  return ContinueFrame(frames[node], frames[node - 1], -before / (before + after));
}

bool DrawnRod::HasJunction(int node) const {
  return std::binary_search(junctions.begin(), junctions.end(), node);
}

DrawnRod::Sequence DrawnRod::WithPoints() const {
  Sequence all;
  const auto add = [&all](double l, const Frame& frame) {
    all.length.push_back(l);
    all.frame.push_back(frame);
  };
  if (clamped[0]) add(0, ClampFrame(0));
  for (int k = 0; k < links(); ++k) {
    if (HasJunction(k)) add(0, JunctionFrame(k));
    add(length[k], frames[k]);
  }
  if (clamped[1]) add(0, ClampFrame(1));
  return all;
}

int DrawnRod::JointBefore(int node) const {
  const auto earlier = std::lower_bound(junctions.begin(), junctions.end(), node);
  return node - 1 + clamped[0] + static_cast<int>(earlier - junctions.begin());
}

int DrawnRod::LinkAt(int joint) const {
  int node = 1;
  while (node < links() && JointAfter(node) < joint) ++node;
  return joint > JointBefore(node) ? std::min(node, links() - 1) : node - 1;
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
  if (cable.ends[0] == EndCondition::kFeed) {
    rod.inside = rod.total_length() - cable.fed.value_or(rod.total_length());
    for (Vector3& node : rod.nodes) node -= rod.inside * rod.frames[0].col(0);
  }
  for (int side = 0; side < 2; ++side) rod.clamped[side] = NodeClamp(cable, side);
  for (int node : cable.junctions.nodes) {
    if (node == 0) {
      rod.clamped[0] = true;
    } else if (node == rod.links()) {
      rod.clamped[1] = true;
    } else {
      rod.junctions.push_back(node);
    }
  }
  const Material material(cable, rod.Arclengths());
  rod.isotropic = material.isotropic();
  SetLinks(material, cable.section, &rod);
  SetJoints(material, cable, &rod);
  std::vector<Frame> frames = rod.WithPoints().frame;
  if (cable.closed) frames.push_back(frames.front());
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    rod.stiffening.push_back(Stiffening(cable.curvature, frames[i], frames[i + 1]));
  }
  return rod;
}

}  // namespace strand::mujoco
