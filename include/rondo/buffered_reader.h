// Reads of a stream by length, by delimiter and by line. What comes beyond is kept for the next read.
//
//   rondo::BufferedReader reader(client);
//   rondo::Result<std::string_view> line = co_await reader.read_line(token);        // without its CR LF
//   rondo::Result<std::string_view> body = co_await reader.read_exactly(length, token);
//
//  BR1 A view is valid until the next read of the reader.
//  BR2 A read that ends with an error or is cancelled consumes nothing: the bytes that have come are there for the next read.
//  BR3 kEndOfFile: the peer has finished before anything came; EPIPE: in the middle, the bytes are in buffered(). EMSGSIZE: more
//      than `limit` bytes without the delimiter.
//
// One read at a time. The reader refers to the stream, and must go before it. Thread: the loop's.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/bytes.h"
#include "rondo/coroutine.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

class BufferedReader {
 public:
  // `limit`: of a line, and of what read_until looks through.
  explicit BufferedReader(Stream& stream, std::size_t limit = std::size_t{1} << 20) : stream_(stream), limit_(limit) {}
  BufferedReader(const BufferedReader&) = delete;
  BufferedReader& operator=(const BufferedReader&) = delete;

  // As many bytes as asked for.
  Coroutine<Result<std::string_view>> read_exactly(std::size_t size, CancelToken token = {}) {
    while (available() < size) {
      const Result<void> more = co_await fill(token);
      if (!more) co_return std::unexpected(more.error());
    }
    co_return consume(size, size);
  }
  // Up to the delimiter, which is consumed and not given. The delimiter must not be empty.
  Coroutine<Result<std::string_view>> read_until(std::string delimiter, CancelToken token = {}) {
    std::size_t searched = 0;
    for (;;) {
      const std::size_t at = buffered().find(delimiter, searched);
      if (at != std::string_view::npos && at <= limit_) co_return consume(at, at + delimiter.size());
      if (available() > limit_) co_return failure(EMSGSIZE, "read");
      searched = available() - std::min(available(), delimiter.size() - 1);
      const Result<void> more = co_await fill(token);
      if (!more) co_return std::unexpected(more.error());
    }
  }
  // Without its LF or CR LF. The last line may lack both.
  Coroutine<Result<std::string_view>> read_line(CancelToken token = {}) {
    Result<std::string_view> line = co_await read_until("\n", token);
    if (!line && line.error().number == EPIPE) line = consume(available(), available());
    if (line && line->ends_with('\r')) line->remove_suffix(1);
    co_return line;
  }
  // Something, as soon as there is something; empty at the end.
  Coroutine<Result<std::string_view>> read_some(CancelToken token = {}) {
    if (available() == 0) {
      const Result<void> more = co_await fill(token);
      if (!more && more.error().number == kEndOfFile) co_return std::string_view();
      if (!more) co_return std::unexpected(more.error());
    }
    co_return consume(available(), available());
  }

  // Bytes that have come and are not consumed.
  std::string_view buffered() const { return std::string_view(buffer_).substr(first_); }
  std::size_t available() const { return buffer_.size() - first_; }
  Stream& stream() { return stream_; }

 private:
  std::string_view consume(std::size_t size, std::size_t consumed) {
    const std::string_view view = buffered().substr(0, size);
    first_ += consumed;
    return view;
  }
  Coroutine<Result<void>> fill(CancelToken token) {
    buffer_.erase(0, first_);  // no view is valid any more
    first_ = 0;
    const Result<Bytes> piece = co_await stream_.read(token);
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) co_return failure(buffer_.empty() ? kEndOfFile : EPIPE, "read");
    buffer_.append(as_text(*piece));
    co_return Result<void>();
  }

  Stream& stream_;
  std::size_t limit_;
  std::string buffer_;
  std::size_t first_ = 0;  // bytes before it are consumed
};

}  // namespace rondo
