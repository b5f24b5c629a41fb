// A SOCKS5 proxy (RFC 1928, CONNECT without authentication): socks_proxy [port]. What real coroutine servers need: a protocol read
// in exact pieces, a time limit for its beginning, names looked up and addresses tried side by side, two directions at once, and
// a SIGINT that lets everyone go.
#include <arpa/inet.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "rondo/rondo.h"

namespace {

using namespace std::chrono_literals;
using rondo::CancelToken;
using rondo::Coroutine;
using rondo::Result;

// Reads exactly as many bytes as asked for; what came beyond them waits in `rest`.
struct Reader {
  rondo::Tcp& stream;
  std::string rest;

  Coroutine<Result<std::string>> take(std::size_t size, CancelToken token) {
    while (rest.size() < size) {
      const Result<rondo::Bytes> piece = co_await stream.read(token);
      if (!piece) co_return std::unexpected(piece.error());
      if (piece->empty()) co_return rondo::failure(rondo::kEndOfFile, "read");
      rest += rondo::as_text(*piece);
    }
    std::string taken = rest.substr(0, size);
    rest.erase(0, size);
    co_return taken;
  }
  Coroutine<Result<unsigned>> number(std::size_t size, CancelToken token) {
    const Result<std::string> bytes = co_await take(size, token);
    if (!bytes) co_return std::unexpected(bytes.error());
    unsigned value = 0;
    for (const char byte : *bytes) value = value << 8 | static_cast<unsigned char>(byte);
    co_return value;
  }
};

enum class Reply : char {
  Succeeded = 0,
  Failed = 1,
  Unreachable = 4,
  Refused = 5,
  NoSuchCommand = 7,
  NoSuchAddress = 8
};

Coroutine<Result<void>> answer(rondo::Tcp& client, Reply reply, CancelToken token) {
  const std::string bytes{'\5', static_cast<char>(reply), '\0', '\1', '\0', '\0', '\0', '\0', '\0', '\0'};
  co_return co_await client.write_all(rondo::as_bytes(bytes), token);
}

// The host as text: SOCKS sends four bytes, sixteen, or a name.
Coroutine<Result<std::string>> read_host(Reader& reader, unsigned kind, CancelToken token) {
  if (kind == 3) {
    const Result<unsigned> size = co_await reader.number(1, token);
    if (!size) co_return std::unexpected(size.error());
    co_return co_await reader.take(*size, token);
  }
  const Result<std::string> bytes = co_await reader.take(kind == 4 ? 16 : 4, token);
  if (!bytes) co_return std::unexpected(bytes.error());
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(kind == 4 ? AF_INET6 : AF_INET, bytes->data(), text, sizeof text);
  co_return text;
}

// From the greeting to the connection; an error means that the client is not worth going on with.
Coroutine<Result<void>> open_remote(rondo::Loop& loop, rondo::Tcp& client, Reader& reader, rondo::Tcp& remote,
                                    CancelToken token) {
  const Result<unsigned> greeting = co_await reader.number(2, token);
  if (!greeting || *greeting >> 8 != 5) co_return rondo::failure(EPROTO);
  if (!co_await reader.take(*greeting & 0xff, token)) co_return rondo::failure(EPROTO);
  if (const auto told = co_await client.write_all(rondo::as_bytes(std::string_view("\5\0", 2)), token); !told)
    co_return told;

  const Result<unsigned> request = co_await reader.number(4, token);
  if (!request || *request >> 24 != 5) co_return rondo::failure(EPROTO);
  if ((*request >> 16 & 0xff) != 1) co_return co_await answer(client, Reply::NoSuchCommand, token);
  const unsigned kind = *request & 0xff;
  if (kind != 1 && kind != 3 && kind != 4) co_return co_await answer(client, Reply::NoSuchAddress, token);
  const Result<std::string> host = co_await read_host(reader, kind, token);
  const Result<unsigned> port = co_await reader.number(2, token);
  if (!host || !port) co_return rondo::failure(EPROTO);

  const auto addresses = co_await rondo::look_up(loop, *host, std::to_string(*port), token);
  if (!addresses) co_return co_await answer(client, Reply::Unreachable, token);
  if (const auto connected = co_await remote.connect(*addresses, {}, token); !connected) {
    const bool refused = connected.error().number == ECONNREFUSED;
    co_return co_await answer(client, refused ? Reply::Refused : Reply::Failed, token);
  }
  co_return co_await answer(client, Reply::Succeeded, token);
}

Coroutine<Result<void>> pump(rondo::Tcp& from, rondo::Tcp& to, std::string first, CancelToken token) {
  if (const auto sent = co_await to.write_all(rondo::as_bytes(first), token); !sent) co_return sent;
  for (;;) {
    const Result<rondo::Bytes> piece = co_await from.read(token);
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) break;
    if (const auto sent = co_await to.write_all(*piece, token); !sent) co_return sent;
  }
  if (const auto ended = to.shutdown(); !ended) co_return std::unexpected(ended.error());
  co_return {};
}

// One direction; when it fails the other is given up, too.
Coroutine<> copy(rondo::Tcp& from, rondo::Tcp& to, std::string first, rondo::CancelSource both) {
  const Result<void> copied = co_await pump(from, to, std::move(first), both.token());
  if (!copied) both.cancel();
}

Coroutine<> serve_client(rondo::Loop& loop, rondo::UniqueFd connection, CancelToken token) {
  rondo::Tcp client(loop), remote(loop);
  if (!client.open(std::move(connection))) co_return;
  Reader reader{client, {}};
  {
    rondo::TimeLimit limit(loop, 10s, token);
    const auto opened = co_await open_remote(loop, client, reader, remote, limit.token());
    if (!opened || !remote.is_open()) co_return;
  }
  const rondo::CancelSource both(token);
  Coroutine<> up = copy(client, remote, std::move(reader.rest), both);
  Coroutine<> down = copy(remote, client, {}, both);
  up.start();
  down.start();
  co_await std::move(up);
  co_await std::move(down);
}

Coroutine<> serve(rondo::Loop& loop, rondo::TcpServer& server, CancelToken token) {
  for (;;) {
    Result<rondo::UniqueFd> connection = co_await server.accept(token);
    if (connection) {
      rondo::spawn(serve_client(loop, std::move(*connection), token));
    } else if (token.is_cancelled()) {
      co_return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::CancelSource stop;
  rondo::Signal interrupt(loop);
  interrupt.unref();
  if (!interrupt.start(SIGINT, [&](int) { stop.cancel(); })) return 1;

  rondo::TcpServer server(loop);
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (!server.bind(rondo::Address::loopback4(port)) || !server.listen(511)) return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  rondo::spawn(serve(loop, server, stop.token()));
  loop.run();
  std::puts("done");
}
