// librondo under the same jobs as the peers of the benchmark kit: one mode an argument, result lines in the kit's format,
// servers print LISTEN <port>. Exit code 2: no such mode. Not a test; nothing here is installed.
#include <fcntl.h>

#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

#include "bench_server.h"
#include "bench_support.h"
#include "rondo/html.h"
#include "rondo/loop.h"

namespace rondo_bench {
namespace {

using namespace std::chrono_literals;
using rondo::Loop;

// A turn of the loop with an idle and a check handle, and (not bare) something in the kernel to look at.
void turn(bool bare, long count) {
  Loop loop;
  rondo::Idle idle(loop);
  rondo::Check check(loop);
  int pipe_ends[2];
  if (pipe(pipe_ends)) die("pipe");
  rondo::Operation pending;
  static char byte;
  pending.read(pipe_ends[0], &byte, 1).as_stream().then([](rondo::Operation&, const rondo::Completion&) {});
  if (!bare) loop.submit(pending);
  long left = count;
  idle.start([] {});
  check.start([&] {
    if (--left == 0) loop.stop();
  });
  StopWatch watch;
  loop.run();
  watch.report_rate(static_cast<double>(count));
  loop.cancel(pending);
  idle.stop();
  check.stop();
  loop.run();
}

void nop(long count) {
  struct State {
    Loop loop;
    rondo::Operation operation;
    long left;
  } state;
  state.left = count;
  state.operation.then(
      [](rondo::Operation& operation, const rondo::Completion&) {
        auto& owner = *static_cast<State*>(operation.owner);
        if (--owner.left > 0) owner.loop.submit(operation);
      },
      &state);
  StopWatch watch;
  state.loop.submit(state.operation);
  state.loop.run();
  watch.report_rate(static_cast<double>(count));
}

void timers() {
  Loop loop;
  Room<rondo::Timer> all(kMillion);
  Random random;
  long fired = 0;
  StopWatch watch;
  for (int i = 0; i < kMillion; i++) {
    all.add(loop).start(std::chrono::milliseconds(1 + random.up_to(500)), [&fired] { fired++; });
  }
  loop.run();
  if (fired != kMillion) std::exit(1);
  watch.report_time();
}

void churn() {
  Loop loop;
  Room<rondo::Timer> all(kMillion);
  Random random;
  for (int i = 0; i < kMillion; i++) all.add(loop);
  StopWatch watch;
  for (rondo::Timer& timer : all) timer.start(std::chrono::milliseconds(1000 + random.up_to(500)), [] {});
  for (rondo::Timer& timer : all) timer.stop();
  watch.report_rate(2 * kMillion);
}

void rearm() {  // 10,000 live idle time-outs, each re-armed over and over
  Loop loop;
  Room<rondo::Timer> all(10'000);
  Random random;
  for (int i = 0; i < 10'000; i++) all.add(loop).start(5s, [] {});
  StopWatch watch;
  for (int i = 0; i < 5 * kMillion; i++) {
    if (i % 1000 == 0) loop.update_time();
    all[random.up_to(10'000)].start(5s, [] {});
  }
  watch.report_rate(5 * kMillion);
}

// Tasks of the HTML Standard's loop, each with its checkpoint, of every source; each queues the next.
void html_tasks() {
  Loop reactor;
  rondo::html::EventLoop loop(reactor, {.kind = rondo::html::LoopKind::Worker});
  long left = 5 * kMillion;
  const auto queue = [&](rondo::html::TaskSource source, auto& self) -> void {
    loop.queue_a_task(source, nullptr, [&, source] {
      if (--left > 0) self(source, self);
    });
  };
  StopWatch watch;
  for (std::size_t i = 0; i < rondo::html::kTaskSources; i++) queue(static_cast<rondo::html::TaskSource>(i), queue);
  loop.run();
  watch.report_rate(5 * kMillion);
}

void wake() {
  constexpr long kTrips = 200'000;
  Loop here_loop;
  long left = kTrips;
  std::atomic<rondo::Async*> there{nullptr};
  rondo::Async here(here_loop, [&] {
    if (--left == 0) return here_loop.stop();
    there.load(std::memory_order_relaxed)->send();
  });
  Loop* other = nullptr;
  std::thread thread([&] {
    Loop there_loop;
    rondo::Async async(there_loop, [&] { here.send(); });
    other = &there_loop;
    there = &async;
    there_loop.run();
  });
  while (!there.load()) std::this_thread::yield();
  StopWatch watch;
  there.load()->send();
  here_loop.run();
  watch.report_rate(kTrips);
  other->post([other] { other->stop(); });
  thread.join();
}

void work() {
  constexpr long kJobs = 500'000;
  static long started, finished;
  static Loop loop;
  Room<rondo::Job> jobs(256);
  StopWatch watch;
  for (int i = 0; i < 256; i++) {
    rondo::Job& job = jobs.add();
    job.work = [](rondo::Job&) {};
    job.on_done = [](rondo::Job& self, int) {
      finished++;
      if (started < kJobs) started++, rondo::ThreadPool::shared().submit(loop, self);
    };
    started++;
    rondo::ThreadPool::shared().submit(loop, job);
  }
  loop.run();
  if (finished != kJobs) std::exit(1);
  watch.report_rate(kJobs);
}

const char* file_from(const char* variable, const char* otherwise) {
  const char* name = std::getenv(variable);
  return name ? name : otherwise;
}

// 64 requests at a time, each starting the next when it ends.
template <class Start>
void in_parallel(Loop& loop, long count, Start start) {
  struct Slot {
    rondo::Operation operation;
    alignas(4096) char buffer[4096];
  };
  static long started, total;
  static Start again = start;
  static Loop* on;
  on = &loop;
  total = count;
  std::vector<std::unique_ptr<Slot>> slots;
  StopWatch watch;
  for (int i = 0; i < 64; i++) {
    Slot& slot = *slots.emplace_back(std::make_unique<Slot>());
    slot.operation.then(
        [](rondo::Operation& operation, const rondo::Completion& completion) {
          if (completion.result != 4096) std::exit(1);
          if (started >= total) return;
          started++;
          again(operation, static_cast<Slot*>(operation.owner)->buffer);
          on->submit(operation);
        },
        &slot);
    started++;
    again(slot.operation, slot.buffer);
    loop.submit(slot.operation);
  }
  loop.run();
  watch.report_rate(static_cast<double>(count));
}

void fsread() {
  Loop loop;
  static int fd;
  fd = open(file_from("BENCH_BIG", "big.bin"), O_RDONLY);
  if (fd < 0) die("open");
  static Random random;
  in_parallel(loop, 300'000, [](rondo::Operation& operation, char* buffer) {
    operation.read(fd, buffer, 4096, static_cast<std::int64_t>(random.up_to(262'144)) * 4096);
  });
}

void readfile() {
  Loop loop;
  static const char* name;
  name = file_from("BENCH_SMALL", "small.bin");
  in_parallel(loop, 60'000,
              [](rondo::Operation& operation, char* buffer) { operation.read_file(AT_FDCWD, name, buffer, 4096); });
}

}  // namespace
}  // namespace rondo_bench

int main(int count, char** arguments) {
  using namespace rondo_bench;
  const std::string_view mode = count > 1 ? arguments[1] : "";
  if (mode == "turn")
    turn(false, 3 * kMillion);
  else if (mode == "turn_bare")
    turn(true, 10 * kMillion);
  else if (mode == "nop")
    nop(2 * kMillion);
  else if (mode == "timers")
    timers();
  else if (mode == "churn")
    churn();
  else if (mode == "rearm")
    rearm();
  else if (mode == "html")
    html_tasks();
  else if (mode == "wake")
    wake();
  else if (mode == "work")
    work();
  else if (mode == "fsread")
    fsread();
  else if (mode == "readfile")
    readfile();
  else if (mode == "echo")
    serve(false);
  else if (mode == "echo_coroutines")
    serve_by_coroutines();
  else if (mode == "http")
    serve(true);
  else
    return 2;
  std::fflush(stdout);
  _exit(0);
}
