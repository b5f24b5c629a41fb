// A supervisor: keeps commands running. One that ends is started again after a pause that doubles, up to LIMIT starts; an interrupt ends
// all of them, first politely, then by force.
//
//   example_supervisor LIMIT COMMAND...
#include <rondo/rondo.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;

rondo::Coroutine<> end(rondo::Loop& loop, rondo::ChildProcess& child) {
  (void)rondo::kill_tree(child.pid(), SIGTERM);
  (void)co_await loop.sleep(2s);
  (void)rondo::kill_tree(child.pid(), SIGKILL);
}

rondo::Coroutine<> keep_running(rondo::Loop& loop, std::string command, int limit, rondo::CancelToken stop) {
  std::chrono::milliseconds pause = 10ms;
  for (int starts = 1; starts <= limit && !stop.is_cancelled(); starts++) {
    rondo::ChildProcess child(loop);
    rondo::ProcessOptions options{.file = "sh",
                                  .args = {"sh", "-c", command},
                                  .stdio = {rondo::Stdio::ignore(), rondo::Stdio::inherit(1), rondo::Stdio::inherit(2)},
                                  .detached = true};
    rondo::Result<rondo::ExitStatus> status = co_await rondo::run_child(child, options, stop);
    if (!status && status.error().number == ECANCELED) {  // the await has ended, the child has not
      rondo::Coroutine<> ending = end(loop, child);
      ending.start();
      while (child.is_active()) (void)co_await loop.sleep(1ms);
      std::printf("%s: ended\n", command.c_str());
      co_return;
    }
    if (!status) {
      std::printf("%s: %s\n", command.c_str(), status.error().name());
    } else {
      std::printf("%s: start %d, status %d\n", command.c_str(), starts, status->code);
    }
    std::fflush(stdout);
    if (starts == limit) break;
    (void)co_await loop.sleep(pause, stop);
    pause = std::min<std::chrono::milliseconds>(pause * 2, 5s);
  }
}

rondo::Coroutine<> run(rondo::Loop& loop, int limit, std::vector<std::string> commands) {
  rondo::CancelSource stop;
  rondo::Signal interrupt(loop);
  (void)interrupt.start(SIGINT, [&](int) { stop.cancel(); });
  interrupt.unref();
  rondo::TaskGroup group(loop);
  for (std::string& command : commands) group.spawn(keep_running(loop, std::move(command), limit, stop.token()));
  (void)co_await group.join();
  std::puts("all have ended");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::puts("how often, and what?"), 2;
  rondo::Loop loop;
  rondo::sync_wait(loop, run(loop, std::atoi(argv[1]), std::vector<std::string>(argv + 2, argv + argc)));
}
