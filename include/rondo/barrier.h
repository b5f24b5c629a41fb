// Graceful shutdown: wait until the last of many has left. Whatever must be over first (a request, a connection, a job) holds
// a Pass; wait() tells when no pass is left, or that the time is up.
//
//   rondo::Barrier barrier(loop);
//   ... each connection keeps `rondo::Barrier::Pass pass = barrier.enter();` ...
//   server.close();                                             // no new ones
//   barrier.wait(30s, [&](rondo::Result<void> over) { if (!over) drop_the_rest(); });
//
//  B1  The function of wait() is called from the loop, once: with success when no pass is left (also if there was none),
//      with ETIMEDOUT when the limit comes first. Entering goes on as before; who enters while one waits is waited for.
//  B2  Passes may outlive the barrier. Destroying the barrier drops its function unrun.
//  B3  Passes do not keep the loop alive: what holds them does.
//
// Loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "rondo/base/clock.h"
#include "rondo/base/function.h"
#include "rondo/base/result.h"
#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

class Barrier {
  struct State {
    Barrier* barrier;
    std::size_t inside = 0;
  };

 public:
  // Move-only; leaves on destruction, or earlier by leave().
  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept = default;
    Pass& operator=(Pass&& other) noexcept {
      if (this != &other) {
        leave();
        state_ = std::move(other.state_);
      }
      return *this;
    }
    ~Pass() { leave(); }

    void leave();
    explicit operator bool() const { return state_ != nullptr; }

   private:
    friend class Barrier;
    explicit Pass(std::shared_ptr<State> state) : state_(std::move(state)) { state_->inside++; }
    std::shared_ptr<State> state_;
  };

  explicit Barrier(Loop& loop);
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;
  ~Barrier();

  Pass enter() { return Pass(state_); }
  // Waiting again replaces the function and the limit. Without a limit: as long as it takes.
  void wait(Function<void(Result<void>)> done);
  void wait(Duration limit, Function<void(Result<void>)> done);

  std::size_t inside() const { return state_->inside; }
  bool is_waiting() const { return static_cast<bool>(done_); }

 private:
  void finish(Result<void> result);
  void tell_if_empty();

  std::shared_ptr<State> state_;
  Function<void(Result<void>)> done_;
  Timer limit_;
  Timer over_;  // the call comes from the loop
};

}  // namespace rondo
