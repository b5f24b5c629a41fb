// The smallest HTTP server that keeps connections open: http_hello [port]. It looks for the end of each request's
// headers and answers; requests with bodies are beyond it. One send answers all requests of one receive.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rondo/rondo.h"

namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: keep-alive\r\nContent-Length: 13\r\n\r\nHello, World!";
constexpr std::string_view kEndOfHeaders = "\r\n\r\n";
constexpr std::size_t kLongestHeaders = 16 * 1024;

class Client {
 public:
  static void serve(rondo::Loop& loop, rondo::UniqueFd connection) {
    auto* client = new Client(loop);
    if (!client->stream_.open(std::move(connection)) || !client->stream_.set_no_delay(true)) return client->leave();
    const auto started = client->stream_.read_start([client](rondo::Result<rondo::Bytes> piece) {
      if (!piece || piece->empty()) return client->leave();
      client->take(rondo::as_text(*piece));
    });
    if (!started) client->leave();
  }

 private:
  explicit Client(rondo::Loop& loop) : stream_(loop) {}

  void take(std::string_view text) {
    if (!rest_.empty()) {  // the beginning of a request came before
      rest_.append(text);
      text = rest_;
    }
    std::size_t requests = 0;
    for (std::size_t end; (end = text.find(kEndOfHeaders)) != text.npos; requests++) {
      text.remove_prefix(end + kEndOfHeaders.size());
    }
    if (text.size() > kLongestHeaders || !answer(requests)) return leave();
    if (text.empty()) {
      rest_.clear();
    } else {
      rest_ = std::string(text);
    }
  }

  bool answer(std::size_t requests) {
    if (requests == 0) return true;
    if (requests == 1) return stream_.write(rondo::as_bytes(kAnswer)).has_value();
    std::string answers;
    while (requests-- > 0) answers += kAnswer;
    return stream_.write_copy(rondo::as_bytes(answers)).has_value();
  }

  void leave() {
    stream_.close([this] { delete this; });
  }

  rondo::Tcp stream_;
  std::string rest_;
};

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  rondo::TcpServer server(loop);
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  if (!server.bind(rondo::Address::loopback4(port))) return 1;
  const auto listening = server.listen(511, [&](rondo::Result<rondo::UniqueFd> connection) {
    if (connection) Client::serve(loop, std::move(*connection));
  });
  if (!listening) return 1;
  std::printf("LISTEN %d\n", server.local_address()->port());
  std::fflush(stdout);
  loop.run();
}
