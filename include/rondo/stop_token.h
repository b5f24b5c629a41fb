// std::stop_token and CancelToken, both ways. A stop may be asked for by any thread; a CancelToken belongs to the loop's.
//
//   rondo::CancelOnStop limit(loop, stop_token);     // request_stop() anywhere cancels limit.token(), from the loop
//   rondo::StopOnCancel stop(token);                 // cancelling `token` requests a stop of stop.token()
//
// Made and destroyed on the loop's thread; destroying either ends the connection.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "rondo/cancel.h"
#include "rondo/loop.h"
#include "rondo/loop_address.h"

namespace [[gnu::visibility("default")]] rondo {

class CancelOnStop {
 public:
  CancelOnStop(Loop& loop, std::stop_token stop, const CancelToken& parent = {})
      : source_(parent), link_(std::make_shared<Link>(&source_)) {
    // Asked for already: at once, not by way of the loop.
    if (stop.stop_requested()) {
      source_.cancel();
    } else {
      callback_.emplace(std::move(stop), Forward{loop.address(), link_});
    }
  }
  CancelOnStop(const CancelOnStop&) = delete;
  CancelOnStop& operator=(const CancelOnStop&) = delete;
  ~CancelOnStop() {
    callback_.reset();
    link_->source = nullptr;
  }
  CancelToken token() const { return source_.token(); }

 private:
  struct Link {
    explicit Link(CancelSource* s) : source(s) {}
    CancelSource* source;  // loop's thread only
  };
  struct Forward {
    LoopAddress home;
    std::shared_ptr<Link> link;
    void operator()() const noexcept {
      (void)home.post([link = link] {
        if (link->source) link->source->cancel();
      });
    }
  };

  CancelSource source_;
  std::shared_ptr<Link> link_;
  std::optional<std::stop_callback<Forward>> callback_;
};

class StopOnCancel final : CancelToken::Waiter {
 public:
  explicit StopOnCancel(const CancelToken& token) {
    if (token.is_cancelled()) {
      source_.request_stop();
    } else {
      token.tell(*this);
    }
  }
  StopOnCancel(const StopOnCancel&) = delete;
  StopOnCancel& operator=(const StopOnCancel&) = delete;
  std::stop_token token() const { return source_.get_token(); }

 private:
  void on_cancel() override { source_.request_stop(); }
  std::stop_source source_;
};

}  // namespace rondo
