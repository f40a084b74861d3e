#include "model/assembly/workers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace strand {
namespace workers_test {

// How often each of `count` tasks runs.
std::vector<int> Runs(Workers* workers, int count) {
  std::vector<int> runs(count, 0);  // each task writes its own element
  workers->Run(count, [&](int task) { ++runs[task]; });
  return runs;
}

TEST(Workers, EveryTaskOnce) {
  for (int threads : {1, 2, 3, 8}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (int count : {0, 1, 2, 3, 7, 1000}) {
      EXPECT_EQ(Runs(&workers, count), std::vector(count, 1)) << threads << " " << count;
    }
  }
}

TEST(Workers, OneThreadOrFewerStartsNoWorkers) {
  for (int threads : {1, 0, -5}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), 1);
    EXPECT_EQ(Runs(&workers, 5), std::vector(5, 1));
  }
}

// Everything that a round has written is visible when the round returns and in the next round.
TEST(Workers, ManyRounds) {
  for (int threads : {2, 4}) {
    Workers workers(threads);
    std::vector<long> sums(5, 0);
    const int rounds = 20000;
    for (int round = 1; round <= rounds; ++round) {
      workers.Run(5, [&](int task) { sums[task] = sums[task] + round; });
    }
    EXPECT_EQ(sums, std::vector<long>(5, long{rounds} * (rounds + 1) / 2));
  }
}

TEST(Workers, CanBeCreatedAndDestroyedRepeatedly) {
  for (int k = 0; k < 200; ++k) {
    Workers workers(3);
    if (k % 2 == 0) {
      EXPECT_EQ(Runs(&workers, 4), std::vector(4, 1));
    }
  }
}

// The exit status of a child process that does `work`, or -1 if it hung and was killed.
template <class Work>
int StatusOfChild(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Workers, InAChildTheCallerRunsTheTasks) {
  Workers workers(4);
  Runs(&workers, 100);
  EXPECT_EQ(StatusOfChild([&] { return Runs(&workers, 100) == std::vector(100, 1); }), 0);
  EXPECT_EQ(Runs(&workers, 100), std::vector(100, 1));  // the parent continues
}

// A child process releases its parent's workers and creates its own before and after that.
TEST(Workers, AChildMayHaveItsOwn) {
  auto workers = std::make_unique<Workers>(4);
  Runs(workers.get(), 100);
  EXPECT_EQ(StatusOfChild([&] {
              Workers own(4);
              bool good = Runs(&own, 100) == std::vector(100, 1);
              workers.reset();
              good = good && Runs(&own, 100) == std::vector(100, 1);
              Workers later(3);
              return good && Runs(&later, 100) == std::vector(100, 1);
            }),
            0);
}

}  // namespace workers_test
}  // namespace strand
