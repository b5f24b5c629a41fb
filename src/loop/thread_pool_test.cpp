// The thread pool: exactly one end for each job, classes do not starve each other, priorities, cancellation, size.
#include "rondo/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

// A door that pool threads wait behind until the test opens it.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    waiting_++;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void await_waiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = false;
};

struct TestJob : Job {
  TestJob(Function<void(TestJob&)> what, JobClass kind = JobClass::User) : body(std::move(what)) {
    job_class = kind;
    work = [](Job& job) { static_cast<TestJob&>(job).body(static_cast<TestJob&>(job)); };
    on_done = [](Job& job, int error) {
      static_cast<TestJob&>(job).ends++;
      static_cast<TestJob&>(job).result = error;
    };
  }
  Function<void(TestJob&)> body;
  int ends = 0;
  int result = -1;
};

TEST(ThreadPoolTest, S110_S154_jobs_run_on_other_threads_and_end_on_the_loop) {
  Loop loop;
  const std::thread::id here = std::this_thread::get_id();
  bool off_thread = false, on_thread = false;
  run_on_pool(
      loop, JobClass::User, [&] { off_thread = std::this_thread::get_id() != here; },
      [&] { on_thread = std::this_thread::get_id() == here; });
  EXPECT_TRUE(loop.alive());
  loop.run();
  EXPECT_TRUE(off_thread);
  EXPECT_TRUE(on_thread);
}

TEST(ThreadPoolTest, every_job_ends_exactly_once) {
  Loop loop;
  std::deque<TestJob> jobs;
  std::atomic<int> runs{0};
  for (int i = 0; i < 5000; i++) {
    TestJob& job = jobs.emplace_back([&](TestJob&) { runs++; }, static_cast<JobClass>(i % kJobClasses));
    ThreadPool::shared().submit(loop, job);
  }
  loop.run();
  EXPECT_EQ(runs, 5000);
  for (const TestJob& job : jobs) {
    ASSERT_EQ(job.ends, 1);
    ASSERT_EQ(job.result, 0);
    ASSERT_GE(job.queue_time().count(), 0);
  }
}

TEST(ThreadPoolTest, a_class_that_fills_all_threads_does_not_starve_another) {
  Loop loop;
  Gate gate;
  std::deque<TestJob> hashing;
  const int threads = ThreadPool::shared().size();
  for (int i = 0; i < threads * 3; i++) {
    ThreadPool::shared().submit(loop, hashing.emplace_back([&](TestJob&) { gate.wait(); }, JobClass::Crypto));
  }
  gate.await_waiting(threads);
  // The file job can end only if it gets a thread beside the blocked ones; it opens the gate.
  TestJob file([&](TestJob&) { gate.open(); }, JobClass::Fs);
  ThreadPool::shared().submit(loop, file);
  loop.run();
  EXPECT_EQ(file.ends, 1);
  for (const TestJob& job : hashing) EXPECT_EQ(job.ends, 1);
}

TEST(ThreadPoolTest, higher_priority_runs_first_within_a_class) {
  Loop loop;
  Gate gate, rest;  // one thread gets free first, so that two jobs cannot overtake each other
  const int threads = ThreadPool::shared().size();
  std::deque<TestJob> blockers;
  for (int i = 0; i < threads; i++) {
    ThreadPool::shared().submit(loop, blockers.emplace_back([&, i](TestJob&) { (i == 0 ? gate : rest).wait(); }));
  }
  gate.await_waiting(1);
  rest.await_waiting(threads - 1);
  std::mutex mutex;
  std::vector<std::string> order;
  auto note = [&](const char* word) {
    return [&, word](TestJob&) {
      std::lock_guard lock(mutex);
      order.push_back(word);
      if (order.size() == 2) rest.open();
    };
  };
  TestJob low(note("low")), high(note("high"));
  low.priority = JobPriority::Low;
  high.priority = JobPriority::High;
  Job* submitted[] = {&low, &high};
  for (Job* job : submitted) ThreadPool::shared().submit(loop, *job);
  EXPECT_EQ(ThreadPool::shared().statistics().queued, 2u);
  gate.open();
  loop.run();
  ASSERT_EQ(order.size(), 2u);
  EXPECT_LE(high.queue_time(), low.queue_time());  // submitted later, begun earlier
}

TEST(ThreadPoolTest, queued_jobs_can_be_cancelled_and_running_ones_are_told) {
  Loop loop;
  Gate gate;
  const int threads = ThreadPool::shared().size();
  std::deque<TestJob> blockers;
  bool told = false;
  TestJob first([&](TestJob& job) {
    gate.wait();
    while (!job.is_cancelled()) std::this_thread::yield();
    told = true;
  });
  ThreadPool::shared().submit(loop, first);
  for (int i = 1; i < threads; i++) {
    ThreadPool::shared().submit(loop, blockers.emplace_back([&](TestJob&) { gate.wait(); }));
  }
  gate.await_waiting(threads);
  TestJob queued([](TestJob&) { FAIL() << "must not run"; });
  ThreadPool::shared().submit(loop, queued);
  EXPECT_TRUE(ThreadPool::shared().cancel(queued));
  EXPECT_EQ(queued.ends, 0) << "the end comes in poll";
  EXPECT_FALSE(ThreadPool::shared().cancel(first));
  gate.open();
  loop.run();
  EXPECT_EQ(queued.ends, 1);
  EXPECT_EQ(queued.result, ECANCELED);
  EXPECT_EQ(first.result, 0);
  EXPECT_TRUE(told);
}

TEST(ThreadPoolTest, jobs_overlap_on_several_threads_S158) {
  Loop loop;
  Gate gate;
  std::deque<TestJob> jobs;
  const int threads = ThreadPool::shared().size();
  for (int i = 0; i < threads; i++) {
    ThreadPool::shared().submit(loop, jobs.emplace_back([&](TestJob&) { gate.wait(); }, JobClass::Crypto));
  }
  gate.await_waiting(threads);  // all of them at the same time
  gate.open();
  loop.run();
}

TEST(ThreadPoolTest, two_loops_share_the_pool) {
  auto body = [] {
    Loop loop;
    int done = 0;
    for (int i = 0; i < 500; i++) run_on_pool(loop, JobClass::User, [] {}, [&] { done++; });
    loop.run();
    EXPECT_EQ(done, 500);
  };
  std::thread other(body);
  body();
  other.join();
}

}  // namespace
}  // namespace rondo
