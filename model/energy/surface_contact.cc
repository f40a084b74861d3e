#include "model/energy/surface_contact.h"

#include <algorithm>

#include "model/assembly/block.h"
#include "model/stencil/point_triangle.h"
#include "model/stencil/segment_distance.h"

namespace strand {
namespace {

// Edges side by side touch in their middles, and at their ends when these are nearer by a tenth of
// the tolerance. So much larger than it is may a distance seem, by w / (4 d).
constexpr double kSpread = 0.4;
constexpr double kAhead = 0.5;  // of the sum of radii: a pair nearer than it is coupled
constexpr size_t kKept = 2;     // times as many coupled pairs as are near

const ContactOptions& Checked(const ContactOptions& options) {
  CheckContactOptions(options);
  if (options.friction.kind != FrictionLaw::Kind::kRegularised) {
    throw ConfigError("law", "anchored", "regularised, between rods and shells");
  }
  return options;
}

}  // namespace

SurfaceContact::SurfaceContact(const Network& network, const Dofs& dofs,
                               const std::vector<double>& radius, const ContactOptions& options,
                               const std::vector<double>& thickness)
    : options_(Checked(options)),
      candidates_(network, dofs, radius, thickness, options.tolerance) {}

bool SurfaceContact::Prepare(const Motion& motion, std::span<const double> velocity, double dt) {
  return candidates_.Prepare(motion.at, velocity, dt) && Recouple(motion.at);
}

bool SurfaceContact::Refresh(const Configuration& at) {
  candidates_.Refresh(at);
  return Recouple(at);
}

double SurfaceContact::Limit(const Configuration& from, std::span<const double> step,
                             const Passage&) {
  return candidates_.Limit(from, step);
}

// True if a pair touches that is not coupled yet: then all that are near are. Those that have gone
// apart stay, as long as they are not most of them, so that the matrix keeps its pattern.
bool SurfaceContact::Recouple(const Configuration& at) {
  bool missing = false;
  near_.clear();
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, at);
    const double ahead = kAhead * candidates_.Touching(pair);
    if (gap < std::max(ahead, options_.tolerance)) near_.push_back(pair);
    missing = missing || (gap < options_.tolerance && !Block(pair));
  }
  if (!missing && coupled_.size() <= kKept * near_.size() + 16) return false;
  for (const HeldPair& held : held_) near_.push_back(held.pair);
  std::ranges::sort(near_);
  near_.erase(std::ranges::unique(near_).begin(), near_.end());
  coupled_ = near_;
  offset_.resize(coupled_.size());
  return true;
}

// Places of a coupled pair's block in the matrix; null of another.
const int* SurfaceContact::Block(const PrimitivePair& pair) const {
  const auto found = std::ranges::lower_bound(coupled_, pair);
  if (found == coupled_.end() || *found != pair) return nullptr;
  return offset_[found - coupled_.begin()].data();
}

bool SurfaceContact::MayEnd(const Configuration& from, const Configuration& to, const Passage&) {
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, to);
    if (gap >= 0) continue;
    if (!MayEndAt(gap, Gap(pair, from), options_.tolerance)) return false;
  }
  return true;
}

std::array<int, 12> SurfaceContact::PairDofs(const PrimitivePair& pair) const {
  const std::array<int, 4> x = candidates_.Dofs(pair);
  std::array<int, 12> dofs{};
  for (int k = 0; k < 12; ++k) dofs[k] = x[k / 3] + k % 3;
  return dofs;
}

void SurfaceContact::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const PrimitivePair& pair : coupled_) CoupleBlock(dofs, PairDofs(pair), pattern);
}

void SurfaceContact::Bind(const Dofs& dofs, const LinearSystem& system) {
  held_.reserve(coupled_.size());
  for (size_t k = 0; k < coupled_.size(); ++k) {
    BlockOffsets(dofs, system, PairDofs(coupled_[k]), offset_[k]);
  }
}

PairDistance SurfaceContact::Geometry(const PrimitivePair& pair, const Configuration& at) const {
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  const Vector3 x0 = at.position(a), x1 = at.position(b), x2 = at.position(c), x3 = at.position(d);
  if (candidates_.primitives().kind(pair) == PairKind::kEdges) {
    return SegmentPair(x0, x1, x2, x3, Spread(pair));
  }
  return PointTrianglePair(x0, x1, x2, x3);
}

double SurfaceContact::Gap(const PrimitivePair& pair, const Configuration& at) const {
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  return GapOf(pair, {at.position(a), at.position(b), at.position(c), at.position(d)});
}

// Most candidates are too far apart for more than this.
double SurfaceContact::GapOf(const PrimitivePair& pair, const std::array<Vector3, 4>& x) const {
  const double distance = candidates_.primitives().kind(pair) == PairKind::kEdges
                              ? SegmentMeeting(x[0], x[1], x[2], x[3], Spread(pair)).Distance()
                              : ClosestOnTriangle(x[0], x[1], x[2], x[3]).offset.norm();
  return candidates_.Gap(pair, distance);
}

double SurfaceContact::Spread(const PrimitivePair& pair) const {
  return kSpread * candidates_.Touching(pair) * options_.tolerance;
}

Evaluation SurfaceContact::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  latest_ = {};
  for (const PrimitivePair& pair : candidates_.pairs()) {
    const double gap = Gap(pair, motion.at);
    latest_.gap = std::min(latest_.gap, gap);
    if (gap < options_.tolerance) result += AddPair(motion, pair, out);
  }
  if (holds_) result.energy += AddHeldFriction(motion, out);
  return result;
}

Evaluation SurfaceContact::AddPair(const Motion& motion, const PrimitivePair& pair,
                                   const Derivatives& out) {
  const PairDistance geometry = Geometry(pair, motion.at);
  const Penalty elastic = ElasticPenalty(pair, geometry);
  const Penalty penalty = PairPenalty(motion, pair, geometry, elastic);
  const PairGradient slope = geometry.Gradient();
  const std::array<int, 12> dofs = PairDofs(pair);
  const bool rubs = options_.rubs() && !holds_ && motion.per_time > 0;
  ++latest_.contacts;
  latest_.normal_force -= penalty.slope;
  latest_.penalty_force -= elastic.slope;
  latest_.energy += penalty.energy;
  PairGradient gradient = penalty.slope * slope;
  PairHessian hessian;
  if (out.values) {
    hessian = penalty.curvature * slope * slope.transpose() + penalty.slope * geometry.Hessian();
  }
  PairGradient pathwise = (penalty.slope - elastic.slope) * slope;
  if (rubs) {
    const PairFriction friction = EvaluatePairFriction(options_.friction, geometry, penalty,
                                                       Moved(pair, motion), motion.per_time);
    latest_.friction_force += friction.magnitude;
    gradient -= friction.force;
    pathwise -= friction.force;
    if (out.values) hessian -= friction.by_position;
  }
  for (int k = 0; out.gradient && k < 12; ++k) out.gradient[dofs[k]] += gradient[k];
  for (int k = 0; out.pathwise && k < 12; ++k) out.pathwise[dofs[k]] += pathwise[k];
  const int* block = out.values ? Block(pair) : nullptr;
  for (int k = 0; block && k < 144; ++k) out.values[block[k]] += hessian.data()[k];
  return {penalty.energy, -penalty.slope, 0};
}

Penalty SurfaceContact::PairPenalty(const Motion& motion, const PrimitivePair& pair,
                                    const PairDistance& geometry, const Penalty& elastic) const {
  if (options_.restitution == 1 || !(motion.per_time > 0)) return elastic;
  const auto [a, b, c, d] = candidates_.Dofs(pair);
  const double origin =
      GapOf(pair, {motion.origin(a), motion.origin(b), motion.origin(c), motion.origin(d)});
  return Rebounding(options_, elastic, candidates_.Gap(pair, geometry.distance), origin,
                    motion.rate);
}

PairGradient SurfaceContact::Moved(const PrimitivePair& pair, const Motion& motion) const {
  const std::array<int, 12> dofs = PairDofs(pair);
  PairGradient moved;
  for (int k = 0; k < 12; ++k) moved[k] = motion.at.q[dofs[k]] - motion.start.q[dofs[k]];
  return moved;
}

bool SurfaceContact::Hold(const Motion& motion) {
  LetGo();
  holds_ = options_.rubs();
  if (!holds_ || !(motion.per_time > 0)) return true;
  for (const PrimitivePair& pair : candidates_.pairs()) {
    if (!(Gap(pair, motion.at) < options_.tolerance)) continue;
    const PairDistance geometry = Geometry(pair, motion.at);
    const Penalty penalty = PairPenalty(motion, pair, geometry, ElasticPenalty(pair, geometry));
    const double force = -penalty.slope * geometry.share();
    if (force > 0) held_.push_back({pair, {geometry.normal, force}, geometry.weight});
  }
  return true;
}

double SurfaceContact::AddHeldFriction(const Motion& motion, const Derivatives& out) {
  double energy = 0;
  for (const HeldPair& held : held_) {
    const PairGradient moved = Moved(held.pair, motion);
    Vector3 displacement = Vector3::Zero();
    for (int i = 0; i < 4; ++i) displacement += held.weight[i] * moved.segment<3>(3 * i);
    const HeldFriction friction =
        EvaluateHeldFriction(options_.friction, held.contact, displacement, motion.per_time);
    energy += friction.energy;
    const std::array<int, 12> dofs = PairDofs(held.pair);
    for (int k = 0; out.gradient && k < 12; ++k) {
      out.gradient[dofs[k]] -= held.weight[k / 3] * friction.force[k % 3];
    }
    const int* block = out.values ? Block(held.pair) : nullptr;
    for (int k = 0; block && k < 144; ++k) {
      const int row = k % 12, column = k / 12;
      out.values[block[k]] -= held.weight[row / 3] * held.weight[column / 3] *
                              friction.by_displacement(row % 3, column % 3);
    }
  }
  return energy;
}

void SurfaceContact::Adapt(double time) { adaptive_.Adapt(summary_, time, &options_); }

void SurfaceContact::Save(std::vector<double>* memory) const {
  adaptive_.Save(options_, memory);
  candidates_.Save(memory);
  SavePairs(coupled_, memory);
}

// The pairs go with it: those coupled make the matrix' pattern, and that the order of its sums.
void SurfaceContact::Load(std::span<const double>* memory) {
  adaptive_.Load(TakeMemory(memory, AdaptiveStiffness::kSaved), &options_);
  candidates_.Load(memory);
  LoadPairs(candidates_.primitives(), memory, &coupled_);
  offset_.resize(coupled_.size());
}

}  // namespace strand
