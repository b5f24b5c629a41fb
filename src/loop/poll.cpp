// The Poll handle: one poll operation on a duplicate of the user's descriptor, submitted again after each call.
#include "rondo/poll.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "rondo/base/unique_fd.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

bool has(Readiness all, Readiness one) { return (all & one) != Readiness::None; }

std::uint32_t to_events(Readiness wanted) {
  unsigned events = 0;
  if (has(wanted, Readiness::Readable)) events |= POLLIN;
  if (has(wanted, Readiness::Writable)) events |= POLLOUT;
  if (has(wanted, Readiness::Disconnected)) events |= POLLRDHUP;
  // io_uring's poll for POLLPRI alone is not woken by a TCP socket (seen on Linux 6.18), for both it is; see ready_now.
  if (has(wanted, Readiness::Priority)) events |= POLLPRI | POLLRDBAND;
  return events;
}

// Where priority is wanted the ring tells what may have changed, not what is.
std::uint32_t ready_now(int fd, Readiness wanted) {
  pollfd query{fd, static_cast<short>(to_events(wanted) & ~static_cast<std::uint32_t>(POLLRDBAND)), 0};
  return ::poll(&query, 1, 0) > 0 ? static_cast<std::uint32_t>(query.revents) : 0;
}

Readiness to_readiness(std::uint32_t events, Readiness wanted) {
  Readiness ready = Readiness::None;
  const bool is_over = (events & (POLLERR | POLLHUP)) != 0;
  if (is_over || (events & POLLIN)) ready = ready | Readiness::Readable;
  if (is_over || (events & POLLOUT)) ready = ready | Readiness::Writable;
  if (is_over || (events & POLLRDHUP)) ready = ready | Readiness::Disconnected;
  if (events & POLLPRI) ready = ready | Readiness::Priority;
  const Readiness hit = ready & wanted;
  return is_over && hit == Readiness::None ? wanted : hit;  // who wants nothing of this must still not wait for ever
}

}  // namespace

struct Poll::Watch final : Lingering {
  Watch(UniqueFd descriptor, int of, Poll& poll)
      : duplicate(std::move(descriptor)), original(of), loop(&poll.loop()), owner(&poll) {
    operation.keeps_loop_alive = false;
    operation.source = HandleKind::Poll;
    operation.source_id = poll.id();
  }

  void submit() {
    operation.poll(duplicate.get(), to_events(owner->wanted_));
    operation.then([](Operation& done,
                      const Completion& completion) { static_cast<Watch*>(done.owner)->completed(completion.result); },
                   this);
    loop->submit(operation);
  }

  void completed(int result) {
    if (!owner) return end();
    // Cancelled: other states are wanted now. Another failure is told as one of the descriptor.
    auto events = static_cast<std::uint32_t>(result >= 0 ? result : result == -ECANCELED ? 0 : POLLERR);
    if (events && has(owner->wanted_, Readiness::Priority)) events = ready_now(duplicate.get(), owner->wanted_);
    const Readiness ready = to_readiness(events, owner->wanted_);
    if (ready != Readiness::None) {
      is_calling = true;
      owner->on_ready_(ready);
      is_calling = false;
    }
    if (owner) return submit();
    end();
  }

  void end() {
    if (duplicate) loop->forget(duplicate.get());
    delete this;
  }

  void abandon() {
    owner = nullptr;
    if (is_calling) return;
    detail::LoopAccess::linger(*loop, *this);
    operation.source = HandleKind::None;
    loop->cancel(operation);
    if (loop->forget(duplicate.get())) duplicate.reset();
  }

  Operation operation;
  UniqueFd duplicate;
  int original;
  Loop* loop;
  Poll* owner;
  bool is_calling = false;
};

Poll::~Poll() { abandon(); }

Result<void> Poll::start(int fd, Readiness wanted, OnReady on_ready) {
  if (is_closing()) return failure(EBADF, "poll");
  if (wanted == Readiness::None) return failure(EINVAL, "poll");
  if (!watch_ || watch_->original != fd) {
    struct stat status;
    if (fstat(fd, &status) < 0) return last_failure("poll");
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return failure(EPERM, "poll");
    UniqueFd duplicate(fcntl(fd, F_DUPFD_CLOEXEC, 3));
    if (!duplicate) return last_failure("poll");
    abandon();
    wanted_ = wanted;
    watch_ = new Watch(std::move(duplicate), fd, *this);
    watch_->submit();
  }
  on_ready_.set(std::move(on_ready));
  activate();
  want(wanted);
  return {};
}

void Poll::want(Readiness wanted) {
  if (!watch_ || wanted == wanted_) return;
  if (wanted == Readiness::None) return stop();
  wanted_ = wanted;
  if (watch_->operation.is_in_flight()) loop_->cancel(watch_->operation);
}

void Poll::stop() {
  abandon();
  deactivate();
}

void Poll::abandon() {
  wanted_ = Readiness::None;
  if (Watch* watch = std::exchange(watch_, nullptr)) watch->abandon();
}

void Poll::begin_close() { stop(); }

void Poll::drop_functions() { const auto function = on_ready_.take(); }

}  // namespace rondo
