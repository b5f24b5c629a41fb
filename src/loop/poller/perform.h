// Operations as the plain system calls they stand for. Used by the epoll poller when a descriptor
// is ready, and by pool threads for file kinds. No state, any thread.
#pragma once

#include <cstddef>
#include <span>

#include "rondo/bytes.h"
#include "rondo/operation.h"

namespace rondo {

enum class Direction { None, Read, Write };

// Which readiness a kind waits for; None: no readiness, a file kind.
Direction direction_of(const Operation& operation);

// So many completions a descriptor that has more may give in a row: its state is warm, and a sender that is emptied now and then is
// cheaper to receive from than one kept at its window. Then the others, and the rest in the next visit: no phase waits for it.
inline constexpr int kLongestRow = 16;

// The buffer of a Recv without one of its own: one piece, warm in the cache unless its reader keeps it. Larger than the
// 64 KiB that others use: fewer calls, and the peer is woken less often (decision 0070).
inline constexpr std::size_t kReceiveBytes = 256 * 1024;
OwnedMemory receive_buffer();

// Makes the call without blocking, once. Returns the result, or -EAGAIN when it would block. `scratch` receives
// data of a Recv without a buffer. `accept_flags` go to accept4.
int perform_stream(const Operation& operation, std::span<std::byte> scratch, int accept_flags);

// A receive from this socket may return less than was asked for although more is there: always so where descriptors are passed
// along (a message of them is not glued to the next). Of TCP only urgent data does that, and readiness (POLLPRI) tells.
bool may_stop_short(int fd);
bool may_stop_short_in(int domain);

// AF_INET ..., or -errno: no socket.
int socket_domain(int fd);

// Its readiness never changes: a file, a folder, some devices. Asks the kernel three times: not for every day.
bool is_always_ready(int fd);

// Makes the call, blocking as long as it takes. Returns the result or -errno.
int perform_file(const Operation& operation);

}  // namespace rondo
