#include "model/integrator/forces.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "model/config/error.h"
#include "model/solver/make_linear_system.h"

namespace strand {

void Forces::Add(std::unique_ptr<Force> force) {
  if (!force) throw ConfigError("force", "none", "a force");
  if (auto* stepped = dynamic_cast<StepForce*>(force.get())) stepped_.push_back(stepped);
  if (auto* contact = dynamic_cast<ContactForce*>(force.get())) contact_.push_back(contact);
  all_.push_back(std::move(force));
  stale_ = true;
}

void Forces::Bind(const Dofs& dofs) {
  Pattern pattern(dofs.unknowns());
  elastic_->Couple(dofs, &pattern);
  conservative_ = true;
  for (const auto& force : all_) {
    force->Couple(dofs, &pattern);
    conservative_ = conservative_ && force->conservative();
  }
  matrix_ = MakeLinearSystem(pattern, conservative_ ? Symmetry::kSymmetric : Symmetry::kGeneral,
                             std::move(matrix_));
  matrix_->Treat(treated_);
  elastic_->Bind(dofs, *matrix_);
  for (const auto& force : all_) force->Bind(dofs, *matrix_);
  stale_ = false;
}

void Forces::Treat(Symmetry symmetry) {
  treated_ = symmetry;
  matrix_->Treat(symmetry);
}

bool Forces::supplies() const {
  return std::ranges::any_of(all_, [](const auto& force) { return force->supplies(); });
}

bool Forces::drives() const {
  return std::ranges::any_of(stepped_, [](const StepForce* force) { return force->drives(); });
}

Derivatives Forces::Into(bool with_matrix, ForceSum* sum) {
  return {sum->gradient.data(), with_matrix ? matrix_->values().data() : nullptr,
          conservative_ ? nullptr : sum->pathwise.data()};
}

void Forces::EvaluateLoads(const Motion& motion, bool with_matrix, ForceSum* sum) {
  sum->gradient.assign(motion.at.q.size(), 0.0);
  if (!conservative_) sum->pathwise.assign(motion.at.q.size(), 0.0);
  sum->energy = {}, sum->total = {}, sum->magnitude = 0;
  const Derivatives out = Into(with_matrix, sum);
  for (const auto& force : all_) {
    const Evaluation one = force->Evaluate(motion, out);
    sum->magnitude += std::abs(one.energy);
    sum->energy.Add(force->kind(), one);
    sum->total += one;
  }
}

void Forces::AddElastic(const Motion& motion, bool with_matrix, ForceSum* sum) {
  const Evaluation elastic = elastic_->Evaluate(motion, Into(with_matrix, sum));
  sum->magnitude += std::abs(elastic.energy);
  sum->energy.Add(elastic_->kind(), elastic);
  sum->total += elastic;
}

void Forces::Evaluate(const Motion& motion, bool with_matrix, ForceSum* sum) {
  EvaluateLoads(motion, with_matrix, sum);
  AddElastic(motion, with_matrix, sum);
}

Potentials Forces::PotentialsAt(const Motion& motion, double* driven) {
  Potentials energy;
  *driven = 0;
  for (const auto& force : all_) {
    if (force->kind() == EnergyKind::kDissipated) continue;
    const Evaluation one = force->Evaluate(motion, {});
    energy.Add(force->kind(), one);
    *driven += one.driven;
  }
  energy.Add(elastic_->kind(), elastic_->Evaluate(motion, {}));
  return energy;
}

void Forces::Prepare(const Motion& still, std::span<const double> velocity, double dt) {
  for (StepForce* force : stepped_) stale_ = force->Prepare(still, velocity, dt) || stale_;
}

void Forces::Refresh(const Configuration& at) {
  for (StepForce* force : stepped_) stale_ = force->Refresh(at) || stale_;
}

void Forces::Push(const Configuration& start, double part, std::span<double> move) {
  for (ContactForce* force : contact_) force->Push(start, part, move);
}

double Forces::Limit(const Configuration& from, std::span<const double> move,
                     const Passage& passage) {
  double part = 1;
  for (ContactForce* force : contact_) part = std::min(part, force->Limit(from, move, passage));
  return part;
}

bool Forces::Clears(const Configuration& from, std::span<const double> move,
                    const Passage& passage) {
  return std::ranges::all_of(
      contact_, [&](ContactForce* force) { return force->Clears(from, move, passage); });
}

bool Forces::AcceptsEndpoint(const Configuration& from, const Configuration& to,
                             const Passage& passage) {
  return std::ranges::all_of(
      contact_, [&](ContactForce* force) { return force->AcceptsEndpoint(from, to, passage); });
}

bool Forces::Misses(const Configuration& from, std::span<const double> step) {
  return std::ranges::any_of(contact_,
                             [&](ContactForce* force) { return force->Misses(from, step); });
}

void Forces::FreezeFriction(const Motion& motion) {
  bool potential = true;
  for (const auto& force : all_) {
    auto* contact = dynamic_cast<ContactForce*>(force.get());
    potential = (contact ? contact->FreezeFriction(motion) : force->conservative()) && potential;
  }
  Treat(potential ? Symmetry::kSymmetric : Symmetry::kGeneral);
}

void Forces::ReleaseFriction() {
  for (ContactForce* force : contact_) force->ReleaseFriction();
  Treat(Symmetry::kGeneral);
}

bool Forces::unresolved() const {
  return std::ranges::any_of(contact_,
                             [](const ContactForce* force) { return force->unresolved(); });
}

void Forces::Report() {
  for (StepForce* force : stepped_) force->Report();
}

void Forces::Accept(const Motion& motion) {
  for (StepForce* force : stepped_) force->Report(), force->Accept(motion);
}

void Forces::Adapt(double time) {
  for (StepForce* force : stepped_) force->Adapt(time);
}

std::vector<double> Forces::Save() const {
  std::vector<double> memory;
  for (const StepForce* force : stepped_) force->Save(&memory);
  return memory;
}

void Forces::Load(std::span<const double> memory) {
  for (StepForce* force : stepped_) force->Load(&memory);
  if (memory.empty()) return;
  throw ConfigError("memory", std::to_string(memory.size()) + " numbers too many",
                    "the state of the same forces");
}

}  // namespace strand
