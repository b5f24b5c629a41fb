// The pool under load: quick jobs whose ends are told together, jobs that turn out long among them, several loops,
// cancellation at any moment. Everything ends exactly once and nothing waits for what does not concern it.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "rondo/loop.h"
#include "rondo/thread_pool.h"

namespace rondo {
namespace {

// Keeps `width` jobs that do nothing going until `count` have ended: the pool then takes the class for quick.
void run_quick_jobs(Loop& loop, int count, int width) {
  struct Quick : Job {
    Loop* loop = nullptr;
    int* left = nullptr;
  };
  std::deque<Quick> jobs(static_cast<std::size_t>(width));
  int left = count - width, ended = 0;
  for (Quick& job : jobs) {
    job.loop = &loop;
    job.left = &left;
    job.owner = &ended;
    job.work = [](Job&) {};
    job.on_done = [](Job& done, int) {
      auto& self = static_cast<Quick&>(done);
      ++*static_cast<int*>(self.owner);
      if (*self.left > 0 && --*self.left >= 0) ThreadPool::shared().submit(*self.loop, self);
    };
    ThreadPool::shared().submit(loop, job);
  }
  loop.run();
  EXPECT_EQ(ended, count);
}

// H3: the ends before a job that turns out long do not wait for it, nor do the jobs behind it.
TEST(ThreadPoolStressTest, a_stuck_job_holds_up_neither_ends_nor_jobs) {
  Loop loop;
  for (int round = 0; round < 5; round++) {
    run_quick_jobs(loop, 4000, 64);
    constexpr int kOthers = 20;
    std::atomic<int> told{0};
    int ended = 0;
    const auto quick = [&] { run_on_pool(loop, JobClass::User, [] {}, [&] { told++; }); };
    for (int i = 0; i < kOthers; i++) quick();
    run_on_pool(
        loop, JobClass::User,
        [&] {
          while (told < 2 * kOthers) std::this_thread::yield();  // until the loop has heard of all the others
        },
        [&] { ended++; });
    for (int i = 0; i < kOthers; i++) quick();
    loop.run();
    EXPECT_EQ(told, 2 * kOthers);
    EXPECT_EQ(ended, 1);
  }
}

// Loops in several threads, jobs of all lengths and classes, every fifth cancelled at some moment.
void storm(unsigned seed, std::atomic<int>& wrong) {
  struct Drop : Job {
    int spins = 0;
    std::atomic<int> runs{0};
    int ends = 0;
    int result = -1;
  };
  Loop loop;
  std::mt19937 random(seed);
  std::deque<Drop> drops;
  for (int i = 0; i < 3000; i++) {
    Drop& drop = drops.emplace_back();
    drop.spins = random() % 16 == 0 ? 3000 : 0;
    drop.job_class = static_cast<JobClass>(random() % 64 == 0 ? random() % kJobClasses : 3);
    drop.work = [](Job& job) {
      auto& self = static_cast<Drop&>(job);
      self.runs++;
      for (volatile int n = 0; n < self.spins;) n = n + 1;
    };
    drop.on_done = [](Job& job, int error) {
      static_cast<Drop&>(job).ends++;
      static_cast<Drop&>(job).result = error;
    };
    ThreadPool::shared().submit(loop, drop);
    if (random() % 4 == 0) loop.run(RunMode::NoWait);
    if (random() % 5 == 0) {
      Drop& victim = drops[random() % drops.size()];
      if (victim.ends == 0) ThreadPool::shared().cancel(victim);
    }
  }
  loop.run();
  for (const Drop& drop : drops) {
    const bool ran = drop.runs == 1 && drop.result == 0;
    const bool withdrawn = drop.runs == 0 && drop.result == ECANCELED;
    if (drop.ends != 1 || ran == withdrawn) wrong++;
  }
}

TEST(ThreadPoolStressTest, every_job_of_every_loop_ends_once) {
  std::atomic<int> wrong{0};
  for (unsigned round = 0; round < 4; round++) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; i++) threads.emplace_back([&wrong, seed = round * 10 + i] { storm(seed, wrong); });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rondo
