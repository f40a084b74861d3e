// One node between two edges of a rod, and the effect of moving its eleven degrees of freedom.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "model/stencil/edge.h"
#include "model/stencil/joint.h"
#include "tests/support/random.h"

namespace strand::testing {

/// Three nodes and the material frames of the edges between them; `twist` includes whole turns.
struct JointCase {
  Vector3 x0, x1, x2;
  Frame a, b;
  double twist;

  double length_a() const;
  double length_b() const;
  JointGeometry geometry() const;
};

/// A joint of random position and orientation, with unequal edges and the given turning angle and
/// twist (rad).
JointCase MakeJointCase(double turning, double twist, Random* random);

/// Moves the degrees of freedom (x0, theta_a, x1, theta_b, x2) by `q`: each frame is
/// parallel-transported to its edge's new direction and turned by theta; the twist is measured
/// again from the frames and unwrapped.
JointCase MoveJoint(const JointCase& source, const Eigen::VectorXd& q);

/// The same joint after a rigid motion.
JointCase MoveRigidly(const JointCase& joint, const Eigen::Matrix3d& rotation,
                      const Vector3& shift);

/// A kernel under test: energy, gradient and Hessian over (t_a, theta_a, t_b, theta_b).
using JointKernel = std::function<double(const JointCase&, JointGradient*, JointHessian*)>;

/// All second derivatives over (t_a, theta_a, t_b, theta_b).
Eigen::Matrix<double, 8, 8> Dense(const JointHessian& hessian);

struct NodeDerivatives {
  double energy = 0;
  NodeGradient gradient;
  NodeHessian hessian;
};

/// The kernel's derivatives over the nodes, by the chain rule of edge.h.
NodeDerivatives EvaluateAtNodes(const JointKernel& kernel, const JointCase& joint);

/// Net force and net moment (about the origin) of the nodal forces and axial moments are zero.
void ExpectNoNetWrench(const JointCase& joint, const NodeGradient& gradient, double scale);

}  // namespace strand::testing
