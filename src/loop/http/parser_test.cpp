// Input that the parser accepts and refuses, wherever the input is cut.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rondo/http.h"

namespace rondo::http {
namespace {

// All events of a conversation as text, one a line; pieces of a body are joined.
class Reader {
 public:
  explicit Reader(Kind kind, bool lenient = false, const Limits& limits = {})
      : kind_(kind), parser_(kind, limits, room_) {
    parser_.set_lenient(lenient);
  }
  Parser& parser() { return parser_; }
  bool skips_bodies = false;

  void feed(std::string_view piece) {
    held_ += piece;
    std::string_view input = held_;
    while (step(input)) {
    }
    held_.erase(0, held_.size() - input.size());
  }
  std::string finish() {
    if (parser_.finish() == Event::End) log_ += "end\n";
    if (parser_.error() != Error::None) log_ += std::string("error ") + name_of(parser_.error()) + "\n";
    return log_;
  }
  std::string leftover() const { return held_; }

 private:
  bool step(std::string_view& input) {
    switch (parser_.next(input)) {
      case Event::More:
      case Event::Failed:
        return false;
      case Event::Upgraded:
        if (!upgraded_) log_ += "upgraded\n";
        upgraded_ = true;
        return false;
      case Event::Full:
        room_.resize(room_.size() * 2);
        parser_.use_room(room_);
        return true;
      case Event::Head:
        log_ += head();
        if (skips_bodies) parser_.skip_body();
        return true;
      case Event::Body:
        add_body(parser_.body());
        return true;
      case Event::End:
        log_ += "end" + fields() + "\n";
        return true;
    }
    return false;
  }
  std::string head() const {
    std::string text =
        kind_ == Kind::Request ? std::string(name_of(parser_.method())) : std::to_string(parser_.status());
    text += " " + std::string(parser_.target()) + " 1." + std::to_string(parser_.minor_version());
    text += fields() + (parser_.keeps_alive() ? " alive" : " closes") + (parser_.upgrade() ? " upgrade" : "");
    return text + "\n";
  }
  std::string fields() const {
    std::string text;
    for (const Field& field : parser_.fields())
      text += " [" + std::string(parser_.name(field)) + "=" + std::string(parser_.value(field)) + "]";
    return text;
  }
  void add_body(std::string_view piece) {
    if (log_.ends_with("\"\n"))
      log_.insert(log_.size() - 2, piece);
    else
      log_ += "body \"" + std::string(piece) + "\"\n";
  }

  Kind kind_;
  std::vector<Field> room_ = std::vector<Field>(2);
  Parser parser_;
  std::string held_, log_;
  bool upgraded_ = false;
};

std::string read(std::string_view text, Kind kind = Kind::Request, bool lenient = false) {
  Reader reader(kind, lenient);
  reader.feed(text);
  return reader.finish();
}
std::string respond(std::string_view text) { return read(text, Kind::Response); }

constexpr std::string_view kHost = "Host: a\r\n";
std::string request(std::string_view fields, std::string_view body = "") {
  return "POST / HTTP/1.1\r\n" + std::string(fields) + "\r\n" + std::string(body);
}
std::string error_of(const std::string& log) {
  const auto at = log.find("error ");
  return at == std::string::npos ? log : log.substr(at + 6, log.size() - at - 7);
}

TEST(HttpParser, ReadsRequests) {
  EXPECT_EQ(read("GET /x?y=1 HTTP/1.1\r\nHost: a\r\nX-Y:  z \t\r\n\r\n"),
            "GET /x?y=1 1.1 [Host=a] [X-Y=z] alive\nend\n");
  EXPECT_EQ(read("\r\n\r\nGET / HTTP/1.0\r\n\r\n"), "GET / 1.0 closes\nend\n");
  EXPECT_EQ(read("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"), "GET / 1.0 [Connection=Keep-Alive] alive\nend\n");
  EXPECT_EQ(read("GET / HTTP/1.1\r\nConnection: x, close\r\n\r\n"), "GET / 1.1 [Connection=x, close] closes\nend\n");
  EXPECT_EQ(read("GET http://u@h:1/p HTTP/1.1\r\n\r\n"), "GET http://u@h:1/p 1.1 alive\nend\n");
  EXPECT_EQ(read("OPTIONS * HTTP/1.1\r\n\r\n"), "OPTIONS * 1.1 alive\nend\n");
  EXPECT_EQ(read("M-SEARCH * HTTP/1.1\r\nA:\r\n\r\n"), "M-SEARCH * 1.1 [A=] alive\nend\n");
}

TEST(HttpParser, ReadsBodiesAndWhatFollows) {
  EXPECT_EQ(read(request("Content-Length: 3\r\n", "abcGET /2 HTTP/1.1\r\n\r\n")),
            "POST / 1.1 [Content-Length=3] alive\nbody \"abc\"\nend\nGET /2 1.1 alive\nend\n");
  EXPECT_EQ(read(request("Transfer-Encoding: gzip, Chunked\r\n",
                         "3;a=b;c=\"d;\\\"\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nT: v\r\n\r\n")),
            "POST / 1.1 [Transfer-Encoding=gzip, Chunked] alive\nbody \"abc0123456789\"\nend [T=v]\n");
}

TEST(HttpParser, ReadsResponses) {
  EXPECT_EQ(respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
            "200 OK 1.1 [Content-Length=2] alive\nbody \"hi\"\nend\n");
  EXPECT_EQ(respond("HTTP/1.1 404\r\n\r\nto the end"), "404  1.1 closes\nbody \"to the end\"\nend\n");
  EXPECT_EQ(respond("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n"), "204 No 1.1 [Content-Length=5] alive\nend\n");
  EXPECT_EQ(respond("HTTP/1.1 304 N\r\n\r\nHTTP/1.1 100 C\r\n\r\n"), "304 N 1.1 alive\nend\n100 C 1.1 alive\nend\n");
  EXPECT_EQ(error_of(respond("HTTP/1.1 20 OK\r\n\r\n")), "HPE_INVALID_STATUS");
  EXPECT_EQ(error_of(respond("HTTP/1.1 200OK\r\n\r\n")), "HPE_INVALID_STATUS");
  EXPECT_EQ(error_of(respond("HTTX/1.1 200 OK\r\n\r\n")), "HPE_INVALID_CONSTANT");
  Reader head(Kind::Response);
  head.skips_bodies = true;
  head.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
  EXPECT_EQ(head.finish(), "200 OK 1.1 [Content-Length=9] alive\nend\n200 OK 1.1 [Content-Length=1] alive\nend\n");
}

TEST(HttpParser, StopsAtAnotherProtocol) {
  Reader reader(Kind::Request);
  reader.feed("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n\x01\x02");
  EXPECT_EQ(reader.finish(), "GET / 1.1 [Connection=Upgrade] [Upgrade=x] alive upgrade\nend\nupgraded\n");
  EXPECT_EQ(reader.leftover(), "\x01\x02");
  EXPECT_EQ(read("GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade:\r\n\r\n"),
            "GET / 1.1 [Connection=upgrade] [Upgrade=] alive\nend\n");
  EXPECT_EQ(read("CONNECT a:1 HTTP/1.1\r\n\r\nxx"), "CONNECT a:1 1.1 alive upgrade\nend\nupgraded\n");
  EXPECT_EQ(respond("HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
            "101 S 1.1 [Connection=upgrade] [Upgrade=x] alive upgrade\nend\nupgraded\n");
}

TEST(HttpParser, RefusesWhatCanBeReadTwoWays) {
  const auto refused = [](std::string_view fields, std::string_view body = "") {
    return error_of(read(request(fields, body)));
  };
  EXPECT_EQ(refused("Content-Length: 1\r\nContent-Length: 1\r\n", "a"), "HPE_UNEXPECTED_CONTENT_LENGTH");
  EXPECT_EQ(refused("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), "HPE_INVALID_TRANSFER_ENCODING");
  EXPECT_EQ(refused("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"), "HPE_INVALID_CONTENT_LENGTH");
  EXPECT_EQ(refused("Transfer-Encoding: chunked, gzip\r\n"), "HPE_INVALID_TRANSFER_ENCODING");
  EXPECT_EQ(refused("Transfer-Encoding: gzip\r\n"), "HPE_INVALID_TRANSFER_ENCODING");
  EXPECT_EQ(refused("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), "HPE_INVALID_TRANSFER_ENCODING");
  EXPECT_EQ(refused("Transfer-Encoding: xchunked\r\n"), "HPE_INVALID_TRANSFER_ENCODING");
  for (const char* length : {"+1", "1,1", "0x1", "1 1", "-1", "", "18446744073709551616"})
    EXPECT_EQ(refused("Content-Length: " + std::string(length) + "\r\n"), "HPE_INVALID_CONTENT_LENGTH") << length;
  EXPECT_EQ(refused("A : b\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused(" A: b\r\n"), "HPE_UNEXPECTED_SPACE");
  EXPECT_EQ(refused("A: b\r\n c\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused(": b\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused("A\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused("A: b\n"), "HPE_CR_EXPECTED");
  EXPECT_EQ(refused("A: b\rc\r\n"), "HPE_LF_EXPECTED");
  EXPECT_EQ(refused(std::string_view("A: b\0c\r\n", 8)), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused("A: b\x7f\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(refused("A: 0123456789\x01 23456789\r\n"), "HPE_INVALID_HEADER_TOKEN");
  EXPECT_EQ(read(request("A: \x80\xff\tb\r\n")), "POST / 1.1 [A=\x80\xff\tb] alive\nend\n");
}

TEST(HttpParser, RefusesOddChunks) {
  const auto refused = [](std::string_view body) {
    return error_of(read(request("Transfer-Encoding: chunked\r\n", body)));
  };
  for (const char* size :
       {"g\r\n", "\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "0x1\r\na\r\n", "-1\r\n", "10000000000000000\r\n", "1,\r\n"})
    EXPECT_EQ(refused(size), "HPE_INVALID_CHUNK_SIZE") << size;
  for (const char* size : {"1;\r\n", "1;a b\r\n", "1;a=\r\n", "1;a=\"b\r\n", "1;;\r\n"})
    EXPECT_EQ(refused(size), "HPE_STRICT") << size;
  EXPECT_EQ(refused("1\na\r\n"), "HPE_CR_EXPECTED");
  EXPECT_EQ(refused("1\r\nab\r\n"), "HPE_STRICT");
  EXPECT_EQ(refused("1\r\na\n0\r\n\r\n"), "HPE_CR_EXPECTED");
  EXPECT_EQ(refused("1;" + std::string(20000, 'a') + "\r\n"), "HPE_CHUNK_EXTENSIONS_OVERFLOW");
  EXPECT_EQ(refused("1;" + std::string(20000, 'a')), "HPE_CHUNK_EXTENSIONS_OVERFLOW");
}

TEST(HttpParser, RefusesLengthsInTrailers) {
  const auto refused = [](std::string_view trailer) {
    return error_of(read(request("Transfer-Encoding: chunked\r\n", "0\r\n" + std::string(trailer) + "\r\n\r\n")));
  };
  EXPECT_EQ(refused("Content-Length: 1"), "HPE_INVALID_CONTENT_LENGTH");
  EXPECT_EQ(refused("Transfer-Encoding: chunked"), "HPE_INVALID_CONTENT_LENGTH");
}

TEST(HttpParser, RefusesOddStartLines) {
  EXPECT_EQ(error_of(read("\x16\x03\x01")), "HPE_INVALID_METHOD");  // TLS
  EXPECT_EQ(error_of(read("GETX")), "HPE_INVALID_METHOD");
  EXPECT_EQ(error_of(read("get / HTTP/1.1\r\n\r\n")), "HPE_INVALID_METHOD");
  EXPECT_EQ(error_of(read("GET /\r\n\r\n")), "HPE_INVALID_CONSTANT");
  EXPECT_EQ(error_of(read("GET / HTTP/1.1 \r\n\r\n")), "HPE_INVALID_VERSION");
  EXPECT_EQ(error_of(read("GET / HTTP/1.2\r\n\r\n")), "HPE_INVALID_VERSION");
  EXPECT_EQ(error_of(read("GET / HTTP/2.1\r\n\r\n")), "HPE_INVALID_VERSION");
  EXPECT_EQ(error_of(read("GET  / HTTP/1.1\r\n\r\n")), "HPE_INVALID_URL");
  EXPECT_EQ(error_of(read("GET /\x01 HTTP/1.1\r\n\r\n")), "HPE_INVALID_URL");
  EXPECT_EQ(error_of(read("GET /\x80 HTTP/1.1\r\n\r\n")), "HPE_INVALID_URL");
  EXPECT_EQ(error_of(read("GET a/b HTTP/1.1\r\n\r\n")), "HPE_INVALID_URL");
  EXPECT_EQ(error_of(read("CONNECT a/x HTTP/1.1\r\n\r\n")), "HPE_INVALID_URL");
}

TEST(HttpParser, KeepsItsLimits) {
  EXPECT_EQ(error_of(read("GET /" + std::string(20000, 'x'))), "HPE_HEADER_OVERFLOW");
  EXPECT_EQ(error_of(read(request("A: " + std::string(20000, 'x')))), "HPE_HEADER_OVERFLOW");
  EXPECT_EQ(error_of(read(request("A: " + std::string(20000, ' ')))), "HPE_HEADER_OVERFLOW");
  std::string many;
  for (int i = 0; i < 5000; i++) many += "abc: d\r\n";
  EXPECT_EQ(error_of(read(request(many))), "HPE_HEADER_OVERFLOW");
  many.resize(2000 * 8);
  EXPECT_TRUE(read(request(many)).ends_with("end\n"));
}

TEST(HttpParser, HearsOfTheEnd) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(error_of(read("GET / HTTP/1.1\r\n")), "HPE_INVALID_EOF_STATE");
  EXPECT_EQ(error_of(read(request("Content-Length: 2\r\n", "a"))), "HPE_INVALID_EOF_STATE");
  EXPECT_EQ(error_of(read("GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n")), "HPE_CLOSED_CONNECTION");
}

TEST(HttpParser, TakesMoreWhenLenient) {
  const auto lenient = [](std::string_view text) { return read(text, Kind::Request, true); };
  EXPECT_EQ(lenient("GET  / HTTP/1.1\nA : b\n c\n\n"), "GET / 1.1 [A=b\n c] alive\nend\n");
  EXPECT_EQ(lenient(request("A: b\x01\r\n")), "POST / 1.1 [A=b\x01] alive\nend\n");
  EXPECT_EQ(lenient(request("Content-Length: 9\r\nTransfer-Encoding: chunked\r\n", " 1 \r\na\n0\r\n\r\n")),
            "POST / 1.1 [Content-Length=9] [Transfer-Encoding=chunked] alive\nbody \"a\"\nend\n");
}

// Every message above and some more, cut in two at every place and in pieces of one byte: the events are the same.
TEST(HttpParser, CutsMakeNoDifference) {
  const std::string texts[] = {
      request(std::string(kHost) + "Content-Length: 3\r\n", "abcGET /2 HTTP/1.1\r\nA: b\r\n\r\n"),
      request("Transfer-Encoding: chunked\r\n",
              "3;x=\"y\"\r\nabc\r\na\r\n0123456789\r\n0\r\nT: v\r\nU: w\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
      "GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nGET / other",
      "\r\n\nGET / HTTP/1.1\r\nA: b\r\nC : d\r\n\r\n",
      "GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n",
      "DELETE /x HTTP/1.0\r\nContent-Length: 1\r\n\r\nabc",
      request("Content-Length: 1\r\nContent-Length: 2\r\n", "abc"),
      request("Transfer-Encoding: chunked\r\n", "3\r\nabcd\r\n"),
      request("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\nzz\r\n"),
  };
  for (const std::string& text : texts) {
    const std::string whole = read(text);
    for (size_t cut = 0; cut <= text.size(); cut++) {
      Reader reader(Kind::Request);
      reader.feed(std::string_view(text).substr(0, cut));
      reader.feed(std::string_view(text).substr(cut));
      EXPECT_EQ(reader.finish(), whole) << text << "\ncut at " << cut;
    }
    Reader reader(Kind::Request);
    for (const char c : text) reader.feed({&c, 1});
    EXPECT_EQ(reader.finish(), whole) << text << "\nin single bytes";
  }
}

}  // namespace
}  // namespace rondo::http
