// One line of a message each: start lines, fields, chunk sizes. Each function says in error() what is wrong.
#include <algorithm>
#include <limits>

#include "loop/http/characters.h"
#include "rondo/http.h"

namespace rondo::http {
namespace {

constexpr std::string_view kProtocol = "HTTP/";

Known known_of(std::string_view name) {
  switch (name.size()) {
    case 4:
      return is_word(name, "host") ? Known::Host : Known::Other;
    case 6:
      return is_word(name, "expect") ? Known::Expect : Known::Other;
    case 7:
      return is_word(name, "upgrade") ? Known::Upgrade : Known::Other;
    case 10:
      return is_word(name, "connection") ? Known::Connection : Known::Other;
    case 14:
      return is_word(name, "content-length") ? Known::ContentLength : Known::Other;
    case 17:
      return is_word(name, "transfer-encoding") ? Known::TransferEncoding : Known::Other;
    default:
      return Known::Other;
  }
}

bool is_server(std::string_view text) {
  if (text.empty()) return false;
  if (std::count(text.begin(), text.end(), '@') > 1) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_in(kServer, c); });
}

// An origin (/…), an asterisk, or an absolute URL; a host and port for CONNECT. In ASCII: the rest is for percent signs.
bool is_target(std::string_view text, Method method) {
  if (text.empty()) return false;
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) <= 0x20 || c == 0x7f; }))
    return false;
  if (method == Method::Connect && text.front() != '/') return is_server(text);
  if (text.front() == '/' || text.front() == '*') return true;
  std::size_t scheme = 0;
  while (scheme < text.size() && is_letter(text[scheme])) scheme++;
  if (scheme == 0 || text.substr(scheme, 3) != "://") return false;
  text.remove_prefix(scheme + 3);
  return is_server(text.substr(0, text.find_first_of("/?#")));
}

constexpr std::array<std::string_view, 11> kMethodsOfRtsp = {"DESCRIBE", "ANNOUNCE", "SETUP",         "PLAY",
                                                             "PAUSE",    "TEARDOWN", "GET_PARAMETER", "SET_PARAMETER",
                                                             "REDIRECT", "RECORD",   "FLUSH"};

}  // namespace

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_in(kToken, c); });
}

// A word that is no method: it may begin like one.
bool Parser::refuse_method(std::string_view word) {
  std::size_t right = 0;
  bool begins = false;
  for (std::size_t i = 0; i < kMethodCount; i++) {
    const auto name = name_of(static_cast<Method>(i));
    const auto differs = std::mismatch(name.begin(), name.end(), word.begin(), word.end());
    right = std::max<std::size_t>(right, static_cast<std::size_t>(differs.first - name.begin()));
    begins = begins || differs.first == name.end();
  }
  // llhttp reads RTSP, too: the place of the error is where no method of either goes on.
  for (const auto name : kMethodsOfRtsp) {
    const auto differs = std::mismatch(name.begin(), name.end(), word.begin(), word.end());
    right = std::max<std::size_t>(right, static_cast<std::size_t>(differs.first - name.begin()));
  }
  fail(Error::InvalidMethod, begins ? "Expected space after method" : "Invalid method encountered");
  error_at_ = static_cast<std::uint32_t>(right);
  return false;
}

// Whether an unfinished start line can still become one.
bool Parser::begin_is_possible(std::string_view start) {
  if (kind_ == Kind::Response)
    return start.substr(0, kProtocol.size()) == kProtocol.substr(0, start.size()) ||
           fails(Error::InvalidConstant, "Expected HTTP/, RTSP/ or ICE/");
  const auto word = start.substr(0, start.find(' '));
  if (word.size() < start.size()) return method_of(word) || refuse_method(word);
  for (std::size_t i = 0; i < kMethodCount; i++)
    if (name_of(static_cast<Method>(i)).starts_with(word)) return true;
  return refuse_method(word);
}

bool Parser::version(std::string_view text, const char* line_start) {
  if (text.substr(0, kProtocol.size()) != kProtocol)
    return fails(Error::InvalidConstant, "Expected HTTP/, RTSP/ or ICE/");
  text.remove_prefix(kProtocol.size());
  if (text.size() < 3 || !is_digit(text[0]) || text[1] != '.' || !is_digit(text[2]))
    return fails(Error::InvalidVersion, "Invalid major version");
  const auto number = text.substr(0, 3);
  if (number != "1.1" && number != "1.0" && number != "0.9" && number != "2.0") {
    fail(Error::InvalidVersion, "Invalid HTTP version");
    error_at_ = static_cast<std::uint32_t>(text.data() + 3 - line_start);
    return false;
  }
  major_ = static_cast<std::uint8_t>(text[0] - '0');
  minor_ = number == "1.1" ? 1 : 0;
  return true;
}

bool Parser::request_line(std::string_view line) {
  const auto space = line.find(' ');
  const auto method = method_of(line.substr(0, space));
  if (!method || space == std::string_view::npos) return refuse_method(line.substr(0, space));
  method_ = *method;
  auto at = space + 1;
  if (lenient_) at = std::min(line.find_first_not_of(' ', at), line.size());
  const auto stop = line.find(' ', at);
  const auto target = line.substr(at, stop == std::string_view::npos ? stop : stop - at);
  if (!is_target(target, method_)) return fails(Error::InvalidUrl, "Invalid characters in url");
  text_at_ = static_cast<std::uint32_t>(at);
  text_size_ = static_cast<std::uint32_t>(target.size());
  if (!counts(target.size())) return false;
  if (stop == std::string_view::npos) return fails(Error::InvalidConstant, "Expected HTTP/, RTSP/ or ICE/");
  auto rest = line.substr(stop + 1);
  if (lenient_) rest = trimmed(rest);
  if (!version(rest, line.data())) return false;
  return rest.size() == kProtocol.size() + 3 || fails(Error::InvalidVersion, "Expected CRLF after version");
}

bool Parser::status_line(std::string_view line) {
  if (!version(line, line.data())) return false;
  auto rest = line.substr(kProtocol.size() + 3);
  const bool shaped = rest.size() >= 4 && rest[0] == ' ' && is_digit(rest[1]) && is_digit(rest[2]) && is_digit(rest[3]);
  if (!shaped) return fails(Error::InvalidStatus, "Invalid status code");
  status_ = static_cast<std::uint16_t>((rest[1] - '0') * 100 + (rest[2] - '0') * 10 + (rest[3] - '0'));
  rest.remove_prefix(4);
  if (!rest.empty() && rest[0] != ' ') return fails(Error::InvalidStatus, "Invalid response status");
  if (!rest.empty()) rest.remove_prefix(1);
  if (rest.find('\r') != std::string_view::npos) return fails(Error::Strict, "Expected LF after CR");
  text_at_ = static_cast<std::uint32_t>(line.size() - rest.size());
  text_size_ = static_cast<std::uint32_t>(rest.size());
  return counts(rest.size());
}

bool Parser::field(std::string_view line) {
  if (line.front() == '\r') return fails(Error::Strict, "Expected LF after headers");
  std::size_t colon = 0;
  while (colon < line.size() && is_in(kToken, line[colon])) colon++;
  std::size_t after = colon;
  if (lenient_)
    while (after < line.size() && line[after] == ' ') after++;
  if (colon == 0 || after == line.size() || line[after] != ':')
    return fails(Error::InvalidHeaderToken, "Invalid header token");
  const auto raw = line.substr(after + 1);
  const auto value = trimmed(raw);
  if (const char* bad = find_control(value.data(), value.data() + value.size());
      bad && (!lenient_values_ || *bad == '\0' || *bad == '\r')) {
    if (*bad == '\r') return fails(Error::LfExpected, "Missing expected LF after header value");
    return fails(Error::InvalidHeaderToken, "Invalid header value char");
  }
  // Blanks count when there are more of them than anybody needs: they take room, too.
  const std::size_t blanks = raw.size() - value.size();
  if (!counts(colon + value.size() + (blanks > 2 ? blanks : 0))) return false;
  auto known = known_of(line.substr(0, colon));
  if (state_ == State::Trailer) {
    // The length of a body that is over.
    if (known == Known::ContentLength || known == Known::TransferEncoding)
      return fails(Error::InvalidContentLength, "Content-Length can't be present with Transfer-Encoding");
    known = Known::Other;
  }
  Field& made = room_[count_++];
  made.name_at = line_at_;
  made.name_size = static_cast<std::uint32_t>(colon) & 0xffffffU;
  made.known = known;
  made.value_at = line_at_ + static_cast<std::uint32_t>(value.data() - line.data());
  made.value_size = static_cast<std::uint32_t>(value.size());
  if (known == Known::Other) return true;
  return note(known, value);
}

// A line that begins with a blank goes on with the value before it; only lenient parsers take it.
bool Parser::fold(std::string_view line) {
  if (count_ == 0) return fails(Error::UnexpectedSpace, "Unexpected space after start line");
  if (!lenient_) return fails(Error::InvalidHeaderToken, "Unexpected whitespace after header value");
  if (room_[count_ - 1].known != Known::Other)
    return fails(Error::InvalidHeaderToken, "Unexpected whitespace after header value");
  if (!counts(line.size() + 2)) return false;
  Field& last = room_[count_ - 1];
  last.value_size = line_at_ + static_cast<std::uint32_t>(line.size()) - last.value_at;
  return true;
}

bool Parser::note(Known known, std::string_view value) {
  if (known == Known::Upgrade && value.empty()) return true;  // to nothing
  const bool repeated = has(known);
  seen_ = static_cast<std::uint8_t>(seen_ | 1U << static_cast<unsigned>(known));
  switch (known) {
    case Known::ContentLength:
      if (repeated) return fails(Error::UnexpectedContentLength, "Duplicate Content-Length");
      if (encoded_ && !lenient_)
        return fails(Error::InvalidContentLength, "Content-Length can't be present with Transfer-Encoding");
      return note_length(value);
    case Known::TransferEncoding:
      if (has(Known::ContentLength) && !lenient_)
        return fails(Error::InvalidTransferEncoding, "Transfer-Encoding can't be present with Content-Length");
      return note_encoding(value);
    case Known::Connection:
      note_connection(value);
      return true;
    default:
      return true;
  }
}

bool Parser::note_length(std::string_view value) {
  if (value.empty()) return fails(Error::InvalidContentLength, "Empty Content-Length");
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  for (const char c : value) {
    if (!is_digit(c)) return fails(Error::InvalidContentLength, "Invalid character in Content-Length");
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (length_ > (kLargest - digit) / 10) return fails(Error::InvalidContentLength, "Content-Length overflow");
    length_ = length_ * 10 + digit;
  }
  return true;
}

// "chunked" counts when it is the last coding of all; behind it nothing may follow.
bool Parser::note_encoding(std::string_view value) {
  encoded_ = true;
  return each_item(value, [this](std::string_view item) {
    if (chunked_ && !lenient_) return fails(Error::InvalidTransferEncoding, "Invalid `Transfer-Encoding` header value");
    chunked_ = is_word(item, "chunked");
    return true;
  });
}

void Parser::note_connection(std::string_view value) {
  each_item(value, [this](std::string_view item) {
    if (is_word(item, "close")) close_ = true;
    if (is_word(item, "keep-alive")) alive_ = true;
    if (is_word(item, "upgrade")) asks_upgrade_ = true;
    return true;
  });
}

bool Parser::chunk_line(std::string_view line) {
  if (lenient_) line = trimmed(line);
  std::size_t digits = 0;
  left_ = 0;
  for (; digits < line.size(); digits++) {
    const char c = lower(line[digits]);
    if (!is_digit(c) && !(c >= 'a' && c <= 'f')) break;
    if (left_ >> 60U != 0) return fails(Error::InvalidChunkSize, "Chunk size overflow");
    left_ = left_ * 16 + static_cast<std::uint64_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
  }
  if (digits == 0) return fails(Error::InvalidChunkSize, "Invalid character in chunk size");
  auto rest = line.substr(digits);
  if (rest.empty()) return true;
  if (lenient_) rest = trimmed(rest);
  if (rest.front() != ';') return fails(Error::InvalidChunkSize, "Invalid character in chunk size");
  extended_ += static_cast<std::uint32_t>(std::min<std::size_t>(rest.size(), limits_.extension_bytes + 1U));
  if (extended_ > limits_.extension_bytes) return fails(Error::ChunkExtensionsOverflow, "Chunk extensions overflow");
  return extensions(rest);
}

// ;name, ;name=value or ;name="quoted", any number of them.
bool Parser::extensions(std::string_view text) {
  const auto bad = [this] { return fails(Error::Strict, "Invalid character in chunk extensions"); };
  while (!text.empty()) {
    if (text.front() != ';') return bad();
    text.remove_prefix(1);
    const auto word = [&text] {
      std::size_t size = 0;
      while (size < text.size() && is_in(kToken, text[size])) size++;
      text.remove_prefix(size);
      return size;
    };
    if (word() == 0) return bad();
    if (text.empty() || text.front() != '=') continue;
    text.remove_prefix(1);
    if (text.empty() || text.front() != '"') {
      if (word() == 0) return bad();
      continue;
    }
    std::size_t at = 1;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) return bad();
    if (find_control(text.data(), text.data() + at)) return bad();
    text.remove_prefix(at + 1);
  }
  return true;
}

}  // namespace rondo::http
