// HTTP/1.1 messages over a stream, for clients, servers and proxies of your own: MessageReader reads them, with the parser of http.h;
// OutgoingFields and the write_… functions make the text of heads and chunks. http_server.h and http_client.h are built on these.
//
//   http::MessageReader reader(stream, http::Kind::Response);
//   Result<void> head = co_await reader.read_head(token);
//   std::optional<std::string_view> type = reader.head().field("content-type");     // names in any case
//   Result<std::string_view> piece = co_await reader.read_body(token);              // empty at the end of the body
//
//  HM1 A piece of the body is valid until the next read of the reader; heads and trailers until the next head.
//  HM2 Errors: kEndOfFile, the peer has finished between two messages; EPROTO, the peer does not speak HTTP or exceeds a limit, see
//      parser(); ECANCELED, by the token; others are the stream's. After an error no message follows.
//  HM3 No text that is written holds a CR, LF or NUL that a caller put there: such names and values are refused with EINVAL.
//
// Thread: the loop's. One read at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/cancel.h"
#include "rondo/coroutine_type.h"
#include "rondo/http.h"
#include "rondo/stream.h"

namespace rondo {
namespace [[gnu::visibility("default")]] http {

// Letters of ASCII in either case are the same.
bool is_same_name(std::string_view a, std::string_view b);
// No control characters but tabs: may be the value of a field, or a reason.
bool is_field_value(std::string_view text);

// Fields that have been read, in their order.
class FieldTable {
 public:
  using Entry = std::pair<std::string_view, std::string_view>;  // name, value

  // The first of that name.
  std::optional<std::string_view> find(std::string_view name) const;
  // All of that name.
  std::vector<std::string_view> find_all(std::string_view name) const;
  std::size_t size() const { return fields_.size(); }
  Entry operator[](std::size_t index) const;

 private:
  friend class MessageReader;
  void take(const Parser& parser);
  std::string text_;
  std::vector<Field> fields_;
};

// The start line and the fields of a message.
class Head {
 public:
  Method method() const { return method_; }
  std::string_view target() const { return start_; }
  int status() const { return status_; }
  std::string_view reason() const { return start_; }
  int minor_version() const { return minor_version_; }
  const FieldTable& fields() const { return fields_; }
  std::optional<std::string_view> field(std::string_view name) const { return fields_.find(name); }
  std::optional<std::uint64_t> content_length() const { return content_length_; }
  bool is_chunked() const { return is_chunked_; }
  // Another message may follow on this connection.
  bool keeps_alive() const { return keeps_alive_; }

 private:
  friend class MessageReader;
  Method method_ = Method::Get;
  int status_ = 0;
  int minor_version_ = 1;
  bool is_chunked_ = false;
  bool keeps_alive_ = false;
  std::optional<std::uint64_t> content_length_;
  std::string start_;  // target or reason
  FieldTable fields_;
};

class MessageReader {
 public:
  MessageReader(Stream& stream, Kind kind, const Limits& limits = {}, std::size_t most_fields = 100);
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  // A byte of the next message has come.
  Coroutine<Result<void>> wait_for_message(CancelToken token = {});
  // The next head. The body before it must have been read to its end.
  Coroutine<Result<void>> read_head(CancelToken token = {});
  // A piece of the body, as soon as there is one; empty at its end.
  Coroutine<Result<std::string_view>> read_body(CancelToken token = {});
  // All that is left of it. EMSGSIZE: it is larger than `limit`.
  Coroutine<Result<std::string>> read_whole_body(std::size_t limit, CancelToken token = {});

  const Head& head() const { return head_; }
  const FieldTable& trailers() const { return trailers_; }  // after the end of the body
  bool is_at_end() const { return is_at_end_; }  // of the body, or before the first head
  bool has_upgraded() const { return has_upgraded_; }  // take_rest() begins another protocol
  // The answer to HEAD or CONNECT has no body, whatever it says. After read_head().
  void skip_body() { parser_.skip_body(); }
  // Bytes that have come and are not of the message.
  std::string take_rest();
  const Parser& parser() const { return parser_; }

 private:
  Coroutine<Result<Event>> next(CancelToken token);
  Coroutine<Result<void>> fill(CancelToken token);
  std::string_view input() const { return std::string_view(buffer_).substr(first_); }

  Stream& stream_;
  Kind kind_;
  std::size_t most_fields_;
  std::vector<Field> room_;
  Parser parser_;
  std::string buffer_;
  std::size_t first_ = 0;  // bytes before it are consumed
  Head head_;
  FieldTable trailers_;
  bool is_at_end_ = true;
  bool has_upgraded_ = false;
};

// Fields to be sent, as text.
class OutgoingFields {
 public:
  // EINVAL: no name or value of a field (HM3). Fields that say where a message ends and whether the connection stays (Content-Length,
  // Transfer-Encoding, Connection) are refused as well: who writes the message decides on them.
  Result<void> add(std::string_view name, std::string_view value);
  void append(const OutgoingFields& others) { text_ += others.text_; }
  bool has(std::string_view name) const;
  void clear() { text_.clear(); }
  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

// How the end of a body is found.
struct BodySize {
  enum class Kind : std::uint8_t { None, Length, Chunked, UntilClose } kind = Kind::None;
  std::uint64_t length = 0;
};

// Appended to `out`. `line` is a start line without its end: "GET / HTTP/1.1", "HTTP/1.1 200 OK".
void write_head(std::string& out, std::string_view line, const OutgoingFields& fields, const BodySize& body,
                std::string_view connection = {});
// Nothing for an empty piece, which would be the last.
void write_chunk(std::string& out, std::string_view piece);
void write_last_chunk(std::string& out, const OutgoingFields& trailers = {});
// "Not Found"; empty for unknown ones.
std::string_view reason_of(int status);

}  // namespace http
}  // namespace rondo
