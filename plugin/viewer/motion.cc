#include "plugin/viewer/motion.h"

#include <algorithm>
#include <string>
#include <utility>

namespace strand::viewer {
namespace {

// Time, positions, poses and values in a row, as they are recorded.
std::vector<double> Flat(const FilmSample& sample) {
  std::vector<double> state{sample.time};
  state.insert(state.end(), sample.positions.begin(), sample.positions.end());
  state.insert(state.end(), sample.poses.begin(), sample.poses.end());
  state.insert(state.end(), sample.values.begin(), sample.values.end());
  return state;
}

}  // namespace

ModelMotion::ModelMotion(const Guard* guard, Drive drive, Messages* messages, const mjModel* m,
                         const mjData* d)
    : guard_(guard),
      drive_(std::move(drive)),
      messages_(messages),
      history_(mj_stateSize(m, mjSTATE_INTEGRATION)) {
  Record(m, d);
}

void ModelMotion::Record(const mjModel* m, const mjData* d) {
  if (double* state = history_.Record(d->time)) mj_getState(m, d, state, mjSTATE_INTEGRATION);
}

bool ModelMotion::Step(mjModel* m, mjData* d) {
  if (drive_) {
    const std::string error = drive_();
    if (!error.empty()) messages_->Add(error, true);
    if (!error.empty()) return false;
  }
  if (guard_->Run(mj_step, m, d)) {
    Record(m, d);
    return true;
  }
  history_.Clear();
  Record(m, d);
  return false;
}

void ModelMotion::Reset(int key, mjModel* m, mjData* d) {
  if (key >= 0 && key < m->nkey) {
    mj_resetDataKeyframe(m, d, key);
  } else {
    mj_resetData(m, d);
  }
  history_.Clear();
  Record(m, d);
}

void ModelMotion::Rewind(double time, mjModel* m, mjData* d) {
  if (const double* state = history_.At(time)) mj_setState(m, d, state, mjSTATE_INTEGRATION);
}

FilmMotion::FilmMotion(const Film* film, Messages* messages, const mjModel* m, mjData* d)
    : film_(film),
      messages_(messages),
      points_(film->first.positions.size()),
      poses_(film->first.poses.size()),
      newest_(film->first.time),
      history_(1 + points_ + poses_ + film->first.values.size()) {
  const std::vector<double> first = Flat(film->first);
  state_.resize(first.size());
  std::ranges::copy(first, history_.Record(newest_));
  Show(first.data(), m, d);
}

void FilmMotion::Show(const double* state, const mjModel* m, mjData* d) {
  std::copy_n(state, state_.size(), state_.data());
  d->time = state[0];
  const double* pose = state + 1 + points_;
  for (int k = 0; k < m->nmocap; ++k, pose += 7) {
    mju_copy3(d->mocap_pos + 3 * k, pose);
    mju_copy4(d->mocap_quat + 4 * k, pose + 3);
  }
  mj_kinematics(m, d);
}

bool FilmMotion::Step(mjModel* m, mjData* d) {
  double time = d->time;
  if (time < newest_) {  // rewound
    const double* state = history_.After(&time);
    if (state) {
      Show(state, m, d);
      return true;
    }
  }
  std::string error;
  if (!film_->next(&sample_, &error)) {
    if (!error.empty()) messages_->Add(error, true);
    return false;
  }
  newest_ = sample_.time;
  const std::vector<double> state = Flat(sample_);
  if (state.size() != state_.size()) {
    messages_->Add("the number of nodes, bodies or values has changed: cannot be shown", true);
    return false;
  }
  if (double* place = history_.Record(newest_)) std::ranges::copy(state, place);
  Show(state.data(), m, d);
  return true;
}

void FilmMotion::Reset(int, mjModel* m, mjData* d) { Rewind(history_.begin(), m, d); }

void FilmMotion::Rewind(double time, mjModel* m, mjData* d) {
  if (const double* state = history_.At(time)) Show(state, m, d);
}

void FilmMotion::CopyFilm(FilmSample* sample) const {
  const auto points = state_.begin() + 1, poses = points + static_cast<long>(points_);
  sample->time = state_[0];
  sample->positions.assign(points, poses);
  sample->values.assign(poses + static_cast<long>(poses_), state_.end());
}

}  // namespace strand::viewer
