// Awaits of the other handles: ends of streams and handles, barriers, datagrams, children, DNS answers, signals, file events.
//
//   rondo::Result<void> flushed = co_await rondo::shut_down(client);
//
//   rondo::ChildProcess child(loop);
//   rondo::ExitAwait exit = rondo::run_child(child, {.file = "make"});        // begins here; child.take_pipe(n) is ready
//   rondo::Result<rondo::ExitStatus> status = co_await exit;
//
//   rondo::SignalEvents interrupts(loop, SIGINT);
//   rondo::Result<int> number = co_await interrupts.next(token);
//
// These awaits begin when the function is called. Cancelled, they are over at once, what was begun goes on: a child runs, a message
// may be sent, a handle is closed. Events that come while no one waits are queued, up to a limit; beyond it they are counted and
// dropped. Thread: the loop's.
#pragma once

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/address.h"
#include "rondo/awaiter.h"
#include "rondo/barrier.h"
#include "rondo/base/result.h"
#include "rondo/bytes.h"
#include "rondo/channel.h"
#include "rondo/dns.h"
#include "rondo/loop.h"
#include "rondo/process.h"
#include "rondo/signal.h"
#include "rondo/stream.h"
#include "rondo/udp.h"
#include "rondo/watch.h"

namespace [[gnu::visibility("default")]] rondo {

// An await of one call of a function that a handle was given. `start` gets that function and says whether it will be called
// (true), is not needed (false: over already, with success), or will not come (an error).
template <class T>
class [[nodiscard]] CallbackAwait final : public TicketAwaiter {
 public:
  template <class Start>
  CallbackAwait(Loop& loop, CancelToken token, const char* call, Start start)
      : TicketAwaiter(std::move(token)), loop_(loop), call_(call) {
    if (is_cancelled()) {
      result_.emplace(failure(ECANCELED, call));
      return;
    }
    const Result<bool> begun = start([ticket = Ticket(*this)](Result<T> result) mutable {
      if (auto* self = ticket.template use<CallbackAwait>()) self->finish(std::move(result));
    });
    if (begun && *begun) return;
    disarm();
    if (!begun) {
      result_.emplace(std::unexpected(begun.error()));
    } else if constexpr (std::is_void_v<T>) {
      result_.emplace();
    }
  }
  bool await_ready() {
    if (!result_ && !is_armed()) result_.emplace(failure(ECANCELED, call_));  // its handle went before it was awaited
    return static_cast<bool>(result_);
  }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    wait(coroutine);
  }
  [[nodiscard]] Result<T> await_resume() { return std::move(*result_); }

 private:
  void finish(Result<T> result) {
    result_.emplace(std::move(result));
    if (is_waiting()) resume();
  }
  Loop& await_loop() override { return loop_; }
  void stop() override {}
  void set_error(int number) override { result_.emplace(failure(number, call_)); }

  Loop& loop_;
  const char* call_;
  std::optional<Result<T>> result_;
};

using DoneAwait = CallbackAwait<void>;
using ExitAwait = CallbackAwait<ExitStatus>;
using QueryAwait = CallbackAwait<std::vector<DnsRecord>>;

// Half close: everything queued has been sent, and the end with it.
inline DoneAwait shut_down(Stream& stream, CancelToken token = {}) {
  return {stream.loop(), std::move(token), "shutdown", [&](Function<Stream::OnDone> done) -> Result<bool> {
            const auto progress = stream.shutdown(std::move(done));
            if (!progress) return std::unexpected(progress.error());
            return *progress == Progress::Queued;
          }};
}

// The handle is closed, and its functions have gone.
inline DoneAwait close_handle(Handle& handle, CancelToken token = {}) {
  return {handle.loop(), std::move(token), "close", [&](Function<void(Result<void>)> done) -> Result<bool> {
            if (handle.is_closing()) return failure(EALREADY, "close");
            handle.close([done = std::move(done)]() mutable { done({}); });
            return true;
          }};
}

// No pass of the barrier is left; ETIMEDOUT when the limit comes first.
inline DoneAwait wait_for(Barrier& barrier, Loop& loop, CancelToken token = {}) {
  return {loop, std::move(token), "barrier", [&](Function<void(Result<void>)> done) -> Result<bool> {
            barrier.wait(std::move(done));
            return true;
          }};
}
inline DoneAwait wait_for(Barrier& barrier, Loop& loop, Delay limit, CancelToken token = {}) {
  return {loop, std::move(token), "barrier", [&](Function<void(Result<void>)> done) -> Result<bool> {
            barrier.wait(limit, std::move(done));
            return true;
          }};
}

// The kernel has taken the message.
inline DoneAwait send_to(Udp& udp, Bytes data, const Address& to, CancelToken token = {}) {
  return {udp.loop(), std::move(token), "send", [&](Function<Udp::OnDone> done) -> Result<bool> {
            const auto progress = udp.send(data, to, std::move(done));
            if (!progress) return std::unexpected(progress.error());
            return *progress == Progress::Queued;
          }};
}

// Starts the child; co_await: how it ended, or why it could not be started.
inline ExitAwait run_child(ChildProcess& child, const ProcessOptions& options, CancelToken token = {}) {
  return {child.loop(), std::move(token), "wait", [&](Function<void(Result<ExitStatus>)> done) -> Result<bool> {
            auto started = child.spawn(options, [done = std::move(done)](ExitStatus status) mutable { done(status); });
            if (!started) return std::unexpected(started.error());
            return true;
          }};
}

// Records of a name. Errors have c-ares's numbers; dns_error_name() tells their names.
inline QueryAwait query(Resolver& resolver, std::string_view name, DnsType type, CancelToken token = {}) {
  return {resolver.loop(), std::move(token), "query",
          [&](Function<void(Result<std::vector<DnsRecord>>)> done) -> Result<bool> {
            resolver.resolve(name, type, [done = std::move(done)](const DnsAnswer& answer) mutable {
              if (answer.status) return done(failure(answer.status, "query"));
              done(answer.records);
            });
            return true;
          }};
}

// Deliveries of one signal, from the construction on.
class SignalEvents {
 public:
  SignalEvents(Loop& loop, int number, std::size_t limit = 64) : events_(loop, limit), signal_(loop) {
    status_ = signal_.start(number, [this](int caught) {
      if (!events_.try_push(caught)) dropped_++;
    });
  }
  // EINVAL: a signal that cannot be watched.
  const Result<void>& status() const { return status_; }
  Channel<int>::PopAwait next(CancelToken token = {}) { return events_.pop(std::move(token)); }
  Signal& handle() { return signal_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  Channel<int> events_;
  Signal signal_;
  Result<void> status_;
  std::uint64_t dropped_ = 0;
};

// Changes of a file or a folder, from the construction on. Beyond the limit they are dropped; the next one is then an Overflow.
class FileEvents {
 public:
  FileEvents(Loop& loop, const std::string& path, FileWatch::Depth depth = FileWatch::Depth::Here,
             std::size_t limit = 1024)
      : events_(loop, limit + 1), limit_(limit), watch_(loop) {
    status_ = watch_.start(path, [this](const FileEvent& event) { take(event); }, depth);
  }
  const Result<void>& status() const { return status_; }
  Channel<FileEvent>::PopAwait next(CancelToken token = {}) { return events_.pop(std::move(token)); }
  FileWatch& handle() { return watch_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  void take(const FileEvent& event) {
    if (events_.size() < limit_) {
      has_told_ = false;
      return (void)events_.try_push(event);
    }
    dropped_++;
    if (!std::exchange(has_told_, true)) (void)events_.try_push({FileEvent::Kind::Overflow, false, {}, {}});
  }

  Channel<FileEvent> events_;
  std::size_t limit_;
  FileWatch watch_;
  Result<void> status_;
  bool has_told_ = false;  // of the overflow
  std::uint64_t dropped_ = 0;
};

// Messages that a socket receives, from the construction on; it must outlive this.
class UdpMessages {
 public:
  struct Message {
    std::string data;
    Address from;
    bool is_truncated = false;
  };

  explicit UdpMessages(Udp& udp, std::size_t limit = 256) : udp_(udp), messages_(udp.loop(), limit) {
    status_ = udp.receive_start([this](Result<Datagram> datagram) { take(datagram); });
  }
  ~UdpMessages() { udp_.receive_stop(); }
  // EBADF before bind(), open() or connect().
  const Result<void>& status() const { return status_; }
  // Result<Result<Message>>: the outer one is the await's, the inner one may be ECONNREFUSED of a connected peer.
  Channel<Result<Message>>::PopAwait next(CancelToken token = {}) { return messages_.pop(std::move(token)); }
  std::uint64_t dropped() const { return dropped_; }

 private:
  void take(const Result<Datagram>& datagram) {
    const bool is_queued =
        datagram
            ? messages_.try_push(Message{std::string(as_text(datagram->data)), *datagram->from, datagram->is_truncated})
            : messages_.try_push(std::unexpected(datagram.error()));
    if (!is_queued) dropped_++;
  }

  Udp& udp_;
  Channel<Result<Message>> messages_;
  Result<void> status_;
  std::uint64_t dropped_ = 0;
};

}  // namespace rondo
