// send_file: see the header. One step sends what the kernel takes; between steps the coroutine waits for the socket, or for the pages.
#include "rondo/send_file.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "rondo/coroutine.h"
#include "rondo/poll.h"
#include "rondo/promise.h"

namespace rondo {
namespace {

constexpr std::size_t kStep = 256 * 1024;

// Whether the last byte of the part is in the page cache. The kernel reads ahead in order, so the bytes before it are too.
bool is_in_memory(int file, std::uint64_t offset, std::size_t size) {
  char byte;
  const iovec piece{&byte, 1};
  const ssize_t got = preadv2(file, &piece, 1, static_cast<off_t>(offset + size - 1), RWF_NOWAIT);
  return got >= 0 || errno != EAGAIN;  // the end of the file and errors are sendfile's to tell
}

// Brings the part into the page cache, on a pool thread.
void read_through(int file, std::uint64_t offset, std::size_t size) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(size);
  (void)!pread(file, buffer.get(), size, static_cast<off_t>(offset));
}

Coroutine<Result<void>> until_writable(Stream& stream, CancelToken token) {
  Promise<> writable(stream.loop());
  Poll poll(stream.loop());
  const auto watched = poll.start(stream.fd(), Readiness::Writable, [&](Readiness) { writable.resolve(); });
  if (!watched) co_return watched;
  co_return co_await writable.wait(token);
}

Coroutine<Result<std::uint64_t>> copy_in_pieces(Stream& stream, int file, std::uint64_t offset, std::uint64_t size,
                                                CancelToken token) {
  std::uint64_t sent = 0;
  while (sent < size) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - sent, kStep));
    const Result<std::string> piece =
        co_await read_at(stream.loop(), file, wanted, static_cast<std::int64_t>(offset + sent), token);
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) break;
    const Result<void> written = co_await stream.write_all(as_bytes(*piece), token);
    if (!written) co_return std::unexpected(written.error());
    sent += piece->size();
  }
  co_return sent;
}

}  // namespace

Coroutine<Result<std::uint64_t>> send_file(Stream& stream, int file, std::uint64_t offset, std::uint64_t size,
                                           CancelToken token) {
  std::uint64_t sent = 0;
  while (sent < size) {
    if (token.is_cancelled()) co_return failure(ECANCELED, "sendfile");
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(size - sent, kStep));
    if (!is_in_memory(file, offset + sent, step)) {
      const auto read =
          co_await on_pool(stream.loop(), [&] { read_through(file, offset + sent, step); }, JobClass::Fs, token);
      if (!read) co_return std::unexpected(read.error());
    }
    const Result<std::size_t> taken = stream.try_send_file(file, static_cast<std::int64_t>(offset + sent), step);
    if (!taken) {
      const bool has_no_sendfile =
          taken.error().number == EOPNOTSUPP || taken.error().number == ENOSYS || taken.error().number == EINVAL;
      if (!has_no_sendfile || sent > 0) co_return std::unexpected(taken.error());
      co_return co_await copy_in_pieces(stream, file, offset, size, token);
    }
    sent += *taken;
    if (*taken == step) {
      co_await yield(stream.loop());
      continue;
    }
    char byte;
    if (*taken == 0 && stream.queued_bytes() == 0 && pread(file, &byte, 1, static_cast<off_t>(offset + sent)) == 0)
      break;
    const Result<void> writable = co_await until_writable(stream, token);
    if (!writable) co_return std::unexpected(writable.error());
  }
  co_return sent;
}

}  // namespace rondo
