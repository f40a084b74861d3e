// Errors and warnings of MuJoCo, the plugin and the loader, from any thread, for the window to
// show.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace strand::viewer {

struct Message {
  std::string text;
  bool error = false;  ///< false: a warning
};

class Messages {
 public:
  void Add(std::string text, bool error) {
    const std::lock_guard lock(mutex_);
    if (!messages_.empty() && messages_.back().text == text) return;
    messages_.push_back({std::move(text), error});
    if (messages_.size() > kKept) messages_.pop_front();
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    messages_.clear();
  }
  /// The latest ones, oldest first.
  std::vector<Message> Latest() const {
    const std::lock_guard lock(mutex_);
    return {messages_.begin(), messages_.end()};
  }

 private:
  static constexpr size_t kKept = 6;

  mutable std::mutex mutex_;
  std::deque<Message> messages_;
};

}  // namespace strand::viewer
