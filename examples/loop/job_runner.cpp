// Commands from standard input, one a line, at most N at a time, each with a time limit; what runs too long is killed with all its
// children. Prints each command's status.
//
//   printf 'true\nsleep 9\nfalse\n' | example_job_runner 2 1.5
#include <rondo/rondo.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

rondo::Coroutine<> run_one(rondo::Loop& loop, std::string command, rondo::Delay limit) {
  rondo::ChildProcess child(loop);
  rondo::ExitAwait exit =
      rondo::run_child(child, {.file = "sh",
                               .args = {"sh", "-c", command},
                               .stdio = {rondo::Stdio::ignore(), rondo::Stdio::ignore(), rondo::Stdio::inherit(2)},
                               .detached = true});
  rondo::Timer timer(loop);
  bool is_late = false;
  timer.start(limit, [&] {
    is_late = true;
    (void)rondo::kill_tree(child.pid(), SIGKILL);
  });
  const rondo::Result<rondo::ExitStatus> status = co_await exit;
  if (!status) {
    std::printf("%s: not started: %s\n", command.c_str(), status.error().name());
  } else if (is_late) {
    std::printf("%s: too long\n", command.c_str());
  } else {
    std::printf("%s: %d\n", command.c_str(), status->code);
  }
}

rondo::Coroutine<> worker(rondo::Loop& loop, rondo::Channel<std::string>& commands, rondo::Delay limit) {
  for (;;) {
    rondo::Result<std::string> command = co_await commands.pop();
    if (!command) co_return;
    co_await run_one(loop, std::move(*command), limit);
  }
}

rondo::Coroutine<> run(rondo::Loop& loop, int workers, rondo::Delay limit) {
  rondo::Channel<std::string> commands(loop, 16);
  rondo::TaskGroup group(loop);
  for (int i = 0; i < workers; i++) group.spawn(worker(loop, commands, limit));
  rondo::Pipe input(loop);
  if (!input.open(rondo::UniqueFd(dup(0)))) co_return;
  rondo::BufferedReader lines(input);
  for (;;) {
    const auto line = co_await lines.read_line();
    if (!line) break;
    const rondo::Result<void> queued =
        co_await commands.push(std::string(*line));  // waits while the workers are behind
    if (!queued) break;
  }
  commands.close();
  const rondo::Result<void> ended = co_await group.join();
  std::puts(ended ? "all done" : ended.error().name());
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 2;
  const std::chrono::duration<double> limit(argc > 2 ? std::atof(argv[2]) : 60);
  rondo::Loop loop;
  rondo::sync_wait(loop, run(loop, workers, limit));
}
