// Rondo as a guest: another loop (here plain poll(2), standing for a toolkit's) owns the thread and gives
// Rondo a turn whenever its descriptor is readable or its next deadline has come.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

namespace {

// How long poll(2) may sleep, in milliseconds, rounded up; -1: until something happens.
int foreign_timeout(rondo::Loop& loop) {
  const rondo::Nanoseconds deadline = loop.next_deadline();
  if (deadline == rondo::kNever) return -1;
  const rondo::Nanoseconds left = deadline - rondo::steady_now();
  return left <= 0 ? 0 : static_cast<int>(std::min<rondo::Nanoseconds>((left + 999'999) / 1'000'000, 60'000));
}

}  // namespace

int main() {
  rondo::Loop loop;
  rondo::Timer timer(loop);
  int ticks = 0;
  timer.start(
      10ms,
      [&] {
        std::printf("rondo's timer, %d\n", ++ticks);
        if (ticks == 3) timer.stop();
      },
      10ms);

  auto ends = rondo::make_pipe();
  if (!ends) return 1;
  rondo::Pipe reader(loop), writer(loop);
  if (!reader.open(std::move(ends->first)) || !writer.open(std::move(ends->second))) return 1;
  const auto reading = reader.read_start([&](rondo::Result<rondo::Bytes> piece) {
    if (!piece || piece->empty()) return reader.close();
    std::printf("rondo's pipe: %.*s\n", static_cast<int>(piece->size()), reinterpret_cast<const char*>(piece->data()));
    writer.close();
  });
  if (!reading || !writer.write_copy(rondo::as_bytes("hello from within"))) return 1;

  loop.run(rondo::RunMode::NoWait);  // hands what was started to the kernel
  int foreign_turns = 0;
  while (loop.alive()) {
    pollfd watched{loop.backend_fd(), POLLIN, 0};
    ::poll(&watched, 1, foreign_timeout(loop));
    foreign_turns++;
    loop.run(rondo::RunMode::NoWait);
  }
  std::printf("the foreign loop turned %s\n", foreign_turns > 0 ? "and Rondo with it" : "never");
}
