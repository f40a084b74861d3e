#include "model/assembly/workers.h"

#include <unistd.h>

namespace strand {

Workers::Workers(int threads) : process_(getpid()) {
  for (int k = 1; k < threads; ++k) others_.emplace_back([this] { Work(); });
}

Workers::~Workers() {
  if (getpid() != process_) {
    // In a forked child the threads are the parent's, and a thread of the child may have the same
    // id by now: detaching or joining would act on that one. So the handles are leaked on purpose.
    static_cast<void>(new std::vector<std::thread>(std::move(others_)));
    return;
  }
  ends_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : others_) thread.join();
}

void Workers::TakeTasks() {
  for (int i = next_++; i < count_; i = next_++) call_(task_, i);
}

void Workers::Work() {
  for (unsigned seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (ends_) return;
    TakeTasks();
    if (--busy_ == 0) busy_.notify_one();
  }
}

void Workers::RunAll(int count, const void* task, Call call) {
  task_ = task, call_ = call, count_ = count;
  next_ = 0;
  const bool shared = count > 1 && !others_.empty() && getpid() == process_;
  if (!shared) return TakeTasks();
  busy_ = static_cast<int>(others_.size());
  ++round_;
  round_.notify_all();
  TakeTasks();
  for (int busy = busy_; busy > 0; busy = busy_) busy_.wait(busy);
}

}  // namespace strand
