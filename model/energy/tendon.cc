#include "model/energy/tendon.h"

#include <algorithm>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/energy/contact_arms.h"

namespace strand {
namespace {

constexpr double kSoft = 1e-6;  // of the mean distance of neighbouring points

bool IsOfRod(const Network& network, int edge) {
  return network.edge()[edge].length > 0 && !std::ranges::count(network.ribs(), edge);
}

Configuration DrawnEdges(const Network& network, const Dofs& dofs) {
  Configuration drawn = PositionsAt(network.node(), dofs);
  drawn.Resize(dofs.size(), network.edges(), network.joints());
  for (int e = 0; e < network.edges(); ++e) {
    drawn.SetFrame(e, network.frame()[e]);
    drawn.length[e] = network.edge()[e].length;
  }
  return drawn;
}

}  // namespace

Tendon::Tendon(const Network& network, const Dofs& dofs, const std::vector<TendonPoint>& path) {
  if (path.size() < 2) throw ConfigError("points", std::to_string(path.size()), "2 or more");
  for (size_t i = 0; i < path.size(); ++i) {
    point_.push_back(Made(network, dofs, path[i], "points[" + std::to_string(i) + "]"));
    AddToGroup(&point_.back());
  }
  if (group_.empty()) {
    throw ConfigError("points", "places fixed in space alone", "at least one ring or node");
  }
  for (int dof : group_) angle_.push_back(dofs.angle(dof));
  const double drawn = Length(DrawnEdges(network, dofs));
  if (!(drawn > 0)) throw ConfigError("points", "all at one place", "a path with a length");
  const double soft = kSoft * drawn / static_cast<double>(path.size() - 1);
  soft_ = soft * soft;
  at_.resize(path.size()), slope_.resize(path.size()), by_.resize(path.size());
  const auto size = static_cast<Eigen::Index>(group_.size());
  gradient_.resize(size), hessian_.resize(size, size);
}

Tendon::Point Tendon::Made(const Network& network, const Dofs& dofs, const TendonPoint& given,
                           const std::string& name) const {
  Point point;
  const auto add_node = [&](int node) {
    for (int c = 0; c < 3; ++c) point.dof[point.size++] = dofs.node(node) + c;
  };
  if (const auto* ring = std::get_if<TendonRing>(&given)) {
    CheckIndex(name + ".edge", ring->edge, network.edges());
    if (!IsOfRod(network, ring->edge)) {
      throw ConfigError(name + ".edge", network.EdgeName(ring->edge), "edges of rods");
    }
    if (!ring->offset.allFinite()) {
      throw ConfigError(name + ".offset", "not finite", "finite numbers (m)");
    }
    point.edge = ring->edge, point.offset = ring->offset;
    for (int node : network.edge()[ring->edge].node) add_node(node);
    point.dof[point.size++] = dofs.edge(ring->edge);
  } else if (const auto* at = std::get_if<TendonNode>(&given)) {
    CheckIndex(name + ".node", at->node, network.nodes());
    add_node(at->node);
  } else {
    point.place = std::get<Vector3>(given);
    if (!point.place.allFinite()) throw ConfigError(name, "not finite", "finite coordinates (m)");
  }
  return point;
}

void Tendon::AddToGroup(Point* point) {
  for (int k = 0; k < point->size; ++k) {
    const auto known = std::ranges::find(group_, point->dof[k]);
    point->row[k] = static_cast<int>(known - group_.begin());
    if (known == group_.end()) group_.push_back(point->dof[k]);
  }
}

void Tendon::SetTension(double tension) {
  if (!(tension >= 0) || !std::isfinite(tension)) {
    throw ConfigError("tension", Text(tension), "finite, >= 0 (N)");
  }
  tension_ = tension, length_at_start_ = length_at_end_ = stiffness_ = 0;
}

void Tendon::SetLength(double length, double stiffness) {
  if (!(length > 0) || !std::isfinite(length)) {
    throw ConfigError("length", Text(length), "finite, > 0 (m)");
  }
  if (!(stiffness > 0) || !std::isfinite(stiffness)) {
    throw ConfigError("stiffness", Text(stiffness), "finite, > 0 (N)");
  }
  if (stiffness_ == 0) length_at_start_ = length;
  length_at_end_ = length, stiffness_ = stiffness, tension_ = 0;
}

FrameOffset Tendon::Point::OffsetAt(const Configuration& at) const {
  return {at.frame(edge), at.length[edge], offset};
}

Vector3 Tendon::Point::At(const Configuration& at) const {
  if (size == 0) return place;
  if (edge < 0) return at.position(dof[0]);
  return 0.5 * (at.position(dof[0]) + at.position(dof[3])) + OffsetAt(at).value;
}

Tendon::Jacobian Tendon::Point::By(const Configuration& at) const {
  Jacobian by = Jacobian::Zero();
  if (edge < 0) {
    by.leftCols<3>() = Eigen::Matrix3d::Identity();
    return by;
  }
  const FrameOffset arm = OffsetAt(at);
  const Eigen::Matrix3d half = 0.5 * Eigen::Matrix3d::Identity(), by_edge = arm.ByEdge();
  by << half - by_edge, half + by_edge, arm.by_spin;
  return by;
}

double Tendon::Length(const Configuration& at) const {
  double length = 0;
  for (size_t i = 1; i < point_.size(); ++i) {
    length += Between(point_[i].At(at) - point_[i - 1].At(at));
  }
  return length;
}

double Tendon::Tension(const Configuration& at) const { return PullAt(Length(at), 0).tension; }

Tendon::Pull Tendon::PullAt(double length, double part) const {
  if (stiffness_ == 0) return {tension_ * length, tension_};
  const double change = length_at_end_ - length_at_start_;
  const double natural = length_at_start_ + part * change, longer = length - natural;
  if (longer <= 0) return {};
  const double rate = stiffness_ / natural, tension = rate * longer;
  const double energy = 0.5 * tension * longer;
  return {energy, tension, rate, -(tension + energy / natural) * change};
}

void Tendon::Couple(const Dofs& dofs, Pattern* pattern) const {
  std::vector<int> unknowns;
  for (int dof : group_) unknowns.push_back(dofs.unknown(dof));
  pattern->Couple(unknowns);
}

void Tendon::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(group_.size() * group_.size());
  BlockOffsets(dofs, system, group_, offset_);
}

Evaluation Tendon::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  const Pull pull = PullAt(Measure(motion.at), motion.part);
  result.energy = pull.energy, result.driven = pull.driven;
  if (pull.tension == 0) return result;
  Differentiate(motion.at);
  for (size_t k = 0; k < group_.size(); ++k) {
    const double force = pull.tension * gradient_[k];
    double& largest = angle_[k] ? result.moment : result.force;
    largest = std::max(largest, std::abs(force));
    if (out.gradient) out.gradient[group_[k]] += force;
  }
  if (!out.values) return result;
  AddHessian(motion.at, pull);
  for (size_t k = 0; k < offset_.size(); ++k) out.values[offset_[k]] += hessian_.data()[k];
  return result;
}

// Returns the length. Fills at_, and slope_ with the derivative of the length by each point.
double Tendon::Measure(const Configuration& at) {
  double length = 0;
  for (size_t i = 0; i < point_.size(); ++i) {
    at_[i] = point_[i].At(at);
    slope_[i].setZero();
    if (i == 0) continue;
    const Vector3 apart = at_[i] - at_[i - 1];
    const double between = Between(apart);
    length += between;
    slope_[i - 1] -= apart / between, slope_[i] += apart / between;
  }
  return length;
}

// Fills by_, and gradient_ with the derivative of the length by the group.
void Tendon::Differentiate(const Configuration& at) {
  gradient_.setZero();
  for (size_t i = 0; i < point_.size(); ++i) {
    const Point& point = point_[i];
    if (point.size == 0) continue;
    by_[i] = point.By(at);
    const Eigen::Matrix<double, kMost, 1> share = by_[i].transpose() * slope_[i];
    for (int k = 0; k < point.size; ++k) gradient_[point.row[k]] += share[k];
  }
}

// Hessian of the energy: E'' dL dL^T + T d2L. The second term comes from the distances and from the
// rotation of rings.
void Tendon::AddHessian(const Configuration& at, const Pull& pull) {
  hessian_.setZero();
  if (pull.stiffness > 0) {
    hessian_.noalias() = pull.stiffness * gradient_ * gradient_.transpose();
  }
  for (size_t i = 1; i < point_.size(); ++i) {
    const Vector3 apart = at_[i] - at_[i - 1];
    const double between = Between(apart);
    const Vector3 u = apart / between;
    const Eigen::Matrix3d by =
        pull.tension / between * (Eigen::Matrix3d::Identity() - u * u.transpose());
    AddBlock(i, i, by), AddBlock(i - 1, i - 1, by);
    AddBlock(i, i - 1, -by), AddBlock(i - 1, i, -by);
  }
  for (size_t i = 0; i < point_.size(); ++i) {
    const Point& point = point_[i];
    if (point.edge < 0) continue;
    const FrameOffset::Second second = point.OffsetAt(at).SecondAlong(pull.tension * slope_[i]);
    Eigen::Matrix<double, kMost, kMost> turn;
    turn << second.edge, -second.edge, -second.mixed, -second.edge, second.edge, second.mixed,
        -second.mixed.transpose(), second.mixed.transpose(), second.spin;
    for (int c = 0; c < kMost; ++c) {
      for (int r = 0; r < kMost; ++r) hessian_(point.row[r], point.row[c]) += turn(r, c);
    }
  }
}

// Adds the block of points a and b; `by` (N/m) is the second derivative by their positions.
void Tendon::AddBlock(size_t a, size_t b, const Eigen::Matrix3d& by) {
  const Point &first = point_[a], &second = point_[b];
  if (first.size == 0 || second.size == 0) return;
  const Eigen::Matrix<double, kMost, kMost> block = by_[a].transpose() * by * by_[b];
  for (int c = 0; c < second.size; ++c) {
    for (int r = 0; r < first.size; ++r) hessian_(first.row[r], second.row[c]) += block(r, c);
  }
}

void Tendon::Save(std::vector<double>* memory) const {
  memory->insert(memory->end(), {tension_, length_at_start_, length_at_end_, stiffness_});
}

void Tendon::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, 4);
  tension_ = saved[0], length_at_start_ = saved[1], length_at_end_ = saved[2];
  stiffness_ = saved[3];
}

}  // namespace strand
