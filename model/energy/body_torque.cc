#include "model/energy/body_torque.h"

#include <algorithm>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/stencil/joint.h"

namespace strand {

BodyTorque::BodyTorque(const Network& network, const Dofs& dofs) {
  for (int b = 0; b < network.bodies(); ++b) {
    Body body;
    const BodyTopology& of = network.body(b);
    body.slope = SlopesOf(of);
    for (int k = 0; k < 12; ++k) body.dof[k] = dofs.carriers(of)[k / 3] + k % 3;
    body_.push_back(body);
  }
}

void BodyTorque::Set(int body, const Vector3& fixed, const Vector3& along) {
  const int count = static_cast<int>(body_.size());
  if (body < 0 || body >= count) {
    throw ConfigError("body", std::to_string(body), "0 to " + std::to_string(count - 1));
  }
  if (!fixed.allFinite() || !along.allFinite()) {
    throw ConfigError("torque", "not a finite vector", "finite (N m)");
  }
  body_[body].fixed = fixed, body_[body].along = along;
}

void BodyTorque::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Body& body : body_) CoupleBlock(dofs, body.dof, pattern);
}

void BodyTorque::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(body_.size());
  for (size_t b = 0; b < body_.size(); ++b) BlockOffsets(dofs, system, body_[b].dof, offset_[b]);
}

Evaluation BodyTorque::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t b = 0; b < body_.size(); ++b) {
    const Body& body = body_[b];
    if (body.fixed.isZero(0) && body.along.isZero(0)) continue;
    BodyPlace::Carriers carrier;
    for (int j = 0; j < 4; ++j) carrier[j] = motion.at.position(body.dof[3 * j]);
    const BodyPlace place(carrier, body.slope);
    // F along = sum_j X_j (s_j . along). The slopes sum to zero, so that X_j can be measured from
    // the centre.
    const Eigen::Vector4d share = body.slope * body.along;
    Vector3 torque = body.fixed;
    for (int j = 0; j < 4; ++j) torque += share[j] * (carrier[j] - place.centre);
    result.moment = std::max(result.moment, torque.cwiseAbs().maxCoeff());
    Eigen::Matrix<double, 12, 12> by_position;
    for (int j = 0; j < 4; ++j) {
      const Vector3 u = place.turned.row(j), force = 0.5 * torque.cross(u);
      result.force = std::max(result.force, force.cwiseAbs().maxCoeff());
      for (int c = 0; c < 3; ++c) {
        if (out.gradient) out.gradient[body.dof[3 * j + c]] -= force[c];
        if (out.pathwise) out.pathwise[body.dof[3 * j + c]] -= force[c];
      }
      for (int l = 0; l < 4; ++l) {
        const Vector3 of_l = place.turned.row(l);
        by_position.block<3, 3>(3 * j, 3 * l) =
            -0.5 * (torque.cross(of_l) * u.transpose() + share[l] * CrossMatrix<double>(u));
      }
    }
    if (!out.values) continue;
    for (int k = 0; k < 144; ++k) out.values[offset_[b][k]] -= by_position.data()[k];
  }
  return result;
}

}  // namespace strand
