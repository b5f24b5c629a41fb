// The thread pool: exactly one end for each job, classes do not starve each other, priorities, cancellation, size.
#include "rondo/thread_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
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

TEST(ThreadPoolTest, a_loop_that_ends_takes_its_waiting_jobs_back) {
  Gate gate;
  std::atomic<int> begun{0};
  int dropped = 0, ended_elsewhere = 0;
  Loop other;
  {
    auto loop = std::make_unique<Loop>();
    const int threads = ThreadPool::shared().size();
    std::deque<TestJob> blocking, waiting;
    for (int i = 0; i < threads; i++) {
      ThreadPool::shared().submit(*loop, blocking.emplace_back([&](TestJob&) { gate.wait(); }));
    }
    gate.await_waiting(threads);
    for (int i = 0; i < 100; i++) {
      TestJob& job = waiting.emplace_back([&](TestJob&) { begun++; });
      job.owner = &dropped;
      job.on_dropped = [](Job& self) { ++*static_cast<int*>(self.owner); };
      ThreadPool::shared().submit(*loop, job);
    }
    run_on_pool(other, JobClass::User, [] {}, [&] { ended_elsewhere++; });
    std::thread opener([&] {
      while (ThreadPool::shared().statistics().queued > 1) std::this_thread::yield();  // of the hundred
      gate.open();
    });
    loop.reset();
    opener.join();
  }
  EXPECT_EQ(begun, 0);
  EXPECT_EQ(dropped, 100);
  other.run();
  EXPECT_EQ(ended_elsewhere, 1);
}

// The pool of a forked child begins anew, and there its second thread finds no memory for its stack.
TEST(ThreadPoolTest, fork_the_threads_that_there_are_do_the_work_of_those_that_cannot_be) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    ThreadPool::after_fork();
    Loop loop(LoopOptions{.poller = "epoll"});
    Gate gate;
    int ended = 0;
    run_on_pool(loop, JobClass::User, [&] { gate.wait(); }, [&] { ended++; });
    gate.await_waiting(1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 46);
    if (pthread_setattr_default_np(&attributes) != 0) _exit(2);
    for (const JobClass job_class : {JobClass::User, JobClass::Fs, JobClass::Dns, JobClass::Crypto}) {
      run_on_pool(loop, job_class, [] {}, [&] { ended++; });
    }
    if (ThreadPool::shared().statistics().threads != 1) _exit(3);
    gate.open();
    loop.run();
    _exit(ended == 5 ? 0 : 4);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// The supervising thread stops looking when they are busy for long and nothing waits.
TEST(ThreadPoolTest, a_long_job_is_not_looked_at_for_ever) {
  Loop loop;
  Gate gate;
  bool is_over = false;
  run_on_pool(loop, JobClass::User, [&] { gate.wait(); }, [&] { is_over = true; });
  gate.await_waiting(1);
  run_on_pool(loop, JobClass::User, [] {}, [&] { loop.stop(); });  // wakes those that may look
  loop.run();
  // Every look is a voluntary switch of a thread. There is a moment of a hundred milliseconds without one.
  const auto switches = [] {
    long sum = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream status(task.path() / "status");
      std::string line, name;
      while (std::getline(status, line)) {
        if (line.starts_with("Name:")) name = line;
        if (line.starts_with("voluntary_ctxt") && name.find("rondo-pool") != std::string::npos) {
          sum += std::stol(line.substr(line.find(':') + 1));
        }
      }
    }
    return sum;
  };
  long before;
  do {
    before = switches();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (switches() != before);
  gate.open();
  loop.run();
  EXPECT_TRUE(is_over);
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
