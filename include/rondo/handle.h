// Common part of all long-lived objects of a loop: identity, active/ref state, closing.
//
// Owner: the code that declares it; the loop only links it. Thread: the loop's. Lifetime: a handle may be
// destroyed at any time on the loop's thread, also inside its own callback: it is then stopped and closed
// silently, and none of its callbacks runs any more. The loop must outlive its handles. Handles
// neither copy nor move. States:
//
//   inactive --start--> active --stop--> inactive --close()--> closing --closing phase--> closed
//
//  H1  active and ref'd  <=>  counted in the loop's keep-alive count.
//  H2  closing  =>  inactive, and linked in the loop's closing list: closed in this iteration's closing phase, or in the next one's if
//      that is under way. What the kernel still works on is no concern of the handle (rondo/detail/lingering.h).
//  H3  after close() no callback but the close callback runs.
#pragma once

#include <cstdint>

#include "rondo/base/function.h"
#include "rondo/base/list.h"
#include "rondo/kinds.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;

class Handle : protected ListNode {
 public:
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  virtual ~Handle();

  // A handle that is not ref'd does not keep the loop alive. Idempotent.
  void ref();
  void unref();

  // Stops for good. `on_closed` runs in the closing phase, once; the handle may be destroyed there.
  // A second close is ignored.
  void close(Function<void()> on_closed = {});

  bool has_ref() const { return (flags_ & kRef) != 0; }
  bool is_active() const { return (flags_ & kActive) != 0; }
  bool is_closing() const { return (flags_ & (kClosing | kClosed)) != 0; }
  std::uint32_t id() const { return id_; }  // unique within the loop
  HandleKind kind() const { return kind_; }
  Loop& loop() const { return *loop_; }

 protected:
  Handle(Loop& loop, HandleKind kind);

  // Keep H1. Idempotent.
  void activate() {
    if ((flags_ & kActive) == 0) set_active();
  }
  void deactivate() {
    if ((flags_ & kActive) != 0) clear_active();
  }

  // Called once by close(), and by no one on destruction (virtual calls are over then; derived
  // destructors stop themselves). Stop, cancel operations; what is in flight is left to a part that outlives the handle.
  virtual void begin_close() = 0;

  // Called after the close callback, if the handle still exists, as the last thing the loop does with it: lets
  // functions go, whose captures may own the handle itself.
  virtual void drop_functions() {}

  // Runs the slot below under the observer's eyes.
  void run_callback();

  // The handle's function, or after close() the close callback.
  Callback<void()> callback_;
  // Fields that re-arming a timer touches lie together, from here to its end: no more than two cache lines wherever it is. An
  // alignment instead would be lost in coroutines, whose frames g++ aligns for ordinary types only.
  Loop* loop_;

 private:
  friend class Loop;
  template <class T>
  friend class List;
  enum : std::uint8_t { kActive = 1, kRef = 2, kClosing = 4, kClosed = 8 };

  void set_active();
  void clear_active();
  bool is_in_active_list() const;

  std::uint32_t id_;
  HandleKind kind_;
  std::uint8_t flags_ = kRef;
};

}  // namespace rondo
