#include "model/integrator/system.h"

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {

void System::Lock(int dof, bool locked) {
  CheckIndex("dof", dof, dofs_.size());
  if (dofs_.locked(dof) == locked) return;
  Catch(dof, locked);
  if (locked) state_.velocity[dof] = 0;
  ForgetLastStep();
}

void System::Catch(int dof, bool caught) {
  CheckIndex("dof", dof, dofs_.size());
  if (dofs_.locked(dof) == caught) return;
  dofs_.Lock(dof, caught);
  driven_[dof] = state_.at.q[dof];
  forces_.Rebuild();
}

void System::Drive(int dof, double value) {
  CheckIndex("dof", dof, dofs_.size());
  if (!dofs_.locked(dof)) throw ConfigError("drive", "a free degree of freedom", "a locked one");
  if (!std::isfinite(value)) throw ConfigError("drive", std::to_string(value), "finite");
  driven_[dof] = value;
}

std::vector<Vector3> System::Positions() const {
  std::vector<Vector3> x;
  for (int node : dofs_.nodes()) x.push_back(state_.at.position(node));
  return x;
}

double System::kinetic_energy() const {
  double energy = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    energy += 0.5 * mass_[dof] * state_.velocity[dof] * state_.velocity[dof];
  }
  return energy;
}

void System::SetState(const State& state, std::span<const double> memory) {
  forces_.Load(memory);
  state_ = state;
  driven_ = state.at.q;
  forces_.Rebuild();
}

const ForceSum& System::EvaluateState() {
  Bind();
  forces_.Evaluate({state_.at, state_.at, 0, state_.time}, false, &at_state_);
  return at_state_;
}

void System::ReportState() {
  EvaluateState();
  forces_.Report();
}

void System::Prepare(double dt) {
  forces_.Prepare({state_.at, state_.at, 0, state_.time}, state_.velocity, dt);
  Bind();
}

void System::Bind() {
  if (!forces_.stale()) return;
  dofs_.Number();
  forces_.Bind(dofs_);
}

}  // namespace strand
