// The kernel's side of an IoHandle: descriptor, operations, buffers. On the heap, owned by its handle
// until the handle dies; then it lingers in the loop until its last operation has completed.
//
//  C1  close() and destruction close the descriptor at once, unless a thread still works on it (Poller::forget): then with the
//      last operation. The handle never waits for that.
//  C2  a core is deleted only when its handle is gone, nothing is in flight and none of its functions
//      is on the stack (Guard counts those).
//  C3  after close() or destruction of the handle no user function runs from here: ask usable()
//      after every call out.
#pragma once

#include <optional>

#include "rondo/detail/io_handle.h"
#include "rondo/detail/lingering.h"
#include "rondo/loop.h"

namespace rondo {

class IoCore : public Lingering {
 public:
  IoCore() = default;
  ~IoCore() override;

  // Keeps the core while one of its functions runs, and tidies up when the last has returned.
  class Guard {
   public:
    explicit Guard(IoCore& core) : core_(core) { core_.busy_++; }
    Guard(const Guard&) = delete;
    ~Guard() {
      if (--core_.busy_ == 0 && !core_.usable()) [[unlikely]]
        core_.settle();
    }

   private:
    IoCore& core_;
  };

  bool usable() const { return owner_ && !closing_; }
  bool is_open() const { return fd_ >= 0; }

  // Runs `call` in the pending phase if the handle is still usable then.
  void defer(void (*call)(IoCore&));

 protected:
  virtual void cancel_all() = 0;
  virtual bool has_in_flight() const = 0;

  // The owner's name on an operation, for observers.
  void sign(Operation& operation, bool keeps_loop_alive);
  // Its end is no callback of the program any more.
  void drop(Operation& operation);

  Loop* loop_ = nullptr;
  IoHandle* owner_ = nullptr;
  int fd_ = -1;

 private:
  friend class IoHandle;
  void attach(IoHandle& owner);
  void begin_close();
  void detach();
  void settle();
  void let_go();

  bool closing_ = false;
  unsigned busy_ = 0;
  unsigned deferred_ = 0;
  std::optional<Loop::KeepAlive> keep_alive_;  // while the descriptor waits for operations
};

}  // namespace rondo
