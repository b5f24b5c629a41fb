// http::Server on every poller: what a client sees, byte by byte.
#include "rondo/http_server.h"

#include <regex>
#include <stdexcept>

#include "loop/net/net_fixture.h"
#include "rondo/coroutine.h"
#include "rondo/promise.h"
#include "rondo/task_group.h"

namespace rondo::http {
namespace {

using rondo::testing::NetTest;
using namespace std::chrono_literals;

class HttpServerTest : public NetTest {
 public:
  // Everything that the server sends on one connection, up to its end, without the dates.
  std::string talk(Server& server, std::string_view bytes, bool ends = true) {
    auto [client, peer] = world->sockets(loop);
    server.serve(std::move(peer));
    return sync_wait(loop, exchange(std::move(client), std::string(bytes), ends));
  }
  Coroutine<std::string> exchange(UniqueFd fd, std::string bytes, bool ends) {
    Tcp stream(loop);
    EXPECT_TRUE(stream.open(std::move(fd)));
    EXPECT_TRUE(co_await stream.write_all(as_bytes(bytes)));
    if (ends) EXPECT_TRUE(co_await shut_down(stream));
    std::string answer;
    for (;;) {
      const Result<Bytes> piece = co_await stream.read();
      if (!piece || piece->empty()) break;
      answer += as_text(*piece);
    }
    static const std::regex date("Date: [A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n");
    co_return std::regex_replace(answer, date, "");
  }
};
RONDO_ON_EVERY_POLLER(HttpServerTest);

Coroutine<> say_target(Request& request, Response& response) { EXPECT_TRUE(co_await response.send(request.target())); }

TEST_P(HttpServerTest, requests_of_a_connection_are_answered_in_order) {
  Server server(loop, say_target);
  EXPECT_EQ(talk(server,
                 "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /bc HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nConnection: "
                 "close\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/a"
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n/bc"
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n/");
}

TEST_P(HttpServerTest, old_clients_are_told_whether_the_connection_stays) {
  Server server(loop, say_target);
  EXPECT_EQ(talk(server, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n/"
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n/");
}

TEST_P(HttpServerTest, bodies_of_both_kinds_are_read_with_their_trailers) {
  Server server(loop, [](Request& request, Response& response) -> Coroutine<> {
    const Result<std::string> body = co_await request.read_all();
    EXPECT_TRUE(body);
    std::string text = *body + "|" + std::string(request.field("X-TAG").value_or("-"));
    text += "|" + std::string(request.trailers().find("sum").value_or("-"));
    EXPECT_TRUE(co_await response.send(text));
  });
  EXPECT_EQ(talk(server,
                 "POST / HTTP/1.1\r\nx-tag: 1\r\nContent-Length: 3\r\n\r\nabc"
                 "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1\r\nf\r\n0\r\nSum: 6\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nabc|1|-"
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ndef|-|6");
}

TEST_P(HttpServerTest, a_body_over_the_limit_is_refused_and_the_connection_ends) {
  Server server(loop, [](Request& request, Response& response) -> Coroutine<> {
    const Result<std::string> body = co_await request.read_all(8);
    EXPECT_EQ(body.error().number, EMSGSIZE);
    EXPECT_TRUE(response.set_status(413));
    response.close_after();
    EXPECT_TRUE(co_await response.send({}));
  });
  const std::string refused = "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(talk(server, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n123456789"), refused);
  EXPECT_EQ(talk(server, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123456789\r\n0\r\n\r\n"), refused);
}

TEST_P(HttpServerTest, a_body_that_is_not_read_is_dropped) {
  Server server(loop, say_target);
  EXPECT_EQ(talk(server, "POST /1 HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET /GET /2 HTTP/1.1\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/1HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/2");
}

Coroutine<> in_pieces(Request&, Response& response) {
  EXPECT_TRUE(co_await response.begin());
  EXPECT_TRUE(co_await response.write("abc"));
  EXPECT_TRUE(co_await response.write(""));
  EXPECT_TRUE(co_await response.write(std::string(16, 'x')));
  OutgoingFields trailers;
  EXPECT_TRUE(trailers.add("Sum", "19"));
  EXPECT_TRUE(co_await response.finish(trailers));
}

TEST_P(HttpServerTest, answers_in_pieces_are_chunked_or_end_with_the_connection) {
  Server server(loop, in_pieces);
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n10\r\nxxxxxxxxxxxxxxxx\r\n0\r\nSum: "
            "19\r\n\r\n");
  EXPECT_EQ(talk(server, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcxxxxxxxxxxxxxxxx");
  EXPECT_EQ(talk(server, "HEAD / HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST_P(HttpServerTest, a_length_that_was_told_is_kept) {
  Server server(loop, [](Request&, Response& response) -> Coroutine<> {
    EXPECT_TRUE(co_await response.begin(4));
    EXPECT_EQ((co_await response.send("x")).error().number, EALREADY);
    EXPECT_EQ((co_await response.finish()).error().number, EMSGSIZE);
    EXPECT_EQ((co_await response.write("12345")).error().number, EMSGSIZE);
    EXPECT_TRUE(co_await response.write("1234"));
    EXPECT_TRUE(co_await response.finish());
  });
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1234");
}

TEST_P(HttpServerTest, statuses_without_a_body_have_none) {
  Server server(loop, [](Request& request, Response& response) -> Coroutine<> {
    EXPECT_TRUE(response.set_status(request.target() == "/204" ? 204 : 304));
    EXPECT_TRUE(co_await response.send("ignored"));
  });
  EXPECT_EQ(talk(server, "GET /204 HTTP/1.1\r\n\r\nGET /304 HTTP/1.1\r\n\r\n"),
            "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n");
}

TEST_P(HttpServerTest, no_caller_splits_a_response) {
  Server server(loop, [](Request&, Response& response) -> Coroutine<> {
    EXPECT_EQ(response.add_field("A", "b\r\nSet-Cookie: c").error().number, EINVAL);
    EXPECT_EQ(response.add_field("A\r\nB", "c").error().number, EINVAL);
    EXPECT_EQ(response.add_field("A", std::string_view("\0", 1)).error().number, EINVAL);
    EXPECT_EQ(response.add_field("content-LENGTH", "5").error().number, EINVAL);
    EXPECT_EQ(response.add_field("Transfer-Encoding", "chunked").error().number, EINVAL);
    EXPECT_EQ(response.set_status(200, "a\nb").error().number, EINVAL);
    EXPECT_EQ(response.set_status(100).error().number, EINVAL);
    EXPECT_TRUE(response.add_field("X", "y\tz"));
    EXPECT_TRUE(response.set_status(299, "Fine"));
    EXPECT_TRUE(co_await response.send("z"));
    EXPECT_EQ(response.add_field("X", "y").error().number, EALREADY);
  });
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 299 Fine\r\nX: y\tz\r\nContent-Length: 1\r\n\r\nz");
}

TEST_P(HttpServerTest, what_is_not_http_is_refused) {
  Server server(loop, say_target, {.limits = {.head_bytes = 64}, .most_fields = 3});
  EXPECT_EQ(talk(server, "nonsense\r\n\r\n").substr(0, 24), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\nA: " + std::string(100, 'a') + "\r\n\r\n").substr(0, 12), "HTTP/1.1 431");
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\na: 1\r\nb: 2\r\nc: 3\r\n\r\n").substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\na: 1\r\nb: 2\r\nc: 3\r\nd: 4\r\n\r\n").substr(0, 12), "HTTP/1.1 431");
  EXPECT_EQ(talk(server, "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n").substr(0, 12),
            "HTTP/1.1 400");
}

TEST_P(HttpServerTest, a_slow_head_is_408_and_an_idle_connection_ends_without_a_word) {
  Server server(loop, say_target, {.head_time = 30ms, .idle_time = 30ms});
  EXPECT_EQ(talk(server, "GET / HT", false),
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(talk(server, "", false), "");
}

TEST_P(HttpServerTest, a_handler_without_an_answer_is_500_and_one_that_breaks_off_is_seen) {
  Server silent(loop, [](Request&, Response&) -> Coroutine<> { co_return; });
  const std::string failed = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(talk(silent, "GET / HTTP/1.1\r\n\r\n"), failed);
  Server throws(loop, [](Request&, Response&) -> Coroutine<> {
    throw std::runtime_error("handler");
    co_return;
  });
  EXPECT_EQ(talk(throws, "GET / HTTP/1.1\r\n\r\n"), failed);
  Server breaks(loop, [](Request&, Response& response) -> Coroutine<> {
    EXPECT_TRUE(co_await response.begin());
    EXPECT_TRUE(co_await response.write("ab"));
  });
  EXPECT_EQ(talk(breaks, "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
}

TEST_P(HttpServerTest, an_expected_body_is_asked_for_when_it_is_read) {
  Server server(loop, [](Request& request, Response& response) -> Coroutine<> {
    if (request.target() == "/no") {
      EXPECT_TRUE(response.set_status(417));
      EXPECT_TRUE(co_await response.send({}));
      co_return;
    }
    const Result<std::string> body = co_await request.read_all();
    EXPECT_TRUE(co_await response.send(*body));
  });
  const std::string head = " HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(talk(server, "PUT /yes" + head + "ab"),
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_EQ(talk(server, "PUT /no" + head),
            "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_P(HttpServerTest, another_protocol_takes_the_connection) {
  Server server(loop, [](Request& request, Response& response) -> Coroutine<> {
    const Result<std::string> first = co_await response.upgrade("echo");
    EXPECT_TRUE(first);
    EXPECT_TRUE(co_await request.stream().write_all(as_bytes(*first + "!")));
  });
  EXPECT_EQ(talk(server, "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello"),
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello!");
}

TEST_P(HttpServerTest, close_ends_idle_connections_and_waits_for_busy_ones) {
  rondo::Event goes_on(loop);
  bool is_in_handler = false;
  Server server(loop, [&](Request&, Response& response) -> Coroutine<> {
    is_in_handler = true;
    EXPECT_TRUE(co_await goes_on.wait());
    EXPECT_TRUE(co_await response.send("late"));
  });
  auto [idle, idle_peer] = world->sockets(loop);
  auto [busy, busy_peer] = world->sockets(loop);
  server.serve(std::move(idle_peer));
  server.serve(std::move(busy_peer));
  Coroutine<std::string> first = exchange(std::move(idle), "", false);
  Coroutine<std::string> second = exchange(std::move(busy), "GET / HTTP/1.1\r\n\r\n", false);
  first.start();
  second.start();
  run_until([&] { return is_in_handler; });
  EXPECT_EQ(server.connections(), 2U);
  Coroutine<Result<void>> closing = server.close(20s);
  closing.start();
  run_until([&] { return first.is_done(); });
  EXPECT_FALSE(closing.is_done());
  goes_on.set();
  run_until([&] { return closing.is_done() && second.is_done(); });
  EXPECT_TRUE(closing.result());
  // The response was made before the server was to close.
  EXPECT_EQ(second.result(), "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate");
  EXPECT_EQ(server.connections(), 0U);
}

TEST_P(HttpServerTest, close_has_patience_up_to_its_limit) {
  int ended_by = 0;
  bool is_in_handler = false;
  Server server(loop, [&](Request& request, Response&) -> Coroutine<> {
    is_in_handler = true;
    const Result<void> slept = co_await loop.sleep(1h, request.token());
    ended_by = slept.error().number;
  });
  auto [client, peer] = world->sockets(loop);
  server.serve(std::move(peer));
  Coroutine<std::string> waiting = exchange(std::move(client), "GET / HTTP/1.1\r\n\r\n", false);
  waiting.start();
  run_until([&] { return is_in_handler; });
  EXPECT_TRUE(sync_wait(loop, server.close(20ms)));
  EXPECT_EQ(ended_by, ECANCELED);
  run_until([&] { return waiting.is_done(); });
}

TEST_P(HttpServerTest, a_server_that_goes_takes_its_handlers_along) {
  int alive = 0;
  struct Local {
    explicit Local(int& n) : count(n) { count++; }
    ~Local() { count--; }
    int& count;
  };
  auto [client, peer] = world->sockets(loop);
  {
    Server server(loop, [&](Request&, Response&) -> Coroutine<> {
      const Local local(alive);
      co_await loop.sleep(1h);
    });
    server.serve(std::move(peer));
    Coroutine<std::string> waiting = exchange(std::move(client), "GET / HTTP/1.1\r\n\r\n", false);
    waiting.start();
    run_until([&] { return alive == 1; });
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace rondo::http
