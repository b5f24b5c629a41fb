// The echo and HTTP modes of loop_bench, over plain operations: accept and receive repeatedly into the poller's buffers, send at once
// and only queue what the socket does not take. The HTTP mode looks for the end of the request and nothing else: a floor.
#pragma once

#include <string>

#include "bench_support.h"
#include "rondo/loop.h"

namespace rondo_bench {

inline constexpr char kHello[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: Sun, 15 Nov 2026 00:00:00 GMT\r\n"
    "Connection: keep-alive\r\nContent-Length: 13\r\n\r\nHello, World!";

class Connection {
 public:
  Connection(rondo::Loop& loop, int fd, bool is_http) : loop_(loop), fd_(fd), is_http_(is_http) {
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    receive_.recv(fd).repeatedly().then(
        [](rondo::Operation& op, const rondo::Completion& c) { self(op).on_receive(c); }, this);
    send_.then([](rondo::Operation& op, const rondo::Completion& c) { self(op).on_sent(c); }, this);
    loop_.submit(receive_);
  }

 private:
  static Connection& self(rondo::Operation& operation) { return *static_cast<Connection*>(operation.owner); }

  void on_receive(const rondo::Completion& completion) {
    if (completion.result > 0) {
      const auto* bytes = reinterpret_cast<const char*>(completion.data);
      const auto size = static_cast<std::size_t>(completion.result);
      if (!is_http_) {
        put(bytes, size);
      } else {
        for (int count = count_requests(bytes, size); count > 0; count--) put(kHello, sizeof kHello - 1);
      }
    }
    if (completion.more) return;
    if (completion.result <= 0 && completion.result != -ECANCELED) ended_ = true;
    receive_again();
    leave_if_done();
  }

  // Once a peer has proved slower than its data, one receive at a time, and none while bytes wait to be sent.
  void receive_again() {
    if (ended_ || receive_.is_in_flight() || send_.is_in_flight()) return;
    receive_.recv(fd_);
    loop_.submit(receive_);
  }

  void put(const char* bytes, std::size_t size) {
    if (waiting_.empty() && !send_.is_in_flight()) {
      const ssize_t sent = ::send(fd_, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent == static_cast<ssize_t>(size)) return;
      if (sent > 0) bytes += sent, size -= static_cast<std::size_t>(sent);
    }
    waiting_.append(bytes, size);
    send_more();
    loop_.cancel(receive_);
  }

  void send_more() {
    if (send_.is_in_flight() || waiting_.empty()) return;
    sending_.swap(waiting_);
    send_.send(fd_, sending_.data(), static_cast<std::uint32_t>(sending_.size()), MSG_WAITALL);
    loop_.submit(send_);
  }

  void on_sent(const rondo::Completion& completion) {
    if (completion.result > 0 && static_cast<std::size_t>(completion.result) < sending_.size()) {
      sending_.erase(0, static_cast<std::size_t>(completion.result));
      send_.send(fd_, sending_.data(), static_cast<std::uint32_t>(sending_.size()), MSG_WAITALL);
      return loop_.submit(send_);
    }
    sending_.clear();
    if (completion.result < 0) waiting_.clear();
    send_more();
    receive_again();
    leave_if_done();
  }

  void leave_if_done() {
    if (!ended_ || send_.is_in_flight() || receive_.is_in_flight()) return;
    loop_.forget(fd_);
    ::close(fd_);
    delete this;
  }

  // Ends of requests (CRLF CRLF) in the stream; state_ carries over between receives.
  int count_requests(const char* bytes, std::size_t size) {
    int found = 0;
    for (const char* end = bytes + size; bytes < end; bytes++) {
      if (state_ == 0) {
        bytes = static_cast<const char*>(std::memchr(bytes, '\r', static_cast<std::size_t>(end - bytes)));
        if (!bytes) return found;
        state_ = 1;
      } else if (*bytes == ((state_ & 1) ? '\n' : '\r')) {
        if (++state_ == 4) found++, state_ = 0;
      } else {
        state_ = *bytes == '\r' ? 1 : 0;
      }
    }
    return found;
  }

  rondo::Loop& loop_;
  rondo::Operation receive_;
  rondo::Operation send_;
  int fd_;
  bool is_http_;
  bool ended_ = false;
  int state_ = 0;
  std::string waiting_;
  std::string sending_;
};

inline void serve(bool is_http) {
  struct Server {
    rondo::Loop loop;
    rondo::Operation accept;
    bool is_http;
  } server;
  server.is_http = is_http;
  const int listener = listen_on_loopback(server.loop.socket_flags());
  server.accept.accept(listener).repeatedly().then(
      [](rondo::Operation& operation, const rondo::Completion& completion) {
        auto& owner = *static_cast<Server*>(operation.owner);
        if (completion.result >= 0) new Connection(owner.loop, completion.result, owner.is_http);
        if (!completion.more) owner.loop.submit(operation);
      },
      &server);
  server.loop.submit(server.accept);
  server.loop.run();
}

}  // namespace rondo_bench
