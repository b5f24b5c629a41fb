// Byte streams: what Tcp, Pipe and Tty have in common. Reading pushes pieces to a function; writing goes
// to the kernel at once when nothing is queued, and otherwise waits in order (see also set_batched_writes).
//
//   stream.read_start([&](rondo::Result<rondo::Bytes> piece) {
//     if (!piece || piece->empty()) return stream.close();     // failed, or the peer has finished
//     stream.write_copy(*piece);                               // one send(2), no allocation
//   });
//
//  ST1 Callbacks run from the loop only, never from inside the call that was given them.
//  ST2 Every write and shutdown that returns Progress::Queued calls its function exactly once, in order,
//      unless the handle is closed or destroyed first: then never.
//  ST3 A write that returns Progress::Done or an error does not call its function.
//      When a queued write fails, so do all that wait behind it and all later ones: a stream has no gaps.
//  ST4 Any callback may close or destroy any handle, also its own.
//  ST5 Memory: the poller's buffers serve all readers; a stream owns memory only for what is queued.
//      queued_bytes() says how much; set_queue_limit() bounds it.
//
// Rules of owner and thread: handle.h.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rondo/base/result.h"
#include "rondo/bytes.h"
#include "rondo/detail/io_handle.h"

namespace [[gnu::visibility("default")]] rondo {

class CancelToken;
class ReadAwait;
class WriteAwait;
class StreamCore;

enum class Progress : std::uint8_t {
  Done,    // finished before the call returned; its function is not called
  Queued,  // its function is called when it is over
};

class Stream : public IoHandle {
 public:
  ~Stream() override = default;

  // A piece of data, valid during the call only. An empty piece is the end: the peer has finished. After
  // the end or an error reading has stopped.
  using OnRead = void(Result<Bytes>);
  using OnDone = void(Result<void>);

  // Starting again replaces the function. ENOTCONN before the stream is open.
  [[nodiscard]] Result<void> read_start(Function<OnRead> on_read);
  // Inside on_read: the memory in which the piece lies, from its first byte on, to keep without a copy; null if others share it
  // (small pieces). It may be larger than the piece by tens of kilobytes: realloc(3) gives back what is too much.
  OwnedMemory take_memory(Bytes piece);
  // No call of on_read follows. What the kernel had already handed over is kept for the next start.
  void read_stop();
  // Exactly one call of `on_read`. Until the next call data waits: 64 KiB and at most one piece (256 KiB) here, the rest in the kernel.
  [[nodiscard]] Result<void> read_once(Function<OnRead> on_read);
  // Bytes that read_once would deliver without waiting. Valid until the next read of this stream.
  std::optional<Result<Bytes>> read_held();
  bool has_held() const;

  // Borrows the memory until `done` is called, or until Progress::Done. If the handle is closed or destroyed first: until
  // `done` is destroyed, as the kernel may still read, so let `done` own the memory.
  [[nodiscard]] Result<Progress> write(Bytes data, Function<OnDone> done = {});
  // The same for several pieces; the array itself is not borrowed.
  [[nodiscard]] Result<Progress> write(std::span<const iovec> pieces, Function<OnDone> done = {});
  // Copies what the kernel does not take at once.
  [[nodiscard]] Result<Progress> write_copy(Bytes data, Function<OnDone> done = {});
  // Writes what the kernel takes now, nothing if something is queued. Returns the number of bytes.
  [[nodiscard]] Result<std::size_t> try_write(Bytes data);
  [[nodiscard]] Result<std::size_t> try_write(std::span<const iovec> pieces);

  // Sends from a file what the kernel takes now, without copying it here: nothing if something is queued. Sockets only (else
  // EOPNOTSUPP), not in a simulation (ENOSYS). Reads the file in the call: have it in the page cache, or use co_await send_file() of
  // rondo/send_file.h, which cares for both ends. Returns the number of bytes; 0 at the end of the file too.
  [[nodiscard]] Result<std::size_t> try_send_file(int file, std::int64_t offset, std::size_t size);

  // Half close, after everything queued. Reading goes on. Pipes that are not sockets: does nothing.
  [[nodiscard]] Result<Progress> shutdown(Function<OnDone> done = {});

  // Called from the loop each time a queue of writes has emptied, after the writes' own functions. Not called for writes that
  // the kernel took at once.
  void on_drain(Function<void()> function);
  // Given to write and not yet taken by the kernel.
  std::size_t queued_bytes() const;
  // A write longer than what is left of this fails with ENOBUFS before anything of it is sent, also where the kernel would have
  // taken it. So the limit should not be less than the longest write.
  void set_queue_limit(std::size_t bytes);
  // Writes wait in the call until the kernel has taken everything: for standard output.
  void set_blocking_writes(bool blocking);
  // Where several streams are ready at once (and the poller is io_uring), writes of up to 4 KiB leave together with the loop's
  // next wait: one system call instead of one each. For servers with many connections and short answers. A write may then
  // return Progress::Queued although the kernel would have taken it, and close() gives up what has not left yet: shut down
  // first, or close when `done` is called.
  void set_batched_writes(bool batched);

  // It has a descriptor: false before open() or connect(), and after close().
  bool is_open() const { return fd() >= 0; }
  bool is_reading() const { return is_active(); }
  // More may come: open for reading, and neither the end nor an error has been delivered.
  bool is_readable() const;
  // A write may succeed: open for writing, not shut down, and neither a write nor a read has failed.
  bool is_writable() const;
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_written() const;

  // For coroutines; include rondo/coroutine.h. read() gives Result<Bytes>, empty at the end; write_all() Result<void>, and
  // copies what the kernel does not take at once.
  ReadAwait read();
  ReadAwait read(const CancelToken& token);
  WriteAwait write_all(Bytes data);
  WriteAwait write_all(Bytes data, const CancelToken& token);

 protected:
  Stream(Loop& loop, HandleKind kind);
  void drop_functions() override;
  StreamCore& core() const;

 private:
  friend class StreamCore;
  Callback<void(Result<Bytes>)> on_read_;
  Callback<void()> on_drain_;
};

}  // namespace rondo
