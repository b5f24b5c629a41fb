// See pulse.h.
#include "observe/pulse.h"

#include "engine/core/function_label.h"
#include "observe/trace.h"

#include "rondo/thread_pool.h"

#include <cstring>

#include <fmt/format.h>

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
    : runtime_(runtime), busy_since_(busy_since), collections_(runtime.vm()) {
  iteration_ = runtime.loop().metrics().iterations;
  runtime.loop().add_observer(*this);
  runtime.tasks().add(*this);
}

Pulse::~Pulse() {
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
}

void Pulse::iteration_begin(uint64_t number) { iteration_.store(number, kRelaxed); }

void Pulse::phase_begin(Phase phase) {
  phase_.store(static_cast<uint8_t>(phase), kRelaxed);
  busy_since_.store(steady_now(), kRelaxed);
}
void Pulse::phase_end(Phase) { event_.store(nullptr, kRelaxed); }

void Pulse::wait_begin(Nanoseconds) {
  wait_from_.store(steady_now(), kRelaxed);
  busy_since_.store(0, kRelaxed);
}

void Pulse::wait_end(size_t) {
  const int64_t now = steady_now();
  add(idle_, now - wait_from_.load(kRelaxed));
  wait_from_.store(0, kRelaxed);
  busy_since_.store(now, kRelaxed);
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

void Pulse::note_place(std::string& where) {
  auto* place = runtime_.local<engine::FunctionLabels>().running(runtime_.vm());
  if (!place) return;
  const std::lock_guard lock(places_);
  where = place->text();
}

void Pulse::handle_start(HandleKind kind, uint32_t) {
  constexpr uint32_t kMany = 32, kSample = 8;
  auto& count = started_[static_cast<size_t>(kind)];
  add(count);
  // Places are looked up once there is reason to ask, and then now and then.
  const uint32_t open = count.load(kRelaxed) - stopped_[static_cast<size_t>(kind)].load(kRelaxed);
  if (is_counted(kind) && open >= kMany && open % kSample == 0) note_place(handle_place_);
}
void Pulse::handle_stop(HandleKind kind, uint32_t) { add(stopped_[static_cast<size_t>(kind)]); }

void Pulse::pool_job_queued(uint32_t, JobClass) {
  if (jobs_queued_.load(kRelaxed) == jobs_done_.load(kRelaxed)) last_job_done_.store(steady_now(), kRelaxed);
  add(jobs_queued_);
  if (jobs_queued_.load(kRelaxed) - jobs_done_.load(kRelaxed) > 2) note_place(job_place_);
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
      "{{\"kind\":\"pulse\",\"runtime\":{},\"now\":{:.3f},\"busy\":{:.3f},\"iteration\":{},\"phase\":\"{}\","
      "\"event\":\"{}\",\"callbacks\":{},\"messages\":{},\"budget\":{},\"idle\":{:.3f},\"jobs\":[{},{}],\"jobWait\":{:."
      "3f},"
      "\"jobPlace\":{},\"handles\":{{{}}},\"handlePlace\":{},\"heap\":{},\"collections\":{},\"collecting\":{:.3f}}}",
      runtime_.number(), ms(now), busy ? ms(now - busy) : 0.0, iteration_.load(kRelaxed),
      phase_name(static_cast<Phase>(phase_.load(kRelaxed))), event ? event : "", callbacks_.load(kRelaxed),
      messages_.load(kRelaxed), budget_.load(kRelaxed), ms(idle_.load(kRelaxed) + (waiting ? now - waiting : 0)),
      jobs_queued_.load(kRelaxed), jobs_done_.load(kRelaxed), ms(now - last_job_done_.load(kRelaxed)),
      json_string(job_place_), handles, json_string(handle_place_), collections_.bytes_left(), collections_.count(),
      ms(collections_.nanoseconds()));
}

}  // namespace rondo::observe
