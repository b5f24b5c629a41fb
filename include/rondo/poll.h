// Readiness of a descriptor that someone else reads and writes: a library with sockets of its own (a database client, a
// transfer library), a device, an eventfd. What librondo has handles for (sockets, pipes, terminals) needs none of this.
//
//   rondo::Poll poll(loop);
//   poll.start(fd, rondo::Readiness::Readable, [&](rondo::Readiness ready) { library_reads(fd); });
//
//  PO1 As long as a wanted state lasts, each iteration calls the function once (level-triggered).
//  PO2 The handle watches a duplicate: the descriptor stays yours, and may be closed as soon as stop() or close() has returned, or the
//      handle is destroyed. Several handles may watch one descriptor.
//  PO3 An error or a hang-up counts as readable, writable and disconnected, as far as these are wanted: the next call on
//      the descriptor tells what it is.
//
// Rules of owner and thread: handle.h.
#pragma once

#include <cstdint>

#include "rondo/base/result.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

// States of a descriptor; they combine with |, and & asks for them.
enum class Readiness : std::uint8_t {
  None = 0,
  Readable = 1,
  Writable = 2,
  Disconnected = 4,  // the peer has finished sending; without reading what may still wait
  Priority = 8,  // out-of-band data of a socket; events of files in sysfs
};
constexpr Readiness operator|(Readiness a, Readiness b) {
  return static_cast<Readiness>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr Readiness operator&(Readiness a, Readiness b) {
  return static_cast<Readiness>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

class Poll final : public Handle {
 public:
  using OnReady = Function<void(Readiness)>;

  explicit Poll(Loop& loop) : Handle(loop, HandleKind::Poll) {}
  ~Poll() override;

  // `on_ready` gets those of the `wanted` states that hold, in poll. Starting again replaces all three. EPERM for regular files and
  // directories, which are always ready; EINVAL if nothing is wanted; EBADF; EMFILE.
  [[nodiscard]] Result<void> start(int fd, Readiness wanted, OnReady on_ready);
  // Another choice of states for the same descriptor and function. Does nothing while inactive.
  void want(Readiness wanted);
  void stop();

  Readiness wanted() const { return wanted_; }

 private:
  struct Watch;
  void begin_close() override;
  void drop_functions() override;
  void abandon();

  Watch* watch_ = nullptr;  // outlives us while its operation is in flight
  Readiness wanted_ = Readiness::None;
  Callback<void(Readiness)> on_ready_;
};

}  // namespace rondo
