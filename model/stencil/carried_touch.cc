#include "model/stencil/carried_touch.h"

namespace strand {

BodyPlace::BodyPlace(const Carriers& carrier, const CarrierSlopes& slope)
    : centre((carrier[0] + carrier[1] + carrier[2] + carrier[3]) / 4) {
  F.setZero();
  for (int j = 0; j < 4; ++j) F += (carrier[j] - centre) * slope.row(j);
  inverse = F.inverse();
  turned = slope * inverse;
}

Vector3 BodyPlace::In(const Vector3& z) const { return inverse * (z - centre); }

Vector3 BodyPlace::Out(const Vector3& p) const { return centre + F * p; }

Eigen::Vector4d BodyPlace::Weights(const Vector3& z) const {
  return (turned * (z - centre)).array() + 0.25;
}

}  // namespace strand
