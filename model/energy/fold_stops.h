// Stops that keep the links of rods from folding flat onto each other (stencil/fold.h).
//
// They act within 15 degrees of the fold, where links do not resolve the rod: in threads that
// collapse, and in ropes too soft for the length of their links. The scale W of the energy is the
// bending stiffness of the joint or, if that is larger, a hundred times the weight of a link times
// its length, so that links of little stiffness do not overrun the stop.
#pragma once

#include <array>
#include <vector>

#include "model/energy/elastic.h"
#include "model/energy/step_force.h"

namespace strand {

class FoldStops : public StepForce {
 public:
  /// For the joints of all rods, from the shape `at` on (Begin). `mass`: of each dof (kg).
  /// `elastic` must outlive this; its stiffness may change.
  FoldStops(const ElasticRest& elastic, const Dofs& dofs, const Configuration& at,
            const std::vector<double>& mass);

  /// Makes every stop begin at 165 degrees, or at the angle of its joint in `at` if it is folded
  /// more sharply there. Joints that are folded flat get none.
  void Begin(const Configuration& at);
  /// Removes the stop of a joint, such as a hinge between two struts.
  void Release(int joint);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

 private:
  static constexpr int kSize = 9;
  struct Stop {
    std::array<int, 3> node;  ///< dofs of x
    double weight;            ///< W without bending (J)
    double begin;             ///< phi_0 (rad); pi: none
    bool released = false;
  };
  /// Of a joint with the links a and b (m).
  void AddStop(size_t joint, const Vector3& a, const Vector3& b, const Derivatives& out,
               Evaluation* result) const;

  const ElasticRest& elastic_;
  std::vector<Stop> stop_;  ///< per joint
  std::vector<std::array<int, kSize * kSize>> entry_;
};

}  // namespace strand
