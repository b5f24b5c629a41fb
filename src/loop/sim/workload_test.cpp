// The random program's own checks and its plain parts: steps, timers, handles, wake-ups, jobs, and the verdict. Streams and files
// are in workload_io_test.cpp. (Named _test so that it is no part of the library.)
#include <algorithm>

#include "loop/sim/seeds.h"
#include "loop/sim/workload_parts.h"

namespace rondo {

Workload::Workload(std::uint64_t seed)
    : decider_(seed),
      world_(decider_, SimLimits{.descriptors = 6 + decider_.random(30),
                                 .disk_bytes = 2000 + decider_.random(20000),
                                 .stream_bytes = 1 + decider_.random(2000),
                                 .backlog = 1 + decider_.random(4),
                                 .pool_threads = 1 + decider_.random(4)}),
      loop_([this] {
        LoopOptions options = world_.options();
        options.observer = this;
        options.poll_budget = 1 + decider_.random(20);
        return options;
      }()),
      steps_left_(4 + decider_.random(24)),
      chaos_(loop_),
      accept_retry_(loop_) {}

Workload::~Workload() {
  for (Op* op : in_flight_) delete op;  // only after a breach
}

std::string Workload::run() {
  step();
  for (int rounds = 0; rounds < 20000 && breach_.empty(); rounds++) {
    // All ways of running are the same loop.
    const RunMode mode = static_cast<RunMode>(random(3));
    if (mode == RunMode::Default && random(4) == 0) loop_.defer([this] { loop_.stop(); });
    const bool is_alive = loop_.run(mode);
    if (world_.is_stuck()) breach("the loop waits for something that cannot come");
    if (!is_alive) return verdict();
  }
  if (breach_.empty()) breach("the program does not end");
  return breach_;
}

std::string Workload::verdict() {
  if (submitted_ != completed_) breach("operations submitted and completed differ");
  if (!in_flight_.empty()) breach("operations left in flight");
  if (once_started_ != once_ran_) breach("a post, deferred function or job was lost");
  if (closes_ != closed_) breach("a close callback was lost");
  if (std::string left = testing::what_is_left(loop_, world_); !left.empty()) breach(std::move(left));
  if (steps_left_ != 0) breach("the loop ended before the program");
  note(static_cast<std::uint64_t>(loop_.now()));
  return breach_;
}

void Workload::breach(std::string what) {
  if (breach_.empty()) breach_ = std::move(what);
  loop_.stop();
}

void Workload::note(std::uint64_t value) { fingerprint_ = (fingerprint_ ^ value) * 0x100000001b3ull; }

void Workload::iteration_begin(std::uint64_t) { phase_ = -1; }

// Once may visit timers a second time, at its end.
void Workload::phase_begin(Phase phase) {
  const int number = static_cast<int>(phase);
  if (number <= phase_ && phase != Phase::Timers) breach("phases out of order");
  phase_ = number;
  if (phase == Phase::Timers) last_fired_ = {-1, 0};
}

void Workload::callback_begin(HandleKind kind, std::uint32_t id) {
  if (++depth_ != 1) breach("callbacks nest");
  if (loop_.now() < last_now_) breach("the clock went back");
  last_now_ = loop_.now();
  note(static_cast<std::uint64_t>(kind) << 32 | id);
}

void Workload::callback_end(HandleKind, std::uint32_t) { depth_--; }

void Workload::step() {
  if (steps_left_ == 0) return;
  for (std::uint32_t actions = 1 + random(4); actions > 0; actions--) act();
  if (--steps_left_ == 0) return wind_down();
  chaos_.start(Duration(random(20000)), [this] { step(); });
}

void Workload::act() {
  switch (random(12)) {
    case 0:
    case 1:
      return start_client();
    case 2:
    case 3:
      return start_file();
    case 4:
    case 5:
      return start_timer();
    case 6:
      return start_phase_handle();
    case 7:
      return start_async();
    case 8:
      return start_post();
    case 9:
      return start_job();
    case 10:
      return cancel_something();
    default:
      return close_something();
  }
}

void Workload::start_timer() {
  auto slot = std::make_unique<TimerSlot>(loop_);
  TimerSlot& timer = *slot;
  timers_.push_back(std::move(slot));
  timer.runs_left = static_cast<int>(random(4));
  timer.arm(random(3) ? random(30000) : 0, ++timer_sequence_, [this, &timer] { fired(timer); });
}

void Workload::fired(TimerSlot& slot) {
  if (slot.is_closed) return breach("a timer ran after close");
  if (!slot.is_armed) return breach("a timer ran after stop");
  slot.is_armed = false;
  if (loop_.now() < slot.deadline) breach("a timer ran early");
  const std::pair<Nanoseconds, std::uint64_t> mine(slot.deadline, slot.sequence);
  if (mine < last_fired_) breach("timers out of order");
  last_fired_ = mine;
  if (!is_winding_down_ && random(8) == 0) close_something();
  if (slot.is_closed) return;
  if (slot.runs_left-- > 0) slot.arm(random(5000), ++timer_sequence_, [this, &slot] { fired(slot); });
  if (!is_winding_down_ && random(4) == 0) {
    TimerSlot& other = *timers_[random(static_cast<std::uint32_t>(timers_.size()))];
    other.timer.stop();
    other.is_armed = false;
  }
}

void Workload::start_phase_handle() {
  auto slot = std::make_unique<HandleSlot>();
  HandleSlot& entry = *slot;
  entry.runs_left = 1 + static_cast<int>(random(5));
  std::unique_ptr<PhaseHandle> handle;
  switch (random(3)) {
    case 0:
      handle = std::make_unique<Idle>(loop_);
      break;
    case 1:
      handle = std::make_unique<Prepare>(loop_);
      break;
    default:
      handle = std::make_unique<Check>(loop_);
      break;
  }
  PhaseHandle& phase = *handle;
  if (random(4) == 0) phase.unref();
  phase.start([this, &entry, &phase] {
    if (entry.is_closed) return breach("a phase handle ran after close");
    if (--entry.runs_left == 0) phase.stop();
  });
  entry.handle = std::move(handle);
  handles_.push_back(std::move(slot));
}

void Workload::start_async() {
  auto slot = std::make_unique<HandleSlot>();
  HandleSlot& entry = *slot;
  auto async = std::make_unique<Async>(loop_, [this, &entry] {
    if (entry.is_closed) breach("an Async ran after close");
    if (entry.sends == 0) breach("an Async ran unsent");
    entry.sends = 0;
  });
  entry.sends = static_cast<int>(random(3));
  for (int i = 0; i < entry.sends; i++) async->send();
  entry.handle = std::move(async);
  handles_.push_back(std::move(slot));
}

void Workload::start_post() {
  once_started_++;
  if (random(2)) {
    loop_.post([this] { once_ran_++; });
  } else {
    loop_.defer([this] { once_ran_++; });
  }
}

void Workload::start_job() {
  once_started_++;
  world_.run_job(loop_, [] {}, [this] { once_ran_++; });
}

void Workload::cancel_something() {
  if (in_flight_.empty()) return;
  loop_.cancel(in_flight_[random(static_cast<std::uint32_t>(in_flight_.size()))]->operation);
}

void Workload::close_something() {
  const std::size_t count = timers_.size() + handles_.size();
  if (count == 0) return;
  const std::size_t index = random(static_cast<std::uint32_t>(count));
  bool& is_closed = index < timers_.size() ? timers_[index]->is_closed : handles_[index - timers_.size()]->is_closed;
  Handle& handle = index < timers_.size() ? timers_[index]->timer : *handles_[index - timers_.size()]->handle;
  if (is_closed) return handle.close([this] { breach("a second close ran its callback"); });
  is_closed = true;
  closes_++;
  handle.close([this, &handle] {
    closed_++;
    if (handle.is_active()) breach("active although closed");
  });
}

// Ends what would go on for ever; the rest must end by itself.
void Workload::wind_down() {
  is_winding_down_ = true;
  chaos_.stop();
  for (auto& slot : handles_) {
    if (slot->is_closed) continue;
    slot->is_closed = true;
    closes_++;
    slot->handle->close([this] { closed_++; });
  }
  if (clients_ == 0) stop_server();
}

}  // namespace rondo
