// Readiness to completions; the scheme and its invariants are in the header.
#include "loop/poller/epoll_poller.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "loop/poller/perform.h"
#include "rondo/base/fatal.h"

namespace rondo {
EpollPoller::EpollPoller(Loop& loop)
    : loop_(loop),
      file_jobs_(
          loop,
          [](void* self, Operation& operation, int result) {
            static_cast<EpollPoller*>(self)->finish(operation, result);
          },
          this) {}

EpollPoller::~EpollPoller() = default;

int EpollPoller::open() {
  epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return errno;
  wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) return errno;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;  // each write is an edge: the counter need never be read
  event.data.u64 = kWakeTag;
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) < 0) return errno;
  return 0;
}

void EpollPoller::after_fork() {
  // The epoll instance is shared with the parent: get one of our own and enrol everything anew.
  if (const int error = open()) fatal("cannot open an epoll instance after fork", error);
  for (auto& descriptor : descriptors_) {
    if (descriptor && std::exchange(descriptor->registered, false)) enroll(*descriptor);
  }
}

int EpollPoller::socket_flags() const { return SOCK_NONBLOCK | SOCK_CLOEXEC; }

EpollPoller::Descriptor* EpollPoller::descriptor(int fd) {
  if (fd < 0) return nullptr;
  const auto index = static_cast<std::size_t>(fd);
  if (index >= descriptors_.size()) {
    if (fcntl(fd, F_GETFD) < 0) return nullptr;  // no memory for a number that is none
    descriptors_.resize(std::max(index + 1, descriptors_.size() * 2));
  }
  if (!descriptors_[index]) descriptors_[index] = std::make_unique<Descriptor>(fd);
  return descriptors_[index].get();
}

// Returns 0, or -EPERM for what has no readiness (regular files), or another -errno.
int EpollPoller::enroll(Descriptor& descriptor) {
  if (descriptor.registered) return 0;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLET;
  event.data.u64 = static_cast<std::uint64_t>(descriptor.generation) << 32 | static_cast<std::uint32_t>(descriptor.fd);
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor.fd, &event) < 0) {
    if (errno != EEXIST || epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor.fd, &event) < 0) return -errno;
  }
  descriptor.registered = true;
  const int domain = socket_domain(descriptor.fd);
  const int flags = fcntl(descriptor.fd, F_GETFL);
  descriptor.is_socket = domain >= 0;
  descriptor.stops_short = may_stop_short_in(domain);
  descriptor.blocking = (flags & O_NONBLOCK) == 0;
  descriptor.can_read = (flags & O_ACCMODE) != O_WRONLY;
  descriptor.can_write = (flags & O_ACCMODE) != O_RDONLY;
  // The first of each direction is tried: data may be there, and no event would ever tell that it is the wrong kind of socket.
  descriptor.readable = descriptor.writable = true;
  return 0;
}

// The kernel's answer to the call, where no event would ever lead to it. 0: nothing.
int EpollPoller::refusal(const Descriptor& descriptor, const Operation& operation, bool is_read) {
  if (descriptor.is_socket) return 0;
  if (!operation.stream) return -ENOTSOCK;
  return (is_read ? descriptor.can_read : descriptor.can_write) ? 0 : -EBADF;
}

void EpollPoller::submit(Operation& operation) {
  operation.poller_state_ = kWaiting;
  const Direction direction = direction_of(operation);
  if (operation.perform) {
    submit_to_pool(operation);
  } else if (direction != Direction::None) {
    submit_stream(operation, direction == Direction::Read);
  } else if (operation.kind == OpKind::Poll) {
    submit_poll(operation);
  } else {
    submit_file(operation);
  }
}

void EpollPoller::submit_stream(Operation& operation, bool is_read) {
  Descriptor* const state = descriptor(operation.fd);
  if (!state) return finish(operation, -EBADF);
  if (operation.kind == OpKind::Connect) {
    int result;
    do {
      result = ::connect(operation.fd, static_cast<const sockaddr*>(operation.data), operation.length);
    } while (result < 0 && errno == EINTR);
    if (result == 0 || errno != EINPROGRESS) return finish(operation, result == 0 ? 0 : -errno);
  }
  if (const int error = enroll(*state); error < 0) {
    if (error == -EPERM && operation.stream) return submit_file(operation);
    return finish(operation, error == -EPERM ? -ENOTSOCK : error);
  }
  if (const int error = refusal(*state, operation, is_read)) [[unlikely]]
    return finish(operation, error);
  if (operation.kind == OpKind::Connect) state->writable = false;
  if (operation.kind == OpKind::Accept) state->readable = true;  // no event would ever tell that it is no listener
  if (operation.kind == OpKind::Read && operation.length == 0) [[unlikely]] {  // waits for nothing
    if (const int result = perform_stream(operation, {}, 0); result != -EAGAIN) return finish(operation, result);
  }
  (is_read ? state->readers : state->writers).push_back(operation);
  queue_if_ready(*state);
}

void EpollPoller::submit_file(Operation& operation) {
  if (operation.kind == OpKind::Nop) return finish(operation, 0);
  if (operation.kind == OpKind::Close) forget(operation.fd);
  submit_to_pool(operation);
}

void EpollPoller::submit_to_pool(Operation& operation) {
  operation.poller_state_ = kOnPool;
  file_jobs_.submit(operation);
}

void EpollPoller::submit_poll(Operation& operation) {
  Descriptor* const state = descriptor(operation.fd);
  if (!state) return finish(operation, -EBADF);
  const int error = enroll(*state);
  if (error < 0 && error != -EPERM) return finish(operation, error);
  // Edges say what changes; what is ready already has to be asked for.
  const int events = ready_now(operation.fd, operation.flags);
  if (error == -EPERM) return finish(operation, events ? events : -EINVAL);  // nothing will ever change
  state->watchers.push_back(operation);
  if (events) note_watchers(*state, static_cast<std::uint32_t>(events));
}

void EpollPoller::finish(Operation& operation, int result) {
  operation.poller_result_ = result;
  operation.poller_state_ = kDone;
  done_.push_back(operation);
}

void EpollPoller::cancel(Operation& operation) {
  if (operation.poller_state_ == kDone) return;  // the result stands
  if (operation.poller_state_ == kOnPool) return file_jobs_.cancel(operation);
  operation.unlink();
  finish(operation, -ECANCELED);
}

bool EpollPoller::forget(int fd) {
  const auto index = static_cast<std::size_t>(fd);
  if (fd < 0 || index >= descriptors_.size() || !descriptors_[index]) return true;
  Descriptor& state = *descriptors_[index];
  // O5 allows none, but a program may close a number that is not its own: what waits there must not wait for ever.
  for (auto* waiting : {&state.readers, &state.writers, &state.watchers}) {
    while (!waiting->is_empty()) finish(waiting->pop_front(), -EBADF);
  }
  if (state.registered) {
    epoll_event unused{};
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &unused);
  }
  state.unlink();
  state.generation++;
  state.registered = state.readable = state.writable = state.stops_short = false;
  return !file_jobs_.has_stream(fd);
}

}  // namespace rondo
