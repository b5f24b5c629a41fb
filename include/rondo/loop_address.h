// Where to send functions to a loop that may be gone: a counted reference that outlives its loop. Code in another thread that
// does not own the loop (a worker's parent, a port's other side, a library's callback) keeps one of these instead of a Loop&.
//
//   rondo::LoopAddress home = loop.address();
//   std::thread worker([home] { if (!home.post([] { puts("done"); })) puts("nobody is at home"); });
//
//  D1  post() and wake() may be called by any thread at any time, also while the loop is being destroyed and afterwards: then they
//      are refused.
//  D2  A function that was accepted runs on the loop's thread, in poll, in the order of posting; or, if the loop is destroyed
//      before, it is destroyed unrun by the thread that destroys the loop. One that is refused is destroyed by the caller.
//  D3  ~Loop waits for calls of other threads that are under way; what they post may be what ends the loop.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "rondo/base/function.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;

namespace detail {

// The way into one loop, shared by the loop and its addresses.
struct LoopDoor {
  std::atomic<Loop*> loop;
  std::atomic<int> senders{0};  // threads that are inside
};

// Inside the door; the loop stays as long as this exists. Null when it is gone. Dekker's handshake with ~Loop: either we see
// that the loop is gone, or it sees that we are inside.
class DoorPass {
 public:
  explicit DoorPass(LoopDoor& door) : door_(door) {
    door.senders.fetch_add(1, std::memory_order_seq_cst);
    loop_ = door.loop.load(std::memory_order_seq_cst);
  }
  DoorPass(const DoorPass&) = delete;
  DoorPass& operator=(const DoorPass&) = delete;
  ~DoorPass() { door_.senders.fetch_sub(1, std::memory_order_release); }
  Loop* loop() const { return loop_; }

 private:
  LoopDoor& door_;
  Loop* loop_;
};

}  // namespace detail

// Copies are the same address. Comparing tells whether two lead to one loop.
class LoopAddress {
 public:
  LoopAddress() = default;  // of no loop: refuses everything

  // Runs `function` on the loop's thread and keeps the loop alive until then. False: the loop is gone (D2).
  [[nodiscard]] bool post(Function<void()> function) const;
  // Makes a blocking poll return.
  bool wake() const;
  // The loop exists; another thread may end it at any time. On the loop's thread it is certain.
  explicit operator bool() const { return door_ && door_->loop.load(std::memory_order_acquire) != nullptr; }
  friend bool operator==(const LoopAddress& a, const LoopAddress& b) { return a.door_ == b.door_; }

 private:
  friend class Loop;
  explicit LoopAddress(std::shared_ptr<detail::LoopDoor> door) : door_(std::move(door)) {}
  std::shared_ptr<detail::LoopDoor> door_;
};

}  // namespace rondo
