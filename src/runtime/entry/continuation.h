// The only way from C++ into JavaScript. A Continuation is made when an operation starts and called when it is done; it captures
// what belongs to the start: the function or promise, the async context, the id that async hooks know it by, and, while somebody
// watches, the task that is the cause. Calling it is one turn:
//
//   enter → restore the context → record → call → report what is thrown → record → ticks and microtasks until both are empty → leave
//
// An operation's Continuation is called once. A handle (a server, a watcher, a signal) has one for each source of events, called
// any number of times, each call a task of its own.
//
// Thread: the loop's. It may outlive its Runtime: then it does nothing.
#pragma once

#include "runtime/runtime.h"

#include "rondo/base/list.h"

namespace rondo::runtime {

// The kind of a started thing: its name in reports for people, the type that async hooks are told, and the kind of its tasks.
struct Source {
  const char* name;
  const char* async_type;
  TaskKind kind = TaskKind::Io;
};

// Facts for reports of a task, beyond its source.
struct TaskDetails {
  engine::Value subject;  // the program's function behind the library's one that is called
  double delay_ms = 0;  // of a timer
};

// The starter of something, and its async context.
struct StartPoint {
  // The running task starts `what`. `resource` stands for it in async hooks.
  void capture(Runtime& runtime, const Source& what, JSC::JSObject* resource = nullptr);
  // As if `parent` had started it.
  void inherit(Runtime& runtime, const Source& what, const StartPoint& parent);

  // The name, in reports, of an event that ends in `function`: the program's own function, or else where the program started it.
  std::string label(engine::Value function) const;

  const Source* source = nullptr;
  JSC::Strong<JSC::Unknown> context;  // the async context, or, when is_tracked, what async hooks know it by
  bool is_tracked = false;
  uint32_t cause = 0;  // the task that started it
  std::string_view place;  // where in the program, while it is traced; lives as long as the runtime
  int64_t sender =
      0;  // the runtime and the task that caused it, where that is another runtime's (TaskObserver::task_sent)
};

class Continuation {
 public:
  Continuation() = default;
  // An operation that starts now. `target`: a function, or a promise to settle; null: nothing is called.
  Continuation(Runtime& runtime, JSC::JSObject* target, const Source& source, const TaskDetails& details = {});
  // Events of something that was started before.
  Continuation(Runtime& runtime, JSC::JSObject* function, const StartPoint& origin, const Source& what,
               engine::Value subject = {});
  Continuation(Continuation&& other) noexcept : pending_(std::exchange(other.pending_, nullptr)) {}
  Continuation& operator=(Continuation&& other) noexcept {
    std::swap(pending_, other.pending_);
    return *this;
  }
  ~Continuation();

  // Until it is called, or gone, `object` stays.
  Continuation&& keeping(JSC::JSCell* object) &&;

  // Each of these is one turn.
  engine::Value operator()(const JSC::ArgList& arguments);
  void operator()(int status);
  // (null, value) or (error) for a function, fulfilled or rejected for a promise. An empty value is none.
  void resolve(engine::Value value);
  void reject(engine::Value error);
  // As reject, with the error that a function of lib/ makes of `fact`.
  void reject_made_by(JSC::JSObject* make, engine::Value fact);

  // Cause of the next calls, if it is not the task that started the source of events.
  void caused_by(uint32_t task);
  // The task of another runtime that causes the next calls.
  void comes_from(uint32_t runtime, uint32_t task);
  // An event that is about to happen, or due after a delay: the number of its task, 0 while nothing is traced. What is made for it is
  // caused by it.
  uint32_t announce(double delay_ms = 0);

  // The program's end is near, or it has gone: what would be made for a call is not needed.
  bool is_dead() const;
  Runtime& runtime() const;

 private:
  friend class Continuations;
  struct Pending;
  struct Started;

  void begin(Runtime& runtime, JSC::JSObject* target);
  template <class Act>
  engine::Value run(Act act);
  template <class MakeError>
  void reject_with(MakeError make_error);

  Pending* pending_ = nullptr;
};

// The Continuations of one Runtime: their memory, for reuse, and a list, so that none keeps an object of a runtime that has gone.
class Continuations {
 public:
  Continuations();
  ~Continuations();
  Continuations(const Continuations&) = delete;
  Continuations& operator=(const Continuations&) = delete;

 private:
  friend class Continuation;
  Continuation::Pending* take();
  void give_back(Continuation::Pending* pending);

  List<Continuation::Pending> live_;
  std::vector<std::unique_ptr<Continuation::Pending>> spare_;
};

}  // namespace rondo::runtime
