// What every mode of loop_bench needs: the stop watch, result lines, random numbers, a server's port. The format of the lines is the
// benchmark kit's: {"metric":"","value":1,"unit":"ops/s"}, with a second line that counts CPU time of all threads.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "rondo/base/clock.h"

namespace rondo_bench {

inline constexpr int kMillion = 1'000'000;

inline double cpu_milliseconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

inline void report(const char* metric, double value, const char* unit) {
  std::printf("{\"metric\":\"%s\",\"value\":%.6g,\"unit\":\"%s\"}\n", metric, value, unit);
  std::fflush(stdout);
}

class StopWatch {
 public:
  void report_rate(double operations) const {
    const double wall = wall_milliseconds(), cpu = cpu_milliseconds() - cpu_;
    report("", operations / wall * 1e3, "ops/s");
    report("cpu", operations / cpu * 1e3, "ops/cpu-s");
  }
  void report_time() const {
    const double wall = wall_milliseconds(), cpu = cpu_milliseconds() - cpu_;
    report("", wall, "ms");
    report("cpu", cpu, "ms-cpu");
  }

 private:
  double wall_milliseconds() const { return static_cast<double>(rondo::steady_now() - wall_) / 1e6; }
  rondo::Nanoseconds wall_ = rondo::steady_now();
  double cpu_ = cpu_milliseconds();
};

class Random {
 public:
  std::uint32_t up_to(std::uint32_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % limit;
  }

 private:
  std::uint32_t state_ = 12345;
};

// Room for objects that neither copy nor move; the pages are touched beforehand, as a vector's would be.
template <class T>
class Room {
 public:
  explicit Room(std::size_t count)
      : memory_(static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64))) {
    std::memset(static_cast<void*>(memory_), 0, count * sizeof(T));
  }
  ~Room() {
    while (size_ > 0) memory_[--size_].~T();
    std::free(memory_);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  template <class... Args>
  T& add(Args&&... args) {
    return *new (memory_ + size_++) T(std::forward<Args>(args)...);
  }
  T& operator[](std::size_t index) { return memory_[index]; }
  T* begin() { return memory_; }
  T* end() { return memory_ + size_; }

 private:
  T* memory_;
  std::size_t size_ = 0;
};

[[noreturn]] inline void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

// A server's port, for who sends the load.
inline void announce(int port) {
  signal(SIGPIPE, SIG_IGN);
  alarm(180);  // a forgotten server ends by itself
  std::printf("LISTEN %d\n", port);
  std::fflush(stdout);
}

}  // namespace rondo_bench
