#include "plugin/mujoco/generator/contact.h"

#include <algorithm>
#include <cmath>

#include "model/geometry/segment.h"

namespace strand::mujoco {
namespace {

mjsGeom* AddGeom(const Plan& plan, mjsBody* body, mjtGeom type, const std::string& name) {
  const CableDescription& cable = plan.cable;
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  mjs_setName(geom->element, name.c_str());
  geom->type = type;
  geom->contype = cable.contact.collide ? cable.contact.contype : 0;
  geom->conaffinity = cable.contact.collide ? cable.contact.conaffinity : 0;
  geom->condim = plan.recipe.condim;
  std::copy(cable.contact.friction.begin(), cable.contact.friction.end(), geom->friction);
  geom->margin = cable.contact.margin;
  geom->priority = cable.contact.priority;
  const Softness& softness = plan.recipe.contact;
  std::copy(softness.solref.begin(), softness.solref.end(), geom->solref);
  std::copy(softness.solimp.begin(), softness.solimp.end(), geom->solimp);
  geom->group = cable.group.value_or(cable.skin ? 3 : 0);
  std::copy(cable.rgba.begin(), cable.rgba.end(), geom->rgba);
  return geom;
}

// Adds a capsule along the link, offset from its axis by y and z.
void AddCapsule(const Plan& plan, mjsBody* body, const std::string& name, double length,
                double radius, double y, double z) {
  mjsGeom* geom = AddGeom(plan, body, mjGEOM_CAPSULE, name);
  const double ends[6] = {0, y, z, length, y, z};
  std::copy(ends, ends + 6, geom->fromto);
  geom->size[0] = radius;
}

void AddBox(const Plan& plan, mjsBody* body, const std::string& name, double length, double half_y,
            double half_z) {
  mjsGeom* geom = AddGeom(plan, body, mjGEOM_BOX, name);
  geom->pos[0] = length / 2;
  geom->size[0] = length / 2, geom->size[1] = half_y, geom->size[2] = half_z;
}

void Exclude(mjSpec* spec, const std::string& a, const std::string& b) {
  mjsExclude* exclude = mjs_addExclude(spec);
  mjs_setString(exclude->bodyname1, a.c_str());
  mjs_setString(exclude->bodyname2, b.c_str());
}

// A link as a segment with a thickness, which includes the margin of contacts.
struct LinkShape {
  Vector3 begin, end;
  double length, reach;
};

LinkShape ShapeOf(const Plan& plan, int k) {
  const auto in_world = [&](int node) {
    return plan.carrier_pose.position + plan.carrier_pose.rotation * plan.rod.nodes[node];
  };
  return {in_world(k), in_world(k + 1), plan.rod.length[k],
          plan.Thickness(k) + plan.cable.contact.margin};
}

bool Overlaps(const LinkShape& a, const LinkShape& b) {
  const double reach = a.reach + b.reach;
  // Most pairs are far apart, which the distance of their middles shows cheaply.
  const Vector3 apart = a.begin + a.end - b.begin - b.end;
  const double far = reach + 0.5 * (a.length + b.length);
  if (0.25 * apart.squaredNorm() > far * far) return false;
  return SegmentDistance(a.begin, a.end, b.begin, b.end) < reach;
}

std::vector<LinkShape> ShapesOf(const Plan& plan) {
  std::vector<LinkShape> shapes;
  for (int k = 0; k < plan.rod.links(); ++k) shapes.push_back(ShapeOf(plan, k));
  return shapes;
}

// Excludes pairs of links that overlap in the initial shape, or without self-contact all pairs. Bit
// masks cannot be used for the latter, since they would also exclude contact with other cables.
void ExcludeLinks(const Plan& plan, mjSpec* spec) {
  const int n = plan.rod.links();
  const std::vector<double> begin = plan.rod.Arclengths();
  const std::vector<LinkShape> shapes = ShapesOf(plan);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      double between = begin[j] - begin[i + 1];
      if (plan.cable.closed) between = std::min(between, begin[n] - begin[j + 1] + begin[i]);
      const bool near = between <= (plan.Thickness(i) + plan.Thickness(j)) * (1 + 1e-9);
      if (!plan.cable.contact.self_contact || near || Overlaps(shapes[i], shapes[j])) {
        Exclude(spec, plan.LinkName(i), plan.LinkName(j));
      }
    }
  }
}

// Excludes contact between a body and the links at that end of a cable, and those inside the bodies
// that hold it, which they would push out. Those of a cable that is fed are all inside at times.
void ExcludeEnd(const Plan& plan, int side, const std::string& holder, mjSpec* spec) {
  if (holder.empty()) return;
  const int n = plan.rod.links();
  double held = 0;
  for (int i = 0; i < n; ++i) {
    const int k = side ? n - 1 - i : i;
    if (held > 2 * plan.Thickness(k) && i >= plan.inside[side]) break;
    Exclude(spec, holder, plan.LinkName(k));
    held += plan.rod.length[k];
  }
}

// The same for all bodies that hold that end of `on`.
void ExcludeHolders(const Plan& on, int on_side, const Plan& plan, int side, mjSpec* spec) {
  ExcludeEnd(plan, side, on.HolderBody(spec, on_side), spec);
  for (const std::string& body : on.beside_holder[on_side]) ExcludeEnd(plan, side, body, spec);
}

}  // namespace

void AddGeoms(const Plan& plan, int k, mjsBody* body) {
  const SectionDescription& section = plan.cable.section;
  const double l = plan.rod.length[k];
  const double y = section.width / 2, z = section.height / 2;
  const std::string name = plan.Name("geom", k);
  switch (section.shape) {
    case SectionShape::kCircle:
    case SectionShape::kTube:
      AddCapsule(plan, body, name, l, plan.rod.radius[k], 0, 0);
      return;
    case SectionShape::kBox:
      AddBox(plan, body, name, l, y, z);
      return;
    case SectionShape::kEllipse:
      break;
  }
  if (y == z) {
    AddCapsule(plan, body, name, l, y, 0, 0);
    return;
  }
  const double small = std::min(y, z), offset = std::max(y, z) - small;
  const bool flat = y > z;
  AddBox(plan, body, name, l, flat ? offset : small, flat ? small : offset);
  for (int sign : {-1, 1}) {
    AddCapsule(plan, body, name + (sign < 0 ? "_lower" : "_upper"), l, small,
               flat ? sign * offset : 0, flat ? 0 : sign * offset);
  }
}

void AddExclusions(const Plan& plan, mjSpec* spec) {
  if (!plan.cable.contact.collide) return;
  ExcludeLinks(plan, spec);
  for (int side = 0; side < 2; ++side) ExcludeHolders(plan, side, plan, side, spec);
}

void ExcludeBetween(const Plan& a, const Plan& b, mjSpec* spec) {
  if (!a.cable.contact.collide || !b.cable.contact.collide) return;
  const bool all = !a.cable.contact.self_contact || !b.cable.contact.self_contact;
  const std::vector<LinkShape> shapes_a = ShapesOf(a), shapes_b = ShapesOf(b);
  for (size_t i = 0; i < shapes_a.size(); ++i) {
    for (size_t j = 0; j < shapes_b.size(); ++j) {
      if (!all && !Overlaps(shapes_a[i], shapes_b[j])) continue;
      Exclude(spec, a.LinkName(i), b.LinkName(j));
    }
  }
}

void ExcludeHolder(const Plan& on, int side, const Plan& branch, mjSpec* spec) {
  if (branch.cable.contact.collide) ExcludeHolders(on, side, branch, 0, spec);
}

}  // namespace strand::mujoco
