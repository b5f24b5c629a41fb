// A program on a virtual clock: times come out exactly, whatever the machine does. Each runs in a process of its own.
#include "test_runtime.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace rondo::runtime {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;

// Stands still but for two things. A loop that waits moves it on, the first time only to `due`: then the file is written that the
// program reads. And a program that reads it over and over sees it pass.
class ProgramClock final : public Clock {
 public:
  ProgramClock(Nanoseconds due, std::string fifo) : due_(due), fifo_(std::move(fifo)) {}

  Nanoseconds now() override {
    constexpr int kBusy = 1000;
    if (++reads_ > kBusy) now_ += kMillisecond / 100;
    return now_;
  }
  bool skip_to(Nanoseconds) override {
    reads_ = 0;
    if (has_answered_) return false;  // the rest is real: the content on its way through the kernel
    has_answered_ = true;
    now_ += due_;
    const int fd = open(fifo_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "content", 7) != 7) std::abort();
    close(fd);
    return false;
  }

 private:
  Nanoseconds now_ = 1'000 * kMillisecond;
  Nanoseconds due_;
  std::string fifo_;
  int reads_ = 0;
  bool has_answered_ = false;
};

// The seed's program. Whole milliseconds of the loop's clock stand for those of the wall's.
constexpr std::string_view kProgram = R"(
  const fs = process.getBuiltinModule('fs');
  Date.now = () => Math.round(performance.now());
  const timeoutScheduled = Date.now();
  setTimeout(() => {
    const delay = Date.now() - timeoutScheduled;
    fs.writeSync(2, `${delay}ms have passed since I was scheduled\n`);
  }, 100);
  fs.readFile('FIFO', (error, content) => {
    const startCallback = Date.now();
    fs.writeSync(2, `read ${content} at ${startCallback - timeoutScheduled}, `);
    while (Date.now() - startCallback < 10);
  });
)";

[[noreturn]] void run_program(const char* poller) {
  char folder[] = "/tmp/rondo_clock_XXXXXX";
  if (!mkdtemp(folder)) std::abort();
  const std::string fifo = std::string(folder) + "/fifo";
  if (mkfifo(fifo.c_str(), 0600) < 0) std::abort();
  ProgramClock clock(95 * kMillisecond, fifo);
  Loop& loop = *new Loop({.clock = &clock, .poller = poller});
  auto& runtime =
      *new Runtime(loop, {.natives = modules::all(), .argv = {"rondo"}, .exec_argv = {}, .exec_path = "rondo"});
  if (!runtime.boot()) std::abort();
  runtime.end_startup();
  std::string text(kProgram);
  text.replace(text.find("FIFO"), 4, fifo);
  {
    Turn turn(runtime);
    const auto outcome =
        engine::evaluate_script(runtime.realm(), engine::to_wtf(text), engine::to_wtf("test.js"), WTF::String());
    if (outcome.exception) std::abort();
  }
  loop.run();
  unlink(fifo.c_str());
  rmdir(folder);
  _exit(0);
}

class VirtualClockTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Pollers, VirtualClockTest, ::testing::Values("epoll", "uring"),
                         [](const auto& info) { return std::string(info.param); });

// Poll waits for the timer; the read comes after 95 ms and works for 10; then the timer is over its time and the loop wraps back to it.
TEST_P(VirtualClockTest, S50_a_read_of_95_ms_and_10_ms_of_work_make_a_timer_of_100_ms_fire_at_105) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_program(GetParam()), ::testing::ExitedWithCode(0),
              "^read content at 95, 105ms have passed since I was scheduled\n$");
}

}  // namespace
}  // namespace rondo::runtime
