// See pulse.h.
#include "observe/pulse.h"

#include "engine/core/running_stack.h"
#include "observe/trace.h"

#include "rondo/thread_pool.h"

#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

namespace rondo::observe {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

template <class T>
void add(std::atomic<T>& counter, T by = 1) {
  counter.store(counter.load(kRelaxed) + by, kRelaxed);  // one writer
}

// Handles that a program opens one by one, and can forget to close.
bool is_counted(HandleKind kind) {
  switch (kind) {
    case HandleKind::Tcp:
    case HandleKind::TcpServer:
    case HandleKind::Pipe:
    case HandleKind::PipeServer:
    case HandleKind::Udp:
    case HandleKind::FileWatch:
    case HandleKind::FilePoll:
    case HandleKind::Process:
      return true;
    default:
      return false;
  }
}

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

Pulse::Pulse(runtime::Runtime& runtime, Nanoseconds busy_since)
    : runtime_(runtime),
      thread_(gettid()),
      busy_since_(busy_since),
      collections_(runtime.vm()),
      sampler_(runtime.vm()) {
  iteration_ = runtime.loop().metrics().iterations;
  runtime.loop().add_observer(*this);
  runtime.tasks().add(*this);
}

Pulse::~Pulse() {
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
}

void Pulse::set_on_allocation(AllocationSamples::Told told) {
  allocations_.reset();
  if (told) allocations_ = std::make_unique<AllocationSamples>(vm(), std::move(told));
}

void Pulse::iteration_begin(uint64_t number) { iteration_.store(number, kRelaxed); }

void Pulse::note_phase_begin() {
  const auto now = steady_now();
  busy_since_.store(now, kRelaxed);
  phase_from_.store(now, kRelaxed);
  callbacks_before_.store(callbacks_.load(kRelaxed), kRelaxed);
}

void Pulse::phase_begin(Phase phase) {
  phase_.store(static_cast<uint8_t>(phase), kRelaxed);
  note_phase_begin();
}
void Pulse::phase_end(Phase) { event_.store(nullptr, kRelaxed); }

void Pulse::wait_begin(Nanoseconds) {
  wait_from_.store(steady_now(), kRelaxed);
  busy_since_.store(0, kRelaxed);
}

void Pulse::wait_end(size_t) {
  add(idle_, steady_now() - wait_from_.load(kRelaxed));
  wait_from_.store(0, kRelaxed);
  note_phase_begin();
}

void Pulse::poll_budget_spent(size_t) { add(budget_); }

void Pulse::callback_begin(HandleKind, uint32_t) {
  add(callbacks_);
  busy_since_.store(steady_now(), kRelaxed);
}
void Pulse::callback_end(HandleKind, uint32_t) { event_.store(nullptr, kRelaxed); }

void Pulse::event_begin(const char* name) {
  event_.store(name, kRelaxed);
  busy_since_.store(steady_now(), kRelaxed);
  if (std::strcmp(name, "message") == 0) add(messages_);
}

void Pulse::note_stack(std::string& where) {
  constexpr size_t kMostFrames = 24;
  std::string text = stack_json(runtime_.vm(), kMostFrames);
  const std::lock_guard lock(places_);
  where = std::move(text);
}

void Pulse::handle_start(HandleKind kind, uint32_t) { add(started_[static_cast<size_t>(kind)]); }
void Pulse::handle_stop(HandleKind kind, uint32_t) { add(stopped_[static_cast<size_t>(kind)]); }

void Pulse::pool_job_queued(uint32_t, JobClass) {
  if (jobs_queued_.load(kRelaxed) == jobs_done_.load(kRelaxed)) last_job_done_.store(steady_now(), kRelaxed);
  add(jobs_queued_);
  // Stacks are noted once there is reason to ask, and then now and then.
  constexpr Nanoseconds kSeldom = 20'000'000;
  const auto now = steady_now();
  if (jobs_queued_.load(kRelaxed) - jobs_done_.load(kRelaxed) <= 2 || now - job_noted_ < kSeldom) return;
  job_noted_ = now;
  note_stack(job_stack_);
}
void Pulse::pool_job_done(const JobRun&) {
  add(jobs_done_);
  last_job_done_.store(steady_now(), kRelaxed);
}

std::string Pulse::text() const {
  const int64_t now = steady_now(), busy = busy_since_.load(kRelaxed), waiting = wait_from_.load(kRelaxed);
  const char* event = event_.load(kRelaxed);
  std::string handles;
  for (size_t kind = 0; kind < kKinds; kind++) {
    const uint32_t started = started_[kind].load(kRelaxed);
    if (!started || !is_counted(static_cast<HandleKind>(kind))) continue;
    handles += fmt::format("{}\"{}\":[{},{}]", handles.empty() ? "" : ",",
                           handle_kind_name(static_cast<HandleKind>(kind)), started, stopped_[kind].load(kRelaxed));
  }
  const std::lock_guard lock(places_);
  return fmt::format(
      "{{\"kind\":\"pulse\",\"runtime\":{},\"thread\":{},\"now\":{:.3f},\"busy\":{:.3f},\"iteration\":{},\"phase\":\"{}"
      "\","
      "\"event\":\"{}\",\"callbacks\":{},\"messages\":{},\"budget\":{},\"idle\":{:.3f},\"jobs\":[{},{}],\"jobWait\":{:."
      "3f},\"jobStack\":{},\"handles\":{{{}}},\"heap\":{},\"collections\":{},\"collecting\":{:.3f},"
      "\"phaseTime\":{:.3f},\"phaseCallbacks\":{}}}",
      runtime_.number(), thread_, ms(now), busy ? ms(now - busy) : 0.0, iteration_.load(kRelaxed),
      phase_name(static_cast<Phase>(phase_.load(kRelaxed))), event ? event : "", callbacks_.load(kRelaxed),
      messages_.load(kRelaxed), budget_.load(kRelaxed), ms(idle_.load(kRelaxed) + (waiting ? now - waiting : 0)),
      jobs_queued_.load(kRelaxed), jobs_done_.load(kRelaxed), ms(now - last_job_done_.load(kRelaxed)), job_stack_,
      handles, collections_.bytes_left(), collections_.count(), ms(collections_.nanoseconds()),
      busy ? ms(now - phase_from_.load(kRelaxed)) : 0.0, callbacks_.load(kRelaxed) - callbacks_before_.load(kRelaxed));
}

std::string stack_json(JSC::VM& vm, size_t most) { return stack_json(engine::running_stack(vm, most)); }

std::string stack_json(const std::vector<engine::RunningFrame>& frames) {
  std::string text = "[";
  for (const auto& frame : frames) {
    if (text.size() > 1) text += ",";
    text += "[" + json_string(frame.function) + "," + json_string(frame.place) + "]";
  }
  return text + "]";
}

}  // namespace rondo::observe
