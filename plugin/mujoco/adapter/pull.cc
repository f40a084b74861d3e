#include "plugin/mujoco/adapter/pull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "plugin/mujoco/adapter/ties.h"

namespace strand::mujoco {
// MuJoCo's first three rows of a connect or weld are the force on its first body, in world axes.
// At the last node the rest of the world pulls along the link's axis, at the first one against it;
// at a cut the far half pulls the near one along it.
Pull::Pull(const mjModel* m, int instance, const Chain& chain) : of_equality_(m->neq) {
  const int last = chain.links() - 1;
  struct End {
    int link, body;
    double sign;
  };
  std::vector<End> ends{{0, chain.body[0], -1}, {last, chain.far_body[last], 1}};
  // A body that holds the cable may carry more than its pull.
  std::erase_if(ends, [&](const End& end) { return !IsOnCable(m, end.body, instance); });
  for (int e = 0; e < m->neq; ++e) {
    const auto [first, second] = TiedBodies(m, e);
    if (first < 0) continue;
    Tie& tie = of_equality_[e];
    for (int k = 0; k <= last; ++k) {
      const int near = chain.body[k], far = chain.far_body[k];
      const bool ahead = first == near && second == far;
      if (near == far || !(ahead || (first == far && second == near))) continue;
      tie = {PlaceOf(k), ahead ? 1.0 : -1.0, true,
             m->eq_solimp[mjNIMP * e + 1] < m->eq_solimp[mjNIMP * e]};
    }
    for (const End& end : ends) {
      if (tie.place >= 0) continue;
      if (first == end.body) tie = {PlaceOf(end.link), end.sign};
      if (second == end.body) tie = {PlaceOf(end.link), -end.sign};
    }
  }
}

int Pull::Loose(const mjModel* m, const mjData* d) const {
  constexpr int kNone = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY;
  for (int e = 0; e < m->neq; ++e) {
    const bool applied = d->eq_active[e] && !(m->opt.disableflags & kNone);
    if (of_equality_[e].cut && !applied) return e;
  }
  return -1;
}

int Pull::PlaceOf(int link) {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].link == link) return static_cast<int>(i);
  }
  places_.push_back({link});
  return static_cast<int>(places_.size()) - 1;
}

Pull::Strain Pull::Measure(const mjData* d, std::span<const Frame> frames) {
  Strain strain;
  for (Place& place : places_) place.tension = 0, place.held = false;
  for (int row = 0; row < d->ne;) {
    const int equality = d->efc_id[row], begin = row;
    while (row < d->ne && d->efc_id[row] == equality) ++row;
    const Tie& tie = of_equality_[equality];
    if (tie.place < 0) continue;
    Place& place = places_[tie.place];
    const Eigen::Map<const Vector3> force(d->efc_force + begin), gap(d->efc_pos + begin);
    place.tension += tie.sign * force.dot(frames[place.link].col(0));
    place.held = true;
    if (tie.gives) strain.opening += gap.norm();
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Place& place : places_) {
    if (place.held) least = std::min(least, place.tension);
  }
  if (std::isfinite(least)) strain.tension = least;
  return strain;
}

}  // namespace strand::mujoco
