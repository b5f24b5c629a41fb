// The states of a message, from its first byte to its last. Lines are taken apart in lines.cpp.
#include <algorithm>
#include <cstring>

#include "loop/http/characters.h"
#include "rondo/http.h"

namespace rondo::http {

Event Parser::fail(Error error, const char* why) {
  if (error_ == Error::None) {
    error_ = error;
    why_ = why;
    error_at_ = scan_at_;
  }
  state_ = State::Failed;
  return Event::Failed;
}

Event Parser::next(std::string_view& input) {
  while (true) {
    Event event = Event::More;
    switch (state_) {
      case State::Start:
        event = begin(input);
        break;
      case State::StartLine:
        event = read_start_line(input);
        break;
      case State::Fields:
      case State::Trailer:
        return read_fields(input);
      case State::AfterHead:
        event = after_head();
        break;
      case State::Body:
      case State::BodyToEnd:
      case State::ChunkData:
        return read_body(input);
      case State::ChunkSize:
        event = read_chunk_size(input);
        break;
      case State::ChunkEnd:
        event = read_chunk_end(input);
        break;
      case State::Ending:
        return end(input);
      case State::Closed:
        while (!input.empty() && (input.front() == '\r' || input.front() == '\n')) input.remove_prefix(1);
        if (input.empty()) return Event::More;
        return fail(Error::ClosedConnection, "Data after `Connection: close`");
      case State::Upgraded:
        return Event::Upgraded;
      case State::Failed:
        return Event::Failed;
    }
    // Head stands for "the state has moved on" here: only read_fields tells of a head.
    if (event != Event::Head) return event;
  }
}

Event Parser::finish() {
  switch (state_) {
    case State::Start:
    case State::Closed:
    case State::Upgraded:
      return Event::More;
    case State::BodyToEnd:
    case State::Ending:
      state_ = State::Closed;
      count_ = 0;
      return Event::End;
    case State::AfterHead:
      if (needs_end() || is_complete_without_body()) {
        state_ = State::Closed;
        count_ = 0;
        return Event::End;
      }
      break;
    case State::Failed:  // told already
      return Event::More;
    default:
      break;
  }
  return fail(Error::InvalidEofState, "Invalid EOF state");
}

// The next line without its end, or nothing when it is not complete yet or is wrong (then the state is Failed).
std::optional<std::string_view> Parser::line(std::string_view input) {
  const auto* from = input.data() + scan_at_;
  const auto* found = static_cast<const char*>(std::memchr(from, '\n', input.size() - scan_at_));
  if (!found) {
    scan_at_ = static_cast<std::uint32_t>(input.size());
    return std::nullopt;
  }
  auto text = input.substr(line_at_, static_cast<std::size_t>(found - input.data()) - line_at_);
  scan_at_ = static_cast<std::uint32_t>(found - input.data()) + 1;
  if (!text.empty() && text.back() == '\r') {
    text.remove_suffix(1);
  } else if (!lenient_) {
    refuse_bare_feed(text);
    return std::nullopt;
  }
  return text;
}

// Other errors of the line count first, as it does while the line is not complete.
void Parser::refuse_bare_feed(std::string_view line) {
  if (state_ == State::ChunkSize) {
    if (chunk_line(line)) fail(Error::CrExpected, "Missing expected CR after chunk size");
  } else if (state_ != State::StartLine && line.empty())
    fail(Error::InvalidHeaderToken, "Invalid header field char");
  else if (state_ != State::StartLine)
    fail(Error::CrExpected, "Missing expected CR after header value");
  else if (kind_ == Kind::Response && status_line(line))
    fail(Error::CrExpected, "Missing expected CR after response line");
  else if (kind_ == Kind::Request && request_line(line))
    fail(Error::InvalidVersion, "Expected CRLF after version");
}

bool Parser::counts(std::size_t bytes) {
  counted_ = static_cast<std::uint32_t>(std::min<std::size_t>(counted_ + bytes, UINT32_MAX / 2));
  return counted_ < limits_.head_bytes || fails(Error::HeaderOverflow, "Header overflow");
}

Event Parser::begin(std::string_view& input) {
  while (!input.empty() && (input.front() == '\r' || input.front() == '\n')) input.remove_prefix(1);
  if (input.empty()) return Event::More;
  line_at_ = scan_at_ = text_at_ = text_size_ = counted_ = extended_ = count_ = 0;
  length_ = left_ = 0;
  chunked_ = encoded_ = close_ = alive_ = asks_upgrade_ = upgrade_ = skip_body_ = false;
  seen_ = 0;
  major_ = minor_ = 1;
  state_ = State::StartLine;
  return Event::Head;
}

Event Parser::read_start_line(std::string_view input) {
  const auto text = line(input);
  if (state_ == State::Failed) return Event::Failed;
  if (!text) {
    // Bytes that cannot become a message are refused before their line is complete.
    if (!begin_is_possible(input)) return Event::Failed;
    if (input.size() >= static_cast<std::size_t>(limits_.head_bytes) + 32)
      return fail(Error::HeaderOverflow, "Header overflow");
    return Event::More;
  }
  if (!(kind_ == Kind::Request ? request_line(*text) : status_line(*text))) return Event::Failed;
  line_at_ = scan_at_;
  state_ = State::Fields;
  return Event::Head;
}

Event Parser::read_fields(std::string_view& input) {
  while (true) {
    if (count_ == room_.size()) return Event::Full;
    const auto text = line(input);
    if (state_ == State::Failed) return Event::Failed;
    if (!text) {
      const std::size_t open = input.size() - line_at_;
      if (counted_ + open >= static_cast<std::size_t>(limits_.head_bytes) + 4)
        return fail(Error::HeaderOverflow, "Header overflow");
      return Event::More;
    }
    if (text->empty()) return end_fields(input);
    if (!(is_blank(text->front()) ? fold(*text) : field(*text))) return Event::Failed;
    line_at_ = scan_at_;
  }
}

Event Parser::end_fields(std::string_view& input) {
  message_ = input.substr(0, scan_at_);
  input.remove_prefix(scan_at_);
  line_at_ = scan_at_ = 0;
  if (state_ == State::Trailer) {
    state_ = State::Ending;
    return end(input);
  }
  if (encoded_ && has(Known::ContentLength) && !lenient_)
    return fail(Error::InvalidTransferEncoding, "Transfer-Encoding can't be present with Content-Length");
  upgrade_ = kind_ == Kind::Request ? method_ == Method::Connect || (asks_upgrade_ && has(Known::Upgrade))
                                    : status_ == 101 && asks_upgrade_ && has(Known::Upgrade);
  state_ = State::AfterHead;
  return Event::Head;
}

// A response whose body ends with the connection.
bool Parser::needs_end() const {
  if (kind_ == Kind::Request || skip_body_ || chunked_) return false;
  if (status_ / 100 == 1 || status_ == 204 || status_ == 304) return false;
  return encoded_ || !has(Known::ContentLength);
}

bool Parser::is_complete_without_body() const {
  if (encoded_ && !chunked_ && kind_ == Kind::Request && !lenient_) return false;
  if (skip_body_) return true;
  if (kind_ == Kind::Request && method_ == Method::Connect) return true;
  if (kind_ == Kind::Response && (status_ / 100 == 1 || status_ == 204 || status_ == 304)) return true;
  return !chunked_ && !needs_end() && length_ == 0;
}

bool Parser::keeps_alive() const {
  if (minor_ >= 1 ? close_ : !alive_) return false;
  return !needs_end();
}

Event Parser::after_head() {
  // Where its body ends nobody knows; the head has been told, as other servers do.
  if (encoded_ && !chunked_ && kind_ == Kind::Request && !lenient_ && !skip_body_)
    return fail(Error::InvalidTransferEncoding, "Request has invalid `Transfer-Encoding`");
  count_ = 0;
  if (is_complete_without_body()) {
    state_ = State::Ending;
  } else if (chunked_) {
    state_ = State::ChunkSize;
  } else if (needs_end()) {
    state_ = State::BodyToEnd;
  } else {
    left_ = length_;
    state_ = State::Body;
  }
  return Event::Head;
}

Event Parser::read_body(std::string_view& input) {
  if (input.empty()) return Event::More;
  const std::size_t size = state_ == State::BodyToEnd ? input.size() : std::min<std::uint64_t>(left_, input.size());
  body_ = input.substr(0, size);
  input.remove_prefix(size);
  if (state_ == State::BodyToEnd) return Event::Body;
  left_ -= size;
  if (left_ == 0) state_ = state_ == State::Body ? State::Ending : State::ChunkEnd;
  return Event::Body;
}

Event Parser::read_chunk_size(std::string_view& input) {
  if (input.empty()) return Event::More;
  const auto text = line(input);
  if (state_ == State::Failed) return Event::Failed;
  if (!text) {
    const bool possible = is_digit(input.front()) || (is_letter(input.front()) && lower(input.front()) <= 'f') ||
                          (lenient_ && is_blank(input.front()));
    if (!possible) return fail(Error::InvalidChunkSize, "Invalid character in chunk size");
    if (input.size() + extended_ > limits_.extension_bytes)
      return fail(Error::ChunkExtensionsOverflow, "Chunk extensions overflow");
    return Event::More;
  }
  const std::size_t taken = scan_at_;
  if (!chunk_line(*text)) return Event::Failed;
  input.remove_prefix(taken);
  line_at_ = scan_at_ = 0;
  counted_ = extended_ = 0;
  state_ = left_ == 0 ? State::Trailer : State::ChunkData;
  return Event::Head;
}

Event Parser::read_chunk_end(std::string_view& input) {
  if (input.empty()) return Event::More;
  const bool bare = lenient_ && input.front() == '\n';
  if (!bare) {
    if (input.front() == '\n') return fail(Error::CrExpected, "Missing expected CR after chunk data");
    if (input.front() != '\r') return fail(Error::Strict, "Expected LF after chunk data");
    if (input.size() == 1) return Event::More;
    if (input[1] != '\n') return fail(Error::Strict, "Expected LF after chunk data");
  }
  input.remove_prefix(bare ? 1 : 2);
  state_ = State::ChunkSize;
  return Event::Head;
}

Event Parser::end(std::string_view&) {
  if (upgrade_)
    state_ = State::Upgraded;
  else
    state_ =
        keeps_alive() || lenient_ || (kind_ == Kind::Response && status_ / 100 == 1) ? State::Start : State::Closed;
  return Event::End;
}

}  // namespace rondo::http
