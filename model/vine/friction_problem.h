// Exact Coulomb friction of a few contacts in the plane. Velocities at contacts are
//
//     u = S l + c,   l = (normal, tangential impulse) of contact 0, of contact 1, ...
//
// and every contact is open (l = 0, u_n >= 0), sticks (u = 0, |l_t| <= mu l_n) or slides (u_n = 0,
// l_t = -mu l_n sign u_t). The solution is first sought by repeatedly changing the mode of the
// contact that violates its mode most. If that cycles, Lemke's method is applied to the
// complementarity problem of Stewart and Trinkle; it terminates if the normal problem is feasible
// (S positive semi-definite).
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace strand {

enum class FrictionMode { kOpen, kStick, kSlidePositive, kSlideNegative };

class FrictionProblem {
 public:
  /// S: the leading 2 * contacts rows and columns are read. `modes`: the initial modes on entry,
  /// the solution's on return. `tolerance`: of velocities (m/s). Returns false if there is no
  /// solution.
  bool Solve(const Eigen::MatrixXd& S, const Eigen::VectorXd& c, int contacts, double mu,
             double tolerance, std::vector<FrictionMode>* modes, Eigen::VectorXd* impulse);

  int pivots() const { return pivots_; }

 private:
  bool SolveModes(const std::vector<FrictionMode>& modes, Eigen::VectorXd* impulse);
  int WorstContact(const std::vector<FrictionMode>& modes, const Eigen::VectorXd& impulse,
                   FrictionMode* better);
  bool SolveLemke(std::vector<FrictionMode>* modes);
  void Reserve(int contacts);

  const Eigen::MatrixXd* S_ = nullptr;
  const Eigen::VectorXd* c_ = nullptr;
  int contacts_ = 0, pivots_ = 0;
  double mu_ = 0, tolerance_ = 0;
  Eigen::MatrixXd matrix_, tableau_;
  Eigen::VectorXd right_, velocity_;
  std::vector<int> unknown_, basis_;
};

}  // namespace strand
