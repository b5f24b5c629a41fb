// What streams, listeners and datagram sockets share: a descriptor with operations in flight. The handle is
// the user's; the core (src/loop/net/io_core.h) holds what the kernel may still touch and outlives the
// handle when it must. Not for use outside the library except as a base class.
#pragma once

#include "rondo/handle.h"

namespace rondo {

class IoCore;

class IoHandle : public Handle {
 public:
  ~IoHandle() override;
  // The descriptor, or -1. Still owned by the handle.
  int fd() const;

 protected:
  IoHandle(Loop& loop, HandleKind kind, IoCore* core);
  bool begin_close() override;

  IoCore* core_;

 private:
  friend class IoCore;
};

}  // namespace rondo
