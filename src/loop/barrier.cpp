// Passes in, one call out; the rules are in the header.
#include "rondo/barrier.h"

#include <cerrno>

#include "rondo/loop.h"

namespace rondo {

Barrier::Barrier(Loop& loop) : state_(std::make_shared<State>(this)), limit_(loop), over_(loop) {}

Barrier::~Barrier() { state_->barrier = nullptr; }

void Barrier::Pass::leave() {
  if (const std::shared_ptr<State> state = std::move(state_)) {
    state->inside--;
    if (state->barrier) state->barrier->tell_if_empty();
  }
}

void Barrier::wait(Function<void(Result<void>)> done) {
  limit_.stop();
  done_ = std::move(done);
  tell_if_empty();
}

void Barrier::wait(Duration limit, Function<void(Result<void>)> done) {
  limit_.start(limit, [this] {
    if (state_->inside == 0) return finish({});
    finish(failure(ETIMEDOUT, "wait"));
  });
  done_ = std::move(done);
  tell_if_empty();
}

// Someone may enter before the loop gets to it: then the wait goes on.
void Barrier::tell_if_empty() {
  if (state_->inside > 0 || !done_ || over_.is_active()) return;
  over_.start(Duration::zero(), [this] {
    if (state_->inside == 0) finish({});
  });
}

void Barrier::finish(Result<void> result) {
  limit_.stop();
  over_.stop();
  if (auto done = std::move(done_)) done(result);  // may destroy the barrier
}

}  // namespace rondo
