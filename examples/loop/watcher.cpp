// Runs a command when something below a folder has changed, once for changes that come together, until the file "stop" appears there.
//
//   example_watcher FOLDER COMMAND
#include <rondo/rondo.h>

#include <cstdio>
#include <string>

namespace {

using namespace std::chrono_literals;

rondo::Coroutine<int> run(rondo::Loop& loop, std::string folder, std::string command) {
  rondo::FileEvents events(loop, folder, rondo::FileWatch::Depth::Recursive);
  if (!events.status()) co_return 1;
  std::puts("watching");
  std::fflush(stdout);
  for (bool is_over = false; !is_over;) {
    rondo::Result<rondo::FileEvent> event = co_await events.next();
    if (!event) co_return 1;
    int count = 0;
    while (event) {  // those that follow within a moment
      count++;
      is_over |= event->path == "stop";
      const rondo::TimeLimit moment(loop, 50ms);
      event = co_await events.next(moment.token());
    }
    rondo::ChildProcess child(loop);
    rondo::ProcessOptions options{
        .file = "sh",
        .args = {"sh", "-c", command},
        .stdio = {rondo::Stdio::ignore(), rondo::Stdio::inherit(1), rondo::Stdio::inherit(2)}};
    const rondo::Result<rondo::ExitStatus> status = co_await rondo::run_child(child, options);
    std::printf("changed: %s, status %d\n", count > 0 ? "yes" : "no", status ? status->code : -1);
    std::fflush(stdout);
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::puts("which folder, and what to do?"), 2;
  rondo::Loop loop;
  return rondo::sync_wait(loop, run(loop, argv[1], argv[2]));
}
