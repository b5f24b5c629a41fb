// What the runtime tells a watcher about JavaScript's own queues (the loop's Observer tells the rest). Null by default; the
// calls cost a branch then. The ledger (src/observe) implements it.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/native.h"

namespace rondo::runtime {

enum class TaskKind : uint8_t { Script, Tick, Microtask, Timer, Immediate, Io };

class TaskObserver {
 public:
  virtual ~TaskObserver() = default;
  // A callback was queued: returns its id. `function` names it; `detail` is a timer's delay in ms, else 0.
  virtual uint32_t queued(TaskKind kind, engine::Value function, double detail) = 0;
  // The engine keeps a promise's callbacks to itself; who queued a microtask can be told, at a price. Asked before `queued`.
  virtual bool wants_queuer() const { return false; }
  virtual void queuer(std::string /*label*/) {}
  virtual void begin(TaskKind kind, uint32_t id) = 0;
  virtual void end(TaskKind kind, uint32_t id) = 0;
};

}  // namespace rondo::runtime
