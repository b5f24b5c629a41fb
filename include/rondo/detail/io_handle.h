// Common part of streams, listeners and datagram sockets: a descriptor with operations in flight. The handle is
// the user's; the core (src/loop/net/io_core.h) holds what the kernel may still touch and outlives the
// handle when it must. Not for use outside the library except as a base class.
#pragma once

#include "rondo/base/result.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class IoCore;

class IoHandle : public Handle {
 public:
  ~IoHandle() override;
  // The descriptor, or -1. Still owned by the handle.
  int fd() const;

  // SO_RCVBUF and SO_SNDBUF of sockets, as the kernel reports them (it doubles what it is given). Those of a listener go to its
  // connections. EBADF while there is no socket, ENOTSOCK where there is another thing.
  [[nodiscard]] Result<int> receive_buffer_size() const;
  [[nodiscard]] Result<int> send_buffer_size() const;
  [[nodiscard]] Result<void> set_receive_buffer_size(int bytes);
  [[nodiscard]] Result<void> set_send_buffer_size(int bytes);

 protected:
  IoHandle(Loop& loop, HandleKind kind, IoCore* core);
  void begin_close() override;

  IoCore* core_;

 private:
  friend class IoCore;
};

}  // namespace rondo
