// See http_message.h.
#include "rondo/http_message.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "rondo/coroutine.h"

namespace rondo::http {

namespace {

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::string_view kOfTheMessage[] = {"content-length", "transfer-encoding", "connection"};

void append_number(std::string& out, std::uint64_t number, int base) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
  out.append(digits, end);
}

struct Reason {
  int status;
  std::string_view text;
};
constexpr Reason kReasons[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Entity"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool is_field_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\t') || code == 0x7f;
  });
}

FieldTable::Entry FieldTable::operator[](std::size_t index) const {
  const Field& field = fields_[index];
  const std::string_view text = text_;
  return {text.substr(field.name_at, field.name_size), text.substr(field.value_at, field.value_size)};
}

std::optional<std::string_view> FieldTable::find(std::string_view name) const {
  for (std::size_t i = 0; i < size(); i++) {
    if (const Entry entry = (*this)[i]; is_same_name(entry.first, name)) return entry.second;
  }
  return std::nullopt;
}

std::vector<std::string_view> FieldTable::find_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (std::size_t i = 0; i < size(); i++) {
    if (const Entry entry = (*this)[i]; is_same_name(entry.first, name)) values.push_back(entry.second);
  }
  return values;
}

void FieldTable::take(const Parser& parser) {
  text_ = parser.message();
  fields_.assign(parser.fields().begin(), parser.fields().end());
}

MessageReader::MessageReader(Stream& stream, Kind kind, const Limits& limits, std::size_t most_fields)
    : stream_(stream),
      kind_(kind),
      most_fields_(most_fields),
      room_(std::min<std::size_t>(most_fields + 1, 16)),
      parser_(kind, limits, room_) {}

Coroutine<Result<void>> MessageReader::fill(CancelToken token) {
  buffer_.erase(0, first_);
  first_ = 0;
  const Result<Bytes> piece = co_await stream_.read(token);
  if (!piece) co_return std::unexpected(piece.error());
  if (piece->empty()) co_return failure(kEndOfFile, "read");
  buffer_.append(as_text(*piece));
  co_return Result<void>();
}

// Everything but More; Full only when there are more fields than allowed.
Coroutine<Result<Event>> MessageReader::next(CancelToken token) {
  for (;;) {
    std::string_view rest = input();
    Event event = parser_.next(rest);
    first_ = buffer_.size() - rest.size();
    if (event == Event::Full && room_.size() <= most_fields_) {
      room_.resize(std::min(most_fields_ + 1, room_.size() * 2));
      parser_.use_room(room_);
      continue;
    }
    if (event != Event::More) co_return event;
    const Result<void> more = co_await fill(token);
    if (more) continue;
    if (more.error().number != kEndOfFile) co_return std::unexpected(more.error());
    event = parser_.finish();
    if (event == Event::More) co_return std::unexpected(more.error());
    co_return event;
  }
}

Coroutine<Result<void>> MessageReader::wait_for_message(CancelToken token) {
  if (!input().empty()) co_return Result<void>();
  co_return co_await fill(token);
}

Coroutine<Result<void>> MessageReader::read_head(CancelToken token) {
  if (!is_at_end_) co_return failure(EBUSY, "read_head");
  const Result<Event> event = co_await next(token);
  if (!event) co_return std::unexpected(event.error());
  if (*event != Event::Head) co_return failure(EPROTO, "read");
  head_.method_ = parser_.method();
  head_.status_ = kind_ == Kind::Response ? parser_.status() : 0;
  head_.minor_version_ = parser_.minor_version();
  head_.is_chunked_ = parser_.is_chunked();
  head_.keeps_alive_ = parser_.keeps_alive();
  head_.content_length_ = parser_.content_length();
  head_.start_ = parser_.target();
  head_.fields_.take(parser_);
  // A server that takes another protocol reads the rest itself.
  if (kind_ == Kind::Request) parser_.set_upgrade(false);
  trailers_ = {};
  is_at_end_ = false;
  has_upgraded_ = false;
  co_return Result<void>();
}

Coroutine<Result<std::string_view>> MessageReader::read_body(CancelToken token) {
  if (is_at_end_) co_return std::string_view();
  for (;;) {
    const Result<Event> event = co_await next(token);
    if (!event) co_return std::unexpected(event.error());
    if (*event == Event::Body) {
      if (!parser_.body().empty()) co_return parser_.body();
      continue;
    }
    if (*event != Event::End && *event != Event::Upgraded) co_return failure(EPROTO, "read");
    has_upgraded_ = *event == Event::Upgraded;
    if (!parser_.fields().empty() && head_.is_chunked_) trailers_.take(parser_);
    is_at_end_ = true;
    co_return std::string_view();
  }
}

Coroutine<Result<std::string>> MessageReader::read_whole_body(std::size_t limit, CancelToken token) {
  std::string body;
  if (head_.content_length_ && *head_.content_length_ > limit) co_return failure(EMSGSIZE, "read");
  for (;;) {
    const Result<std::string_view> piece = co_await read_body(token);
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) co_return body;
    if (piece->size() > limit - body.size()) co_return failure(EMSGSIZE, "read");
    body += *piece;
  }
}

std::string MessageReader::take_rest() {
  std::string rest(input());
  first_ = buffer_.size();
  return rest;
}

Result<void> OutgoingFields::add(std::string_view name, std::string_view value) {
  const bool is_ours = std::ranges::any_of(kOfTheMessage, [&](auto own) { return is_same_name(own, name); });
  if (is_ours || !is_token(name) || !is_field_value(value)) return failure(EINVAL, "add");
  text_.append(name).append(": ").append(value).append("\r\n");
  return {};
}

bool OutgoingFields::has(std::string_view name) const {
  for (std::string_view rest = text_; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    if (is_same_name(rest.substr(0, rest.find(':')), name)) return true;
  }
  return false;
}

void write_head(std::string& out, std::string_view line, const OutgoingFields& fields, const BodySize& body,
                std::string_view connection) {
  out.append(line).append("\r\n").append(fields.text());
  if (body.kind == BodySize::Kind::Length) {
    out.append("Content-Length: ");
    append_number(out, body.length, 10);
    out.append("\r\n");
  } else if (body.kind == BodySize::Kind::Chunked) {
    out.append("Transfer-Encoding: chunked\r\n");
  }
  if (!connection.empty()) out.append("Connection: ").append(connection).append("\r\n");
  out.append("\r\n");
}

void write_chunk(std::string& out, std::string_view piece) {
  if (piece.empty()) return;
  append_number(out, piece.size(), 16);
  out.append("\r\n").append(piece).append("\r\n");
}

void write_last_chunk(std::string& out, const OutgoingFields& trailers) {
  out.append("0\r\n").append(trailers.text()).append("\r\n");
}

std::string_view reason_of(int status) {
  const auto* found = std::ranges::find(kReasons, status, &Reason::status);
  return found == std::end(kReasons) ? std::string_view() : found->text;
}

}  // namespace rondo::http
