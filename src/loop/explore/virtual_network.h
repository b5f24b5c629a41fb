// TCP between the sockets of an explored run: Unix sockets in the abstract namespace, named by port, with the addresses that the program
// gave them. Bytes that one side sends the other can read at once, ports are the same in each run, and two runs never meet. Off unless an
// ExploreWorld turned it on; then Address, Tcp and TcpServer ask here. Any thread.
#pragma once

#include <optional>

#include "rondo/address.h"

namespace rondo::virtual_network {

// From now on sockets of the process are virtual, until the process ends.
void start();
// In a child: sockets have names of its own.
void take_names_of_process();
bool is_on();

// A socket that may become the end of a virtual connection; -errno.
int open_socket(int type);
bool is_virtual(int fd);
// As bind(2), connect(2): 0 or -errno. A connection to anything but this machine gets a real socket under the same number.
int bind(int fd, const sockaddr* address, socklen_t size);
int connect(int fd, const sockaddr* address, socklen_t size);
// None: not a virtual socket, or not bound (connected).
std::optional<Address> local_of(int fd);
std::optional<Address> remote_of(int fd);
// Connections to other machines were made.
bool has_outside();

}  // namespace rondo::virtual_network
