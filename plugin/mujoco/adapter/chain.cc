#include "plugin/mujoco/adapter/chain.h"

#include <algorithm>
#include <cmath>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/attributes.h"

namespace strand::mujoco {
namespace {

constexpr double kGap = 1e-3;      // of a link's length: largest gap between an end and an origin
constexpr double kTurn = 1e-3;     // rad: largest angle between the halves of a link
constexpr double kAligned = 1e-6;  // tolerance on cosines: geom axes along the link's axes

Vector3 MapVector(const mjtNum* v) { return {v[0], v[1], v[2]}; }
Eigen::Quaterniond MapQuaternion(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }

// Puts the links in order. next_ and previous_ are neighbours by body id, -1 while unknown.
class Assembly {
 public:
  Assembly(const mjModel* m, int instance)
      : m_(m),
        instance_(instance),
        pose_(ReferencePoses(m)),
        next_(m->nbody, -1),
        previous_(m->nbody, -1),
        is_far_half_(m->nbody, false) {
    for (int b = 1; b < m->nbody; ++b) {
      if (m->body_plugin[b] == instance) links_.push_back(b);
    }
    parent_link_.assign(m->nbody, -1);
    for (int b : links_) parent_link_[b] = ParentLink(b);
  }

  Chain Build(bool closed);
  void AddClamp(int site, bool at_end, Chain* chain) const;
  void AddJunction(int site, Chain* chain) const;

 private:
  std::string Name(int body) const { return "'" + BodyName(m_, body) + "'"; }
  Vector3 Tangent(int body) const { return pose_[body].rotation * Vector3::UnitX(); }

  // Distance of the origin of `to` from the x axis of `from`, relative to its distance along that
  // axis; infinite if it lies behind.
  double Offset(int from, int to) const {
    const Vector3 gap = pose_[to].origin - pose_[from].origin;
    const double along = gap.dot(Tangent(from));
    return along > 0 ? (gap - along * Tangent(from)).norm() / along : HUGE_VAL;
  }

  // The nearest ancestor that is a link, or -1.
  int ParentLink(int body) const {
    int p = m_->body_parentid[body];
    while (p > 0 && m_->body_plugin[p] != instance_) p = m_->body_parentid[p];
    return p > 0 ? p : -1;
  }

  bool Descends(int body, int ancestor) const {
    while (body > 0 && body != ancestor) body = m_->body_parentid[body];
    return body == ancestor;
  }

  void Join(int a, int b);
  void JoinInTrees();
  double OwnLength(int body) const;
  Vector3 End(int body) const { return pose_[body].origin + OwnLength(body) * Tangent(body); }
  int FarHalf(int end, const std::vector<int>& starts) const;
  int MatchStart(int end, const std::vector<int>& starts, bool required) const;
  void JoinPieces();
  int First(bool closed) const;
  void CheckClosure(int first, int last) const;
  void CheckHolder(int site, const char* key, const char* allowed) const;
  void Insert(int site, int place, const Frame& frame, std::initializer_list<int> neighbours,
              Chain* chain) const;

  const mjModel* m_;
  int instance_;
  std::vector<ReferencePose> pose_;
  std::vector<int> links_;
  std::vector<int> parent_link_, next_, previous_;
  std::vector<bool> is_far_half_;  // of the same link as the previous body
};

void Assembly::Join(int a, int b) {
  const auto reject = [&](int body, int other, int third, const char* side) {
    throw ConfigError(
        "links",
        Name(body) + " has two links at its " + side + ": " + Name(other) + " and " + Name(third),
        "one link at each end (a rod does not branch)");
  };
  if (next_[a] >= 0) reject(a, next_[a], b, "far end");
  if (previous_[b] >= 0) reject(b, previous_[b], a, "origin");
  next_[a] = b;
  previous_[b] = a;
}

void Assembly::JoinInTrees() {
  for (int b : links_) {
    const int p = parent_link_[b];
    if (p < 0) continue;
    const double after = Offset(p, b), before = Offset(b, p);
    if (std::min(after, before) > kGap) {
      throw ConfigError("links",
                        Name(b) + " and its parent link " + Name(p) + " do not meet at qpos0",
                        "link frames with the origin at node k and x towards node k + 1");
    }
    if (after <= kGap && before <= kGap) {
      throw ConfigError("links", Name(p) + " and " + Name(b) + " point at each other's origin",
                        "x axes that point the same way along the rod");
    }
    after < before ? Join(p, b) : Join(b, p);
  }
}

// Length of a link without a successor, read from the geom that represents it.
double Assembly::OwnLength(int body) const {
  double half_size[3];
  if (LinkGeom(m_, body, half_size) < 0) {
    throw ConfigError("links", "the last link " + Name(body) + " has no geom that gives its length",
                      "a capsule, cylinder, ellipsoid or box along x that starts at its origin");
  }
  return 2 * half_size[0];
}

// The body of `starts` that is the far half of the link `end`; -1 if there is none.
int Assembly::FarHalf(int end, const std::vector<int>& starts) const {
  const ReferencePose& near = pose_[end];
  for (int e = 0; e < m_->neq; ++e) {
    const int a = m_->eq_obj1id[e], b = m_->eq_obj2id[e];
    if (m_->eq_type[e] != mjEQ_WELD || m_->eq_objtype[e] != mjOBJ_BODY) continue;
    if (a != end && b != end) continue;
    const int other = a == end ? b : a;
    if (other == end || std::ranges::find(starts, other) == starts.end()) continue;
    if ((pose_[other].origin - near.origin).norm() > kGap * OwnLength(end)) continue;
    if (pose_[other].rotation.angularDistance(near.rotation) < kTurn) return other;
  }
  return -1;
}

// The link of `starts` whose origin is at the end of link `end`. Throws ConfigError if there are
// two, or if there is none and one is required; else returns -1 for none.
int Assembly::MatchStart(int end, const std::vector<int>& starts, bool required) const {
  const Vector3 point = End(end);
  const double tolerance = kGap * OwnLength(end);
  int match = -1, nearest = -1;
  double least = HUGE_VAL;
  for (int start : starts) {
    const double gap = (pose_[start].origin - point).norm();
    if (gap < least) least = gap, nearest = start;
    if (gap > tolerance) continue;
    if (match >= 0) {
      throw ConfigError("links",
                        "the end of " + Name(end) + " meets the origins of both " + Name(match) +
                            " and " + Name(start),
                        "one link that starts at each end (an unambiguous order)");
    }
    match = start;
  }
  if (match < 0 && required) {
    throw ConfigError("links",
                      "no link starts at the end of " + Name(end) + " (the nearest, " +
                          (nearest < 0 ? "none" : Name(nearest)) + ", is " + std::to_string(least) +
                          " m away)",
                      "links that join without a gap at qpos0");
  }
  return match;
}

// Joins pieces of different trees by matching ends to origins. Every end but one must match.
void Assembly::JoinPieces() {
  std::vector<int> starts, ends;
  for (int b : links_) {
    if (previous_[b] < 0) starts.push_back(b);
    if (next_[b] < 0) ends.push_back(b);
  }
  const bool several = starts.size() > 1;
  int loose = -1;
  for (int end : ends) {
    const int half = FarHalf(end, starts);
    if (half >= 0) is_far_half_[half] = true;
    const int start = half >= 0 || !several ? half : MatchStart(end, starts, false);
    if (start >= 0) {
      Join(end, start);
    } else if (loose < 0) {
      loose = end;
    } else {
      // Two ends are loose, but only one can be the rod's last: report the gap at the first.
      MatchStart(loose, starts, true);
    }
  }
}

int Assembly::First(bool closed) const {
  int first = -1;
  for (int b : links_) {
    if (previous_[b] < 0) {
      first = b;
      break;
    }
  }
  if (first < 0) {
    if (!closed) {
      throw ConfigError("closed", "false, but the links form a loop from " + Name(links_[0]),
                        "true for a closed rod");
    }
    return is_far_half_[links_[0]] ? previous_[links_[0]] : links_[0];
  }
  return first;
}

void Assembly::CheckClosure(int first, int last) const {
  const double length = OwnLength(last);
  const double gap = (End(last) - pose_[first].origin).norm();
  if (gap > kGap * length) {
    throw ConfigError("closed",
                      "true, but the end of " + Name(last) + " is " + std::to_string(gap) +
                          " m from the origin of " + Name(first),
                      "a last link that ends where the first begins");
  }
}

Chain Assembly::Build(bool closed) {
  if (links_.size() < 2) {
    throw ConfigError("links", std::to_string(links_.size()) + " bodies carry the instance",
                      "at least 2");
  }
  JoinInTrees();
  JoinPieces();
  const int first = First(closed);
  Chain chain;
  std::vector<bool> found(m_->nbody, false);
  for (int b = first; b >= 0 && !found[b]; b = next_[b]) {
    found[b] = true;
    if (is_far_half_[b]) {
      chain.far_body.back() = b;
      continue;
    }
    chain.body.push_back(b);
    chain.far_body.push_back(b);
    chain.site.push_back(-1);
  }
  const auto lost = std::ranges::find_if(links_, [&](int b) { return !found[b]; });
  if (lost != links_.end()) {
    throw ConfigError("links", Name(*lost) + " is not joined to " + Name(first),
                      "links that form one rod at qpos0");
  }
  if (closed && chain.links() > 2) CheckClosure(first, chain.body.back());
  for (int k = 0; k < chain.links(); ++k) {
    const int b = chain.body[k];
    const bool last = k + 1 == chain.links();
    chain.length.push_back(last ? OwnLength(b)
                                : (pose_[chain.body[k + 1]].origin - pose_[b].origin).norm());
    chain.frame.push_back(pose_[b].rotation.toRotationMatrix());
  }
  for (int b : links_) {
    if (parent_link_[b] >= 0) chain.joint_body.push_back(b);
  }
  return chain;
}

// Inserts a link of length zero, which follows the site, before link `place`. Its rest frame
// follows the shape at qpos0. `neighbours`: the bodies on its sides.
void Assembly::Insert(int site, int place, const Frame& frame,
                      std::initializer_list<int> neighbours, Chain* chain) const {
  const int holder = m_->site_bodyid[site];
  for (int body : neighbours) {
    if (ParentLink(holder) == body) chain->joint_body.push_back(holder);
    if (parent_link_[body] < 0 && Descends(body, holder)) chain->joint_body.push_back(body);
  }
  const auto insert = [place](auto& array, const auto& value) {
    array.insert(array.begin() + place, value);
  };
  insert(chain->body, holder);
  insert(chain->far_body, holder);
  insert(chain->site, site);
  insert(chain->length, 0.0);
  insert(chain->frame, frame);
}

void Assembly::CheckHolder(int site, const char* key, const char* allowed) const {
  const int holder = m_->site_bodyid[site];
  if (std::ranges::find(links_, holder) == links_.end()) return;
  throw ConfigError(key, "a site on link " + Name(holder), allowed);
}

// The half joint at a clamp bends by the fraction of the next joint's rotation that corresponds to
// its length.
void Assembly::AddClamp(int site, bool at_end, Chain* chain) const {
  CheckHolder(site, at_end ? key::kClampEnd : key::kClampStart,
              "a site on a body that holds the cable");
  const int last = chain->links() - 1;
  const int link = at_end ? last : 0, neighbour = at_end ? last - 1 : 1;
  const double fraction = chain->length[link] / (chain->length[link] + chain->length[neighbour]);
  const Frame frame = ContinueFrame(chain->frame[neighbour], chain->frame[link], fraction);
  Insert(site, at_end ? last + 1 : 0, frame, {at_end ? chain->far_body[link] : chain->body[link]},
         chain);
}

// A junction divides the joint at its node in proportion to the lengths of the two links.
void Assembly::AddJunction(int site, Chain* chain) const {
  CheckHolder(site, key::kJunctions, "sites on bodies between two links");
  const ReferencePose& holder = pose_[m_->site_bodyid[site]];
  const Vector3 place = holder.origin + holder.rotation * MapVector(m_->site_pos + 3 * site);
  const auto starts_there = [&](int k) {
    return (pose_[chain->body[k]].origin - place).norm() <= kGap * chain->length[k];
  };
  int k = 1;
  while (k < chain->links() && !starts_there(k)) ++k;
  if (k == chain->links() || chain->is_point(k - 1)) {
    throw ConfigError(key::kJunctions, mj_id2name(m_, mjOBJ_SITE, site),
                      "sites at inner nodes of the cable at qpos0, one at each");
  }
  const double before = chain->length[k - 1], after = chain->length[k];
  const Frame frame =
      ContinueFrame(chain->frame[k], chain->frame[k - 1], -before / (before + after));
  Insert(site, k, frame, {chain->far_body[k - 1], chain->body[k]}, chain);
}

// Axis of the link frame that is parallel to the geom's local axis, or -1.
int AxisAlong(const Eigen::Quaterniond& rotation, int local) {
  const Vector3 direction = rotation * Vector3::Unit(local);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(direction[axis]) > 1 - kAligned) return axis;
  }
  return -1;
}

}  // namespace

// At qpos0 hinges and slides are at their reference, so that only free and ball joints change the
// poses given by body_pos and body_quat (engine_core_smooth, mj_kinematics).
std::vector<ReferencePose> ReferencePoses(const mjModel* m) {
  std::vector<ReferencePose> poses(m->nbody, {Vector3::Zero(), Eigen::Quaterniond::Identity()});
  for (int b = 1; b < m->nbody; ++b) {
    const int joint = m->body_jntadr[b];
    if (m->body_jntnum[b] == 1 && m->jnt_type[joint] == mjJNT_FREE) {
      const mjtNum* q = m->qpos0 + m->jnt_qposadr[joint];
      poses[b] = {MapVector(q), MapQuaternion(q + 3).normalized()};
      continue;
    }
    const ReferencePose& parent = poses[m->body_parentid[b]];
    ReferencePose pose{parent.origin + parent.rotation * MapVector(m->body_pos + 3 * b),
                       parent.rotation * MapQuaternion(m->body_quat + 4 * b)};
    for (int j = joint; j < joint + m->body_jntnum[b]; ++j) {
      if (m->jnt_type[j] != mjJNT_BALL) continue;
      const Vector3 arm = MapVector(m->jnt_pos + 3 * j);
      const Vector3 anchor = pose.origin + pose.rotation * arm;
      pose.rotation = pose.rotation * MapQuaternion(m->qpos0 + m->jnt_qposadr[j]);
      pose.origin = anchor - pose.rotation * arm;
    }
    pose.rotation.normalize();
    poses[b] = pose;
  }
  return poses;
}

std::string InstanceName(const mjModel* m, int instance) {
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  return name && name[0] ? name : std::to_string(instance);
}

std::string BodyName(const mjModel* m, int body) {
  const char* name = mj_id2name(m, mjOBJ_BODY, body);
  return name && name[0] ? name : "body " + std::to_string(body);
}

int LinkGeom(const mjModel* m, int body, double half_size[3]) {
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; ++g) {
    const mjtNum* size = m->geom_size + 3 * g;
    double local[3] = {size[0], size[1], size[2]};
    switch (m->geom_type[g]) {
      case mjGEOM_CAPSULE:
      case mjGEOM_CYLINDER:
        local[0] = local[1] = size[0], local[2] = size[1];
        break;
      case mjGEOM_ELLIPSOID:
      case mjGEOM_BOX:
        break;
      default:
        continue;
    }
    const Eigen::Quaterniond rotation = MapQuaternion(m->geom_quat + 4 * g);
    bool aligned = true;
    for (int i = 0; i < 3; ++i) {
      const int axis = AxisAlong(rotation, i);
      // A round section may have any rotation about the rod.
      const bool round = local[0] == local[1] && i < 2 && AxisAlong(rotation, 2) == 0;
      if (axis >= 0 && !round) half_size[axis] = local[i];
      aligned = aligned && (axis >= 0 || round);
      if (round) half_size[1 + i] = local[i];
    }
    const Vector3 center = MapVector(m->geom_pos + 3 * g);
    const double off = (center - Vector3(half_size[0], 0, 0)).norm();
    if (aligned && off <= kGap * half_size[0]) return g;
  }
  return -1;
}

int Chain::points() const { return links() - Number(links()); }

int Chain::Number(int k) const {
  return static_cast<int>(std::count(site.begin(), site.begin() + k, -1));
}

Chain FindChain(const mjModel* m, int instance, bool closed, const ChainSites& sites) {
  Assembly assembly(m, instance);
  Chain chain = assembly.Build(closed);
  for (int site : sites.junctions) assembly.AddJunction(site, &chain);
  for (int side = 0; side < 2; ++side) {
    if (sites.clamps[side] >= 0) assembly.AddClamp(sites.clamps[side], side == 1, &chain);
  }
  return chain;
}

int FindName(const mjModel* m, mjtObj type, const std::string& name, int instance) {
  const char* instance_name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  const std::string own = instance_name ? instance_name : "";
  for (size_t prefix = own.size() + 1; prefix-- > 0;) {
    const int id = mj_name2id(m, type, (own.substr(0, prefix) + name).c_str());
    if (id >= 0) return id;
  }
  return -1;
}

}  // namespace strand::mujoco
