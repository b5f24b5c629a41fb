// See http_client.h.
#include "rondo/http_client.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include "rondo/coroutine.h"
#include "rondo/tcp.h"
#include "rondo/timer.h"

namespace rondo::http {

namespace detail {

struct ClientConnection {
  ClientConnection(Loop& loop, std::string to, const ClientOptions& options)
      : host(std::move(to)), stream(loop), reader(stream, Kind::Response, options.limits, options.most_fields) {}
  std::string host;  // with its port: connections of one host serve each other's requests
  Tcp stream;
  MessageReader reader;
  Nanoseconds kept_since = 0;
};

// Connections that wait for a request. Each reads meanwhile: what comes is the end, or nothing that was asked for.
struct ClientPool {
  ClientPool(Loop& l, const ClientOptions& o) : loop(l), options(o), sweeper(l) { sweeper.unref(); }

  void keep(std::unique_ptr<ClientConnection> connection) {
    auto& list = kept[connection->host];
    if (options.most_kept == 0) return;
    if (list.size() >= options.most_kept) list.pop_front();
    ClientConnection& entry = *connection;
    entry.kept_since = loop.read_clock();
    list.push_back(std::move(connection));
    entry.stream.unref();
    const auto reading = entry.stream.read_once([this, &entry](const Result<Bytes>&) { drop(entry); });
    if (!reading) return drop(entry);
    if (!sweeper.is_active()) sweeper.start(options.kept_time, [this] { sweep(); });
  }

  // The one that was used last, or none.
  std::unique_ptr<ClientConnection> take(const std::string& host) {
    const auto found = kept.find(host);
    if (found == kept.end() || found->second.empty()) return nullptr;
    auto connection = std::move(found->second.back());
    found->second.pop_back();
    connection->stream.read_stop();
    connection->stream.ref();
    return connection;
  }

  void drop(const ClientConnection& entry) {
    auto& list = kept[entry.host];
    list.remove_if([&](const auto& each) { return each.get() == &entry; });
  }

  void sweep() {
    const Nanoseconds limit = Nanoseconds{options.kept_time.count()}, now = loop.read_clock();
    std::optional<Nanoseconds> next;
    for (auto& [host, list] : kept) {
      list.remove_if([&](const auto& each) { return now - each->kept_since >= limit; });
      if (!list.empty()) next = std::min(next.value_or(limit), list.front()->kept_since + limit - now);
    }
    std::erase_if(kept, [](const auto& each) { return each.second.empty(); });
    if (next) sweeper.start(std::chrono::nanoseconds(*next), [this] { sweep(); });
  }

  Loop& loop;
  ClientOptions options;
  std::map<std::string, std::list<std::unique_ptr<ClientConnection>>> kept;
  Timer sweeper;
};

}  // namespace detail

using detail::ClientConnection;
using detail::ClientPool;

namespace {

struct Url {
  std::string host;  // without brackets
  std::string authority;  // as Host tells it
  std::string port;
  std::string target;
};

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

std::optional<Url> parse_url(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
  if (!is_plain || !is_same_name(text.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  text = text.substr(0, text.find('#'));
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  const std::string_view authority = text.substr(0, end), path = text.substr(end);
  if (authority.find('@') != std::string_view::npos) return std::nullopt;
  Url url{.host = {}, .authority = std::string(authority), .port = "80", .target = std::string(path)};
  if (!path.starts_with('/')) url.target.insert(0, "/");
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const std::size_t colon = authority.find(':', bracket);
  url.host = bracket ? authority.substr(1, bracket - 1) : authority.substr(0, colon);
  const std::string_view after = bracket ? authority.substr(bracket + 1) : authority.substr(url.host.size());
  if (!after.empty()) url.port = after.substr(1);
  if (url.host.empty() || (!after.empty() && (after.front() != ':' || !is_port(url.port)))) return std::nullopt;
  return url;
}

bool is_idempotent(Method method) {
  constexpr Method kIdempotent[] = {Method::Get,    Method::Head,    Method::Put,
                                    Method::Delete, Method::Options, Method::Trace};
  return std::ranges::find(kIdempotent, method) != std::end(kIdempotent);
}

bool usually_has_body(Method method) {
  return method == Method::Post || method == Method::Put || method == Method::Patch;
}

Result<std::string> text_of(const ClientRequest& request, const Url& url) {
  OutgoingFields fields;
  if (!request.fields.has("host")) {
    if (const Result<void> added = fields.add("Host", url.authority); !added) return std::unexpected(added.error());
  }
  fields.append(request.fields);
  BodySize size;
  if (!request.body.empty() || usually_has_body(request.method)) size = {BodySize::Kind::Length, request.body.size()};
  std::string text;
  write_head(text, std::string(name_of(request.method)) + " " + url.target + " HTTP/1.1", fields, size);
  text += request.body;
  return text;
}

Coroutine<Result<std::unique_ptr<ClientConnection>>> open_connection(ClientPool& pool, const std::string& host,
                                                                     const Url& url, CancelToken token) {
  const Result<std::vector<Address>> addresses = co_await look_up(pool.loop, url.host, url.port, token);
  if (!addresses) co_return std::unexpected(addresses.error());
  auto connection = std::make_unique<ClientConnection>(pool.loop, host, pool.options);
  const Result<void> connected = co_await connection->stream.connect(*addresses, {}, token);
  if (!connected) co_return std::unexpected(connected.error());
  (void)connection->stream.set_no_delay(true);
  co_return connection;
}

// A server may answer before it has taken the whole request: the rest is written while the answer is read.
Coroutine<Result<void>> exchange(ClientConnection& connection, const std::string& text, Method method,
                                 CancelToken token) {
  if (const auto begun = connection.stream.write_copy(as_bytes(text)); !begun) co_return std::unexpected(begun.error());
  MessageReader& reader = connection.reader;
  for (;;) {
    const Result<void> head = co_await reader.read_head(token);
    if (!head) co_return head;
    const int status = reader.head().status();
    if (method == Method::Head) reader.skip_body();
    if (status >= 100 && status < 200 && status != 101) {
      if (const auto over = co_await reader.read_body(token); !over) co_return std::unexpected(over.error());
      continue;
    }
    if (method != Method::Head && !reader.parser().is_complete_without_body()) co_return Result<void>();
    const auto over = co_await reader.read_body(token);
    co_return over ? Result<void>() : std::unexpected(over.error());
  }
}

bool is_end_of_connection(const rondo::Error& error) {
  return error.number == kEndOfFile || error.number == ECONNRESET || error.number == EPIPE;
}

}  // namespace

Answer::Answer(const std::shared_ptr<ClientPool>& pool, std::unique_ptr<ClientConnection> connection)
    : pool_(pool), connection_(std::move(connection)), head_(connection_->reader.head()) {
  if (connection_->reader.is_at_end()) leave_connection();
}
Answer::Answer(Answer&&) noexcept = default;
Answer& Answer::operator=(Answer&&) noexcept = default;
Answer::~Answer() = default;

void Answer::leave_connection() {
  const auto pool = pool_.lock();
  auto connection = std::move(connection_);
  trailers_ = connection->reader.trailers();
  const bool is_used_up =
      !head_.keeps_alive() || connection->reader.has_upgraded() || connection->stream.queued_bytes() > 0;
  if (pool && !is_used_up) pool->keep(std::move(connection));
}

Coroutine<Result<std::string_view>> Answer::read(CancelToken token) {
  if (!connection_) co_return std::string_view();
  const Result<std::string_view> piece = co_await connection_->reader.read_body(token);
  if (!piece)
    connection_.reset();
  else if (piece->empty())
    leave_connection();
  co_return piece;
}

Coroutine<Result<std::string>> Answer::read_all(std::size_t limit, CancelToken token) {
  if (!connection_) co_return std::string();
  Result<std::string> body = co_await connection_->reader.read_whole_body(limit, token);
  if (!body)
    connection_.reset();
  else
    leave_connection();
  co_return body;
}

Client::Client(Loop& loop, ClientOptions options) : pool_(std::make_shared<ClientPool>(loop, options)) {}
Client::~Client() = default;

Coroutine<Result<Answer>> Client::send(ClientRequest request, CancelToken token) {
  const std::shared_ptr<ClientPool> pool = pool_;
  const std::optional<Url> url = parse_url(request.url);
  if (!url || request.method == Method::Connect) co_return failure(EINVAL, "send");
  const Result<std::string> text = text_of(request, *url);
  if (!text) co_return std::unexpected(text.error());
  const std::string host = url->host + " " + url->port;
  for (;;) {
    std::unique_ptr<ClientConnection> connection = pool->take(host);
    const bool was_kept = connection != nullptr;
    if (!was_kept) {
      auto opened = co_await open_connection(*pool, host, *url, token);
      if (!opened) co_return std::unexpected(opened.error());
      connection = std::move(*opened);
    }
    const Result<void> answered = co_await exchange(*connection, *text, request.method, token);
    if (answered) co_return Answer(pool, std::move(connection));
    const bool may_repeat = was_kept && is_idempotent(request.method) && connection->reader.is_at_end() &&
                            is_end_of_connection(answered.error());
    if (!may_repeat) co_return std::unexpected(answered.error());
  }
}

std::size_t Client::kept() const {
  std::size_t count = 0;
  for (const auto& [host, list] : pool_->kept) count += list.size();
  return count;
}

}  // namespace rondo::http
