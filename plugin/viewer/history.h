// Past states of a simulation, to rewind to.
#pragma once

#include <cstddef>
#include <vector>

namespace strand::viewer {

/// Keeps states of the whole run in a fixed amount of memory: when it is full, every second state
/// is dropped, and from then on states are recorded half as often.
class History {
 public:
  /// `size`: numbers per state.
  explicit History(std::size_t size);

  /// The place for the state at `time` (s), or null if it is one of those that are skipped. A state
  /// that is not later than the last recorded one (after a rewind) replaces all later ones.
  double* Record(double time);
  /// The last state at or before `time` (s), else the first one; null if there is none.
  const double* At(double time) const;
  /// The first state later than `time` (s), which is set to its time; null if there is none.
  const double* After(double* time) const;
  void Clear();

  bool empty() const { return time_.empty(); }
  double begin() const { return empty() ? 0 : time_.front(); }  ///< s
  double end() const { return empty() ? 0 : time_.back(); }     ///< s

 private:
  static constexpr std::size_t kBytes = 64 << 20, kMost = 4096;

  void DropEverySecond();

  std::size_t size_, most_;  // numbers per state; states
  int every_ = 1, skipped_ = 0;
  std::vector<double> time_, states_;
};

}  // namespace strand::viewer
