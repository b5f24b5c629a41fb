// A store of texts over HTTP, and a client of it in the same program:
//
//   example_http_store serve [port]        PUT /name stores a body, GET /name gives it, DELETE /name removes it; SIGINT ends it
//   example_http_store get URL             prints what is there; exit code 1 when the status is not 200
#include <rondo/rondo.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace {

namespace http = rondo::http;
using namespace std::chrono_literals;

constexpr std::size_t kLongestText = std::size_t{1} << 20;

class Store {
 public:
  rondo::Coroutine<> answer(http::Request& request, http::Response& response) {
    const std::string name(request.target());
    std::string text;
    int status = 200;
    if (request.method() == http::Method::Put) {
      rondo::Result<std::string> body = co_await request.read_all(kLongestText);
      status = body ? 204 : 413;
      if (body) texts_[name] = std::move(*body);
    } else if (request.method() == http::Method::Delete) {
      status = texts_.erase(name) ? 204 : 404;
    } else if (const auto found = texts_.find(name); found != texts_.end()) {
      text = found->second;
    } else {
      status = 404;
    }
    (void)response.set_status(status);
    const rondo::Result<void> sent = co_await response.send(text);
    if (!sent) std::fprintf(stderr, "a client left: %s\n", sent.error().message());
  }

 private:
  std::map<std::string, std::string> texts_;
};

rondo::Coroutine<> end_by_signal(rondo::Loop& loop, http::Server& server) {
  rondo::SignalEvents interrupts(loop, SIGINT);
  const rondo::Result<int> number = co_await interrupts.next();
  if (!number) co_return;
  const rondo::Result<void> closed = co_await server.close(5s);
  std::printf("%s\n", closed ? "all requests were answered" : closed.error().message());
}

int serve(rondo::Loop& loop, std::uint16_t port) {
  Store store;
  http::Server server(
      loop, [&](http::Request& request, http::Response& response) { return store.answer(request, response); });
  if (const auto listening = server.listen(rondo::Address::loopback4(port)); !listening) {
    std::fprintf(stderr, "%s\n", listening.error().message());
    return 1;
  }
  std::printf("LISTEN %d\n", server.address()->port());
  std::fflush(stdout);
  rondo::sync_wait(loop, end_by_signal(loop, server));
  return 0;
}

rondo::Coroutine<int> get(rondo::Loop& loop, std::string url) {
  http::Client client(loop);
  http::ClientRequest request{.url = std::move(url)};
  rondo::Result<http::Answer> answer = co_await rondo::with_timeout(loop, 10s, client.send(std::move(request)));
  if (!answer) {
    std::fprintf(stderr, "%s\n", answer.error().message());
    co_return 2;
  }
  for (;;) {
    const rondo::Result<std::string_view> piece = co_await answer->read();
    if (!piece || piece->empty()) break;
    std::fwrite(piece->data(), 1, piece->size(), stdout);
  }
  co_return answer->status() == 200 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  rondo::Loop loop;
  if (command == "serve") return serve(loop, static_cast<std::uint16_t>(argc > 2 ? std::atoi(argv[2]) : 0));
  if (command == "get" && argc > 2) return rondo::sync_wait(loop, get(loop, argv[2]));
  std::fprintf(stderr, "usage: example_http_store serve [port] | get URL\n");
  return 2;
}
