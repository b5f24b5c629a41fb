// Unix sockets and pipes: local streams, by path, by abstract name, or from descriptors that exist.
// Over a Unix socket opened with PipeMode::Descriptors whole descriptors travel with the bytes.
//
// Writing to a pipe whose reader is gone raises SIGPIPE unless the program ignores it, as programs with a
// loop should (signal(SIGPIPE, SIG_IGN)); sockets never raise it. Rules of owner and thread: handle.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "rondo/address.h"
#include "rondo/base/unique_fd.h"
#include "rondo/listener.h"
#include "rondo/stream.h"

namespace [[gnu::visibility("default")]] rondo {

class ConnectAwait;

enum class PipeMode : std::uint8_t {
  Plain,        // bytes only
  Descriptors,  // Unix sockets only: descriptors may travel along
};

class Pipe final : public Stream {
 public:
  explicit Pipe(Loop& loop, PipeMode mode = PipeMode::Plain) : Stream(loop, HandleKind::Pipe), mode_(mode) {}

  // Takes any descriptor with a stream behind it: a Unix socket, either end of a pipe, a FIFO, a character
  // device. It is put into the mode that the loop's poller needs (O_NONBLOCK or not).
  [[nodiscard]] Result<void> open(UniqueFd descriptor);
  // As Tcp::connect. Unix sockets connect or fail at once (ENOENT, ECONNREFUSED, EAGAIN when the server's
  // backlog is full); `done` runs from the loop all the same.
  [[nodiscard]] Result<void> connect(std::string_view path, Function<OnDone> done);

  // Sends `descriptor` with the data, which must not be empty. It may be closed once this is done.
  [[nodiscard]] Result<Progress> write_descriptor(Bytes data, int descriptor, Function<OnDone> done = {});
  // The oldest descriptor received and not taken; empty if there is none. Ask in on_read.
  UniqueFd take_descriptor();
  std::size_t pending_descriptors() const;

  Result<Address> local_address() const { return Address::local_of(fd()); }
  Result<Address> remote_address() const { return Address::remote_of(fd()); }

  // For coroutines; include rondo/coroutine.h.
  ConnectAwait connect(std::string_view path);
  ConnectAwait connect(std::string_view path, const CancelToken& token);

 private:
  PipeMode mode_;
};

// Two connected Unix sockets; a pipe's reading and writing end. For Pipe::open, or one for a child.
[[nodiscard]] Result<std::pair<UniqueFd, UniqueFd>> make_socket_pair();
[[nodiscard]] Result<std::pair<UniqueFd, UniqueFd>> make_pipe();

class PipeServer final : public Listener {
 public:
  explicit PipeServer(Loop& loop) : Listener(loop, HandleKind::PipeServer) {}
  ~PipeServer() override;

  // A path or an abstract name (leading NUL). A path is unlinked again when the server closes.
  [[nodiscard]] Result<void> bind(std::string_view path);
  // Access rights: the permission bits of the bound path, such as 0666 for everyone. EINVAL for abstract names, which
  // have none.
  [[nodiscard]] Result<void> set_permissions(std::uint32_t mode);
  Result<Address> local_address() const { return Address::local_of(fd()); }

 private:
  void begin_close() override;
  void remove_path();

  std::string path_;
};

}  // namespace rondo
