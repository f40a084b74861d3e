#include "model/vine/vine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "model/vine/checks.h"

namespace strand {
namespace {

// A start may have errors up to this many tolerances; the first step corrects them.
constexpr double kStartTolerance = 1000;

void CheckAngle(const std::string& field, double value) {
  if (!std::isfinite(value)) throw ConfigError(field, Text(value), "finite numbers (rad)");
}

void CheckNumbers(const std::string& field, const std::vector<double>& values, int pairs,
                  void (*check)(const std::string&, double)) {
  if (static_cast<int>(values.size()) < pairs) {
    throw ConfigError(field, std::to_string(values.size()) + " numbers", "one per pair");
  }
  for (int i = 0; i < pairs; ++i) check(field + ", " + std::to_string(i), values[i]);
}

const VineChain& Checked(const VineChain& chain) {
  if (chain.pairs < 1) throw ConfigError("pairs", std::to_string(chain.pairs), "1 or more");
  CheckNumbers("half_length", chain.half_length, chain.pairs, CheckPositive);
  CheckNumbers("mass", chain.mass, chain.pairs, CheckPositive);
  CheckNumbers("inertia", chain.inertia, chain.pairs, CheckPositive);
  CheckNumbers("stiffness", chain.stiffness, chain.pairs, CheckNonNegative);
  CheckNumbers("damping", chain.damping, chain.pairs, CheckNonNegative);
  CheckNumbers("natural_angle", chain.natural_angle, chain.pairs, CheckAngle);
  if (!chain.base.allFinite() || !std::isfinite(chain.base_heading)) {
    throw ConfigError(
        "base", Text(chain.base.x()) + " " + Text(chain.base.y()) + " " + Text(chain.base_heading),
        "finite numbers (m, m, rad)");
  }
  return chain;
}

const VineOptions& Checked(const VineOptions& options) {
  CheckPositive("dt", options.dt);
  CheckNonNegative("diameter", options.diameter);
  CheckNonNegative("friction", options.friction);
  CheckPositive("tolerance", options.tolerance);
  if (!options.gravity.allFinite()) {
    throw ConfigError("gravity", Text(options.gravity.x()) + " " + Text(options.gravity.y()),
                      "finite numbers (m/s^2)");
  }
  if (options.max_iterations < 1) {
    throw ConfigError("max_iterations", std::to_string(options.max_iterations), "1 or more");
  }
  if (options.max_halvings < 0) {
    throw ConfigError("max_halvings", std::to_string(options.max_halvings), "0 or more");
  }
  return options;
}

}  // namespace

Vine::Vine(const VineChain& chain, const VineState& state, const VineOptions& options,
           std::vector<PlanarObstacle> obstacles)
    : chain_(Checked(chain)),
      options_(Checked(options)),
      set_(std::move(obstacles), chain.capacity(), options.diameter / 2, options.corner_normal,
           options.segment_contact, options.self_contact),
      line_(chain.capacity()),
      contact_(chain.capacity(), options.friction),
      system_(chain.capacity()),
      start_chain_(chain),
      right_(Eigen::VectorXd::Zero(system_.size())),
      unknowns_(system_.size()),
      load_(6 * chain.capacity()),
      start_rates_(system_.size()),
      product_(system_.size()),
      target_(chain.capacity()),
      rate_(chain.capacity()),
      shared_(std::max(chain.capacity(), 1)),
      joint_(chain.capacity()),
      geometry_(chain.capacity()),
      rows_(chain.capacity()) {
  SetState(state);
  contacts_.reserve(32);
  CheckStart();
}

void Vine::SetState(const VineState& state) {
  const auto check = [this](const char* field, const Eigen::VectorXd& x) {
    if (x.size() < 6 * chain_.pairs) {
      throw ConfigError(field, std::to_string(x.size()) + " numbers",
                        std::to_string(6 * chain_.pairs));
    }
    for (int i = 0; i < 6 * chain_.pairs; ++i) {
      if (std::isfinite(x[i])) continue;
      throw ConfigError(std::string(field) + ", " + std::to_string(i), Text(x[i]),
                        "finite numbers");
    }
  };
  check("q", state.q);
  check("v", state.v);
  for (int i = 0; i < chain_.pairs; ++i) {
    const double extension = MakePairGeometry(state.q, i).extension;
    if (extension > 0) continue;
    throw ConfigError("q, pair " + std::to_string(i), Text(extension), "centres apart (m)");
  }
  const Eigen::Index room = 6 * chain_.capacity(), used = 6 * chain_.pairs;
  state_.q.setZero(room);
  state_.v.setZero(room);
  state_.q.head(used) = state.q.head(used);
  state_.v.head(used) = state.v.head(used);
  q_ = start_.q = state_.q;
  w_ = start_.v = state_.v;
  if (options_.growth == VineGrowth::kTip || !chain_.material) return;
  // The bodies of a material lengthen with their pair, so that a state has their lengths.
  for (int i = 0; i < chain_.pairs; ++i) {
    const double longer = 2 * Extension(state_.q, i) - 4 * chain_.half_length[i];
    if (std::abs(longer) > options_.tolerance) StretchPair(options_.diameter, longer, i, &chain_);
  }
}

void Vine::SetNaturalAngles(std::span<const double> angles) {
  if (static_cast<int>(angles.size()) != chain_.pairs) {
    throw ConfigError("natural_angle", std::to_string(angles.size()) + " numbers",
                      std::to_string(chain_.pairs) + ": one per pair");
  }
  for (size_t i = 0; i < angles.size(); ++i) {
    CheckAngle("natural_angle, " + std::to_string(i), angles[i]);
  }
  std::ranges::copy(angles, chain_.natural_angle.begin());
}

void Vine::CheckStart() const {
  if (options_.growth == VineGrowth::kTip) {
    if (options_.mode == VineMode::kSingleQp) {
      throw ConfigError("mode", "single_qp", "converged, for growth at the tip");
    }
    CheckPositive("segment", options_.segment);
    CheckPositive("mass_per_length", options_.material.mass_per_length);
    CheckNonNegative("EI", options_.material.EI);
    CheckNonNegative("bending_damping", options_.material.bending_damping);
  }
  if (options_.self_contact && (options_.mode == VineMode::kSingleQp || !chain_.pinned)) {
    throw ConfigError("self_contact", "true", "false in mode single_qp and for unpinned chains");
  }
  if (options_.mode == VineMode::kSingleQp) return;
  const VineReport report = CheckState();
  const double allowed = kStartTolerance * options_.tolerance;
  if (report.least_gap < -allowed) {
    throw ConfigError("start, " + ContactName(report), Text(report.least_gap),
                      "gaps of at least " + Text(-allowed) + " m");
  }
  if (report.joint_error > allowed) {
    throw ConfigError("start, pair " + std::to_string(report.pair), Text(report.joint_error),
                      "errors of joints up to " + Text(allowed) + " m");
  }
}

VineReport Vine::CheckState() const {
  VineReport report;
  PairGeometry previous{};
  for (int i = 0; i < chain_.pairs; ++i) {
    const PairGeometry here = MakePairGeometry(state_.q, i);
    const double error = JointErrors(chain_, state_.q, i, previous, here).cwiseAbs().maxCoeff();
    if (!(error <= report.joint_error)) report.joint_error = error, report.pair = i;
    previous = here;
  }
  Centreline line(chain_.capacity());
  line.Place(chain_, state_.q);
  VineContact nearest;
  report.least_gap = set_.LeastGap(line, &nearest);
  SetContact(nearest, &report);
  return report;
}

std::string Vine::ContactName(const VineReport& report) const {
  if (report.point < 0 || report.object < 0) return "no contact";
  const std::string place = std::string(report.on_segment ? "segment " : "contact point ") +
                            std::to_string(report.point) + " and ";
  if (const int segment = set_.Segment(report.object); segment >= 0) {
    return place + "the robot's own segment " + std::to_string(segment);
  }
  return place + "object " + std::to_string(report.object) + " (" +
         ObstacleName(obstacles()[report.object]) + ")";
}

std::string Vine::Describe(const VineReport& report) const {
  std::ostringstream text;
  const std::string pair = "pair " + std::to_string(report.pair);
  switch (report.status) {
    case VineStatus::kSolved:
      text << "solved";
      break;
    case VineStatus::kInfeasible:
      text << "infeasible: " << ContactName(report)
           << " cannot be kept apart: the robot is trapped";
      break;
    case VineStatus::kDependent:
      text << "the joints' rows are dependent or not finite";
      if (report.pair >= 0) text << ", " << pair;
      break;
    case VineStatus::kNotConverged:
      text << "no solution in " << report.iterations << " quadratic programs: ";
      if (report.point >= 0) {
        text << ContactName(report) << ", gap " << report.least_gap << " m";
      } else {
        text << pair << ", joint error " << report.joint_error << " m";
      }
      break;
    case VineStatus::kFull:
      text << "no room for another segment: " << chain_.pairs << " are all";
      break;
    case VineStatus::kNothingLeft:
      text << "nothing left to retract";
      break;
  }
  return text.str();
}

}  // namespace strand
