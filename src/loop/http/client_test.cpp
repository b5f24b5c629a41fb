// http::Client beside http::Server, on both pollers: connections that are kept, and those that are not.
#include "rondo/http_client.h"

#include "loop/net/net_fixture.h"
#include "rondo/coroutine.h"
#include "rondo/http_server.h"
#include "rondo/task_group.h"

namespace rondo::http {
namespace {

using rondo::testing::NetTest;
using namespace std::chrono_literals;

class HttpClientTest : public NetTest {
 public:
  void start(Handler handler, ServerOptions options = {}) {
    server.emplace(
        loop,
        [this, handler = std::move(handler)](Request& request, Response& response) -> Coroutine<> {
          requests++;
          co_await handler(request, response);
        },
        options);
    ASSERT_TRUE(server->listen(Address::loopback4(0)));
    base = "http://" + server->address()->text();
  }
  Result<std::string> get(Client& client, const std::string& path, Method method = Method::Get, std::string body = {}) {
    return sync_wait(loop, read(client, {.method = method, .url = base + path, .fields = {}, .body = std::move(body)}));
  }
  static Coroutine<Result<std::string>> read(Client& client, ClientRequest request) {
    Result<Answer> answer = co_await client.send(std::move(request));
    if (!answer) co_return std::unexpected(answer.error());
    Result<std::string> body = co_await answer->read_all();
    if (!body) co_return body;
    co_return std::to_string(answer->status()) + " " + *body;
  }

  std::optional<Server> server;
  std::string base;
  int requests = 0;
};
RONDO_ON_BOTH_POLLERS(HttpClientTest);

Coroutine<> echo(Request& request, Response& response) {
  const Result<std::string> body = co_await request.read_all();
  std::string text = std::string(name_of(request.method())) + " " + std::string(request.target()) + " " + *body;
  (void)co_await response.send(text);
}

TEST_P(HttpClientTest, one_connection_serves_many_requests) {
  start(echo);
  Client client(loop);
  EXPECT_EQ(get(client, "/a?b#c"), "200 GET /a?b ");
  EXPECT_EQ(get(client, "", Method::Post, "xyz"), "200 POST / xyz");
  EXPECT_EQ(get(client, "?q", Method::Put), "200 PUT /?q ");
  EXPECT_EQ(get(client, "/h", Method::Head), "200 ");
  EXPECT_EQ(server->connections(), 1U);
  EXPECT_EQ(client.kept(), 1U);
}

TEST_P(HttpClientTest, chunks_trailers_and_fields_arrive) {
  start([](Request& request, Response& response) -> Coroutine<> {
    EXPECT_EQ(request.field("x-own"), "1");
    EXPECT_EQ(request.field("host")->substr(0, 10), "127.0.0.1:");
    (void)response.add_field("X-Kind", "pieces");
    (void)co_await response.begin();
    (void)co_await response.write("ab");
    (void)co_await response.write("cd");
    OutgoingFields trailers;
    (void)trailers.add("Sum", "4");
    (void)co_await response.finish(trailers);
  });
  Client client(loop);
  auto ask = [&]() -> Coroutine<> {
    OutgoingFields fields;
    EXPECT_TRUE(fields.add("X-Own", "1"));
    ClientRequest request{.url = base, .fields = fields};
    Result<Answer> answer = co_await client.send(std::move(request));
    EXPECT_TRUE(answer);
    EXPECT_EQ(answer->field("x-kind"), "pieces");
    EXPECT_EQ(co_await answer->read_all(), "abcd");
    EXPECT_EQ(answer->trailers().find("sum"), "4");
    EXPECT_EQ(answer->field("X-KIND"), "pieces");  // still there
    EXPECT_EQ(co_await answer->read(), "");
  };
  sync_wait(loop, ask());
  EXPECT_EQ(client.kept(), 1U);
}

TEST_P(HttpClientTest, a_kept_connection_that_was_closed_is_noticed_or_the_request_repeated) {
  start(echo, {.idle_time = 20ms});
  Client client(loop);
  EXPECT_EQ(get(client, "/1"), "200 GET /1 ");
  run_until([&] { return server->connections() == 0; });
  EXPECT_EQ(get(client, "/2", Method::Post, "b"), "200 POST /2 b");
  EXPECT_EQ(requests, 2);
}

// A server that closes each connection after the first answer, without saying so.
TEST_P(HttpClientTest, what_may_be_repeated_is_and_what_may_not_is_not) {
  TcpServer raw(loop);
  ASSERT_TRUE(raw.bind(Address::loopback4(0)));
  ASSERT_TRUE(raw.listen(8));
  base = "http://" + raw.local_address()->text();
  int seen = 0;
  auto serve_one = [&](UniqueFd fd) -> Coroutine<> {
    Tcp stream(loop);
    EXPECT_TRUE(stream.open(std::move(fd)));
    MessageReader reader(stream, Kind::Request);
    for (int i = 0; i < 2; i++) {
      if (!co_await reader.read_head()) co_return;
      seen++;
      EXPECT_TRUE(co_await reader.read_whole_body(100));
      if (i == 0)
        EXPECT_TRUE(co_await stream.write_all(
            as_bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")));
    }
  };
  auto serve_all = [&]() -> Coroutine<> {
    TaskGroup group(loop);
    for (;;) {
      Result<UniqueFd> fd = co_await raw.accept();
      if (!fd) co_return;
      group.spawn(serve_one(std::move(*fd)));
    }
  };
  Coroutine<> serving = serve_all();
  serving.start();
  {
    Client client(loop);
    EXPECT_EQ(get(client, "/1"), "200 x");
    EXPECT_EQ(get(client, "/2"), "200 x");  // the kept connection ends: a new one
    EXPECT_EQ(seen, 3);
    EXPECT_EQ(get(client, "/3", Method::Post).error().number, kEndOfFile);
    EXPECT_EQ(seen, 4);
  }
  serving.reset();
}

TEST_P(HttpClientTest, an_answer_that_is_dropped_closes_its_connection) {
  start([](Request&, Response& response) -> Coroutine<> { (void)co_await response.send(std::string(1 << 22, 'x')); });
  Client client(loop);
  auto ask = [&]() -> Coroutine<> {
    const ClientRequest request{.url = base};  // an initializer list in an awaited call is freed twice by g++ 12
    Result<Answer> answer = co_await client.send(request);
    EXPECT_TRUE(answer);
    EXPECT_EQ((co_await answer->read_all(100)).error().number, EMSGSIZE);
    answer = co_await client.send(request);
    EXPECT_TRUE(answer);
    EXPECT_FALSE((co_await answer->read())->empty());
  };
  sync_wait(loop, ask());
  EXPECT_EQ(client.kept(), 0U);
  run_until([&] { return server->connections() == 0; });
}

TEST_P(HttpClientTest, kept_connections_end_in_time_and_do_not_keep_the_loop_alive) {
  start(echo);
  Client client(loop, {.kept_time = 20ms});
  EXPECT_EQ(get(client, "/1"), "200 GET /1 ");
  run_until([&] { return client.kept() == 0 && server->connections() == 0; });
  Client lasting(loop, {.kept_time = 1h});
  EXPECT_EQ(get(lasting, "/1"), "200 GET /1 ");
  EXPECT_TRUE(sync_wait(loop, server->close()));
  loop.run();  // returns
}

TEST_P(HttpClientTest, beyond_the_most_connections_others_wait) {
  start(echo, {.most_connections = 1});
  Client first(loop), second(loop);
  EXPECT_EQ(get(first, "/1"), "200 GET /1 ");
  Coroutine<Result<std::string>> waiting = read(second, {.url = base + "/2"});
  waiting.start();
  EXPECT_EQ(get(first, "/3"), "200 GET /3 ");
  EXPECT_FALSE(waiting.is_done());
  first.~Client();
  new (&first) Client(loop);
  run_until([&] { return waiting.is_done(); });
  EXPECT_EQ(waiting.result(), "200 GET /2 ");
}

TEST_P(HttpClientTest, bad_input_is_refused) {
  start(echo);
  Client client(loop);
  for (const char* url : {"", "https://x/", "http://", "http:///x", "http://a b/", "http://x:0/", "http://x:65536/",
                          "http://x:1x/", "http://u@x/", "http://[::1/", "http://x/\r\nEvil: 1", "ftp://x"}) {
    EXPECT_EQ(sync_wait(loop, read(client, {.url = url})).error().number, EINVAL) << url;
  }
  EXPECT_EQ(get(client, "/", Method::Connect).error().number, EINVAL);
  Address closed = *server->address();
  EXPECT_TRUE(sync_wait(loop, server->close()));
  EXPECT_EQ(sync_wait(loop, read(client, {.url = "http://" + closed.text()})).error().number, ECONNREFUSED);
  EXPECT_EQ(requests, 0);
}

}  // namespace
}  // namespace rondo::http
