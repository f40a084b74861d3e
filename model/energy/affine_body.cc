#include "model/energy/affine_body.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"
#include "model/config/error.h"

namespace strand {
namespace {

constexpr double kAcceleration = 100;  // m/s^2, strains a body by kStrain
constexpr double kStrain = 1e-6;

}  // namespace

double Rigidity(const BodyMaterial& material, const BodyTopology& body, double least) {
  if (!(material.mass > 0) || !std::isfinite(material.mass)) {
    throw ConfigError("mass", Text(material.mass), "finite, > 0 (kg)");
  }
  if (!(material.stiffness >= 0) || !std::isfinite(material.stiffness)) {
    throw ConfigError("stiffness", Text(material.stiffness), "finite, >= 0 (J)");
  }
  if (material.stiffness > 0) return material.stiffness;
  return std::max(least, material.mass * kAcceleration * body.spread.maxCoeff() / kStrain);
}

AffineBodies::AffineBodies(const Network& network, const Dofs& dofs,
                           std::vector<double> stiffness) {
  for (int b = 0; b < network.bodies(); ++b) {
    const BodyTopology& of = network.body(b);
    Body body;
    body.stiffness = stiffness[b];
    body.slope = SlopesOf(of);
    for (int k = 0; k < 12; ++k) body.dof[k] = dofs.carriers(of)[k / 3] + k % 3;
    body_.push_back(body);
  }
}

void AffineBodies::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Body& body : body_) CoupleBlock(dofs, body.dof, pattern);
}

void AffineBodies::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(body_.size());
  for (size_t b = 0; b < body_.size(); ++b) BlockOffsets(dofs, system, body_[b].dof, offset_[b]);
}

Evaluation AffineBodies::Evaluate(const Motion& motion, const Derivatives& out) {
  using Matrix3 = Eigen::Matrix3d;
  Evaluation result;
  for (size_t b = 0; b < body_.size(); ++b) {
    const Body& body = body_[b];
    Eigen::Matrix<double, 3, 4> x;
    for (int k = 0; k < 12; ++k) x(k % 3, k / 3) = motion.at.q[body.dof[k]];
    x.rightCols<3>().colwise() -= x.col(0).eval();  // the slopes of a component sum to zero
    x.col(0).setZero();
    const Matrix3 F = x * body.slope, strain = F.transpose() * F - Matrix3::Identity();
    const double K = body.stiffness;
    result.energy += K / 4 * strain.squaredNorm();
    const Eigen::Matrix<double, 3, 4> gradient = K * F * strain * body.slope.transpose();
    result.force = std::max(result.force, gradient.cwiseAbs().maxCoeff());
    if (out.gradient) {
      for (int k = 0; k < 12; ++k) out.gradient[body.dof[k]] += gradient(k % 3, k / 3);
    }
    if (!out.values) continue;
    // Blocks of columns i, m of F: H_im = K (delta_im F F^T + F_m F_i^T + strain_im).
    Eigen::Matrix<double, 12, 12> hessian;
    const Matrix3 FFt = F * F.transpose();
    for (int j = 0; j < 4; ++j) {
      for (int l = 0; l < 4; ++l) {
        const Vector3 u = body.slope.row(j).transpose(), v = body.slope.row(l).transpose();
        hessian.block<3, 3>(3 * j, 3 * l) = K * (u.dot(v) * FFt + (F * v) * (F * u).transpose() +
                                                 u.dot(strain * v) * Matrix3::Identity());
      }
    }
    for (int k = 0; k < 144; ++k) out.values[offset_[b][k]] += hessian.data()[k];
  }
  return result;
}

}  // namespace strand
