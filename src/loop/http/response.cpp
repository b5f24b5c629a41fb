// Request and Response of http_server.h.
#include <cerrno>

#include "rondo/coroutine.h"
#include "rondo/http_server.h"
#include "rondo/send_file.h"

namespace rondo::http {

namespace {

// A body up to this size goes out with its head, in one system call.
constexpr std::size_t kOneWrite = std::size_t{64} * 1024;

bool expects_continue(const Head& head) {
  const auto expectation = head.field("expect");
  return expectation && is_same_name(*expectation, "100-continue") && head.minor_version() > 0;
}

}  // namespace

Request::Request(Stream& stream, MessageReader& reader, CancelToken token)
    : stream_(stream), reader_(reader), token_(std::move(token)), waits_to_be_asked_(expects_continue(reader.head())) {}

Coroutine<Result<void>> Request::ask_for_body() {
  if (!std::exchange(waits_to_be_asked_, false)) co_return Result<void>();
  co_return co_await stream_.write_all(as_bytes("HTTP/1.1 100 Continue\r\n\r\n"), token_);
}

Coroutine<Result<std::string_view>> Request::read(CancelToken token) {
  if (const Result<void> asked = co_await ask_for_body(); !asked) co_return std::unexpected(asked.error());
  co_return co_await reader_.read_body(token.can_be_cancelled() ? token : token_);
}

Coroutine<Result<std::string>> Request::read_all(std::size_t limit, CancelToken token) {
  if (const auto length = head().content_length(); length && *length > limit) co_return failure(EMSGSIZE, "read");
  if (const Result<void> asked = co_await ask_for_body(); !asked) co_return std::unexpected(asked.error());
  co_return co_await reader_.read_whole_body(limit, token.can_be_cancelled() ? token : token_);
}

Response::Response(Request& request, bool keeps_alive, std::string_view date)
    : request_(request), keeps_alive_(keeps_alive && request.head().keeps_alive()), date_(date) {}

Result<void> Response::set_status(int status, std::string_view reason) {
  if (has_begun()) return failure(EALREADY, "set_status");
  if (status < 200 || status > 599 || !is_field_value(reason)) return failure(EINVAL, "set_status");
  status_ = status;
  reason_ = reason.empty() ? reason_of(status) : reason;
  return {};
}

Result<void> Response::add_field(std::string_view name, std::string_view value) {
  if (has_begun()) return failure(EALREADY, "add_field");
  return fields_.add(name, value);
}

bool Response::may_have_body() const { return request_.method() != Method::Head && status_ != 204 && status_ != 304; }

std::string Response::head(const BodySize& body) {
  // A body that was announced and not asked for never comes: where the next request begins is not known.
  if (request_.waits_to_be_asked_) keeps_alive_ = false;
  if (body.kind == BodySize::Kind::UntilClose) keeps_alive_ = false;
  std::string out = "HTTP/1.1 " + std::to_string(status_) + " " + reason_;
  if (!fields_.has("date")) out.append("\r\nDate: ").append(date_);
  std::string_view connection;
  if (!keeps_alive_)
    connection = "close";
  else if (request_.head().minor_version() == 0)
    connection = "keep-alive";
  std::string text;
  write_head(text, out, fields_, status_ == 204 ? BodySize{} : body, connection);
  return text;
}

Coroutine<Result<void>> Response::put(std::string text) {
  const Result<void> written = co_await request_.stream_.write_all(as_bytes(text), request_.token_);
  if (!written) keeps_alive_ = false;
  co_return written;
}

Coroutine<Result<void>> Response::send(std::string_view body) {
  if (has_begun()) co_return failure(EALREADY, "send");
  state_ = State::Begun;
  std::string text = head({BodySize::Kind::Length, body.size()});
  const bool is_short = body.size() <= kOneWrite;
  if (is_short && may_have_body()) text.append(body);
  Result<void> written = co_await put(std::move(text));
  if (written && !is_short && may_have_body()) {
    written = co_await request_.stream_.write_all(as_bytes(body), request_.token_);
    if (!written) keeps_alive_ = false;
  }
  if (written) state_ = State::Finished;
  co_return written;
}

Coroutine<Result<void>> Response::send_file(int file, std::uint64_t offset, std::uint64_t size) {
  if (const Result<void> begun = co_await begin(size); !begun) co_return begun;
  if (may_have_body()) {
    const Result<std::uint64_t> sent = co_await rondo::send_file(request_.stream_, file, offset, size, request_.token_);
    if (!sent) {
      keeps_alive_ = false;
      co_return std::unexpected(sent.error());
    }
    written_ = *sent;
  } else {
    written_ = size;
  }
  co_return co_await finish();
}

Coroutine<Result<void>> Response::begin(std::optional<std::uint64_t> length) {
  if (has_begun()) co_return failure(EALREADY, "begin");
  state_ = State::Begun;
  if (length)
    body_ = {BodySize::Kind::Length, *length};
  else if (request_.head().minor_version() > 0)
    body_ = {BodySize::Kind::Chunked, 0};
  else
    body_ = {BodySize::Kind::UntilClose, 0};
  co_return co_await put(head(body_));
}

Coroutine<Result<void>> Response::write(std::string_view piece) {
  if (state_ != State::Begun) co_return failure(has_begun() ? EALREADY : EINVAL, "write");
  if (body_.kind == BodySize::Kind::Length && piece.size() > body_.length - written_)
    co_return failure(EMSGSIZE, "write");
  written_ += piece.size();
  if (!may_have_body() || piece.empty()) co_return Result<void>();
  if (body_.kind == BodySize::Kind::Chunked) {
    std::string chunk;
    write_chunk(chunk, piece);
    co_return co_await put(std::move(chunk));
  }
  const Result<void> written = co_await request_.stream_.write_all(as_bytes(piece), request_.token_);
  if (!written) keeps_alive_ = false;
  co_return written;
}

Coroutine<Result<void>> Response::finish(const OutgoingFields& trailers) {
  if (state_ != State::Begun) co_return failure(has_begun() ? EALREADY : EINVAL, "finish");
  if (body_.kind == BodySize::Kind::Length && written_ != body_.length && may_have_body())
    co_return failure(EMSGSIZE, "finish");
  if (body_.kind == BodySize::Kind::Chunked && may_have_body()) {
    std::string last;
    write_last_chunk(last, trailers);
    if (const Result<void> written = co_await put(std::move(last)); !written) co_return written;
  }
  state_ = State::Finished;
  co_return Result<void>();
}

Coroutine<Result<std::string>> Response::upgrade(std::string_view protocol) {
  if (has_begun()) co_return failure(EALREADY, "upgrade");
  while (!request_.reader_.is_at_end()) {
    const auto piece = co_await request_.read();
    if (!piece) co_return std::unexpected(piece.error());
  }
  if (const Result<void> named = fields_.add("Upgrade", protocol); !named) co_return std::unexpected(named.error());
  state_ = State::Finished;
  keeps_alive_ = false;
  std::string text;
  write_head(text, "HTTP/1.1 101 Switching Protocols", fields_, {}, "Upgrade");
  if (const Result<void> written = co_await put(std::move(text)); !written) co_return std::unexpected(written.error());
  co_return request_.reader_.take_rest();
}

}  // namespace rondo::http
