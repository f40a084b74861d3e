#include "plugin/mujoco/adapter/stiffness.h"

#include <algorithm>
#include <string>

#include "model/config/error.h"

namespace strand::mujoco {
namespace {

// Reads lists with one value, one per joint between links, or one per joint including those next to
// clamps and junctions. A clamp's joint without a value of its own takes that of the next joint,
// and both joints at a junction take that of their node.
class JointLists {
 public:
  explicit JointLists(const Chain& chain, bool closed)
      : joints_(closed ? chain.links() : chain.links() - 1),
        between_links_(joints_ - chain.points()) {
    int links = 0;
    for (int i = 0; i < joints_; ++i) {
      links += !chain.is_point(i);
      node_.push_back(std::clamp(links - 1, 0, between_links_ - 1));
    }
  }

  int joints() const { return joints_; }
  bool Fits(int count) const { return count == 1 || count == between_links_ || count == joints_; }
  std::string Counts(int per_joint) const {
    const std::string counts = std::to_string(per_joint * between_links_);
    if (joints_ == between_links_) return counts;
    return counts +
           ", or including those of clamps and junctions: " + std::to_string(per_joint * joints_);
  }
  void Check(const char* key, const std::vector<double>& values) const {
    if (values.empty() || Fits(static_cast<int>(values.size()))) return;
    throw ConfigError(key, std::to_string(values.size()) + " values",
                      "1 value, or one per joint: " + Counts(1));
  }
  int Index(int count, int joint) const {
    if (count == 1) return 0;
    return count == joints_ ? joint : node_[joint];
  }
  double Value(const std::vector<double>& values, int joint) const {
    return values[Index(static_cast<int>(values.size()), joint)];
  }

 private:
  int joints_, between_links_;
  std::vector<int> node_;  // of each joint: the joint between links at the same node
};

std::vector<RodStiffness> Direct(const CableAttributes& a, const JointLists& lists) {
  const int count = static_cast<int>(a.EI.size());
  // One value; two, for the y and z axes; one per joint; or two per joint.
  const bool pairs = count == 2 || (count % 2 == 0 && !lists.Fits(count) && lists.Fits(count / 2));
  if (!pairs && !lists.Fits(count)) {
    throw ConfigError(key::kEI, std::to_string(count) + " values",
                      "1 value, 2 (y and z axes), one per joint: " + lists.Counts(1) +
                          ", or two per joint: " + lists.Counts(2));
  }
  lists.Check(key::kGJ, a.GJ);
  std::vector<RodStiffness> stiffness(lists.joints());
  for (int i = 0; i < lists.joints(); ++i) {
    const int index = lists.Index(pairs ? count / 2 : count, i);
    const double* EI = a.EI.data() + (pairs ? 2 * index : index);
    stiffness[i] = {{EI[0], pairs ? EI[1] : EI[0]}, lists.Value(a.GJ, i)};
  }
  return stiffness;
}

void CheckSections(const CableAttributes& a, const Chain& chain) {
  const int given = static_cast<int>(a.sections.size()), links = chain.links() - chain.points();
  if (given <= 1 || given == links) return;
  throw ConfigError(key::kSection, std::to_string(given) + " sections",
                    "1, or one per link: " + std::to_string(links));
}

double Series(double half_a, double half_b, double value_a, double value_b) {
  return (half_a + half_b) / (half_a / value_a + half_b / value_b);
}

// Sections of the links that meet at a joint. A clamp or junction has no section of its own: its
// joint lies in the adjacent link.
std::array<Section, 2> JointSections(const mjModel* m, const CableAttributes& a, const Chain& chain,
                                     const JointLists& lists, int joint) {
  const double radius = a.radius.empty() ? 0 : lists.Value(a.radius, joint);
  const int link[2] = {joint, (joint + 1) % chain.links()};
  return {LinkSection(m, a, chain, link[chain.is_point(link[0])], radius),
          LinkSection(m, a, chain, link[!chain.is_point(link[1])], radius)};
}

std::vector<RodStiffness> FromModuli(const mjModel* m, const CableAttributes& a, const Chain& chain,
                                     const JointLists& lists) {
  lists.Check(key::kYoung, a.young);
  lists.Check(key::kShear, a.shear);
  lists.Check(key::kPoisson, a.poisson);
  lists.Check(key::kRadius, a.radius);
  std::vector<RodStiffness> stiffness(lists.joints());
  for (int i = 0; i < lists.joints(); ++i) {
    const double young = lists.Value(a.young, i);
    const double shear =
        a.shear.empty() ? ShearModulus(young, lists.Value(a.poisson, i)) : lists.Value(a.shear, i);
    const std::array<Section, 2> s = JointSections(m, a, chain, lists, i);
    const double half[2] = {chain.length[i] / 2, chain.length[(i + 1) % chain.links()] / 2};
    Section joint;
    for (double Section::* property :
         {&Section::second_moment_y, &Section::second_moment_z, &Section::torsion_constant}) {
      joint.*property = Series(half[0], half[1], s[0].*property, s[1].*property);
    }
    stiffness[i] = StiffnessOf(young, shear, joint);
  }
  return stiffness;
}

}  // namespace

Section LinkSection(const mjModel* m, const CableAttributes& attributes, const Chain& chain, int k,
                    double radius) {
  const auto& sections = attributes.sections;
  if (!sections.empty()) return sections[sections.size() == 1 ? 0 : chain.Number(k)];
  if (radius > 0) return CircleSection(radius);
  double half_size[3];
  const int body = chain.body[k];
  const int geom = LinkGeom(m, body, half_size);
  if (geom < 0) {
    throw ConfigError(
        key::kRadius,
        "nothing, and link '" + BodyName(m, body) + "' has no geom that gives its section",
        "section or radius (m), or a capsule, cylinder, ellipsoid or box along the link");
  }
  return m->geom_type[geom] == mjGEOM_BOX ? RectangleSection(half_size[1], half_size[2])
                                          : EllipseSection(half_size[1], half_size[2]);
}

std::vector<RodStiffness> JointStiffnesses(const mjModel* m, const CableAttributes& attributes,
                                           const Chain& chain) {
  CheckSections(attributes, chain);
  const JointLists lists(chain, attributes.closed);
  return attributes.EI.empty() ? FromModuli(m, attributes, chain, lists)
                               : Direct(attributes, lists);
}

std::vector<JointSlip> JointSlips(const mjModel* m, const CableAttributes& attributes,
                                  const Chain& chain, std::span<const RodStiffness> stiffness) {
  if (!attributes.slips()) return {};
  if (!attributes.yield_stress) {
    return std::vector<JointSlip>(stiffness.size(),
                                  {attributes.bend_elements, attributes.twist_elements});
  }
  CheckSections(attributes, chain);
  const JointLists lists(chain, attributes.closed);
  lists.Check(key::kRadius, attributes.radius);
  std::vector<JointSlip> slips;
  for (int i = 0; i < lists.joints(); ++i) {
    const auto [a, b] = JointSections(m, attributes, chain, lists, i);
    slips.push_back(SlipOf(a, b, stiffness[i], *attributes.yield_stress));
  }
  return slips;
}

}  // namespace strand::mujoco
