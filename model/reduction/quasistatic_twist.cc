#include "model/reduction/quasistatic_twist.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/energy/wide_terms.h"

namespace strand {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kLastStep = 1e-8;   // rad: the error after such a Newton step is about its square
constexpr double kRoundOff = 1e-13;  // fraction of the energy below which a decrease is round-off

// Components with respect to directors that have turned by the angle of this cosine and sine.
std::array<double, 2> Turned(const std::array<double, 2>& w, double cosine, double sine) {
  return {w[0] * cosine + w[1] * sine, w[1] * cosine - w[0] * sine};
}

void Turn(double cosine, double sine, Frame* frame) {
  const Vector3 m1 = frame->col(1), m2 = frame->col(2);
  frame->col(1) = cosine * m1 + sine * m2;
  frame->col(2) = cosine * m2 - sine * m1;
}

std::vector<int> CompleteHolds(const RodRest& rest, std::vector<int> holds) {
  for (int hold : holds) {
    if (hold < 0 || hold >= rest.links()) {
      throw ConfigError("holds", std::to_string(hold),
                        "links 0 to " + std::to_string(rest.links() - 1));
    }
  }
  if (!rest.closed) holds.push_back(rest.links() - 1);
  if (!rest.closed || holds.empty()) holds.push_back(0);
  std::sort(holds.begin(), holds.end());
  holds.erase(std::unique(holds.begin(), holds.end()), holds.end());
  return holds;
}

}  // namespace

TwistSolver::TwistSolver(const RodRest& rest, TwistMode mode, std::vector<int> holds)
    : rest_(&rest), mode_(mode), correction_(rest.joints()) {
  if (mode == TwistMode::kDynamic) return;
  if (rest.average == BendAverage::kMiddle && !rest.isotropic_straight) {
    throw ConfigError("average", "middle", "energies, with quasistatic twist");
  }
  holds = CompleteHolds(rest, std::move(holds));
  const int last = static_cast<int>(holds.size()) - (rest.closed ? 0 : 1);
  int longest = 0;
  for (int s = 0; s < last; ++s) {
    const int begin = holds[s];
    const bool wraps = s + 1 == static_cast<int>(holds.size());
    const int joints = wraps ? holds[0] + rest.links() - begin : holds[s + 1] - begin;
    Segment segment{begin, joints, 0, 0};
    for (int i = 0; i < joints; ++i) {
      const TwistRest& twist = rest.joint[(begin + i) % rest.links()].twist;
      segment.compliance += 1 / twist.stiffness;
      segment.natural += twist.natural;
    }
    longest = std::max(longest, joints);
    segments_.push_back(segment);
  }
  needs_frames_ = !rest.isotropic_straight;
  if (!needs_frames_) return;
  frames_.resize(rest.links());
  far_frames_.resize(rest.links());
  for (auto* array :
       {&start_, &angle_, &cosine_, &sine_, &trial_, &gradient_, &diagonal_, &step_, &pivot_}) {
    array->resize(longest + 1);
  }
  curvature_.resize(longest + 1);
}

int TwistSolver::Link(const Segment& segment, int offset) const {
  const int link = segment.begin + offset;
  return link < rest_->links() ? link : link - rest_->links();
}

double TwistSolver::HoldAngle(const RodFrames& bodies, const Segment& segment) const {
  const Frame* far = &bodies.far[segment.begin];
  Vector3 d = far->col(1);
  for (int i = 1;; ++i) {
    const int link = Link(segment, i);
    const Frame& near = bodies.near[link];
    d = ParallelTransport(d, far->col(0), near.col(0));
    if (i == segment.joints) return std::atan2(-d.dot(near.col(2)), d.dot(near.col(1)));
    far = &bodies.far[link];
    if (bodies.split()) d = *far * (near.transpose() * d);
  }
}

TwistSolver::Report TwistSolver::Solve(const RodFrames& bodies, std::span<const double> previous,
                                       std::span<double> twists) {
  Report report;
  std::fill(correction_.begin(), correction_.end(), 0.0);
  CorrectTwists(*rest_, bodies, correction_);
  if (mode_ == TwistMode::kDynamic) {
    MeasureTwists(*rest_, bodies, correction_, previous, twists);
    return report;
  }
  for (const Segment& segment : segments_) {
    double last_total = 0, correction = 0;
    for (int i = 0; i < segment.joints; ++i) {
      last_total += previous[Link(segment, i)];
      correction += correction_[Link(segment, i)];
    }
    const double total = Unwrap(HoldAngle(bodies, segment) + correction, last_total);
    if (!needs_frames_) {
      Uniform(segment, total, twists);
      continue;
    }
    const Report newton = Newton(segment, bodies, total, previous, twists);
    report.iterations = std::max(report.iterations, newton.iterations);
    report.converged = report.converged && newton.converged;
  }
  return report;
}

void TwistSolver::Uniform(const Segment& segment, double total, std::span<double> twists) const {
  const double moment = (total - segment.natural) / segment.compliance;
  for (int i = 0; i < segment.joints; ++i) {
    const int joint = Link(segment, i);
    const TwistRest& twist = rest_->joint[joint].twist;
    twists[joint] = twist.natural + moment / twist.stiffness;
  }
}

// Unknowns: angle_[k], the rotation of link k's frame from that of StartFrames. The frames of both
// holds are fixed.
TwistSolver::Report TwistSolver::Newton(const Segment& segment, const RodFrames& bodies,
                                        double total, std::span<const double> previous,
                                        std::span<double> twists) {
  double last_total = 0;
  for (int i = 0; i < segment.joints; ++i) last_total += previous[Link(segment, i)];
  const double moment = (total - last_total) / segment.compliance;
  for (int i = 0; i < segment.joints; ++i) {
    const int joint = Link(segment, i);
    start_[i] = previous[joint] + moment / rest_->joint[joint].twist.stiffness;
  }
  StartFrames(segment, bodies);
  std::fill(angle_.begin(), angle_.end(), 0.0);
  Report report;
  report.converged = segment.joints < 2;
  double energy = Derivatives(segment, false);
  while (!report.converged && report.iterations < kMaxIterations && std::isfinite(energy)) {
    ++report.iterations;
    const bool exact = NewtonStep(segment);
    if (!exact) {
      Derivatives(segment, true);
      NewtonStep(segment);
    }
    double slope = 0, largest = 0;
    for (int k = 1; k < segment.joints; ++k) {
      slope += gradient_[k] * step_[k];
      largest = std::max(largest, std::abs(step_[k]));
    }
    std::copy(angle_.begin(), angle_.end(), trial_.begin());
    double scale = 1, trial_energy = 0;
    for (int halvings = 0; halvings < 40; ++halvings, scale *= 0.5) {
      for (int k = 1; k < segment.joints; ++k) angle_[k] = trial_[k] + scale * step_[k];
      trial_energy = Derivatives(segment, false);
      const double enough = energy + 1e-4 * scale * slope + kRoundOff * energy;
      if (largest < kLastStep || trial_energy <= enough) break;
    }
    energy = trial_energy;
    report.converged = exact && largest < kLastStep;
  }
  for (int i = 0; i < segment.joints; ++i) {
    twists[Link(segment, i)] = start_[i] + angle_[i + 1] - angle_[i];
    if (i == 0) continue;
    Turn(cosine_[i], sine_[i], &frames_[Link(segment, i)]);
    Turn(cosine_[i], sine_[i], &far_frames_[Link(segment, i)]);
  }
  return report;
}

void TwistSolver::StartFrames(const Segment& segment, const RodFrames& bodies) {
  frames_[segment.begin] = bodies.near[segment.begin];
  far_frames_[segment.begin] = bodies.far[segment.begin];
  for (int i = 0; i < segment.joints; ++i) {
    const int link = Link(segment, i + 1);
    const Frame &a = far_frames_[Link(segment, i)], &body = bodies.near[link];
    const bool held = i + 1 == segment.joints;
    const double polygon_twist = start_[i] - correction_[Link(segment, i)];
    const Frame b = held ? body : TransportFrame(a, body.col(0), polygon_twist);
    const JointGeometry geometry(a.col(0), b.col(0));
    const Vector3 binormal = CurvatureBinormal(rest_->measure, geometry);
    curvature_[i] = {MaterialCurvature(binormal, a), MaterialCurvature(binormal, b)};
    frames_[link] = b;
    if (held) {
      far_frames_[link] = bodies.far[link];
    } else {
      far_frames_[link] = bodies.split() ? bodies.far[link] * (body.transpose() * b) : b;
    }
  }
}

// The term of wide_terms.h that belongs to link k: B (change of curvature)^2 / 24.
BendSide TwistSolver::CurvatureChange(const Segment& segment, int k) const {
  const int before = Link(segment, k - 1), after = Link(segment, k);
  std::array<double, 2> change, natural, stiffness;
  for (int j = 0; j < 2; ++j) {
    const double first = 1 / rest_->softness[before], second = 1 / rest_->softness[after];
    change[j] = second * curvature_[k][0][j] - first * curvature_[k - 1][1][j];
    natural[j] = second * rest_->joint[after].bend.natural[0][j] -
                 first * rest_->joint[before].bend.natural[1][j];
    stiffness[j] = rest_->wide[after].change[j] / 6;
  }
  return BendSide(Turned(change, cosine_[k], sine_[k]), natural, stiffness);
}

// Energy at angle_, its gradient and the diagonal of its Hessian (the off-diagonal entries are
// -C_i). `positive`: without the bending terms that could make the Hessian indefinite.
double TwistSolver::Derivatives(const Segment& segment, bool positive) {
  double energy = 0;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (int k = 0; k <= segment.joints; ++k) {
    const bool turned = angle_[k] != 0;
    cosine_[k] = turned ? std::cos(angle_[k]) : 1;
    sine_[k] = turned ? std::sin(angle_[k]) : 0;
  }
  for (int i = 0; i < segment.joints; ++i) {
    const RodRest::Joint& joint = rest_->joint[Link(segment, i)];
    const double twist = start_[i] + angle_[i + 1] - angle_[i];
    const double moment = TwistMoment(joint.twist, twist);
    energy += TwistEnergy(joint.twist, twist);
    for (int side = 0; side < 2; ++side) {
      const int k = i + side;
      const BendSide bend(Turned(curvature_[i][side], cosine_[k], sine_[k]),
                          joint.bend.natural[side], joint.bend.stiffness);
      energy += bend.energy;
      gradient_[k] += bend.by_angle + (side ? moment : -moment);
      diagonal_[k] += joint.twist.stiffness;
      diagonal_[k] += positive ? std::max(bend.by_angle_twice, 0.0) : bend.by_angle_twice;
    }
  }
  for (int k = 1; k < segment.joints && !rest_->wide.empty(); ++k) {
    const BendSide bend = CurvatureChange(segment, k);
    energy += bend.energy;
    gradient_[k] += bend.by_angle;
    diagonal_[k] += positive ? std::max(bend.by_angle_twice, 0.0) : bend.by_angle_twice;
  }
  return energy;
}

// Solves the tridiagonal system for step_ by LDL^T. Returns false if the Hessian is not positive
// definite.
bool TwistSolver::NewtonStep(const Segment& segment) {
  const auto coupling = [&](int i) { return rest_->joint[Link(segment, i)].twist.stiffness; };
  const int last = segment.joints - 1;
  for (int k = 1; k <= last; ++k) {
    const double factor = k > 1 ? coupling(k - 1) / pivot_[k - 1] : 0;
    pivot_[k] = diagonal_[k] - factor * (k > 1 ? coupling(k - 1) : 0);
    step_[k] = -gradient_[k] + factor * (k > 1 ? step_[k - 1] : 0);
    if (!(pivot_[k] > 0)) return false;
  }
  for (int k = last; k >= 1; --k) {
    step_[k] = (step_[k] + (k < last ? coupling(k) * step_[k + 1] : 0)) / pivot_[k];
  }
  return true;
}

}  // namespace strand
