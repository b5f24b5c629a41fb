// A loop in the child after fork(2): what was started before goes on in both processes, each with its own. The tsan step
// leaves these out by their name.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "loop/net/net_fixture.h"
#include "rondo/signal.h"
#include "rondo/watch.h"

namespace rondo {
namespace {

using testing::NetTest;
using namespace std::chrono_literals;

class LoopAfterTest : public NetTest {
 public:
  // `body` runs in a child and returns whether all is well there.
  template <class Body>
  bool in_child(Body&& body) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      loop.after_fork();
      _exit(body() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  bool run_in_child_until(const std::function<bool()>& condition) {
    while (!condition() && loop.run(RunMode::Once)) continue;
    return condition();
  }
};
RONDO_ON_BOTH_POLLERS(LoopAfterTest);

TEST_P(LoopAfterTest, fork_timers_go_on_in_both) {
  Timer timer(loop);
  int fired = 0;
  timer.start(1ms, [&] { fired++; }, 1ms);
  EXPECT_TRUE(in_child([&] { return run_in_child_until([&] { return fired > 0; }); }));
  EXPECT_EQ(fired, 0);
  run_until([&] { return fired > 0; });
}

TEST_P(LoopAfterTest, fork_streams_go_on_in_both) {
  auto mine = make_socket_pair();
  Pipe pipe(loop);
  ASSERT_TRUE(pipe.open(std::move(mine->first)));
  std::string got;
  ASSERT_TRUE(pipe.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(in_child([&] {
    if (write(mine->second.get(), "child", 5) != 5) return false;
    return run_in_child_until([&] { return got == "child"; });
  }));
  ASSERT_EQ(write(mine->second.get(), "parent", 6), 6);
  run_until([&] { return got == "parent"; });
}

TEST_P(LoopAfterTest, fork_each_hears_its_own_signals) {
  Signal signal(loop);
  int heard = 0;
  ASSERT_TRUE(signal.start(SIGUSR2, [&](int) { heard++; }));
  loop.run(RunMode::NoWait);
  EXPECT_TRUE(in_child([&] {
    kill(getpid(), SIGUSR2);
    return run_in_child_until([&] { return heard == 1; });
  }));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(heard, 0);
  kill(getpid(), SIGUSR2);
  run_until([&] { return heard == 1; });
}

TEST_P(LoopAfterTest, fork_each_has_its_own_watches) {
  char name[] = "/tmp/rondo-fork-XXXXXX";
  const std::string folder = mkdtemp(name);
  std::filesystem::create_directory(folder + "/below");
  FileWatch watch(loop);
  std::vector<std::string> seen;
  ASSERT_TRUE(
      watch.start(folder, [&](const FileEvent& event) { seen.push_back(event.path); }, FileWatch::Depth::Recursive));
  loop.run(RunMode::NoWait);
  const auto has_seen = [&](const std::string& path) {
    return std::find(seen.begin(), seen.end(), path) != seen.end();
  };
  EXPECT_TRUE(in_child([&] {
    std::ofstream(folder + "/below/of_child") << "x";
    if (!run_in_child_until([&] { return has_seen("below/of_child"); })) return false;
    watch.stop();
    return !loop.run();
  }));
  // The child has taken none of the parent's events, and its end has ended none of the parent's watches.
  std::ofstream(folder + "/below/of_parent") << "x";
  run_until([&] { return has_seen("below/of_parent"); });
  EXPECT_TRUE(has_seen("below/of_child"));
  std::filesystem::remove_all(folder);
}

TEST_P(LoopAfterTest, fork_the_child_has_a_pool_of_its_own) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer allows no new threads after fork";
#endif
#endif
  int ran = 0, done = 0;
  const auto work = [&] { run_on_pool(loop, JobClass::User, [&] { ran++; }, [&] { done++; }); };
  work();
  run_until([&] { return done == 1; });
  EXPECT_TRUE(in_child([&] {
    work();
    ThreadPool::after_fork();  // once more does no harm
    return run_in_child_until([&] { return done == 2; }) && ran == 2;
  }));
  work();
  run_until([&] { return done == 2; });
}

}  // namespace
}  // namespace rondo
