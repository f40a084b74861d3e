#include "plugin/mujoco/description/rod.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

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

// Joints from clamp to clamp. A joint spans half a link at a clamp, and half of each of its two
// links elsewhere.
void SetJoints(const Material& material, bool closed, DrawnRod* rod) {
  std::vector<double> ends;  // arclengths between which joints lie: middles of links, clamps
  if (rod->clamped[0]) ends.push_back(0);
  double arclength = 0;
  for (double length : rod->length) {
    ends.push_back(arclength + 0.5 * length);
    arclength += length;
  }
  if (rod->clamped[1]) ends.push_back(arclength);
  if (closed) ends.push_back(arclength + 0.5 * rod->length[0]);
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    rod->stiffness.push_back(material.Stiffness(ends[i], ends[i + 1]));
    rod->span.push_back(ends[i + 1] - ends[i]);
  }
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
  for (int side = 0; side < 2; ++side) rod.clamped[side] = NodeClamp(cable, side);
  const Material material(cable, rod.Arclengths());
  rod.isotropic = material.isotropic();
  SetLinks(material, cable.section, &rod);
  SetJoints(material, cable.closed, &rod);
  std::vector<Frame> frames = rod.JointFrames();
  if (cable.closed) frames.push_back(frames.front());
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    rod.stiffening.push_back(Stiffening(cable.curvature, frames[i], frames[i + 1]));
  }
  return rod;
}

}  // namespace strand::mujoco
