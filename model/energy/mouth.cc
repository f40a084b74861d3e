#include "model/energy/mouth.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"

namespace strand {
namespace {

void CheckLength(const char* field, double value, bool zero) {
  if (std::isfinite(value) && (value > 0 || (zero && value == 0))) return;
  throw ConfigError(field, std::to_string(value), zero ? "finite, >= 0" : "finite, > 0");
}

std::array<int, 6> Group(int x0, int x1) { return {x0, x0 + 1, x0 + 2, x1, x1 + 1, x1 + 2}; }

}  // namespace

Mouth::Mouth(const Dofs& dofs, std::vector<int> node, const Vector3& place, const Vector3& axis)
    : node_(std::move(node)), place_(place), axis_(axis) {
  if (node_.size() < 2) throw ConfigError("node", std::to_string(node_.size()), "2 or more");
  for (int x : node_) {
    if (std::ranges::count(dofs.nodes(), x) == 0) {
      throw ConfigError("node", std::to_string(x), "the degree of freedom of a node's x");
    }
  }
}

void Mouth::Set(int link, double length, double stiffness, double near) {
  CheckIndex("link", link, static_cast<int>(node_.size()) - 1);
  CheckLength("length", length, false);
  CheckLength("stiffness", stiffness, false);
  CheckLength("near", near, true);
  link_ = link, length_ = length, stiffness_ = stiffness, near_ = near;
}

Vector3 Mouth::Across(const Configuration& at) const {
  const Vector3 from = at.position(node_[link_ + 1]) - place_;
  return from - from.dot(axis_) * axis_;
}

Mouth::Terms Mouth::At(const Configuration& at) const {
  const Vector3 from = at.position(node_[link_ + 1]) - place_;
  const double behind = (place_ - at.position(node_[link_])).dot(axis_);
  Terms terms;
  double reach;
  if (near_ > 0) {
    const Vector3 across = Across(at);
    reach = from.dot(axis_) + 0.5 * across.squaredNorm() / near_;
    terms.slope = axis_ + across / near_;
    terms.curve = (Eigen::Matrix3d::Identity() - axis_ * axis_.transpose()) / near_;
  } else {
    reach = from.norm();
    terms.slope = from / reach;
    terms.curve = (Eigen::Matrix3d::Identity() - terms.slope * terms.slope.transpose()) / reach;
  }
  const double longer = behind + reach - length_;
  terms.tension = stiffness_ * longer;
  terms.energy = 0.5 * terms.tension * longer;
  return terms;
}

double Mouth::Energy(const Configuration& at) const { return stiffness_ > 0 ? At(at).energy : 0; }

double Mouth::ByNear(const Configuration& at) const {
  if (stiffness_ == 0 || near_ == 0) return 0;
  return -0.5 * At(at).tension * Across(at).squaredNorm() / (near_ * near_);
}

void Mouth::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (size_t k = 1; k < node_.size(); ++k) {
    CoupleBlock(dofs, Group(node_[k - 1], node_[k]), pattern);
  }
}

void Mouth::Bind(const Dofs& dofs, const LinearSystem& system) {
  entry_.resize(node_.size() - 1);
  for (size_t k = 0; k < entry_.size(); ++k) {
    BlockOffsets(dofs, system, Group(node_[k], node_[k + 1]), entry_[k]);
  }
}

Evaluation Mouth::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  if (stiffness_ == 0) return result;
  const Terms terms = At(motion.at);
  result.energy = terms.energy;
  result.force = std::abs(terms.tension) * std::max(1.0, terms.slope.cwiseAbs().maxCoeff());
  const std::array<int, 6> group = Group(node_[link_], node_[link_ + 1]);
  Eigen::Vector<double, 6> slope;
  slope << -axis_, terms.slope;
  for (int k = 0; out.gradient && k < 6; ++k) out.gradient[group[k]] += terms.tension * slope[k];
  if (!out.values) return result;
  Eigen::Matrix<double, 6, 6> hessian = stiffness_ * slope * slope.transpose();
  hessian.bottomRightCorner<3, 3>() += terms.tension * terms.curve;
  for (int k = 0; k < 36; ++k) out.values[entry_[link_][k]] += hessian.data()[k];
  return result;
}

}  // namespace strand
