// See sample_ticks.h. The linker sends the profiler's call here (--wrap, see cmake/engine.cmake).
//
// Layout: m_unprocessedStackTraces, m_currentFrames
#include "engine/patches/sample_ticks.h"

#include "engine/patches/leaf_calls.h"
#include "engine/patches/profiler_members.h"

#include <map>
#include <mutex>

#include <pthread.h>

#define RONDO_TAKE_SAMPLE "_ZN3JSC16SamplingProfiler10takeSampleERN3WTF7SecondsE"

extern void real_take_sample(JSC::SamplingProfiler*, WTF::Seconds&) asm("__real_" RONDO_TAKE_SAMPLE);
void wrap_take_sample(JSC::SamplingProfiler*, WTF::Seconds&) asm("__wrap_" RONDO_TAKE_SAMPLE);

namespace rondo::engine {

namespace {

using JSC::SamplingProfiler;
using profiler_members::CurrentFrames, profiler_members::Unprocessed;

constexpr size_t kMostFrames = 256;  // of a stack: the innermost
constexpr size_t kFetchTicks = 20'000, kFetchFrames = 200'000;  // about 15 megabytes

struct Watched {
  std::mutex mutex;
  std::map<SamplingProfiler*, SampleTicks*> all;
};

Watched& watched() {
  static auto* const watched = new Watched;
  return *watched;
}

SampleTicks* ticks_of(SamplingProfiler* profiler) {
  auto& list = watched();
  const std::lock_guard lock(list.mutex);
  const auto found = list.all.find(profiler);
  return found == list.all.end() ? nullptr : found->second;
}

int64_t read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

SampleTicks::SampleTicks(JSC::VM& vm, SamplingProfiler& profiler, std::function<void()> fetch)
    : vm_(vm), profiler_(profiler), fetch_(std::move(fetch)), last_(WTF::MonotonicTime::now()) {
  pthread_getcpuclockid(pthread_self(), &clock_);
  cpu_time_ = read(clock_);
  auto& list = watched();
  const std::lock_guard lock(list.mutex);
  list.all.emplace(&profiler, this);
}

SampleTicks::~SampleTicks() {
  Locker locker{profiler_.getLock()};  // nobody is in look()
  auto& list = watched();
  const std::lock_guard lock(list.mutex);
  list.all.erase(&profiler_);
}

std::vector<Tick> SampleTicks::take() {
  is_fetching_ = false;
  frames_ = 0;
  return std::exchange(ticks_, {});
}

// Whether the thread used the processor for most of the time since the last tick.
bool SampleTicks::has_run() {
  const auto now = WTF::MonotonicTime::now();
  const int64_t cpu = read(clock_), used = cpu - cpu_time_;
  const double passed = (now - last_).nanoseconds();
  cpu_time_ = cpu;
  last_ = now;
  return static_cast<double>(used) > passed / 2;
}

// The engine makes room for deeper stacks each time one does not fit. Frames of the last stack are dropped while the program runs: they
// may hold the last reference to WebAssembly's code, whose memory must not be given back while the program stands still inside malloc.
void SampleTicks::bound_stacks() {
  auto& current = profiler_.*member_of(CurrentFrames{});
  if (current.size() > kMostFrames) current.shrink(kMostFrames);
  for (auto& frame : current) {
    if (!frame.wasmIndexOrName && !frame.wasmPCMap) continue;
    frame = SamplingProfiler::UnprocessedStackFrame();
  }
}

void SampleTicks::look(WTF::Seconds& taken) {
  auto& stacks = profiler_.*member_of(Unprocessed{});
  const size_t before = stacks.size();
  const bool is_collecting = vm_.heap.mutatorState() == JSC::MutatorState::Collecting || vm_.heap.worldIsStopped();
  {
    const LeafCalls leaf_calls(vm_);
    real_take_sample(&profiler_, taken);
  }
  const bool has_stack = stacks.size() > before;
  const bool is_running = has_run();
  Tick tick{.time = WTF::MonotonicTime::now(), .kind = TickKind::Stack, .has_stack = has_stack};
  if (has_stack) {
    tick.time = stacks.last().timestamp;
    frames_ += stacks.last().frames.size();
  }
  if (is_collecting && (has_stack || is_running))
    tick.kind = TickKind::Collecting;
  else if (!has_stack)
    tick.kind = is_running ? TickKind::Native : TickKind::Idle;
  ticks_.push_back(tick);
  bound_stacks();
  const bool is_much = ticks_.size() >= kFetchTicks || frames_ >= kFetchFrames;
  if (is_much && !std::exchange(is_fetching_, true)) fetch_();
}

}  // namespace rondo::engine

void wrap_take_sample(JSC::SamplingProfiler* self, WTF::Seconds& taken) {
  auto* ticks = rondo::engine::ticks_of(self);
  if (ticks)
    ticks->look(taken);
  else
    real_take_sample(self, taken);
}
