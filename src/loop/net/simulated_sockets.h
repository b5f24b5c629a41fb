// Sockets of a simulated world (rondo/sim.h), for calls that handles make by descriptor: binding, names, options, datagrams. Which
// descriptors are simulated their numbers tell, so the kernel's pay one comparison.
#pragma once

#include <sys/socket.h>

#include "rondo/address.h"
#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"

namespace rondo {

class SimulatedSockets {
 public:
  // Numbers are >= 0 or -errno.
  virtual int bind(int fd, const Address& address) = 0;
  virtual int connect_datagrams(int fd, const Address& peer) = 0;  // no address: to no one
  virtual Result<Address> local_of(int fd) = 0;
  virtual Result<Address> remote_of(int fd) = 0;
  virtual int set_option(int fd, int level, int name, const void* value, socklen_t size) = 0;
  virtual int option(int fd, int level, int name) = 0;
  virtual long send_message(int fd, const msghdr& message) = 0;
  virtual long receive_message(int fd, msghdr& message) = 0;

 protected:
  ~SimulatedSockets() = default;
};

SimulatedSockets* find_simulated_sockets(int fd);
// Of this thread.
void set_simulated_sockets(SimulatedSockets* (*find)(int fd));

// Null: the descriptor is the kernel's.
inline SimulatedSockets* simulated_sockets(int fd) {
  return fd < kFirstSimulatedFd ? nullptr : find_simulated_sockets(fd);
}

}  // namespace rondo
