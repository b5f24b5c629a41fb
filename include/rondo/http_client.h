// An HTTP/1.1 client that keeps connections.
//
//   http::Client client(loop);
//   const http::ClientRequest request{.url = "http://127.0.0.1:8080/list?page=2"};  // g++ 12: not in the awaited call
//   Result<http::Answer> answer = co_await client.send(request, token);
//   if (!answer) …                                                    // ECONNREFUSED, EPROTO, …
//   if (answer->status() == 200) use(co_await answer->read_all(1 << 20));
//
//   http::OutgoingFields fields;
//   (void)fields.add("Content-Type", "application/json");
//   const http::ClientRequest post{.method = http::Method::Post, .url = url, .fields = fields, .body = text};
//   answer = co_await client.send(post);
//
//  HC1 An answer's connection goes back to the client when its body has been read to the end, unless either side said that it closes. An
//      answer that is destroyed earlier closes it.
//  HC2 A request on a kept connection that the server has closed meanwhile is sent once more on a new one, if no byte of an answer has
//      come and its method is idempotent (RFC 9110, 9.2.2). Nothing else is repeated, and no redirect is followed.
//  HC3 Errors: EINVAL, no http URL or a field that may not be sent; EPROTO, the answer is not HTTP; kEndOfFile, the server closed without
//      an answer; those of look_up, connect, read and write. ECANCELED by the token; for a time limit see with_timeout (task_group.h).
//  HC4 The client must go before the loop, and after its answers. Connections that are kept do not keep the loop alive.
//
// Thread: the loop's.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/coroutine_type.h"
#include "rondo/http_message.h"
#include "rondo/loop.h"

namespace rondo {
namespace [[gnu::visibility("default")]] http {

struct ClientRequest {
  Method method = Method::Get;
  std::string url = {};  // http://host[:port][/path][?query]; a fragment is not sent
  OutgoingFields fields = {};  // Host is added unless it is there
  std::string body = {};
};

struct ClientOptions {
  Limits limits = {};
  std::size_t most_fields = 100;
  std::size_t most_kept = 8;  // connections of one host that wait for a request
  Delay kept_time = std::chrono::seconds(4);  // afterwards they are closed
};

class Client;
namespace detail {
struct ClientConnection;
struct ClientPool;
}  // namespace detail

// The answer to one request: its head is there, its body comes. Not to be moved while one of its reads is under way.
class Answer {
 public:
  Answer(Answer&&) noexcept;
  Answer& operator=(Answer&&) noexcept;
  ~Answer();

  int status() const { return head().status(); }
  const Head& head() const { return head_; }
  // The first of that name, in any case of letters.
  std::optional<std::string_view> field(std::string_view name) const { return head().field(name); }
  // A piece of the body, valid until the next read; empty at its end.
  Coroutine<Result<std::string_view>> read(CancelToken token = {});
  // All that is left of it. EMSGSIZE: more than `limit`.
  Coroutine<Result<std::string>> read_all(std::size_t limit = std::size_t{1} << 20, CancelToken token = {});
  const FieldTable& trailers() const { return trailers_; }  // after the body

 private:
  friend class Client;
  Answer(const std::shared_ptr<detail::ClientPool>& pool, std::unique_ptr<detail::ClientConnection> connection);
  void leave_connection();

  std::weak_ptr<detail::ClientPool> pool_;
  std::unique_ptr<detail::ClientConnection> connection_;  // until the body has been read
  Head head_;
  FieldTable trailers_;
};

class Client {
 public:
  explicit Client(Loop& loop, ClientOptions options = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  Coroutine<Result<Answer>> send(ClientRequest request, CancelToken token = {});
  // Connections that wait for a request.
  std::size_t kept() const;

 private:
  std::shared_ptr<detail::ClientPool> pool_;
};

}  // namespace http
}  // namespace rondo
