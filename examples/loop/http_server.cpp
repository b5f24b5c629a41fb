// An HTTP/1.1 server on librondo's parser: http_server [port]. It answers every request with its method, its target and the size of its
// body, in order, keeps connections open as the client wishes, and refuses what is not HTTP.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rondo/rondo.h"

namespace {

namespace http = rondo::http;

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
  explicit Client(rondo::Loop& loop) : stream_(loop), parser_(http::Kind::Request, {}, room_) {}

  void take(std::string_view piece) {
    rest_ += piece;
    std::string_view input = rest_;
    std::string answers;
    bool stays = true;
    while (stays) {
      const http::Event event = parser_.next(input);
      if (event == http::Event::More) break;
      stays = on(event, answers);
    }
    rest_.erase(0, rest_.size() - input.size());
    if (!stream_.write_copy(rondo::as_bytes(answers)) || !stays) leave_when_sent();
  }

  // Whether the connection goes on.
  bool on(http::Event event, std::string& answers) {
    switch (event) {
      case http::Event::Head:
        what_ = std::string(http::name_of(parser_.method())) + " " + std::string(parser_.target());
        stays_ = parser_.keeps_alive();
        parser_.set_upgrade(false);
        body_ = 0;
        return true;
      case http::Event::Body:
        body_ += parser_.body().size();
        return true;
      case http::Event::End:
        answers += answer("200 OK", what_ + ", " + std::to_string(body_) + " bytes\n", stays_);
        return stays_;
      default:
        answers += answer(event == http::Event::Full || parser_.error() == http::Error::HeaderOverflow
                              ? "431 Request Header Fields Too Large"
                              : "400 Bad Request",
                          "", false);
        return false;
    }
  }

  static std::string answer(std::string_view status, std::string_view text, bool stays) {
    return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(text.size()) +
           (stays ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n") + std::string(text);
  }

  void leave_when_sent() {
    stream_.read_stop();
    const auto ending = stream_.shutdown([this](rondo::Result<void>) { leave(); });
    if (!ending || *ending == rondo::Progress::Done) leave();
  }
  void leave() {
    stream_.close([this] { delete this; });
  }

  rondo::Tcp stream_;
  std::array<http::Field, 100> room_;
  http::Parser parser_;
  std::string rest_, what_;
  std::size_t body_ = 0;
  bool stays_ = true;
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
