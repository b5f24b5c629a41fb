// A reverse proxy: requests go to one of several servers behind it, over connections that are kept. An answer that is not there in time
// is 504, a server that cannot be reached 502; bodies pass through in pieces, at the pace of who reads them.
//
//   example_reverse_proxy http://127.0.0.1:8081 http://127.0.0.1:8082
#include <rondo/rondo.h>
#include <signal.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
namespace http = rondo::http;

struct Behind {
  explicit Behind(rondo::Loop& loop, std::vector<std::string> urls) : client(loop), servers(std::move(urls)) {}
  const std::string& next() { return servers[turn++ % servers.size()]; }

  http::Client client;
  std::vector<std::string> servers;
  std::size_t turn = 0;
};

rondo::Coroutine<> refuse(http::Response& response, int status) {
  (void)response.set_status(status);
  (void)co_await response.send("");
}

rondo::Coroutine<> pass_on(rondo::Loop& loop, Behind& behind, http::Request& request, http::Response& response) {
  const rondo::Result<std::string> body = co_await request.read_all(1 << 20, request.token());
  if (!body) {
    co_await refuse(response, 413);
    co_return;
  }
  http::ClientRequest asked{
      .method = request.method(), .url = behind.next() + std::string(request.target()), .body = *body};
  for (const char* name : {"Content-Type", "Accept", "Authorization"}) {
    if (const auto value = request.field(name)) (void)asked.fields.add(name, *value);
  }
  rondo::Result<http::Answer> answer =
      co_await rondo::with_timeout(loop, 3s, behind.client.send(std::move(asked), request.token()));
  if (!answer) {
    co_await refuse(response, answer.error().number == ETIMEDOUT ? 504 : 502);
    co_return;
  }
  (void)response.set_status(answer->status());
  if (const auto type = answer->field("Content-Type")) (void)response.add_field("Content-Type", *type);
  const rondo::Result<void> begun = co_await response.begin();
  if (!begun) co_return;
  for (;;) {
    const rondo::Result<std::string_view> piece = co_await answer->read(request.token());
    if (!piece) co_return;  // in the middle: the client sees that something is missing
    if (piece->empty()) break;
    const rondo::Result<void> written = co_await response.write(*piece);
    if (!written) co_return;
  }
  (void)co_await response.finish();
}

rondo::Coroutine<int> run(rondo::Loop& loop, std::vector<std::string> urls) {
  Behind behind(loop, std::move(urls));
  http::Server server(
      loop, [&](http::Request& request, http::Response& response) { return pass_on(loop, behind, request, response); });
  if (!server.listen(rondo::Address::loopback4(0))) co_return 1;
  std::printf("LISTEN %d\n", server.address()->port());
  std::fflush(stdout);
  rondo::SignalEvents interrupts(loop, SIGINT);
  (void)co_await interrupts.next();
  const rondo::Result<void> closed = co_await server.close(5s);
  std::puts(closed ? "all requests were answered" : "some requests were not answered");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("which servers?"), 2;
  rondo::Loop loop;
  return rondo::sync_wait(loop, run(loop, std::vector<std::string>(argv + 1, argv + argc)));
}
