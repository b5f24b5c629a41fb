// The type of a descriptor, for programs that are given one (standard streams, sockets from a parent) and must choose a handle for it.
#pragma once

#include "rondo/kinds.h"

namespace [[gnu::visibility("default")]] rondo {

// Tty, Pipe (pipe, FIFO or Unix stream socket), Tcp, Udp, TcpServer and PipeServer (sockets that listen), File (also devices such as
// /dev/null), Directory; None for what is not open or has no handle.
HandleKind handle_kind_of(int fd);

}  // namespace rondo
