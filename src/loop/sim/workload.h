// A random program on a simulated world, for tests: streams, files, timers, phase handles, wake-ups and jobs, started, cancelled
// and closed at random by a seed. It checks itself while it runs:
//
//  WL1 every operation completes exactly once; every post, deferred function and job runs exactly once
//  WL2 no callback of a handle after its close(); each close callback exactly once
//  WL3 timers: never early; in one visit by deadline, then by start order
//  WL4 phases in their order; callbacks do not nest; the clock never goes back
//  WL5 bytes arrive as they were sent: an echo is a prefix of its message, a file holds what was written
//  WL6 at the end nothing is left: no handle, no operation, no descriptor; and the loop was never stuck
//
// run() returns the first breach in words, or nothing. fingerprint() sums up all that happened, for replays.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rondo/sim.h"

namespace rondo {

class Workload final : public Observer {
 public:
  explicit Workload(std::uint64_t seed);
  ~Workload() override;

  std::string run();
  std::uint64_t fingerprint() const { return fingerprint_; }
  std::size_t operations() const { return completed_; }
  std::size_t faults() const { return world_.faults(); }

 private:
  using Then = Function<void(int result, const Completion& completion)>;
  struct Op;
  struct Connection;
  struct FileTask;
  struct TimerSlot;
  struct HandleSlot;

  void iteration_begin(std::uint64_t number) override;
  void phase_begin(Phase phase) override;
  void callback_begin(HandleKind kind, std::uint32_t id) override;
  void callback_end(HandleKind kind, std::uint32_t id) override;

  void breach(std::string what);
  std::uint32_t random(std::uint32_t count) { return decider_.random(count); }
  void note(std::uint64_t value);

  template <class Fill>
  Op* submit(Fill fill, Then then);
  void close_descriptor(int fd);

  void step();
  void act();
  void start_server();
  void accept_again();
  void stop_server();
  void start_client();
  void start_file();
  void start_timer();
  void fired(TimerSlot& slot);
  void start_phase_handle();
  void start_async();
  void start_post();
  void start_job();
  void cancel_something();
  void close_something();
  void wind_down();
  void client_ended();
  std::string verdict();

  SeededDecider decider_;
  SimWorld world_;
  Loop loop_;
  std::string breach_;
  std::uint64_t fingerprint_ = 0xcbf29ce484222325ull;

  std::vector<Op*> in_flight_;
  std::size_t submitted_ = 0, completed_ = 0;
  std::size_t once_started_ = 0, once_ran_ = 0;  // posts, deferred functions, jobs
  std::size_t closes_ = 0, closed_ = 0;

  int listener_ = -1;
  Op* accepting_ = nullptr;
  std::size_t clients_ = 0;
  bool is_winding_down_ = false;

  std::vector<std::unique_ptr<TimerSlot>> timers_;
  std::vector<std::unique_ptr<HandleSlot>> handles_;
  std::uint64_t timer_sequence_ = 0;
  std::pair<Nanoseconds, std::uint64_t> last_fired_{-1, 0};
  int phase_ = -1;
  int depth_ = 0;
  Nanoseconds last_now_ = 0;
  std::uint32_t steps_left_;
  Timer chaos_;
  Timer accept_retry_;
};

}  // namespace rondo
