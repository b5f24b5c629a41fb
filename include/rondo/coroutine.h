// Awaitables of coroutines: time, streams, connections, pool work, file requests. Thin awaiters over the
// same handles and operations that callbacks use.
//
//   rondo::Coroutine<> echo(rondo::Loop& loop, rondo::UniqueFd connection) {
//     rondo::Tcp client(loop);
//     client.open(std::move(connection));
//     for (;;) {
//       rondo::Result<rondo::Bytes> piece = co_await client.read();
//       if (!piece || piece->empty()) co_return;
//       if (!co_await client.write_all(*piece)) co_return;
//     }
//   }
//
//  A1  Every await can take a CancelToken; cancelled, it ends with ECANCELED.
//  A2  An await on a handle that is closed or destroyed meanwhile ends with ECANCELED too.
//  A3  One reader and one acceptor at a time for each handle.
//  A4  Bytes from read() stay valid until the coroutine waits for something.
//  A5  An await that has its result at once does not wait; after 128 such awaits in a row the coroutine goes on from the loop, so
//      that a peer or a producer who is always ready stops neither timers nor others.
//  A6  What has no await of its own (signals, children, datagrams, watches) is awaited through a Channel (channel.h).
#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/detail/loop_access.h"
#include "rondo/listener.h"
#include "rondo/loop.h"
#include "rondo/pipe.h"
#include "rondo/stream.h"
#include "rondo/coroutine_type.h"
#include "rondo/tcp.h"
#include "rondo/timer.h"

namespace rondo {

// Common part of all awaiters: the coroutine that waits, the token it may be cancelled by, and the ticket in the handle's
// callback. While the ticket lives the handle lives and may be told to stop; when it dies unused the
// handle was closed or destroyed.
class Awaiter : private CancelToken::Waiter {
 public:
  Awaiter(const Awaiter&) = delete;
  bool await_ready() { return false; }

  class Ticket {
   public:
    explicit Ticket(Awaiter& awaiter) : awaiter_(&awaiter) { awaiter.ticket_ = this; }
    Ticket(Ticket&& other) noexcept : awaiter_(std::exchange(other.awaiter_, nullptr)) {
      if (awaiter_) awaiter_->ticket_ = this;
    }
    ~Ticket() {
      if (awaiter_) awaiter_->dropped();
    }
    // The awaiter, once; null when it has gone.
    template <class Await>
    Await* use() {
      if (awaiter_) awaiter_->ticket_ = nullptr;
      return static_cast<Await*>(std::exchange(awaiter_, nullptr));
    }

   private:
    friend class Awaiter;
    Awaiter* awaiter_;
  };

 protected:
  explicit Awaiter(Loop& loop, CancelToken token = {}) : loop_(loop), token_(std::move(token)) {}
  ~Awaiter() { disarm(); }

  // True when the token was cancelled before: do not begin.
  bool is_cancelled() const { return token_.is_cancelled(); }
  template <class Promise>
  void wait(std::coroutine_handle<Promise> coroutine) {
    note(coroutine);
    token_.tell(*this);
  }
  void resume() {
    unlink();
    wait_.unlink();
    detail::resume(coroutine_);
  }
  // For awaits that have their result without having waited: true, and the coroutine goes on from the loop in the next
  // iteration, when there were so many of them in a row that the loop has to get its turn (A5).
  template <class Promise>
  bool wait_for_turn(std::coroutine_handle<Promise> coroutine) {
    if (!detail::LoopAccess::is_turn_over(loop_)) return false;
    note(coroutine);
    go_on_from_loop();
    return true;
  }
  bool is_armed() const { return ticket_ != nullptr; }
  void disarm() {
    if (ticket_) std::exchange(ticket_, nullptr)->awaiter_ = nullptr;
  }
  // Stop what was begun; called on cancellation while the ticket lives. Result afterwards: ECANCELED.
  virtual void withdraw() = 0;
  virtual void set_cancelled() = 0;

  Loop& loop_;

 private:
  void on_cancel() override {
    if (late_) return;
    if (is_armed()) withdraw();
    dropped();
  }
  // Goes on with ECANCELED from the loop.
  void dropped() {
    disarm();
    if (!coroutine_ || late_) return;
    set_cancelled();
    go_on_from_loop();
  }
  void go_on_from_loop() {
    late_.emplace(loop_);
    late_->start(Duration::zero(), [this] { resume(); });
  }
  template <class Promise>
  void note(std::coroutine_handle<Promise> coroutine) {
    coroutine_ = coroutine;
    if constexpr (std::is_base_of_v<detail::CoroutinePromiseBase, Promise>) {
      wait_.task = &coroutine.promise();
      detail::LoopAccess::task_waits(loop_).push_back(wait_);
    }
  }

  CancelToken token_;
  detail::CoroutineWait wait_;
  std::coroutine_handle<> coroutine_;
  Ticket* ticket_ = nullptr;
  std::optional<Timer> late_;
};

class [[nodiscard]] SleepAwait final : public Awaiter {
 public:
  SleepAwait(Loop& loop, Duration delay, CancelToken token)
      : Awaiter(loop, std::move(token)), delay_(delay), timer_(loop) {}
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    wait(coroutine);
    timer_.start(delay_, [this] { resume(); });
    return true;
  }
  Result<void> await_resume() { return result_; }

 private:
  void withdraw() override {}
  void set_cancelled() override {
    timer_.stop();
    result_ = failure(ECANCELED, "sleep");
  }

  Duration delay_;
  Timer timer_;
  Result<void> result_;
};

inline SleepAwait sleep(Loop& loop, Duration delay, CancelToken token = {}) { return {loop, delay, std::move(token)}; }
inline SleepAwait Loop::sleep(Duration delay) { return {*this, delay, CancelToken()}; }
inline SleepAwait Loop::sleep(Duration delay, const CancelToken& token) { return {*this, delay, token}; }

class [[nodiscard]] ReadAwait final : public Awaiter {
 public:
  ReadAwait(Stream& stream, CancelToken token) : Awaiter(stream.loop(), std::move(token)), stream_(stream) {}
  ~ReadAwait() {
    if (is_armed()) stream_.read_stop();
  }
  bool await_ready() {
    if (is_cancelled()) {
      set_cancelled();
    } else {
      result_ = stream_.read_held();
    }
    return result_.has_value();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    auto started = stream_.read_once([ticket = Ticket(*this)](Result<Bytes> piece) mutable {
      if (auto* self = ticket.template use<ReadAwait>()) self->finish(piece);
    });
    if (!started) return disarm(), result_ = std::unexpected(started.error()), false;
    wait(coroutine);
    return true;
  }
  Result<Bytes> await_resume() { return *result_; }

 private:
  void finish(Result<Bytes> piece) {
    result_ = piece;
    resume();
  }
  void withdraw() override { stream_.read_stop(); }
  void set_cancelled() override { result_ = failure(ECANCELED, "read"); }

  Stream& stream_;
  std::optional<Result<Bytes>> result_;
};

// Everything written or queued by the kernel, or the first error. Does not wait while the kernel takes all at
// once. A cancelled write may still be sent.
class [[nodiscard]] WriteAwait final : public Awaiter {
 public:
  WriteAwait(Stream& stream, Bytes data, CancelToken token)
      : Awaiter(stream.loop(), std::move(token)), stream_(stream), data_(data) {}
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    const auto progress = stream_.write_copy(data_, [ticket = Ticket(*this)](Result<void> result) mutable {
      if (auto* self = ticket.template use<WriteAwait>()) self->finish(result);
    });
    if (progress == Progress::Queued) return wait(coroutine), true;
    if (!progress) result_ = std::unexpected(progress.error());
    return wait_for_turn(coroutine);
  }
  Result<void> await_resume() { return result_; }

 private:
  void finish(Result<void> result) {
    result_ = result;
    resume();
  }
  void withdraw() override {}
  void set_cancelled() override { result_ = failure(ECANCELED, "write"); }

  Stream& stream_;
  Bytes data_;
  Result<void> result_;
};

class [[nodiscard]] AcceptAwait final : public Awaiter {
 public:
  AcceptAwait(Listener& listener, CancelToken token)
      : Awaiter(listener.loop(), std::move(token)), listener_(listener) {}
  ~AcceptAwait() {
    if (is_armed()) listener_.stop();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled() || listener_.is_closing()) return set_cancelled(), false;
    if (listener_.fd() < 0) return result_ = failure(EBADF, "accept"), false;
    listener_.accept_once([ticket = Ticket(*this)](Result<UniqueFd> connection) mutable {
      if (auto* self = ticket.template use<AcceptAwait>()) self->finish(std::move(connection));
    });
    wait(coroutine);
    return true;
  }
  Result<UniqueFd> await_resume() { return std::move(*result_); }

 private:
  void finish(Result<UniqueFd> connection) {
    result_ = std::move(connection);
    resume();
  }
  void withdraw() override { listener_.stop(); }
  void set_cancelled() override { result_ = failure(ECANCELED, "accept"); }

  Listener& listener_;
  std::optional<Result<UniqueFd>> result_;
};

// Cancelling closes the handle.
class [[nodiscard]] ConnectAwait final : public Awaiter {
 public:
  using Start = Function<Result<void>(Function<Stream::OnDone>)>;
  ConnectAwait(Stream& stream, Start start, CancelToken token)
      : Awaiter(stream.loop(), std::move(token)), stream_(stream), start_(std::move(start)) {}
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_cancelled(), false;
    auto started = start_([ticket = Ticket(*this)](Result<void> result) mutable {
      if (auto* self = ticket.template use<ConnectAwait>()) self->finish(result);
    });
    if (!started) return disarm(), result_ = started, false;
    wait(coroutine);
    return true;
  }
  Result<void> await_resume() { return result_; }

 private:
  void finish(Result<void> result) {
    result_ = result;
    resume();
  }
  void withdraw() override { stream_.close(); }
  void set_cancelled() override { result_ = failure(ECANCELED, "connect"); }

  Stream& stream_;
  Start start_;
  Result<void> result_;
};

inline ReadAwait Stream::read() { return {*this, CancelToken()}; }
inline ReadAwait Stream::read(const CancelToken& token) { return {*this, token}; }
inline WriteAwait Stream::write_all(Bytes data) { return {*this, data, CancelToken()}; }
inline WriteAwait Stream::write_all(Bytes data, const CancelToken& token) { return {*this, data, token}; }
inline AcceptAwait Listener::accept() { return {*this, CancelToken()}; }
inline AcceptAwait Listener::accept(const CancelToken& token) { return {*this, token}; }
inline ConnectAwait Tcp::connect(const Address& address) { return connect(address, CancelToken()); }
inline ConnectAwait Tcp::connect(const Address& address, const CancelToken& token) {
  return {*this, [this, address](Function<OnDone> done) { return connect(address, std::move(done)); }, token};
}
inline ConnectAwait Tcp::connect(std::vector<Address> addresses, const ConnectOptions& options,
                                 const CancelToken& token) {
  auto start = [this, list = std::move(addresses), options](Function<OnDone> done) {
    return connect(list, options, std::move(done));
  };
  return {*this, std::move(start), token};
}
inline ConnectAwait Pipe::connect(std::string_view path) { return connect(path, CancelToken()); }
inline ConnectAwait Pipe::connect(std::string_view path, const CancelToken& token) {
  return {*this, [this, name = std::string(path)](Function<OnDone> done) { return connect(name, std::move(done)); },
          token};
}

// Gives a part of a task so much time: token() is cancelled when the time is up, or with the parent. An await that ends by it
// gives ECANCELED as always; has_passed() tells the two apart. Destroy it, or stop(), when the part is done.
//
//   rondo::TimeLimit limit(loop, 5s, token);
//   auto greeting = co_await client.read(limit.token());
//   if (limit.has_passed()) ...
class TimeLimit {
 public:
  TimeLimit(Loop& loop, Duration limit, const CancelToken& parent = {}) : source_(parent), timer_(loop) {
    timer_.start(limit, [source = source_]() mutable { source.cancel(); });
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  CancelToken token() const { return source_.token(); }
  bool has_passed() const { return !timer_.is_active() && !is_stopped_; }
  // From now on, instead; without effect once the time was up.
  void restart(Duration limit) {
    if (has_passed()) return;
    timer_.restart(limit);
    is_stopped_ = false;
  }
  void stop() {
    if (has_passed()) return;
    timer_.stop();
    is_stopped_ = true;
  }

 private:
  CancelSource source_;
  Timer timer_;
  bool is_stopped_ = false;
};

}  // namespace rondo

#include "rondo/coroutine_pool.h"  // IWYU pragma: export
#include "rondo/coroutine_requests.h"  // IWYU pragma: export
