// An HTTP/1.1 server: one coroutine a request.
//
//   http::Server server(loop, [](http::Request& request, http::Response& response) -> rondo::Coroutine<> {
//     (void)response.add_field("Content-Type", "text/plain");
//     (void)co_await response.send("hello from " + std::string(request.target()) + "\n");
//   });
//   if (!server.listen(rondo::Address::loopback4(8080))) …
//   loop.run();
//   …
//   co_await server.close(5s);          // no new connections; requests under way have five seconds
//
//  HS1 Requests of one connection are answered one after the other, in their order. Different connections run side by side.
//  HS2 A response is whole (send), or begun, written in pieces and finished. A handler that ends without a response answers 500. One
//      that ends in the middle of a response, or throws there, ends the connection, so that the client sees that something is missing.
//  HS3 A body that the handler did not read is read and dropped, up to 64 KiB; beyond that the connection ends after the response.
//  HS4 What is not HTTP gets 400 (431 for a head that is too large, 408 for one that takes too long) and the connection ends.
//  HS5 Request, Response and their views are the server's, and are valid until the handler ends. request.token() is cancelled when
//      close() has no more patience or the server goes: awaits of a handler that may take long should be given it.
//  HS6 The server must go before the loop; destroying it destroys handlers that wait (K3).
//
// "Expect: 100-continue" is answered when the body is first read. HEAD gets the head of what send() would send. Dates are added.
// Thread: the loop's; for several threads a server each, in a LoopGroup.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/address.h"
#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"
#include "rondo/coroutine_type.h"
#include "rondo/http_message.h"
#include "rondo/loop.h"

namespace rondo {
namespace [[gnu::visibility("default")]] http {

class Request {
 public:
  Request(Stream& stream, MessageReader& reader, CancelToken token);

  Method method() const { return head().method(); }
  std::string_view target() const { return head().target(); }
  const Head& head() const { return reader_.head(); }
  // The first of that name, in any case of letters.
  std::optional<std::string_view> field(std::string_view name) const { return head().field(name); }

  // A piece of the body, valid until the next read; empty at its end.
  Coroutine<Result<std::string_view>> read(CancelToken token = {});
  // All of it. EMSGSIZE: more than `limit`.
  Coroutine<Result<std::string>> read_all(std::size_t limit = std::size_t{1} << 20, CancelToken token = {});
  const FieldTable& trailers() const { return reader_.trailers(); }

  CancelToken token() const { return token_; }
  Stream& stream() { return stream_; }

 private:
  friend class Response;
  Coroutine<Result<void>> ask_for_body();

  Stream& stream_;
  MessageReader& reader_;
  CancelToken token_;
  bool waits_to_be_asked_;  // Expect: 100-continue
};

class Response {
 public:
  Response(Request& request, bool keeps_alive, std::string_view date);

  // 200 to 599; `reason` is the usual one when empty. EINVAL for others, EALREADY after the head has been sent.
  Result<void> set_status(int status, std::string_view reason = {});
  // See OutgoingFields::add().
  Result<void> add_field(std::string_view name, std::string_view value);
  // No request follows on this connection.
  void close_after() { keeps_alive_ = false; }

  // The whole response.
  Coroutine<Result<void>> send(std::string_view body);
  // The whole response, with a part of a file.
  Coroutine<Result<void>> send_file(int file, std::uint64_t offset, std::uint64_t size);
  // In pieces: of a known length together, or in chunks. HTTP/1.0 clients see the end of the connection instead of chunks.
  Coroutine<Result<void>> begin(std::optional<std::uint64_t> length = std::nullopt);
  // Waits while the client does not read. EMSGSIZE: more than the length that begin() told.
  Coroutine<Result<void>> write(std::string_view piece);
  // EMSGSIZE: less than that length. Trailers go with chunks alone.
  Coroutine<Result<void>> finish(const OutgoingFields& trailers = {});

  // 101: the connection is another protocol's from here on, until the handler ends. Gives the bytes of it that have come already.
  Coroutine<Result<std::string>> upgrade(std::string_view protocol);

  bool has_begun() const { return state_ != State::Fresh; }
  bool is_finished() const { return state_ == State::Finished; }
  bool keeps_alive() const { return keeps_alive_; }

 private:
  enum class State : std::uint8_t { Fresh, Begun, Finished };
  std::string head(const BodySize& body);
  bool may_have_body() const;
  Coroutine<Result<void>> put(std::string text);

  Request& request_;
  State state_ = State::Fresh;
  bool keeps_alive_;
  int status_ = 200;
  std::string reason_ = "OK";
  OutgoingFields fields_;
  std::string_view date_;
  BodySize body_;
  std::uint64_t written_ = 0;
};

using Handler = std::function<Coroutine<>(Request&, Response&)>;

namespace detail {
// An exception of a handler ends there (HS2). Compiled with the caller: the library itself is built without exceptions.
inline Handler without_exceptions(Handler handler) {
#if defined(__cpp_exceptions)
  return [handler = std::move(handler)](Request& request, Response& response) -> Coroutine<> {
    try {
      co_await handler(request, response);
    } catch (...) {
    }
  };
#else
  return handler;
#endif
}
}  // namespace detail

struct ServerOptions {
  Limits limits = {};
  std::size_t most_fields = 100;
  Delay head_time = std::chrono::seconds(60);  // for a head, from its first byte on
  Delay idle_time = std::chrono::seconds(5);  // between two requests, and before the first
  std::size_t most_connections = 0;  // beyond it connections wait to be accepted; 0: no limit
  int backlog = 511;
};

class Server {
 public:
  Server(Loop& loop, Handler handler, const ServerOptions& options = {})
      : Server(loop, options, detail::without_exceptions(std::move(handler))) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  Result<void> listen(const Address& address);
  // A socket that listens, or is bound: of systemd, of a simulation.
  Result<void> listen(UniqueFd socket);
  Result<Address> address() const;  // with the port that the kernel chose
  // A connection that came another way.
  void serve(UniqueFd connection);

  // Accepts nothing more, closes connections that wait for a request, and ends when the others have ended. Handlers that are not
  // done by the limit have their token cancelled first, and are destroyed a second later.
  Coroutine<Result<void>> close(Delay limit = std::chrono::seconds(10));

  std::size_t connections() const;

 private:
  class State;
  Server(Loop& loop, const ServerOptions& options, Handler handler);
  std::unique_ptr<State> state_;
};

}  // namespace http
}  // namespace rondo
