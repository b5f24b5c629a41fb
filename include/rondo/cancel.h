// Cancellation of awaits. A CancelSource hands out CancelTokens; an await that was given a token ends with ECANCELED soon after
// cancel(): from the loop, not from inside the call. With std::stop_token: stop_token.h.
//
//   rondo::CancelSource source;
//   rondo::spawn(session(loop, source.token()));
//   source.cancel();
//
// Owner: anyone; copies are the same source or token, and destroying a source cancels nothing. Thread: the loop's, all of it.
#pragma once

#include <utility>

#include "rondo/base/list.h"
#include "rondo/detail/ready.h"

namespace [[gnu::visibility("default")]] rondo {

class CancelToken {
 public:
  CancelToken() = default;  // never cancelled
  CancelToken(const CancelToken& other) : state_(other.state_) { retain(); }
  CancelToken(CancelToken&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  CancelToken& operator=(CancelToken other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~CancelToken() { release(); }

  bool is_cancelled() const { return state_ && state_->is_cancelled; }
  // False for a token without a source.
  bool can_be_cancelled() const { return state_ != nullptr; }

  // Linked to the token while it waits; unlinks itself on destruction.
  class Waiter : public detail::Ready {
   public:
    virtual void on_cancel() = 0;
    void go_on() override {}

   protected:
    ~Waiter() = default;
  };
  // on_cancel follows at most once, inside CancelSource::cancel. Not for a token that is cancelled already.
  void tell(Waiter& waiter) const {
    if (state_) state_->waiters.push_back(waiter);
  }

 private:
  friend class CancelSource;
  struct State final : Waiter {  // waits for the parent's token, if there is one
    int references = 1;
    bool is_cancelled = false;
    List<Waiter> waiters;
    void on_cancel() override {
      if (std::exchange(is_cancelled, true)) return;
      references++;
      while (!waiters.is_empty()) waiters.pop_front().on_cancel();
      if (--references == 0) delete this;
    }
  };
  void retain() {
    if (state_) state_->references++;
  }
  void release() {
    if (state_ && --state_->references == 0) delete state_;
  }

  State* state_ = nullptr;
};

class CancelSource {
 public:
  CancelSource() { token_.state_ = new CancelToken::State; }
  // Is cancelled with `parent`, too: a part of something larger that can be given up alone.
  explicit CancelSource(const CancelToken& parent) : CancelSource() {
    if (parent.is_cancelled()) {
      cancel();
    } else {
      parent.tell(*token_.state_);
    }
  }
  CancelToken token() const { return token_; }
  bool is_cancelled() const { return token_.is_cancelled(); }
  // For good; a second time does nothing.
  void cancel() { token_.state_->on_cancel(); }

 private:
  CancelToken token_;
};

}  // namespace rondo
