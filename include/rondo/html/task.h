// Tasks, the sources they come from and the queues they wait in: https://html.spec.whatwg.org/#definitions-3.
// A queue is first in, first out. It holds runnable tasks only: those of a document that is not fully active are set aside by the
// document and come back to their places, in order, when it is active again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

#include "rondo/base/clock.h"
#include "rondo/base/function.h"

namespace rondo {
namespace [[gnu::visibility("default")]] html {

class Document;

enum class LoopKind : std::uint8_t { Window, Worker, Worklet };

enum class TaskSource : std::uint8_t {
  DomManipulation,
  UserInteraction,
  Networking,
  HistoryTraversal,
  Timer,
  PostedMessage,
  Scheduler,  // prioritized tasks: https://wicg.github.io/scheduling-apis/
  Rendering,
  Idle,
  DatabaseAccess,
  Microtask,  // a microtask that spun the loop goes on as a task of this source
};
inline constexpr std::size_t kTaskSources = 11;  // of the Standard; more are made by EventLoop::add_task_source
inline constexpr std::size_t kMaxTaskSources = 32;

// As reports name them: "user interaction". One that EventLoop::add_task_source made: "other"; its loop knows its name.
std::string_view name_of(TaskSource source);
std::string_view name_of(LoopKind kind);

struct Task {
  Function<void()> steps;
  Document* document = nullptr;  // null: of none
  std::uint64_t id = 0;  // counts up in the order of queueing, from 1
  TaskSource source = TaskSource::DomManipulation;
  std::uint8_t timer_nesting_level = 0;

  // "A task is runnable if its document is either null or fully active."
  bool is_runnable() const;
};

using TaskQueue = std::deque<Task>;

// A task that has run: what steps 4, 8 and 9 know of it.
struct TaskTiming {
  std::uint64_t id;
  TaskSource source;
  Document* document;
  Nanoseconds start;
  Nanoseconds end;
};

}  // namespace html
}  // namespace rondo
