#include "plugin/mujoco/generator/skin.h"

#include <array>
#include <cmath>
#include <vector>

namespace strand::mujoco {
namespace {

constexpr int kRingsPerLink = 3;
constexpr int kPointsAround = 16;

// Closed outline of the section in the link's y-z plane. A box has two points per corner, so that
// its faces are shaded flat. `segments` are pairs of points that span a face.
struct Outline {
  std::vector<std::array<double, 2>> points;
  std::vector<std::array<int, 2>> segments;
};

Outline MakeOutline(const SectionDescription& section, double radius) {
  Outline outline;
  const bool round = section.shape == SectionShape::kCircle || section.shape == SectionShape::kTube;
  const double y = round ? radius : section.width / 2;
  const double z = round ? radius : section.height / 2;
  if (section.shape == SectionShape::kBox) {
    outline.points = {{y, -z}, {y, z}, {y, z}, {-y, z}, {-y, z}, {-y, -z}, {-y, -z}, {y, -z}};
    outline.segments = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    return outline;
  }
  for (int i = 0; i < kPointsAround; ++i) {
    const double angle = kTwoPi * i / kPointsAround;
    outline.points.push_back({y * std::cos(angle), z * std::sin(angle)});
    outline.segments.push_back({i, (i + 1) % kPointsAround});
  }
  return outline;
}

// Builds the skin: vertices on the initial shape, and the links that move each of them.
class Skin {
 public:
  explicit Skin(const Plan& plan)
      : plan_(plan), vertex_ids_(plan.rod.links()), weights_(plan.rod.links()) {
    double begin = 0;
    for (double length : plan.rod.length) {
      middle_.push_back(begin + 0.5 * length);
      begin_.push_back(begin);
      begin += length;
    }
    total_ = begin;
  }

  void AddRing(double arclength, const Outline& outline);
  void AddFaces(int rings, const Outline& outline);
  void AddCap(int first_vertex, const Outline& outline, bool at_end);
  int vertices() const { return static_cast<int>(vertex_.size()) / 3; }
  void Write(mjSpec* spec) const;

 private:
  struct Bond {
    int link;
    double weight;
  };
  std::array<Bond, 2> Bonds(double arclength) const;

  const Plan& plan_;
  std::vector<double> begin_, middle_;  // arclength of each link
  double total_ = 0;
  std::vector<float> vertex_;
  std::vector<int> face_;
  std::vector<std::vector<int>> vertex_ids_;
  std::vector<std::vector<float>> weights_;
};

// The two links whose middles lie before and after an arclength, with weights. Before the first and
// after the last middle of an open rod a single link has all the weight.
std::array<Skin::Bond, 2> Skin::Bonds(double arclength) const {
  const int n = plan_.rod.links();
  int after = 0;
  while (after < n && middle_[after] <= arclength) ++after;
  if (!plan_.cable.closed && (after == 0 || after == n)) {
    const int link = after == 0 ? 0 : n - 1;
    return {Bond{link, 1}, Bond{link, 0}};
  }
  const int a = after == 0 ? n - 1 : after - 1, b = after == n ? 0 : after;
  const double from = after == 0 ? middle_[a] - total_ : middle_[a];
  const double to = after == n ? middle_[b] + total_ : middle_[b];
  const double weight = (arclength - from) / (to - from);
  return {Bond{a, 1 - weight}, Bond{b, weight}};
}

void Skin::AddRing(double arclength, const Outline& outline) {
  const DrawnRod& rod = plan_.rod;
  const auto bonds = Bonds(arclength);
  for (const auto& [y, z] : outline.points) {
    Vector3 point = Vector3::Zero();
    for (const Bond& bond : bonds) {
      double along = arclength - begin_[bond.link];
      if (plan_.cable.closed)
        along -= total_ * std::round((along - 0.5 * rod.length[bond.link]) / total_);
      point += bond.weight * (rod.nodes[bond.link] + rod.frames[bond.link] * Vector3(along, y, z));
    }
    const Pose& place = plan_.carrier_pose;
    point = place.position + place.rotation * point;
    for (const Bond& bond : bonds) {
      if (bond.weight == 0) continue;
      vertex_ids_[bond.link].push_back(vertices());
      weights_[bond.link].push_back(static_cast<float>(bond.weight));
    }
    for (int i = 0; i < 3; ++i) vertex_.push_back(static_cast<float>(point[i]));
  }
}

void Skin::AddFaces(int rings, const Outline& outline) {
  const int around = static_cast<int>(outline.points.size());
  for (int ring = 0; ring + 1 < rings; ++ring) {
    const int near = ring * around, far = near + around;
    for (const auto& [i, j] : outline.segments) {
      face_.insert(face_.end(), {near + i, near + j, far + j, near + i, far + j, far + i});
    }
  }
}

// A triangle fan over a separate ring of vertices, so that the edge is shaded sharp.
void Skin::AddCap(int first_vertex, const Outline& outline, bool at_end) {
  for (size_t k = 1; k + 1 < outline.points.size(); ++k) {
    const int i = first_vertex + static_cast<int>(k), j = i + 1;
    face_.insert(face_.end(), {first_vertex, at_end ? i : j, at_end ? j : i});
  }
}

void Skin::Write(mjSpec* spec) const {
  mjsSkin* skin = mjs_addSkin(spec);
  mjs_setName(skin->element, plan_.Name("skin").c_str());
  std::copy(plan_.cable.rgba.begin(), plan_.cable.rgba.end(), skin->rgba);
  mjs_setFloat(skin->vert, vertex_.data(), static_cast<int>(vertex_.size()));
  mjs_setInt(skin->face, face_.data(), static_cast<int>(face_.size()));
  std::vector<float> positions, rotations;
  for (int k = 0; k < plan_.rod.links(); ++k) {
    mjs_appendString(skin->bodyname, plan_.LinkName(k).c_str());
    const Pose pose = plan_.carrier_pose * Pose{plan_.rod.nodes[k], plan_.rod.frames[k]};
    const Eigen::Quaterniond q = Eigen::Quaterniond(pose.rotation).normalized();
    for (int i = 0; i < 3; ++i) positions.push_back(static_cast<float>(pose.position[i]));
    for (double value : {q.w(), q.x(), q.y(), q.z()}) {
      rotations.push_back(static_cast<float>(value));
    }
    const int count = static_cast<int>(vertex_ids_[k].size());
    mjs_appendIntVec(skin->vertid, vertex_ids_[k].data(), count);
    mjs_appendFloatVec(skin->vertweight, weights_[k].data(), count);
  }
  mjs_setFloat(skin->bindpos, positions.data(), static_cast<int>(positions.size()));
  mjs_setFloat(skin->bindquat, rotations.data(), static_cast<int>(rotations.size()));
}

}  // namespace

void AddSkin(const Plan& plan, mjSpec* spec) {
  if (!plan.cable.skin) return;
  const Material material(plan.cable, plan.rod.Arclengths());
  const auto outline = [&](double s) {
    return MakeOutline(plan.cable.section, material.Radius(s));
  };
  Skin skin(plan);
  const double total = plan.rod.total_length();
  const int rings = kRingsPerLink * plan.rod.links() + 1;
  for (int ring = 0; ring < rings; ++ring) {
    const double s = total * ring / (rings - 1);
    skin.AddRing(s, outline(s));
  }
  skin.AddFaces(rings, outline(0));
  for (int side = 0; side < 2 && !plan.cable.closed; ++side) {
    const int first = skin.vertices();
    skin.AddRing(side * total, outline(side * total));
    skin.AddCap(first, outline(side * total), side == 1);
  }
  skin.Write(spec);
}

}  // namespace strand::mujoco
