// Threads that share the tasks of a loop.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace strand {

class Workers {
 public:
  /// `threads` in total, including the caller's; 1 starts none.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }

  /// Calls task(i) for every i below `count`, on whichever thread is free, and returns when all are
  /// done. One call at a time; tasks must not throw. Allocates nothing. In a forked child process,
  /// which does not inherit the threads, the caller does all the work.
  template <class Task>
  void Run(int count, const Task& task) {
    RunAll(count, &task, [](const void* of, int i) { (*static_cast<const Task*>(of))(i); });
  }

 private:
  using Call = void (*)(const void*, int);
  void RunAll(int count, const void* task, Call call);
  void Work();
  void TakeTasks();

  std::vector<std::thread> others_;
  int process_;
  const void* task_ = nullptr;
  Call call_ = nullptr;
  int count_ = 0;
  std::atomic<int> next_{0}, busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> ends_{false};
};

}  // namespace strand
