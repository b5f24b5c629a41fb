// Small system calls on sockets that several handles share. No state.
#pragma once

#include <sys/socket.h>

#include "rondo/address.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"

namespace rondo {

// In the mode the loop's poller wants, close-on-exec.
Result<UniqueFd> make_socket(Loop& loop, int family, int type);
// Puts a descriptor that came from elsewhere into that mode.
void adopt_mode(Loop& loop, int fd);
// connect(2) without blocking: 0, EINPROGRESS or the error.
int begin_connect(Loop& loop, int fd, const Address& address);

template <class T>
Result<void> set_option(int fd, int level, int name, const T& value) {
  if (setsockopt(fd, level, name, &value, sizeof value) < 0) return last_failure("setsockopt");
  return {};
}

}  // namespace rondo
