#include "model/integrator/gyroscopic.h"

#include "model/geometry/frame.h"

namespace strand {

void AddGyroscopicForces(const Network& network, const Dofs& dofs, std::span<const double> mass,
                         std::span<const double> q, std::span<const double> velocity, double scale,
                         std::span<double> force) {
  const auto between = [](std::span<const double> of, int from, int to) {
    return Vector3(of[to] - of[from], of[to + 1] - of[from + 1], of[to + 2] - of[from + 2]);
  };
  for (int e = 0; e < network.edges(); ++e) {
    const int angle = dofs.edge(e);
    const double momentum = mass[angle] * velocity[angle];
    if (momentum == 0) continue;
    const int first = dofs.node(network.edge()[e].node[0]);
    const int last = dofs.node(network.edge()[e].node[1]);
    const Vector3 along = between(q, first, last);
    const double square = along.squaredNorm();
    // t x dt/dt = along x (v_1 - v_0) / l^2
    const Vector3 push = scale * momentum / (square * std::sqrt(square)) *
                         along.cross(between(velocity, first, last));
    for (int c = 0; c < 3; ++c) force[first + c] -= push[c], force[last + c] += push[c];
  }
}

}  // namespace strand
