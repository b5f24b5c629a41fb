// An HTTP/1.1 parser: requests and responses, bodies by length, in chunks or up to the end of the connection, trailers, upgrades.
// It is incremental, allocates nothing, and is strict: whatever two readers could understand in two ways is refused (repeated or
// contradicting lengths, a bare CR or LF, blanks before a colon, folded lines, odd chunk sizes).
//
//   http::Field room[64];
//   http::Parser parser(http::Kind::Request, {}, room);
//   std::string_view input = …;                         // what has arrived
//   while (true) {
//     switch (parser.next(input)) {                     // takes from the front of `input`
//       case http::Event::More:   …                     // keep what is left of `input`; it comes first in the next call's input
//       case http::Event::Head:   use(parser.method(), parser.target(), parser.fields());
//       case http::Event::Body:   use(parser.body());
//       case http::Event::End:    answer();             // trailers, if any, are in parser.fields()
//
//  HT1 Views (target, fields, body) point into `input` and are good as long as its memory is.
//  HT2 Of an unfinished head, trailer or chunk line nothing is taken: it stays at the front of `input`. It is not read twice.
//  HT3 After Failed or Upgraded nothing more is taken.
//
// Thread: any, one at a time. The parser knows no sockets: http_message.h joins it to a stream, http_server.h and http_client.h are above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rondo {
namespace [[gnu::visibility("default")]] http {

enum class Kind : std::uint8_t { Request, Response };

enum class Event : std::uint8_t {
  More,  // everything useful has been taken
  Head,  // start line and fields are complete
  Body,  // a piece of the body
  End,  // the message is complete
  Upgraded,  // the rest of `input` is another protocol's
  Full,  // there is no room for another field: give more with use_room(), or give up
  Failed,  // see error()
};

enum class Error : std::uint8_t {
  None,
  InvalidMethod,
  InvalidUrl,
  InvalidConstant,
  InvalidVersion,
  InvalidStatus,
  InvalidHeaderToken,
  UnexpectedSpace,
  CrExpected,
  LfExpected,
  HeaderOverflow,
  UnexpectedContentLength,
  InvalidContentLength,
  InvalidTransferEncoding,
  InvalidChunkSize,
  ChunkExtensionsOverflow,
  Strict,
  ClosedConnection,
  InvalidEofState,
};
// "HPE_INVALID_METHOD", as programs know it.
const char* name_of(Error error);

// The fields that decide how a message is read, and two that servers ask for.
enum class Known : std::uint8_t {
  Other,
  Connection,
  ContentLength,
  Expect,
  Host,
  TransferEncoding,
  Upgrade,
};

// Offsets from the first byte of the message.
struct Field {
  std::uint32_t name_at;
  std::uint32_t name_size : 24;
  Known known : 8;
  std::uint32_t value_at;
  std::uint32_t value_size;
};

enum class Method : std::uint8_t {
  Delete,
  Get,
  Head,
  Post,
  Put,
  Connect,
  Options,
  Trace,
  Copy,
  Lock,
  Mkcol,
  Move,
  Propfind,
  Proppatch,
  Search,
  Unlock,
  Bind,
  Rebind,
  Unbind,
  Acl,
  Report,
  Mkactivity,
  Checkout,
  Merge,
  MSearch,
  Notify,
  Subscribe,
  Unsubscribe,
  Patch,
  Purge,
  Mkcalendar,
  Link,
  Unlink,
  Source,
  Query,
};
inline constexpr std::size_t kMethodCount = static_cast<std::size_t>(Method::Query) + 1;
std::string_view name_of(Method method);
std::optional<Method> method_of(std::string_view name);
bool is_token(std::string_view text);

struct Limits {
  std::uint32_t head_bytes = 16 * 1024;  // target, names and values together
  std::uint32_t extension_bytes = 16 * 1024;  // of one chunk
};

class Parser {
 public:
  Parser(Kind kind, const Limits& limits, std::span<Field> room) : kind_(kind), limits_(limits), room_(room) {}

  // Accepts what old or careless peers send: bare LF, folded lines, control characters in values, a length beside chunks, blanks
  // around chunk sizes, messages after the last one. For peers that are trusted.
  void set_lenient(bool lenient) { lenient_values_ = lenient_ = lenient; }
  // Control characters in values alone.
  void set_lenient_values(bool lenient) { lenient_values_ = lenient; }

  Event next(std::string_view& input);
  // The connection has ended: End when that ends the message, More when nothing was under way, otherwise Failed.
  Event finish();

  // Where fields are put. While a head is unfinished the new room must hold what the old one did.
  void use_room(std::span<Field> room) { room_ = room; }
  std::size_t field_count() const { return count_; }

  // Of the head: good after Head. `message` is where it begins in memory.
  std::string_view message() const { return message_; }
  Method method() const { return method_; }
  std::string_view target() const { return message_.substr(text_at_, text_size_); }
  int status() const { return status_; }
  std::string_view reason() const { return target(); }
  // 1 of HTTP/1.1; 0 of 1.0, and of 0.9 and 2.0, which are read as it.
  int minor_version() const { return minor_; }
  int major_version() const { return major_; }
  // Fields of the head after Head, of the trailer after End.
  std::span<const Field> fields() const { return room_.first(count_); }
  std::string_view name(const Field& field) const { return message_.substr(field.name_at, field.name_size); }
  std::string_view value(const Field& field) const { return message_.substr(field.value_at, field.value_size); }
  bool has(Known known) const { return (seen_ >> static_cast<unsigned>(known) & 1U) != 0; }
  std::optional<std::uint64_t> content_length() const {
    return has(Known::ContentLength) ? std::optional(length_) : std::nullopt;
  }
  bool is_chunked() const { return chunked_; }
  // The connection may carry another message afterwards.
  bool keeps_alive() const;
  // Another protocol was asked for (or, for a response, begins).
  bool upgrade() const { return upgrade_; }
  // Nothing follows the head but the next message.
  bool is_complete_without_body() const;

  // Between Head and the next call: the answer to HEAD or CONNECT has no body, whatever it says.
  void skip_body() { skip_body_ = true; }
  // Whether the bytes after the body belong to another protocol, as the message had asked for.
  void set_upgrade(bool upgrade) { upgrade_ = upgrade; }

  std::string_view body() const { return body_; }
  Error error() const { return error_; }
  const char* reason_of_error() const { return why_; }
  // How far from the front of `input` it is wrong.
  std::size_t error_at() const { return error_at_; }
  // A message has begun and is not over.
  bool is_within_message() const { return state_ != State::Start && state_ < State::Closed; }
  bool is_within_head() const { return state_ == State::StartLine || state_ == State::Fields; }

 private:
  enum class State : std::uint8_t {
    Start,
    StartLine,
    Fields,
    AfterHead,
    Body,
    BodyToEnd,
    ChunkSize,
    ChunkData,
    ChunkEnd,
    Trailer,
    Ending,
    Closed,
    Upgraded,
    Failed,
  };

  Event fail(Error error, const char* why);
  std::optional<std::string_view> line(std::string_view input);
  void refuse_bare_feed(std::string_view line);
  Event begin(std::string_view& input);
  Event read_start_line(std::string_view input);
  Event read_fields(std::string_view& input);
  Event end_fields(std::string_view& input);
  Event after_head();
  Event read_body(std::string_view& input);
  Event read_chunk_size(std::string_view& input);
  Event read_chunk_end(std::string_view& input);
  Event end(std::string_view& input);

  bool request_line(std::string_view line);
  bool status_line(std::string_view line);
  bool version(std::string_view text, const char* line_start);
  bool field(std::string_view line);
  bool fold(std::string_view line);
  bool note(Known known, std::string_view value);
  bool note_length(std::string_view value);
  bool note_encoding(std::string_view value);
  void note_connection(std::string_view value);
  bool chunk_line(std::string_view line);
  bool extensions(std::string_view text);
  bool refuse_method(std::string_view word);
  bool begin_is_possible(std::string_view start);
  bool counts(std::size_t bytes);
  bool fails(Error error, const char* why) {
    fail(error, why);
    return false;
  }
  bool needs_end() const;

  Kind kind_;
  State state_ = State::Start;
  bool lenient_ = false, lenient_values_ = false;
  bool chunked_ = false, encoded_ = false, close_ = false, alive_ = false, asks_upgrade_ = false, upgrade_ = false;
  bool skip_body_ = false;
  Method method_ = Method::Get;
  Error error_ = Error::None;
  std::uint8_t seen_ = 0;
  std::uint8_t major_ = 1, minor_ = 1;
  std::uint16_t status_ = 0;
  Limits limits_;
  std::uint32_t line_at_ = 0, scan_at_ = 0;  // offsets in the unfinished head
  std::uint32_t text_at_ = 0, text_size_ = 0;
  std::uint32_t counted_ = 0, extended_ = 0;
  std::uint32_t count_ = 0, error_at_ = 0;
  std::span<Field> room_;
  std::uint64_t length_ = 0, left_ = 0;
  std::string_view message_, body_;
  const char* why_ = "";
};

}  // namespace http
}  // namespace rondo
