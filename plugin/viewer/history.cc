#include "plugin/viewer/history.h"

#include <algorithm>

namespace strand::viewer {

History::History(std::size_t size)
    : size_(std::max<std::size_t>(size, 1)),
      most_(std::clamp<std::size_t>(kBytes / (size_ * sizeof(double)), 2, kMost)) {
  time_.reserve(most_);
}

double* History::Record(double time) {
  while (!empty() && time_.back() >= time) time_.pop_back();
  if (!empty() && ++skipped_ < every_) return nullptr;
  skipped_ = 0;
  if (time_.size() == most_) DropEverySecond();
  time_.push_back(time);
  states_.resize(std::max(states_.size(), size_ * time_.size()));
  return &states_[size_ * (time_.size() - 1)];
}

void History::DropEverySecond() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < time_.size(); k += 2, ++kept) {
    time_[kept] = time_[k];
    std::copy_n(&states_[size_ * k], size_, &states_[size_ * kept]);
  }
  time_.resize(kept);
  every_ *= 2;
}

const double* History::At(double time) const {
  if (empty()) return nullptr;
  const auto after = std::upper_bound(time_.begin(), time_.end(), time);
  const std::size_t k = after == time_.begin() ? 0 : after - time_.begin() - 1;
  return &states_[size_ * k];
}

const double* History::After(double* time) const {
  const auto after = std::upper_bound(time_.begin(), time_.end(), *time);
  if (after == time_.end()) return nullptr;
  *time = *after;
  return &states_[size_ * (after - time_.begin())];
}

void History::Clear() {
  time_.clear();
  every_ = 1, skipped_ = 0;
}

}  // namespace strand::viewer
