// Server of http_server.h: connections and their requests.
#include <cerrno>
#include <ctime>
#include <utility>

#include "rondo/coroutine.h"
#include "rondo/coroutine_handles.h"
#include "rondo/http_server.h"
#include "rondo/task_group.h"
#include "rondo/tcp.h"

namespace rondo::http {

namespace {

using namespace std::chrono_literals;

// Of a body that no one read: beyond it the connection is not worth keeping.
constexpr std::size_t kMostDropped = std::size_t{64} * 1024;
constexpr Delay kLinger = 1s;
constexpr std::size_t kMostLingered = std::size_t{1} << 20;

enum class Next : std::uint8_t {
  Request,
  End,
  Linger,  // bytes of the client are on their way: closing now might destroy the answer that it has not read
};

// "Tue, 17 Nov 2026 10:00:00 GMT", made once a second.
class Date {
 public:
  std::string_view text() {
    const std::time_t now = std::time(nullptr);
    if (now != second_) {
      second_ = now;
      std::tm parts{};
      gmtime_r(&now, &parts);
      size_ = std::strftime(text_, sizeof text_, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    }
    return {text_, size_};
  }

 private:
  std::time_t second_ = -1;
  char text_[40] = {};
  std::size_t size_ = 0;
};

int status_of(const Parser& parser) {
  if (parser.error() == Error::None || parser.error() == Error::HeaderOverflow) return 431;  // None: too many fields
  return parser.error() == Error::InvalidVersion ? 505 : 400;
}

}  // namespace

class Server::State {
 public:
  State(Loop& l, Handler h, const ServerOptions& o)
      : loop(l), handler(std::move(h)), options(o), listener(l), group(std::in_place, l), idle(group->token()) {}

  Result<void> listen() {
    return listener.listen(options.backlog, [this](Result<UniqueFd> connection) {
      if (connection) accept(std::move(*connection));
    });
  }

  void accept(UniqueFd connection) {
    if (is_closing || !group) return;
    group->spawn(serve(std::move(connection)));
    if (is_full()) listener.stop();
  }

  Coroutine<Result<void>> close(Delay limit) {
    is_closing = true;
    if (listener.fd() >= 0 && !listener.is_closing()) listener.close();
    idle.cancel();
    if (!group) co_return Result<void>();
    Result<void> ended = co_await with_timeout(loop, limit, join());
    if (ended) co_return ended;
    group->cancel();
    ended = co_await with_timeout(loop, kLinger, join());
    group.reset();
    co_return ended;
  }

  Loop& loop;
  Handler handler;
  ServerOptions options;
  TcpServer listener;
  Date date;
  bool is_closing = false;
  std::optional<TaskGroup> group;  // of connections
  CancelSource idle;  // cancelled: no connection waits for another request

 private:
  bool is_full() const { return options.most_connections != 0 && group->size() >= options.most_connections; }
  Coroutine<Result<void>> join() { co_return co_await group->join(); }

  Coroutine<> serve(UniqueFd descriptor);
  Coroutine<Next> serve_one(Tcp& stream, MessageReader& reader, TimeLimit& idle_limit, TimeLimit& head_limit);
  Coroutine<Next> refuse(Tcp& stream, int status);
  static Coroutine<Next> drop_body(MessageReader& reader, CancelToken token);
  Coroutine<> linger(Tcp& stream);

  // In a connection's frame: when it ends there is room for another.
  struct Room {
    explicit Room(State& s) : state(s) {}
    ~Room() {
      if (state.options.most_connections != 0 && !state.is_closing && state.listener.fd() >= 0) state.listener.start();
    }
    State& state;
  };
};

Coroutine<> Server::State::serve(UniqueFd descriptor) {
  const Room room(*this);
  Tcp stream(loop);
  if (!stream.open(std::move(descriptor))) co_return;
  (void)stream.set_no_delay(true);  // a Unix socket has none
  MessageReader reader(stream, Kind::Request, options.limits, options.most_fields);
  TimeLimit idle_limit(loop, options.idle_time, idle.token());
  TimeLimit head_limit(loop, options.head_time, group->token());
  head_limit.stop();
  Next next = Next::Request;
  while (next == Next::Request) next = co_await serve_one(stream, reader, idle_limit, head_limit);
  if (next == Next::Linger) co_await linger(stream);
}

Coroutine<Next> Server::State::serve_one(Tcp& stream, MessageReader& reader, TimeLimit& idle_limit,
                                         TimeLimit& head_limit) {
  idle_limit.restart(options.idle_time);
  if (!co_await reader.wait_for_message(idle_limit.token())) co_return Next::End;
  idle_limit.stop();
  head_limit.restart(options.head_time);
  const Result<void> head = co_await reader.read_head(head_limit.token());
  if (!head && head_limit.has_passed()) co_return co_await refuse(stream, 408);
  head_limit.stop();
  if (!head && head.error().number == EPROTO) co_return co_await refuse(stream, status_of(reader.parser()));
  if (!head) co_return Next::End;

  Request request(stream, reader, group->token());
  Response response(request, !is_closing, date.text());
  co_await handler(request, response);
  if (!response.has_begun()) {
    response.close_after();
    (void)response.set_status(500);
    (void)co_await response.send({});
  }
  if (!response.is_finished()) co_return Next::End;
  if (!response.keeps_alive()) co_return reader.is_at_end() ? Next::End : Next::Linger;
  co_return co_await drop_body(reader, group->token());
}

Coroutine<Next> Server::State::refuse(Tcp& stream, int status) {
  std::string text;
  const std::string line = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason_of(status));
  write_head(text, line, {}, {BodySize::Kind::Length, 0}, "close");
  const Result<void> written = co_await stream.write_all(as_bytes(text), group->token());
  co_return written ? Next::Linger : Next::End;
}

Coroutine<Next> Server::State::drop_body(MessageReader& reader, CancelToken token) {
  for (std::size_t dropped = 0; dropped <= kMostDropped;) {
    const Result<std::string_view> piece = co_await reader.read_body(token);
    if (!piece) co_return Next::End;
    if (piece->empty()) co_return Next::Request;
    dropped += piece->size();
  }
  co_return Next::Linger;
}

// Until the client has closed, too, for a while.
Coroutine<> Server::State::linger(Tcp& stream) {
  if (!co_await shut_down(stream, group->token())) co_return;
  const TimeLimit limit(loop, kLinger, group->token());
  for (std::size_t dropped = 0; dropped < kMostLingered;) {
    const Result<Bytes> piece = co_await stream.read(limit.token());
    if (!piece || piece->empty()) co_return;
    dropped += piece->size();
  }
}

Server::Server(Loop& loop, const ServerOptions& options, Handler handler)
    : state_(std::make_unique<State>(loop, std::move(handler), options)) {}

Server::~Server() = default;

Result<void> Server::listen(const Address& address) {
  if (const Result<void> bound = state_->listener.bind(address); !bound) return bound;
  return state_->listen();
}

Result<void> Server::listen(UniqueFd socket) {
  if (const Result<void> opened = state_->listener.open(std::move(socket)); !opened) return opened;
  return state_->listen();
}

Result<Address> Server::address() const { return state_->listener.local_address(); }

void Server::serve(UniqueFd connection) { state_->accept(std::move(connection)); }

Coroutine<Result<void>> Server::close(Delay limit) { return state_->close(limit); }

std::size_t Server::connections() const { return state_->group ? state_->group->size() : 0; }

}  // namespace rondo::http
