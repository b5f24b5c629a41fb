// The engine's sampling profiler, watched: each time its thread looks at the program's, one tick says what the program did, also when there
// was no JavaScript to take a stack of. Stacks are bounded in depth, and samples in memory: somebody is asked to fetch them in time.
//
// Ticks and stacks come in the same order: each tick of a kind with a stack belongs to one stack of the engine's.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/SamplingProfiler.h>

#include <functional>
#include <memory>
#include <vector>

#include <time.h>

namespace rondo::engine {

enum class TickKind : uint8_t {
  Stack,  // JavaScript ran, or native code that it called
  Collecting,  // the same, and the collector held it up
  Native,  // the thread ran without JavaScript
  Idle,
};

struct Tick {
  WTF::MonotonicTime time;
  TickKind kind = TickKind::Idle;
  bool has_stack = false;
};

// Made and destroyed on the VM's thread.
class SampleTicks {
 public:
  // `fetch` is called on the profiler's thread, under its lock, once until the next take().
  SampleTicks(JSC::VM& vm, JSC::SamplingProfiler& profiler, std::function<void()> fetch);
  ~SampleTicks();
  SampleTicks(const SampleTicks&) = delete;
  SampleTicks& operator=(const SampleTicks&) = delete;

  // Under the profiler's lock.
  std::vector<Tick> take();
  // The profiler's thread, under its lock: one look at the program.
  void look(WTF::Seconds& taken);

 private:
  bool has_run();
  void bound_stacks();

  JSC::VM& vm_;
  JSC::SamplingProfiler& profiler_;
  const std::function<void()> fetch_;
  bool is_fetching_ = false;
  clockid_t clock_{};  // of the program's thread
  int64_t cpu_time_ = 0;
  WTF::MonotonicTime last_;
  size_t frames_ = 0;  // in stacks since take()
  std::vector<Tick> ticks_;
};

}  // namespace rondo::engine
