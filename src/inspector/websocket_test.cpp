#include "inspector/websocket.h"

#include "inspector/http_head.h"

#include <gtest/gtest.h>

namespace rondo::inspector {
namespace {

using Status = FrameReader::Status;

// As a client sends it: masked.
std::string masked(uint8_t first, std::string_view payload) {
  std::string bytes{static_cast<char>(first)};
  if (payload.size() < 126) {
    bytes += static_cast<char>(0x80 | payload.size());
  } else {
    bytes += static_cast<char>(0x80 | 126);
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 0xff);
  }
  const std::string mask = "\x01\x02\x03\x04";
  bytes += mask;
  for (size_t i = 0; i < payload.size(); i++) bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
  return bytes;
}

TEST(WebSocket, AnswersAKeyAsTheStandardSays) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, ReadsAMessageByteByByte) {
  FrameReader reader;
  const auto bytes = masked(0x81, "hello");
  for (size_t i = 0; i + 1 < bytes.size(); i++) {
    reader.add(bytes.substr(i, 1));
    EXPECT_EQ(reader.next(), Status::NeedsMore);
  }
  reader.add(bytes.substr(bytes.size() - 1));
  EXPECT_EQ(reader.next(), Status::Message);
  EXPECT_EQ(reader.text(), "hello");
  EXPECT_EQ(reader.next(), Status::NeedsMore);
}

TEST(WebSocket, JoinsFragmentsAroundAPing) {
  FrameReader reader;
  const std::string large(300, 'x');
  reader.add(masked(0x01, "a") + masked(0x89, "p") + masked(0x00, large) + masked(0x80, "z"));
  EXPECT_EQ(reader.next(), Status::Ping);
  EXPECT_EQ(reader.text(), "p");
  EXPECT_EQ(reader.next(), Status::Message);
  EXPECT_EQ(reader.text(), "a" + large + "z");
}

TEST(WebSocket, RefusesWhatNoClientMaySend) {
  const std::string kBroken[] = {std::string("\x81\x02{}", 4),
                                 masked(0xc1, "x"),
                                 masked(0x80, "x"),
                                 masked(0x09, "x"),
                                 masked(0x82, "x"),
                                 masked(0x83, "x")};
  for (const auto& bytes : kBroken) {
    FrameReader reader;
    reader.add(bytes);
    EXPECT_EQ(reader.next(), Status::Broken);
    EXPECT_NE(reader.close_code(), 0);
  }
  FrameReader reader;
  reader.add(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14));
  EXPECT_EQ(reader.next(), Status::Broken);
  EXPECT_EQ(reader.close_code(), 1009);
}

TEST(WebSocket, WritesLengthsOfThreeSizes) {
  EXPECT_EQ(frame(Opcode::Text, "ab"),
            "\x81\x02"
            "ab");
  EXPECT_EQ(frame(Opcode::Text, std::string(300, 'x')).substr(0, 4), std::string("\x81\x7e\x01\x2c", 4));
  EXPECT_EQ(frame(Opcode::Text, std::string(70000, 'x')).substr(0, 10),
            std::string("\x81\x7f\0\0\0\0\0\x01\x11\x70", 10));
}

TEST(HttpHead, LetsInAddressesAndLocalhostAlone) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:9229", "[::1]:9229", "localhost", "LOCALHOST:1", "10.0.0.1"})
    EXPECT_TRUE(is_allowed_host(host)) << host;
  for (const char* host : {"example.org", "localhost.example.org", "127.0.0.1.example.org:9229", "[::1", "1.2.3"})
    EXPECT_FALSE(is_allowed_host(host)) << host;
}

TEST(HttpHead, LetsInFrontEndsOfDebuggersAlone) {
  for (const char* origin : {"", "devtools://devtools", "vscode-webview://x"})
    EXPECT_TRUE(is_allowed_origin(origin)) << origin;
  for (const char* origin : {"http://localhost:3000", "https://example.org", "null"})
    EXPECT_FALSE(is_allowed_origin(origin)) << origin;
}

TEST(HttpHead, ReadsFieldsWithoutRegardToCase) {
  const auto head = parse_head("GET /x HTTP/1.1\r\nHOST: a \r\nupGrade: WebSocket\r\nConnection: keep-alive, Upgrade");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->path, "/x");
  EXPECT_EQ(head->field("host"), "a");
  EXPECT_TRUE(head->is_upgrade());
  EXPECT_FALSE(parse_head("GET /x"));
  EXPECT_FALSE(parse_head(""));
  EXPECT_FALSE(parse_head("GET /x HTTP/1.1\r\nno colon"));
}

}  // namespace
}  // namespace rondo::inspector
