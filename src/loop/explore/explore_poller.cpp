// See the header.
#include "loop/explore/explore_poller.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "loop/explore/explore_threads.h"
#include "loop/explore/virtual_network.h"
#include "loop/fs/file_performer.h"
#include "loop/poller/perform.h"
#include "rondo/base/fatal.h"

namespace rondo {
namespace {

constexpr int kAllCuts = 8;  // a piece of at most so many bytes is cut at each place
constexpr int kLongestOutsideWait = 10'000;  // milliseconds

short events_of(const Operation& operation) {
  if (operation.kind == OpKind::Poll) return static_cast<short>(operation.flags);
  return direction_of(operation) == Direction::Read ? POLLIN : POLLOUT;
}

}  // namespace

ExplorePoller::ExplorePoller(Loop& loop, ExploreWorld& world) : loop_(loop), world_(world) { open_wake(); }

void ExplorePoller::open_wake() {
  wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) fatal("cannot make an eventfd", errno);
}

// The event and the names of sockets are not shared with the parent.
void ExplorePoller::after_fork() {
  open_wake();
  virtual_network::take_names_of_process();
}

ExplorePoller::~ExplorePoller() = default;

int ExplorePoller::socket_flags() const { return SOCK_CLOEXEC | SOCK_NONBLOCK; }

int ExplorePoller::open_socket(int family, int type) {
  const bool is_tcp = (family == AF_INET || family == AF_INET6) && type == SOCK_STREAM;
  return is_tcp ? virtual_network::open_socket(type) : Poller::open_socket(family, type);
}

// A virtual connection is made, or refused, here and now; the program hears of it when the completion is chosen.
int ExplorePoller::begin_connect(int fd, const sockaddr* address, socklen_t size) {
  if (!virtual_network::is_virtual(fd)) return Poller::begin_connect(fd, address, size);
  const int result = virtual_network::connect(fd, address, size);
  if (address->sa_family == AF_UNIX || result == -EINPROGRESS) return result;
  refused_.erase(fd);
  if (result < 0) refused_[fd] = result;
  return -EINPROGRESS;
}

int ExplorePoller::connect_result(int fd) {
  const auto found = refused_.find(fd);
  if (found == refused_.end()) return Poller::connect_result(fd);
  const int result = found->second;
  refused_.erase(found);
  return result;
}

void ExplorePoller::wake() {
  is_woken_.store(true, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

void ExplorePoller::submit(Operation& operation) {
  Entry entry{.operation = &operation, .number = ++submitted_, .earliest = visit_ + 1};
  if (operation.perform) {
    entry.what = Class::File;
  } else if (operation.kind == OpKind::Poll) {
    entry.what = Class::Poll;
    if (fcntl(operation.fd, F_GETFD) < 0) entry.what = Class::Result, entry.result = -EBADF;
  } else if (direction_of(operation) != Direction::None) {
    entry.what = operation.stream && is_always_ready(operation.fd) ? Class::File : Class::Stream;
    if (operation.kind == OpKind::Connect) {
      const int result = begin_connect(operation.fd, static_cast<const sockaddr*>(operation.data), operation.length);
      if (result != -EINPROGRESS) entry.what = Class::Result, entry.result = result;
    }
  } else if (operation.kind == OpKind::Nop) {
    entry.what = Class::Result;
  }
  entries_.push_back(entry);
}

void ExplorePoller::cancel(Operation& operation) {
  for (Entry& entry : entries_) {
    if (entry.operation == &operation) entry.is_over = true;
  }
}

bool ExplorePoller::forget(int fd) {
  refused_.erase(fd);
  for (Entry& entry : entries_) {
    if (entry.what != Class::File && entry.operation->fd == fd) entry.is_over = true;
  }
  return true;
}

ExplorePoller::Entry* ExplorePoller::find(std::uint64_t number) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == number; });
  return found == entries_.end() ? nullptr : &*found;
}

void ExplorePoller::look() {
  std::vector<pollfd> questions;
  for (const Entry& entry : entries_) {
    if (entry.is_over || (entry.what != Class::Stream && entry.what != Class::Poll)) continue;
    questions.push_back({entry.operation->fd, events_of(*entry.operation), 0});
  }
  ready_.clear();
  if (questions.empty()) return;
  while (::poll(questions.data(), questions.size(), 0) < 0) {
    if (errno != EINTR) fatal("cannot wait for events", errno);
  }
  for (const pollfd& answer : questions) {
    if (answer.revents) ready_.emplace_back(answer.fd, answer.revents);
  }
}

bool ExplorePoller::is_ready(const Entry& entry) const {
  if (entry.is_over || entry.what == Class::File || entry.what == Class::Result) return true;
  const short wanted = static_cast<short>(events_of(*entry.operation) | POLLERR | POLLHUP | POLLNVAL);
  return std::any_of(ready_.begin(), ready_.end(), [&](const auto& answer) {
    return answer.first == entry.operation->fd && (answer.second & wanted);
  });
}

// Numbers of operations that may complete, the quickest first. `of_this_visit`: without time going by.
std::vector<std::uint64_t> ExplorePoller::candidates(bool of_this_visit) const {
  std::vector<const Entry*> found;
  for (const Entry& entry : entries_) {
    if (entry.number > newest_at_visit_ || !is_ready(entry)) continue;
    if (of_this_visit && entry.earliest > visit_) continue;
    if (jobs_are_over_ && entry.what == Class::File) continue;
    found.push_back(&entry);
  }
  std::sort(found.begin(), found.end(), [](const Entry* a, const Entry* b) {
    return a->earliest != b->earliest ? a->earliest < b->earliest : a->number < b->number;
  });
  std::vector<std::uint64_t> numbers;
  for (const Entry* entry : found) numbers.push_back(entry->number);
  return numbers;
}

bool ExplorePoller::may_block() const {
  return world_.wait_timeout_ != 0 && !is_woken_.load(std::memory_order_relaxed);
}

bool ExplorePoller::has_work() {
  if (!may_block()) return true;
  if (std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.is_over; })) return true;
  look();
  return !candidates(false).empty();
}

std::size_t ExplorePoller::wait(Nanoseconds timeout) {
  if (timeout != 0) return wait_for_outside();  // the world has nothing more to offer
  visit_++;
  newest_at_visit_ = submitted_;
  delivered_ = 0;
  jobs_are_over_ = has_begun_jobs_ = false;
  while (world_.threads_->take_turn(world_, has_work())) {
  }
  const bool blocks = may_block();
  std::uint64_t rings;
  [[maybe_unused]] const ssize_t got = read(wake_.get(), &rings, sizeof rings);
  is_woken_.store(false, std::memory_order_relaxed);
  if (std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.is_over; })) return 1;
  look();
  return choose_first(blocks);
}

// Returns 1 if an operation was chosen. Default: where poll would block, the quickest; else none.
std::size_t ExplorePoller::choose_first(bool blocks) {
  const auto ready = candidates(!blocks);
  if (ready.empty()) return 0;
  const auto count = static_cast<std::uint32_t>(ready.size());
  const bool may_wait = std::none_of(ready.begin(), ready.end(), [this](std::uint64_t number) {
    return find(number)->passed >= world_.threads_->settings.patience;
  });
  const bool has_alternative = !blocks || world_.wait_timeout_ != kNever;  // other phases, or the next timer
  std::uint32_t pick;
  if (!has_alternative || !may_wait) {
    if (has_alternative) world_.threads_->is_limited = true;
    pick = world_.choose(Choice::Completion, count);
  } else if (blocks) {
    pick = world_.choose(Choice::Completion, count + 1);
  } else {
    pick = world_.choose(Choice::Completion, count + 1);
    pick = pick == 0 ? count : pick - 1;
  }
  const std::uint64_t taken = pick < count ? ready[pick] : 0;
  if (has_alternative) pass_over(ready, taken);
  chosen_ = taken;
  if (!taken) return 0;
  if (blocks) world_.latest_ = world_.wait_deadline_ == kNever ? 0 : world_.wait_deadline_;
  visit_ = std::max(visit_, find(taken)->earliest);
  return 1;
}

void ExplorePoller::pass_over(const std::vector<std::uint64_t>& others, std::uint64_t taken) {
  for (const std::uint64_t number : others) {
    if (number != taken) find(number)->passed++;
  }
}

// More in the same visit, which matters only if other phases have something to do meanwhile. Default: none.
std::uint64_t ExplorePoller::choose_another() {
  if (loop_.backend_timeout() != 0) return 0;
  look();
  const auto ready = candidates(true);
  const std::uint32_t pick = world_.choose(Choice::Completion, static_cast<std::uint32_t>(ready.size()) + 1);
  return pick == 0 ? 0 : ready[pick - 1];
}

Operation* ExplorePoller::next(Completion& completion) {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->is_over) continue;
    Operation* operation = entry->operation;
    entries_.erase(entry);
    completion = {.result = -ECANCELED, .more = false, .data = nullptr};
    return operation;
  }
  for (;;) {
    if (!chosen_ && delivered_ > 0) chosen_ = choose_another();
    if (!chosen_) return nullptr;
    Entry* entry = find(std::exchange(chosen_, 0));
    if (!entry) return nullptr;
    delivered_++;
    if (entry->what == Class::File)
      has_begun_jobs_ = true;
    else
      jobs_are_over_ = has_begun_jobs_;
    Operation* operation = entry->operation;
    if (complete(*entry, completion)) return operation;
  }
}

// False: it would block after all.
bool ExplorePoller::complete(Entry& entry, Completion& completion) {
  const Operation& operation = *entry.operation;
  const int result = perform(entry);
  if (result == -EAGAIN && entry.what == Class::Stream) return false;
  completion = {.result = result, .more = false, .data = nullptr};
  if (operation.kind == OpKind::Recv && !operation.data && result > 0) completion.data = scratch_.get();
  if (operation.multishot) {
    completion.more = operation.kind == OpKind::Recv ? result > 0 : result >= 0;
  }
  if (completion.more) {
    entry.earliest = visit_ + 1;
    entry.passed = 0;
  } else {
    entries_.erase(entries_.begin() + (&entry - entries_.data()));
  }
  return true;
}

int ExplorePoller::perform(const Entry& entry) {
  Operation& operation = *entry.operation;
  if (entry.what == Class::Result) return entry.result;
  if (entry.what == Class::Poll) {
    const short wanted = static_cast<short>(operation.flags | POLLERR | POLLHUP | POLLNVAL);
    int events = 0;
    for (const auto& [fd, found] : ready_) events |= fd == operation.fd ? found & wanted : 0;
    return events & POLLNVAL ? -EBADF : events;
  }
  if (world_.threads_->settings.has_faults) {
    if (const int fault = inject_fault(operation)) return fault;
  }
  if (operation.perform) return operation.perform(operation);
  if (entry.what == Class::File) return perform_file(operation);
  if (operation.kind == OpKind::Recv && !(operation.flags & MSG_PEEK)) return receive(operation);
  return perform_stream(operation, {}, socket_flags());
}

// Takes all that is there, or cuts it (X4): at each place where it is short, else in the middle or after its first byte.
int ExplorePoller::receive(const Operation& operation) {
  if (!scratch_) scratch_ = receive_buffer();
  const std::size_t room = operation.data ? operation.length : kReceiveBytes;
  int available = 0;
  std::size_t size = room;
  if (ioctl(operation.fd, FIONREAD, &available) == 0 && available > 1) {
    const auto whole = static_cast<std::uint32_t>(std::min<std::size_t>(static_cast<std::size_t>(available), room));
    if (whole <= kAllCuts) {
      const std::uint32_t cut = world_.choose(Choice::TransferSize, whole);
      size = cut == 0 ? whole : cut;
    } else {
      const std::uint32_t sizes[] = {whole, whole / 2, 1};
      size = sizes[world_.choose(Choice::TransferSize, 3)];
    }
  }
  Operation part;
  part.recv(operation.fd, operation.data ? operation.data : scratch_.get(), static_cast<std::uint32_t>(size),
            operation.flags);
  return perform_stream(part, {}, socket_flags());
}

// One of the errors that the call may give; 0: none.
int ExplorePoller::inject_fault(const Operation& operation) {
  static constexpr int kReceive[] = {0, -ECONNRESET};
  static constexpr int kSend[] = {0, -EPIPE};
  static constexpr int kOpen[] = {0, -EMFILE, -EIO};
  static constexpr int kWrite[] = {0, -ENOSPC, -EIO};
  static constexpr int kFile[] = {0, -EIO};
  const auto pick = [this](const auto& faults) {
    return faults[world_.choose(Choice::Fault, static_cast<std::uint32_t>(std::size(faults)))];
  };
  if (operation.source == HandleKind::None || operation.source == HandleKind::PoolJob) return 0;
  if (operation.source == HandleKind::File) {
    switch (FilePerformer::kind_of(operation)) {
      case FileKind::Close:
        return 0;
      case FileKind::Open:
        return pick(kOpen);
      case FileKind::Write:
      case FileKind::WriteV:
      case FileKind::WriteFile:
      case FileKind::Copy:
        return pick(kWrite);
      default:
        return pick(kFile);
    }
  }
  if (operation.kind == OpKind::Recv || operation.kind == OpKind::RecvMsg) return pick(kReceive);
  if (operation.kind == OpKind::Send || operation.kind == OpKind::SendMsg) return pick(kSend);
  return 0;
}

OwnedMemory ExplorePoller::take_buffer(const std::byte* data) {
  return data == scratch_.get() ? std::move(scratch_) : OwnedMemory();
}

bool ExplorePoller::has_outside() const {
  return virtual_network::has_outside() || std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
           return entry.operation->source == HandleKind::Process;
         });
}

// Nothing can happen inside the world any more: a child, a thread or another machine may still do something.
std::size_t ExplorePoller::wait_for_outside() {
  if (!has_outside()) return world_.stop_stuck(), 0;
  world_.threads_->met_outside = true;
  std::vector<pollfd> questions{{wake_.get(), POLLIN, 0}};
  for (const Entry& entry : entries_) {
    if (entry.what == Class::Stream || entry.what == Class::Poll)
      questions.push_back({entry.operation->fd, events_of(*entry.operation), 0});
  }
  const int count = ::poll(questions.data(), questions.size(), kLongestOutsideWait);
  if (count == 0) world_.stop_stuck();
  return 0;
}

}  // namespace rondo
