// The one seam between a loop and the operating system. Completion-shaped: operations go in,
// completions come out. Implementations: epoll, io_uring, a simulation. Only Loop calls it, on its own
// thread; `wake` alone may come from any thread.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <memory>

#include "rondo/base/clock.h"
#include "rondo/bytes.h"
#include "rondo/operation.h"

namespace [[gnu::visibility("default")]] rondo {

class Loop;
class Decider;
class FileSystem;

class Poller {
 public:
  virtual ~Poller() = default;
  virtual const char* name() const = 0;

  // Takes the operation; see operation.h for the rules. Never completes it before returning.
  virtual void submit(Operation& operation) = 0;
  // Asks for an early end. No effect when the operation is not in flight.
  virtual void cancel(Operation& operation) = 0;
  // The descriptor is about to be closed by its owner. What is in flight on it has been cancelled and touches it no more: the
  // kernel has been told, so that the close takes effect at once. False: a thread works on it; close it when that has completed.
  virtual bool forget(int fd) = 0;

  // Blocks at most `timeout` nanoseconds (kNever: no limit; 0: only look, without a system call where
  // that is possible). Returns how many completions are ready at least. Spurious returns are fine.
  virtual std::size_t wait(Nanoseconds timeout) = 0;
  // Hands out the next ready completion, or returns null. Work may be done here, lazily, so
  // the owner must take one completion after the other and call on_complete in between.
  virtual Operation* next(Completion& completion) = 0;
  // While the completion handed out last is looked at: the large buffer that its data begins becomes the caller's, if it is one.
  virtual OwnedMemory take_buffer(const std::byte*) { return {}; }
  // A completion is ready without asking the kernel.
  virtual bool has_ready() const = 0;
  // Whether an operation submitted now will share its system call with others. If so, leaving a write to the next wait is cheaper than
  // making it at once.
  virtual bool shares_calls() const { return false; }

  // System calls that handles make on a descriptor at once, beside operations. Results are >= 0 or -errno; nothing blocks. Only a
  // simulation answers otherwise than the kernel.
  virtual int open_socket(int family, int type);
  virtual int listen(int fd, int backlog);
  virtual int begin_connect(int fd, const sockaddr* address, socklen_t size);  // -EINPROGRESS: poll it for POLLOUT
  virtual int connect_result(int fd);
  virtual bool is_socket(int fd);
  virtual long send_now(int fd, const iovec* pieces, std::size_t count);
  virtual long send_message_now(int fd, const msghdr& message);  // with descriptors along
  virtual long write_now(int fd, const iovec* pieces, std::size_t count);  // to a pipe in non-blocking mode
  virtual int shut_down(int fd, int how);
  virtual bool turn_away(int fd);  // accepts one who waits and closes the connection; false: no one, or it failed

  // False: descriptors are a simulation's, which the kernel does not know.
  virtual bool has_kernel_descriptors() const { return true; }

  // The file system that requests on the pool work on. A simulation has files of its own.
  virtual FileSystem& files();

  // Gives batched operations to the kernel now; wait does so anyway.
  virtual void flush() {}

  // Any thread: makes a wait in progress, or the next one, return.
  virtual void wake() = 0;

  // A descriptor that polls readable when wait(0) would find something; for foreign loops.
  virtual int backend_fd() = 0;
  // Flags for socket(2) and accept4(2): SOCK_NONBLOCK where the poller wants it. SOCK_CLOEXEC is included.
  virtual int socket_flags() const = 0;
  // File kinds run in the kernel (ring) and not on the pool.
  virtual bool has_file_operations() const = 0;
  // In the child after fork(2): the parent's kernel objects must not be shared.
  virtual void after_fork() = 0;
};

// `preferred` is "uring", "epoll" or null; null follows RONDO_POLLER, then what the kernel allows. Failures go to `error` (EINVAL: no
// such poller; EMFILE ...) and give null; without `error` they end the program.
std::unique_ptr<Poller> make_poller(Loop& loop, const char* preferred = nullptr, int* error = nullptr);

}  // namespace rondo
