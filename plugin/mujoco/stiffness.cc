#include "plugin/mujoco/stiffness.h"

#include <string>

#include "model/config/error.h"

namespace strand::mujoco {
namespace {

// Value of joint i from a list with one value or one per joint.
double PerJoint(const std::vector<double>& values, int i) {
  return values.size() == 1 ? values[0] : values[i];
}

void CheckCount(const char* key, const std::vector<double>& values, int joints) {
  const int count = static_cast<int>(values.size());
  if (count == 0 || count == 1 || count == joints) return;
  throw ConfigError(key, std::to_string(count) + " values",
                    "1 value, or one per joint: " + std::to_string(joints));
}

std::vector<JointStiffness> Direct(const CableAttributes& a, int joints) {
  const int count = static_cast<int>(a.EI.size());
  // One value; two for the y and z axes; one per joint; two per joint.
  if (count != 1 && count != 2 && count != joints && count != 2 * joints) {
    throw ConfigError(key::kEI, std::to_string(count) + " values",
                      "1 value, 2 (y and z axes), one per joint: " + std::to_string(joints) +
                          ", or two per joint: " + std::to_string(2 * joints));
  }
  CheckCount(key::kGJ, a.GJ, joints);
  const bool pairs = count == 2 || count == 2 * joints;
  std::vector<JointStiffness> stiffness(joints);
  for (int i = 0; i < joints; ++i) {
    const int step = count > 2 ? i : 0;
    const double* EI = a.EI.data() + (pairs ? 2 * step : step);
    stiffness[i] = {{EI[0], pairs ? EI[1] : EI[0]}, PerJoint(a.GJ, i)};
  }
  return stiffness;
}

double Series(double half_a, double half_b, double value_a, double value_b) {
  return (half_a + half_b) / (half_a / value_a + half_b / value_b);
}

std::vector<JointStiffness> FromModuli(const mjModel* m, const CableAttributes& a,
                                       const Chain& chain, int joints) {
  CheckCount(key::kYoung, a.young, joints);
  CheckCount(key::kShear, a.shear, joints);
  CheckCount(key::kPoisson, a.poisson, joints);
  CheckCount(key::kRadius, a.radius, joints);
  std::vector<JointStiffness> stiffness(joints);
  for (int i = 0; i < joints; ++i) {
    const double young = PerJoint(a.young, i);
    const double shear =
        a.shear.empty() ? young / (2 * (1 + PerJoint(a.poisson, i))) : PerJoint(a.shear, i);
    const double radius = a.radius.empty() ? 0 : PerJoint(a.radius, i);
    const int link[2] = {i, (i + 1) % chain.links()};
    const Section s[2] = {LinkSection(m, chain.body[link[0]], radius),
                          LinkSection(m, chain.body[link[1]], radius)};
    const double half[2] = {chain.length[link[0]] / 2, chain.length[link[1]] / 2};
    const auto series = [&](double Section::* property) {
      return Series(half[0], half[1], s[0].*property, s[1].*property);
    };
    stiffness[i] = {
        {young * series(&Section::second_moment_y), young * series(&Section::second_moment_z)},
        shear * series(&Section::torsion_constant)};
  }
  return stiffness;
}

}  // namespace

Section LinkSection(const mjModel* m, int body, double radius) {
  if (radius > 0) return CircleSection(radius);
  double half_size[3];
  const int geom = LinkGeom(m, body, half_size);
  if (geom < 0) {
    throw ConfigError(
        key::kRadius,
        "nothing, and link '" + BodyName(m, body) + "' has no geom that tells its section",
        "radius (m), or a capsule, cylinder, ellipsoid or box along the link");
  }
  return m->geom_type[geom] == mjGEOM_BOX ? RectangleSection(half_size[1], half_size[2])
                                          : EllipseSection(half_size[1], half_size[2]);
}

std::vector<JointStiffness> JointStiffnesses(const mjModel* m, const CableAttributes& attributes,
                                             const Chain& chain) {
  const int joints = attributes.closed ? chain.links() : chain.links() - 1;
  return attributes.EI.empty() ? FromModuli(m, attributes, chain, joints)
                               : Direct(attributes, joints);
}

}  // namespace strand::mujoco
