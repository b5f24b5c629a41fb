// The epoll poller's other half: waiting, taking events in, and making the calls that
// become completions. Registration and submission are in epoll_poller.cpp.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "loop/poller/poison.h"
#include "loop/poller/epoll_poller.h"
#include "loop/poller/perform.h"
#include "rondo/base/fatal.h"
#include "rondo/decider.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr std::size_t kBlockingWrite = 4096;  // PIPE_BUF: what a writable blocking pipe takes without blocking

// epoll_pwait2 (Linux 5.11) sleeps to the nanosecond; before it milliseconds, rounded up: never early.
int wait_for_events(int epoll, epoll_event* events, int capacity, Nanoseconds timeout) {
  static bool has_pwait2 = true;
  if (timeout == 0 || timeout == kNever) return epoll_wait(epoll, events, capacity, timeout == 0 ? 0 : -1);
  if (has_pwait2) {
    const timespec time{timeout / 1'000'000'000, timeout % 1'000'000'000};
    const int count = epoll_pwait2(epoll, events, capacity, &time, nullptr);
    if (count >= 0 || errno != ENOSYS) return count;
    has_pwait2 = false;
  }
  const Nanoseconds milliseconds = std::min<Nanoseconds>((timeout + 999'999) / 1'000'000, INT32_MAX);
  return epoll_wait(epoll, events, capacity, static_cast<int>(milliseconds));
}

}  // namespace

int EpollPoller::ready_now(int fd, std::uint32_t events) {
  pollfd query{fd, static_cast<short>(events), 0};
  int count;
  do {
    count = ::poll(&query, 1, 0);
  } while (count < 0 && errno == EINTR);
  return count > 0 ? query.revents : 0;
}

void EpollPoller::wake() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the loop is awake anyway.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

std::size_t EpollPoller::wait(Nanoseconds timeout) {
  ready_.take(row_);
  ready_.take(later_);
  if (has_ready()) timeout = 0;
  // Interrupted waits go on: what a signal has to say to the loop comes through a descriptor.
  const Nanoseconds deadline = timeout > 0 && timeout != kNever ? steady_now() + timeout : 0;
  int count;
  for (;;) {
    count = wait_for_events(epoll_.get(), events_.data(), static_cast<int>(events_.size()), timeout);
    if (count >= 0) break;
    if (errno != EINTR) fatal("cannot wait for events", errno);
    if (deadline != 0) timeout = std::max<Nanoseconds>(deadline - steady_now(), 0);
  }
  if (Decider* decider = loop_.decider(); decider && count > 1) [[unlikely]] {
    for (std::uint32_t left = static_cast<std::uint32_t>(count); left > 1; left--) {
      std::swap(events_[static_cast<std::size_t>(count) - left],
                events_[static_cast<std::size_t>(count) - left + decider->choose(Choice::Completion, left)]);
    }
  }
  for (int i = 0; i < count; i++) note(events_[static_cast<std::size_t>(i)]);
  return has_ready() ? static_cast<std::size_t>(std::max(count, 1)) : 0;
}

void EpollPoller::note(const epoll_event& event) {
  if (event.data.u64 == kWakeTag) return;
  const auto index = static_cast<std::size_t>(event.data.u64 & UINT32_MAX);
  if (index >= descriptors_.size() || !descriptors_[index]) return;
  Descriptor& state = *descriptors_[index];
  if (state.generation != event.data.u64 >> 32) return;  // of a descriptor closed since
  const std::uint32_t events = event.events;
  if (events & (EPOLLERR | EPOLLHUP)) state.readable = state.writable = state.stops_short = true;
  if (events & EPOLLIN) state.readable = true;
  if (events & (EPOLLPRI | EPOLLRDHUP)) state.readable = state.stops_short = true;
  if (events & EPOLLOUT) state.writable = true;
  if (!state.watchers.is_empty()) note_watchers(state, events);
  queue_if_ready(state);
}

void EpollPoller::note_watchers(Descriptor& state, std::uint32_t events) {
  List<Operation> all;
  all.take(state.watchers);
  while (!all.is_empty()) {
    Operation& operation = all.pop_front();
    // EPOLL* and POLL* share their values.
    if (const std::uint32_t hit = events & (operation.flags | EPOLLERR | EPOLLHUP)) {
      finish(operation, static_cast<int>(hit));
    } else {
      state.watchers.push_back(operation);
    }
  }
}

bool EpollPoller::has_work(const Descriptor& state) {
  return (state.readable && !state.readers.is_empty()) || (state.writable && !state.writers.is_empty());
}

void EpollPoller::queue_if_ready(Descriptor& state) {
  if (has_work(state) && !state.is_linked()) ready_.push_back(state);
}

EpollPoller::Descriptor* EpollPoller::next_ready() {
  if (!row_.is_empty()) return &row_.pop_front();
  row_length_ = 0;
  return ready_.is_empty() ? nullptr : &ready_.pop_front();
}

Operation* EpollPoller::next(Completion& completion) {
  poison(scratch_.get(), kReceiveBytes);  // what was handed out last is over
  if (!done_.is_empty()) return next_done(completion);
  while (Descriptor* state = next_ready()) {
    Operation* operation = nullptr;
    const bool got = (state->writable && try_one(*state, false, operation, completion)) ||
                     (state->readable && try_one(*state, true, operation, completion));
    if (has_work(*state)) (row_length_++ < kLongestRow ? row_ : later_).push_back(*state);
    if (got) return operation;
  }
  return nullptr;
}

Operation* EpollPoller::next_done(Completion& completion) {
  Operation& operation = done_.pop_front();
  completion.result = operation.poller_result_;
  completion.data = nullptr;
  completion.more = false;
  const bool repeats =
      operation.kind == OpKind::Poll && operation.multishot && !operation.cancelled_ && completion.result >= 0;
  if (!repeats) return &operation;
  if (Descriptor* state = descriptor(operation.fd); state && state->registered) {
    completion.more = true;
    operation.poller_state_ = kWaiting;
    state->watchers.push_back(operation);
  }
  return &operation;
}

// A descriptor in blocking mode is asked first, and given no more than it takes without blocking.
int EpollPoller::perform(Descriptor& state, Operation& operation) {
  if (!scratch_) scratch_ = receive_buffer();
  unpoison(scratch_.get(), kReceiveBytes);
  const std::span<std::byte> scratch(scratch_.get(), kReceiveBytes);
  if (state.blocking) [[unlikely]] {
    const bool is_read = direction_of(operation) == Direction::Read;
    if (ready_now(operation.fd, is_read ? POLLIN : POLLOUT) == 0) return -EAGAIN;
    if (operation.kind == OpKind::Write || operation.kind == OpKind::WriteV) {
      const iovec whole{operation.data, operation.length};
      const iovec* part = operation.kind == OpKind::Write ? &whole : static_cast<const iovec*>(operation.data);
      const iovec* end = part + (operation.kind == OpKind::Write ? 1 : operation.length);
      while (part + 1 < end && part->iov_len == 0) part++;
      Operation small;
      small.write(operation.fd, part->iov_base, static_cast<std::uint32_t>(std::min(part->iov_len, kBlockingWrite)));
      return perform_stream(small, scratch, socket_flags());
    }
  }
  return perform_stream(operation, scratch, socket_flags());
}

OwnedMemory EpollPoller::take_buffer(const std::byte* data) {
  return data == scratch_.get() ? std::move(scratch_) : OwnedMemory();
}

// Makes the call of the first operation that waits in one direction. False: it would block.
bool EpollPoller::try_one(Descriptor& state, bool is_read, Operation*& found, Completion& completion) {
  List<Operation>& waiting = is_read ? state.readers : state.writers;
  if (waiting.is_empty()) return false;
  Operation& operation = waiting.front();
  const int result = perform(state, operation);
  bool& is_ready = is_read ? state.readable : state.writable;
  if (result == -EAGAIN) {
    is_ready = false;
    return false;
  }
  completion.result = result;
  completion.data = nullptr;
  completion.more = false;
  if (operation.kind == OpKind::Recv) {
    const std::size_t asked = operation.data ? operation.length : kReceiveBytes;
    if (!operation.data && result > 0) completion.data = scratch_.get();
    // A short read has emptied a stream socket; the next byte makes a new edge. Unless it only looked.
    const bool has_emptied = result > 0 && static_cast<std::size_t>(result) < asked && !(operation.flags & MSG_PEEK);
    if (has_emptied && !state.stops_short) is_ready = false;
    completion.more = operation.multishot && result > 0;
  } else if (operation.kind == OpKind::Accept) {
    completion.more = operation.multishot && result >= 0;
  }
  if (!completion.more) {
    operation.unlink();
    operation.poller_state_ = kDone;
  }
  found = &operation;
  return true;
}

}  // namespace rondo
