// Awaits of time, streams and connections; pool work and requests are in coroutine_pool.h and coroutine_requests.h, other handles in
// coroutine_handles.h. Thin awaiters over the same handles and operations that callbacks use.
//
//   rondo::Coroutine<> echo(rondo::Loop& loop, rondo::UniqueFd connection) {
//     rondo::Tcp client(loop);
//     client.open(std::move(connection));
//     for (;;) {
//       rondo::Result<rondo::Bytes> piece = co_await client.read();
//       if (!piece || piece->empty()) co_return;
//       rondo::Result<void> written = co_await client.write_all(*piece);
//       if (!written) co_return;
//     }
//   }
//
//  A1  Every await can take a CancelToken; cancelled, it ends with ECANCELED.
//  A2  An await on a handle that is closed or destroyed meanwhile ends with ECANCELED too.
//  A3  One reader and one acceptor at a time for each handle.
//  A4  Bytes from read() stay valid until the coroutine waits for something. AddressSanitizer reports a later use.
//  A5  An await that has its result at once does not wait; after 128 such awaits in a row the coroutine goes on from the loop, so
//      that a peer or a producer who is always ready stops neither timers nor others.
//  A6  Writes and connections begin when the function is called, all other awaits when they are awaited.
//
// An await takes 64 bytes of the frame (72 with g++) and allocates nothing. Thread: the loop's.
#pragma once

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/awaiter.h"
#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/detail/frame_memory.h"
#include "rondo/detail/loop_access.h"
#include "rondo/listener.h"
#include "rondo/loop.h"
#include "rondo/pipe.h"
#include "rondo/stream.h"
#include "rondo/tcp.h"
#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

// The timer is there only while someone sleeps, in memory that the thread keeps: frames are spared its 120 bytes.
class [[nodiscard]] SleepAwait final : public Awaiter {
 public:
  SleepAwait(Loop& loop, Duration delay, CancelToken token)
      : Awaiter(std::move(token)), loop_(loop), delay_(delay.count()) {}
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled()) return set_error(ECANCELED), false;
    // From the real time on: now() may be that of long ago.
    const Nanoseconds from = delay_ > 0 ? loop_.read_clock() : loop_.now();
    wait(coroutine);
    const Nanoseconds deadline = delay_ > kNever - 1 - from ? kNever - 1 : from + delay_;
    delay_ = 0;
    sleeper_ = std::make_unique<Sleeper>(loop_);
    sleeper_->timer.start_at(deadline, [this] {
      sleeper_.reset();
      resume();
    });
    return true;
  }
  Result<void> await_resume() {
    if (delay_) return failure(static_cast<int>(delay_), "sleep");
    return {};
  }

 private:
  struct Sleeper : detail::FromFrameMemory {
    explicit Sleeper(Loop& loop) : timer(loop) {}
    Timer timer;
  };
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return sleeper_.reset(), true; }
  void set_error(int number) override { delay_ = number; }

  Loop& loop_;
  Nanoseconds delay_;  // from the beginning of the wait on: the error, or 0
  std::unique_ptr<Sleeper> sleeper_;
};

inline SleepAwait Loop::sleep(Delay delay) { return {*this, delay, CancelToken()}; }
inline SleepAwait Loop::sleep(Delay delay, const CancelToken& token) { return {*this, delay, token}; }
[[deprecated("use Loop::sleep")]] inline SleepAwait sleep(Loop& loop, Delay delay, CancelToken token = {}) {
  return {loop, delay, std::move(token)};
}

// Behind everything that waits for the next iteration already.
class [[nodiscard]] ScheduleAwait final : public Awaiter {
 public:
  explicit ScheduleAwait(Loop& loop) : Awaiter({}), loop_(loop) {}
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    wait_for_turn(coroutine);
  }
  void await_resume() {}

 private:
  Loop& await_loop() override { return loop_; }
  bool withdraw() override { return false; }
  void set_error(int) override {}

  Loop& loop_;
};

inline ScheduleAwait Loop::schedule() { return ScheduleAwait(*this); }
// Lets the loop and other coroutines run: for long work in pieces.
inline ScheduleAwait yield(Loop& loop) { return ScheduleAwait(loop); }

class [[nodiscard]] ReadAwait final : public TicketAwaiter {
 public:
  ReadAwait(Stream& stream, CancelToken token) : TicketAwaiter(std::move(token)), stream_(stream) {}
  ~ReadAwait() {
    if (is_armed()) stream_.read_stop();
  }
  bool await_ready() {
    if (is_cancelled()) return set_error(ECANCELED), true;
    return stream_.has_held() && !is_turn_over();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (stream_.has_held()) return wait_for_turn(coroutine), true;
    auto started = stream_.read_once([ticket = Ticket(*this)](Result<Bytes> piece) mutable {
      if (auto* self = ticket.template use<ReadAwait>()) self->finish(piece);
    });
    if (!started) return disarm(), set_error(started.error().number), false;
    wait(coroutine);
    return true;
  }
  [[nodiscard]] Result<Bytes> await_resume() {
    if (outcome_ & kIsError) return failure(static_cast<int>(outcome_ >> 1), "read");
    if (outcome_) return *reinterpret_cast<const Result<Bytes>*>(outcome_);
    auto held = stream_.read_held();
    return held ? *held : failure(ECANCELED, "read");  // another one has taken it meanwhile
  }

 private:
  // The coroutine runs inside this call, so the piece need not be kept.
  void finish(const Result<Bytes>& piece) {
    outcome_ = reinterpret_cast<std::uintptr_t>(&piece);
    resume();
  }
  Loop& await_loop() override { return stream_.loop(); }
  void stop() override { stream_.read_stop(); }
  void set_error(int number) override { outcome_ = static_cast<std::uintptr_t>(number) << 1 | kIsError; }

  static constexpr std::uintptr_t kIsError = 1;
  Stream& stream_;
  std::uintptr_t outcome_ = 0;  // where the piece is, or twice the error plus one
};

// Everything written or queued by the kernel, or the first error. Does not wait while the kernel takes all at once. A cancelled
// write may still be sent.
class [[nodiscard]] WriteAwait final : public TicketAwaiter {
 public:
  WriteAwait(Stream& stream, Bytes data, CancelToken token) : TicketAwaiter(std::move(token)), stream_(stream) {
    if (is_cancelled()) {
      error_ = ECANCELED;
      return;
    }
    const auto progress = stream_.write_copy(data, [ticket = Ticket(*this)](Result<void> result) mutable {
      if (auto* self = ticket.template use<WriteAwait>()) self->finish(result);
    });
    if (!progress) error_ = progress.error().number;
  }
  bool await_ready() { return !is_armed() && !is_turn_over(); }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (!is_armed()) return wait_for_turn(coroutine);
    wait(coroutine);
  }
  [[nodiscard]] Result<void> await_resume() {
    if (error_) return failure(error_, "write");
    return {};
  }

 private:
  void finish(const Result<void>& result) {
    if (!result) error_ = result.error().number;
    if (is_waiting()) resume();
  }
  Loop& await_loop() override { return stream_.loop(); }
  void stop() override {}
  void set_error(int number) override { error_ = number; }

  Stream& stream_;
  int error_ = 0;
};

class [[nodiscard]] AcceptAwait final : public TicketAwaiter {
 public:
  AcceptAwait(Listener& listener, CancelToken token) : TicketAwaiter(std::move(token)), listener_(listener) {}
  ~AcceptAwait() {
    if (is_armed()) listener_.stop();
    if (connection_ >= 0) UniqueFd(connection_).reset();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    if (is_cancelled() || listener_.is_closing()) return set_error(ECANCELED), false;
    if (listener_.fd() < 0) return set_error(EBADF), false;
    listener_.accept_once([ticket = Ticket(*this)](Result<UniqueFd> connection) mutable {
      if (auto* self = ticket.template use<AcceptAwait>()) self->finish(std::move(connection));
    });
    wait(coroutine);
    return true;
  }
  [[nodiscard]] Result<UniqueFd> await_resume() {
    if (connection_ < 0) return failure(-connection_, "accept");
    return UniqueFd(std::exchange(connection_, -ECANCELED));
  }

 private:
  void finish(Result<UniqueFd> connection) {
    connection_ = connection ? connection->release() : -connection.error().number;
    resume();
  }
  Loop& await_loop() override { return listener_.loop(); }
  void stop() override { listener_.stop(); }
  void set_error(int number) override { connection_ = -number; }

  Listener& listener_;
  int connection_ = -ECANCELED;  // the descriptor, or -errno
};

// Cancelling, or dropping the await, closes the handle.
class [[nodiscard]] ConnectAwait final : public TicketAwaiter {
 public:
  // `start` is given the function to call at the end.
  template <class Start>
  ConnectAwait(Stream& stream, CancelToken token, Start start) : TicketAwaiter(std::move(token)), stream_(stream) {
    if (is_cancelled()) {
      error_ = ECANCELED;
      return;
    }
    const Result<void> started = start([ticket = Ticket(*this)](Result<void> result) mutable {
      if (auto* self = ticket.template use<ConnectAwait>()) self->finish(result);
    });
    if (started) return;
    disarm();
    error_ = started.error().number;
  }
  ~ConnectAwait() {
    if (is_armed()) stop();
  }
  bool await_ready() { return !is_armed(); }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    wait(coroutine);
  }
  [[nodiscard]] Result<void> await_resume() {
    if (error_) return failure(error_, "connect");
    return {};
  }

 private:
  void finish(const Result<void>& result) {
    if (!result) error_ = result.error().number;
    if (is_waiting()) resume();
  }
  Loop& await_loop() override { return stream_.loop(); }
  void stop() override {
    disarm();
    stream_.close();
  }
  void set_error(int number) override { error_ = number; }

  Stream& stream_;
  int error_ = 0;
};

inline ReadAwait Stream::read() { return {*this, CancelToken()}; }
inline ReadAwait Stream::read(const CancelToken& token) { return {*this, token}; }
inline WriteAwait Stream::write_all(Bytes data) { return {*this, data, CancelToken()}; }
inline WriteAwait Stream::write_all(Bytes data, const CancelToken& token) { return {*this, data, token}; }
inline AcceptAwait Listener::accept() { return {*this, CancelToken()}; }
inline AcceptAwait Listener::accept(const CancelToken& token) { return {*this, token}; }
inline ConnectAwait Tcp::connect(const Address& address) { return connect(address, CancelToken()); }
inline ConnectAwait Tcp::connect(const Address& address, const CancelToken& token) {
  return {*this, token, [&](Function<OnDone> done) { return connect(address, std::move(done)); }};
}
inline ConnectAwait Tcp::connect(const std::vector<Address>& addresses, const ConnectOptions& options,
                                 const CancelToken& token) {
  return {*this, token, [&](Function<OnDone> done) {
            return connect(std::span<const Address>(addresses), options, std::move(done));
          }};
}
inline ConnectAwait Pipe::connect(std::string_view path) { return connect(path, CancelToken()); }
inline ConnectAwait Pipe::connect(std::string_view path, const CancelToken& token) {
  return {*this, token, [&](Function<OnDone> done) { return connect(path, std::move(done)); }};
}

// Gives a part of a task so much time, from the real time on: token() is cancelled when the time is up, or with the parent. An await
// that ends by it gives ECANCELED as always; has_passed() tells the two apart. Destroy it, or stop(), when the part is done. For
// one await: with_timeout() of task_group.h.
//
//   rondo::TimeLimit limit(loop, 5s, token);
//   auto greeting = co_await client.read(limit.token());
//   if (limit.has_passed()) ...
class TimeLimit {
 public:
  TimeLimit(Loop& loop, Delay limit, const CancelToken& parent = {}) : source_(parent), timer_(loop) {
    timer_.start_at(deadline_after(limit), [source = source_]() mutable { source.cancel(); });
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  CancelToken token() const { return source_.token(); }
  bool has_passed() const { return !timer_.is_active() && !is_stopped_; }
  // From now on, instead; without effect once the time was up.
  void restart(Delay limit) {
    if (has_passed()) return;
    timer_.restart_at(deadline_after(limit));
    is_stopped_ = false;
  }
  void stop() {
    if (has_passed()) return;
    timer_.stop();
    is_stopped_ = true;
  }

 private:
  Nanoseconds deadline_after(Delay limit) const {
    const Nanoseconds now = timer_.loop().read_clock();
    return limit.count() > kNever - 1 - now ? kNever - 1 : now + limit.count();
  }

  CancelSource source_;
  Timer timer_;
  bool is_stopped_ = false;
};

}  // namespace rondo

#include "rondo/coroutine_pool.h"  // IWYU pragma: export
#include "rondo/coroutine_requests.h"  // IWYU pragma: export
