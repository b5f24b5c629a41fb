// Small system calls on sockets that several handles share. No state.
#pragma once

#include <sys/socket.h>

#include "loop/explore/virtual_network.h"
#include "loop/net/simulated_sockets.h"
#include "rondo/address.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"
#include "rondo/recording.h"

namespace rondo {

// In the mode the loop's poller wants, close-on-exec.
Result<UniqueFd> make_socket(Loop& loop, int family, int type);
// Puts a descriptor that came from elsewhere into that mode.
void adopt_mode(Loop& loop, int fd);
// For open(): EBADF when the descriptor is not open (it is let go, there is nothing to close), ENOTSOCK when it is no socket.
Result<void> expect_socket(Loop& loop, UniqueFd& descriptor);
// connect(2) without blocking: 0, EINPROGRESS or the error.
int begin_connect(Loop& loop, int fd, const Address& address);
// bind(2) in a run that is recorded or replayed (rondo/recording.h).
Result<void> bind_recorded(int fd, const Address& address);

// The value of an option that is a number.
Result<int> get_option(int fd, int level, int name);
// bind(2): 0 or the error.
int bind_descriptor(int fd, const Address& address);

template <class T>
Result<void> set_option(int fd, int level, int name, const T& value) {
  if (SimulatedSockets* const sockets = simulated_sockets(fd)) [[unlikely]] {
    const int error = -sockets->set_option(fd, level, name, &value, sizeof value);
    return error ? failure(error, "setsockopt") : Result<void>();
  }
  if (setsockopt(fd, level, name, &value, sizeof value) == 0 || virtual_network::is_virtual(fd)) return {};
  return last_failure("setsockopt");
}

}  // namespace rondo
