// Listening sockets: what TcpServer and PipeServer have in common. Accepting goes on until stop() or
// close(). When descriptors run out (EMFILE, ENFILE) the listener neither spins nor dies: it gives
// up a descriptor kept in reserve to turn away who waits, counts them, and goes on. Without memory it waits a moment.
// Rules of owner and thread: handle.h.
#pragma once

#include <cstdint>

#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"
#include "rondo/detail/io_handle.h"
#include "rondo/timer.h"

namespace [[gnu::visibility("default")]] rondo {

class AcceptAwait;
class CancelToken;
class ListenerCore;

class Listener : public IoHandle {
 public:
  ~Listener() override = default;

  // A new connection: give it to Tcp::open or Pipe::open, or drop it to refuse. After an error (EBADF, EINVAL, ENOTSOCK,
  // EOPNOTSUPP: the descriptor does not listen) accepting is over.
  using OnConnection = void(Result<UniqueFd>);

  // Takes a bound or listening socket, which others may have too (a parent that hands sockets to its children): closing
  // this handle leaves theirs listening, as after set_shared().
  [[nodiscard]] Result<void> open(UniqueFd socket);
  // After bind() or open(), else EBADF. Starts accepting; keeps the loop alive. `backlog` is cut by the kernel to net.core.somaxconn.
  [[nodiscard]] Result<void> listen(int backlog, Function<OnConnection> on_connection);
  // Pauses accepting; connections wait in the kernel's backlog. start() goes on.
  void stop();
  void start();
  // Another process accepts on the same socket: closing ours leaves it open to them. Else a closed listener turns callers away at once.
  void set_shared() { is_shared_ = true; }

  // Connections that were closed at once because there was no descriptor for them.
  std::uint64_t turned_away() const;

  // For coroutines; include rondo/coroutine.h and listen() without a function.
  AcceptAwait accept();
  AcceptAwait accept(const CancelToken& token);
  [[nodiscard]] Result<void> listen(int backlog) { return listen(backlog, {}); }
  // The next connection goes to `on_connection`, once. For listeners without a function of their own.
  void accept_once(Function<OnConnection> on_connection);

 protected:
  Listener(Loop& loop, HandleKind kind);
  void begin_close() override;
  void drop_functions() override;
  ListenerCore& core() const;

 private:
  friend class ListenerCore;
  bool is_shared_ = false;
  Timer retry_;
  Callback<void(Result<UniqueFd>)> on_connection_;
};

}  // namespace rondo
