// Misuse by programs: either it does no harm, or one line names the mistake and the process ends. Never silence and broken memory.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "loop/net/net_fixture.h"
#include "rondo/fs.h"
#include "rondo/thread_pool.h"
#include "rondo/timer.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// A child for each death, begun anew: there may be threads of the pool.
class MisuseTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static LoopOptions options() { return {.poller = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Pollers, MisuseTest, ::testing::Values("epoll", "uring"), testing::name_of);

TEST_P(MisuseTest, a_loop_run_inside_its_callback) {
  EXPECT_DEATH(
      {
        Loop loop(options());
        loop.post([&] { loop.run(RunMode::NoWait); });
        loop.run();
      },
      "rondo: misuse: Loop::run was called from inside a callback of the same loop");
}

TEST_P(MisuseTest, another_loop_may_run_inside_a_callback) {
  Loop outer(options());
  bool ran = false;
  outer.post([&] {
    Loop inner(options());
    inner.post([&] { ran = true; });
    inner.run();
  });
  outer.run();
  EXPECT_TRUE(ran);
}

TEST_P(MisuseTest, a_loop_run_in_a_second_thread) {
  EXPECT_DEATH(
      {
        Loop loop(options());
        loop.run();
        std::thread([&] { loop.run(); }).join();
      },
      "rondo: misuse: Loop::run was called in another thread than the one that ran the loop first");
}

// The thread that sets a loop up need not be the one that runs it, nor the one that destroys it afterwards.
TEST_P(MisuseTest, a_loop_made_here_run_there_and_destroyed_here) {
  Loop loop(options());
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | loop.socket_flags(), 0, pair), 0);
  Pipe reader(loop), writer(loop);
  ASSERT_TRUE(reader.open(UniqueFd(pair[0])));
  ASSERT_TRUE(writer.open(UniqueFd(pair[1])));
  std::string got;
  ASSERT_TRUE(reader.read_start([&](Result<Bytes> piece) {
    got += piece ? std::string(as_text(*piece)) : "error";
    if (got.size() >= 5) reader.close();
  }));
  ASSERT_TRUE(writer.write_copy(as_bytes("hello")));
  FileRequest file;
  std::int64_t size = 0;
  file.read_file("/proc/self/maps").start(loop, [&](FileRequest& done) { size = done.result(); });
  std::vector<std::unique_ptr<Operation>> many;  // more than a submission queue takes
  std::atomic<int> ended{0};
  for (int i = 0; i < 1000; i++) {
    many.push_back(std::make_unique<Operation>());
    many.back()->then([](Operation& op, const Completion&) { (*static_cast<std::atomic<int>*>(op.owner))++; }, &ended);
    loop.submit(*many.back());
  }
  std::thread([&] { loop.run(); }).join();
  EXPECT_EQ(got, "hello");
  EXPECT_GT(size, 0);
  EXPECT_EQ(ended, 1000);
}

TEST_P(MisuseTest, a_loop_destroyed_inside_its_callback) {
  EXPECT_DEATH(
      {
        auto loop = std::make_unique<Loop>(options());
        loop->post([&] { loop.reset(); });
        loop->run();
      },
      "rondo: misuse: a Loop was destroyed while it runs");
}

TEST_P(MisuseTest, a_loop_destroyed_before_an_active_handle) {
  EXPECT_DEATH(
      {
        auto loop = std::make_unique<Loop>(options());
        Timer timer(*loop);
        timer.start(1h, [] {});
        loop.reset();
      },
      "rondo: misuse: a Loop was destroyed before its handles");
}

TEST_P(MisuseTest, an_operation_submitted_twice_or_with_no_one_to_tell) {
  EXPECT_DEATH(
      {
        Loop loop(options());
        Operation nop;
        nop.then([](Operation&, const Completion&) {});
        loop.submit(nop);
        loop.submit(nop);
      },
      "rondo: misuse: an Operation was submitted again before its completion");
  EXPECT_DEATH(
      {
        Loop loop(options());
        Operation nop;
        loop.submit(nop);
      },
      "rondo: misuse: an Operation was submitted without on_complete");
}

TEST_P(MisuseTest, a_request_used_again_too_soon) {
  EXPECT_DEATH(
      {
        Loop loop(options());
        FileRequest request;
        request.stat("/").start(loop, [](FileRequest&) {});
        request.start(loop, [](FileRequest&) {});
      },
      "rondo: misuse: a FileRequest was started again before its end");
  EXPECT_DEATH(
      {
        Loop loop(options());
        FileRequest request;
        request.stat("/").start(loop, [](FileRequest&) {});
        request.stat("/tmp");
      },
      "rondo: misuse: a FileRequest was described anew before its end");
  EXPECT_DEATH(
      {
        Loop loop(options());
        FileRequest request;
        request.start(loop, [](FileRequest&) {});
      },
      "rondo: misuse: a FileRequest was started that says nothing of what to do");
}

TEST_P(MisuseTest, a_job_submitted_twice) {
  EXPECT_DEATH(
      {
        Loop loop(options());
        Job job;
        job.work = [](Job&) {};
        job.on_done = [](Job&, int) {};
        ThreadPool::shared().submit(loop, job);
        ThreadPool::shared().submit(loop, job);
      },
      "rondo: misuse: a Job was submitted again before its end was told");
}

TEST_P(MisuseTest, a_job_may_be_submitted_again_in_its_end) {
  Loop loop(options());
  struct Again : Job {
    Loop* loop;
    std::atomic<int> runs{0};
  } job;
  job.loop = &loop;
  job.work = [](Job& self) { static_cast<Again&>(self).runs++; };
  job.on_done = [](Job& self, int) {
    auto& again = static_cast<Again&>(self);
    if (again.runs < 3) ThreadPool::shared().submit(*again.loop, again);
  };
  ThreadPool::shared().submit(loop, job);
  loop.run();
  EXPECT_EQ(job.runs, 3);
}

// Harmless: the second close is as if it had not been.
TEST_P(MisuseTest, closing_twice_and_using_what_is_closed) {
  Loop loop(options());
  Timer timer(loop);
  int closed = 0;
  timer.start(1h, [] { FAIL() << "after close"; });
  timer.close([&] { closed++; });
  timer.close([&] { FAIL() << "the second close"; });
  timer.start(1ms, [] { FAIL() << "started after close"; });
  timer.stop();
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(closed, 1);
  timer.close([&] { FAIL() << "after the end"; });
  EXPECT_FALSE(loop.run());
  Operation never;
  loop.cancel(never);  // not in flight: nothing to do
  loop.stop();
  loop.stop();
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace rondo
