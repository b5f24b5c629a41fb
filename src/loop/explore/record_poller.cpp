// See the header. Tags in the file: W a visit of poll (completions to try), T a time, S a signal; C a completion with its result and bytes,
// F one that is done again, K one that would have blocked; small letters: calls that are made at once.
#include "loop/explore/record_poller.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "loop/explore/virtual_network.h"
#include "loop/poller/perform.h"
#include "rondo/base/fatal.h"

namespace rondo {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr std::uint32_t kPatience = 1000;  // readings of the clock in one callback
constexpr int kLastStandard = STDERR_FILENO;
// Blocked outside of poll (R3), so that the place of each in the run is known.
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH, SIGCHLD, SIGALRM, SIGCONT};

std::atomic<std::uint64_t> caught_signals{0};

void block_signals() {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int number : kSignals) sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
}

short events_of(const Operation& operation) {
  if (operation.kind == OpKind::Poll) return static_cast<short>(operation.flags);
  return direction_of(operation) == Direction::Read ? POLLIN : POLLOUT;
}

bool is_read(const Operation& operation) {
  return direction_of(operation) == Direction::Read && operation.kind != OpKind::Accept;
}

struct Pieces {
  const iovec* first;
  std::size_t count;
};

// The memory that a read fills, as pieces; `one` is room for a single one.
Pieces pieces_of(const Operation& operation, iovec& one, std::byte* scratch) {
  if (operation.kind == OpKind::ReadV) return {static_cast<const iovec*>(operation.data), operation.length};
  if (operation.kind == OpKind::RecvMsg) {
    const auto& message = *static_cast<const msghdr*>(operation.data);
    return {message.msg_iov, message.msg_iovlen};
  }
  one = {operation.data ? operation.data : scratch, operation.data ? operation.length : kReceiveBytes};
  return {&one, 1};
}

int dummy_socket(int type) {
  const int fd = ::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return fd < 0 ? -errno : fd;
}

void write_standard(int fd, const iovec* pieces, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) {
    const char* at = static_cast<const char*>(pieces[i].iov_base);
    for (std::size_t left = pieces[i].iov_len; left > 0;) {
      const ssize_t written = ::write(fd, at, left);
      if (written < 0 && errno != EINTR && errno != EAGAIN) return;
      if (written > 0) at += written, left -= static_cast<std::size_t>(written);
    }
  }
}

}  // namespace

void note_recorded_signal(int number) {
  caught_signals.fetch_or(std::uint64_t{1} << (number & 63), std::memory_order_relaxed);
}

RecordedWorld::RecordedWorld(Recording& recording) : recording_(recording), now_(0), began_(steady_now()) {
  if (recording.is_replay())
    virtual_network::start();  // options of sockets that are none succeed
  else
    block_signals();
}

LoopOptions RecordedWorld::options() {
  LoopOptions options;
  options.clock = this;
  options.decider = this;
  options.make_poller = [](Loop&, void* context) -> std::unique_ptr<Poller> {
    auto& world = *static_cast<RecordedWorld*>(context);
    return std::make_unique<RecordPoller>(world, world.recording_);
  };
  options.make_poller_context = this;
  return options;
}

void RecordedWorld::advance() {
  readings_ = 0;
  now_ += recording_.result('T', [this] { return static_cast<long>(steady_now() - began_ - now_); });
}

void RecordedWorld::callback_begin(HandleKind, std::uint32_t) { advance(); }

Nanoseconds RecordedWorld::now() { return now_ + 1'000'000; }

Nanoseconds RecordedWorld::read() {
  if (++readings_ > kPatience) advance();
  return now();
}

RecordPoller::RecordPoller(RecordedWorld& world, Recording& recording)
    : world_(world), recording_(recording), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) fatal("cannot make an eventfd", errno);
}

int RecordPoller::socket_flags() const { return SOCK_CLOEXEC | SOCK_NONBLOCK; }

void RecordPoller::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

void RecordPoller::submit(Operation& operation) {
  bool waits = !operation.perform && (operation.kind == OpKind::Poll || direction_of(operation) != Direction::None);
  if (waits && !recording_.is_replay() && operation.stream && is_always_ready(operation.fd)) waits = false;
  if (operation.kind == OpKind::Connect)
    begin_connect(operation.fd, static_cast<const sockaddr*>(operation.data), operation.length);
  entries_.push_back({.operation = &operation, .number = ++submitted_, .waits = waits});
}

void RecordPoller::cancel(Operation& operation) {
  for (Entry& entry : entries_) {
    if (entry.operation == &operation) entry.is_over = true;
  }
}

bool RecordPoller::forget(int fd) {
  for (Entry& entry : entries_) {
    const bool is_file = entry.operation->perform || direction_of(*entry.operation) == Direction::None;
    if ((!is_file || entry.operation->kind == OpKind::Poll) && entry.operation->fd == fd) entry.is_over = true;
  }
  return true;
}

RecordPoller::Entry* RecordPoller::find(std::uint64_t number) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == number; });
  return found == entries_.end() ? nullptr : &*found;
}

bool RecordPoller::has_over() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.is_over; });
}

std::size_t RecordPoller::wait(Nanoseconds timeout) {
  if (recording_.is_replay()) {
    left_ = recording_.take('W');
    world_.advance();
  } else {
    wait_live(timeout);
  }
  take_signals();
  return (has_over() ? 1 : 0) + ready_.size() + static_cast<std::size_t>(left_);
}

void RecordPoller::wait_live(Nanoseconds timeout) {
  const bool has_files = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return !entry.waits; });
  if (has_files || has_over()) timeout = 0;
  ready_.clear();
  wait_for_readiness(timeout);
  recording_.put('W', static_cast<std::int64_t>(ready_.size()));
  world_.advance();
}

void RecordPoller::wait_for_readiness(Nanoseconds timeout) {
  std::vector<pollfd> questions{{wake_.get(), POLLIN, 0}};
  for (const Entry& entry : entries_) {
    if (entry.waits && !entry.is_over) questions.push_back({entry.operation->fd, events_of(*entry.operation), 0});
  }
  recording_.flush();
  const timespec limit{.tv_sec = timeout / kSecond, .tv_nsec = timeout % kSecond};
  sigset_t none;
  sigemptyset(&none);
  const int found = ppoll(questions.data(), questions.size(), timeout == kNever ? nullptr : &limit, &none);
  if (found < 0 && errno != EINTR) fatal("cannot wait for events", errno);
  std::uint64_t rings;
  [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &rings, sizeof rings);
  std::size_t at = 1;
  for (const Entry& entry : entries_) {
    if (entry.is_over) continue;
    if (!entry.waits || (questions[at++].revents != 0 && found > 0)) ready_.push_back(entry.number);
  }
}

// In a replay each signal is sent again: the program's handler runs here, as it did while ppoll waited.
void RecordPoller::take_signals() {
  if (!recording_.is_replay()) {
    const std::uint64_t caught = caught_signals.exchange(0);
    for (int number = 1; number < 64; number++) {
      if (caught >> number & 1) recording_.put('S', number);
    }
    return;
  }
  while (recording_.next_tag() == 'S') raise(static_cast<int>(recording_.take('S')));
}

Operation* RecordPoller::take_over(Completion& completion) {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->is_over) continue;
    Operation* operation = entry->operation;
    entries_.erase(entry);
    completion = {.result = -ECANCELED, .more = false, .data = nullptr};
    return operation;
  }
  return nullptr;
}

Operation* RecordPoller::next(Completion& completion) {
  if (Operation* over = take_over(completion)) return over;
  while (!ready_.empty()) {
    Entry* entry = find(ready_.front());
    ready_.pop_front();
    if (!entry) {
      recording_.put('K', 0);
      continue;
    }
    Operation* operation = entry->operation;
    if (complete_live(*entry, completion)) return operation;
  }
  while (left_ > 0) {
    left_--;
    if (recording_.next_tag() == 'K') {
      recording_.take('K');
      continue;
    }
    const char how = recording_.next_tag() == 'F' ? 'F' : 'C';
    Entry* entry = find(static_cast<std::uint64_t>(recording_.take(how)));
    if (!entry) recording_.take('?');  // an operation that this run has not: it ends here
    Operation* operation = entry->operation;
    complete_again(*entry, how, completion);
    return operation;
  }
  return nullptr;
}

// False: it would block after all.
bool RecordPoller::complete_live(Entry& entry, Completion& completion) {
  const Operation& operation = *entry.operation;
  if (!entry.waits) {
    recording_.put('F', static_cast<std::int64_t>(entry.number));
    const int result = operation.perform ? operation.perform(*entry.operation) : perform_file(operation);
    recording_.put('=', result);
    completion = {.result = result, .more = false, .data = nullptr};
    finish(entry, completion);
    return true;
  }
  const int result = perform(operation);
  if (result == -EAGAIN) return recording_.put('K', 0), false;
  recording_.put('C', static_cast<std::int64_t>(entry.number));
  recording_.put('=', result);
  if (is_read(operation) && result > 0) {
    iovec one;
    const Pieces pieces = pieces_of(operation, one, scratch_.get());
    std::string bytes;
    for (std::size_t i = 0; i < pieces.count && bytes.size() < static_cast<std::size_t>(result); i++) {
      const std::size_t size = std::min(pieces.first[i].iov_len, static_cast<std::size_t>(result) - bytes.size());
      bytes.append(static_cast<const char*>(pieces.first[i].iov_base), size);
    }
    recording_.text('B', bytes);
  }
  if (operation.kind == OpKind::RecvMsg && result >= 0) {
    auto& message = *static_cast<msghdr*>(operation.data);
    std::string name(static_cast<const char*>(message.msg_name), message.msg_name ? message.msg_namelen : 0);
    recording_.text('N', name);
    recording_.put('G', message.msg_flags);
  }
  completion = {.result = result, .more = false, .data = nullptr};
  finish(entry, completion);
  return true;
}

int RecordPoller::perform(const Operation& operation) {
  if (operation.kind == OpKind::Poll) {
    pollfd question{operation.fd, events_of(operation), 0};
    const int found = ::poll(&question, 1, 0);
    if (found <= 0) return -EAGAIN;
    return question.revents & POLLNVAL ? -EBADF : question.revents;
  }
  if (operation.kind == OpKind::Recv && !operation.data) {
    if (!scratch_) scratch_ = receive_buffer();
    Operation part;
    part.recv(operation.fd, scratch_.get(), kReceiveBytes, operation.flags);
    return perform_stream(part, {}, socket_flags());
  }
  return perform_stream(operation, {}, socket_flags());
}

void RecordPoller::complete_again(Entry& entry, char how, Completion& completion) {
  Operation& operation = *entry.operation;
  completion = {};
  if (how == 'F') {
    const int result = operation.perform ? operation.perform(operation) : perform_file(operation);
    const auto recorded = completion.result = static_cast<int>(recording_.take('='));
    const bool is_descriptor = operation.kind == OpKind::OpenAt;  // its number may be another one
    if (is_descriptor && result >= 0) completion.result = result;
    if (is_descriptor ? (result < 0) != (recorded < 0) : result != recorded)
      recording_.note_difference("a file operation gave " + std::to_string(recorded) + ", and gives " +
                                 std::to_string(result));
  } else {
    completion.result = static_cast<int>(recording_.take('='));
    perform_again(operation);
  }
  finish(entry, completion);
}

// The recorded effect of an operation on a descriptor.
void RecordPoller::perform_again(Operation& operation) {
  if (recording_.next_tag() == 'B') {
    std::string bytes;
    recording_.text('B', bytes);
    fill(operation, bytes);
  }
  if (recording_.next_tag() == 'N') {
    std::string name;
    recording_.text('N', name);
    auto& message = *static_cast<msghdr*>(operation.data);
    const std::size_t size = std::min<std::size_t>(name.size(), message.msg_name ? message.msg_namelen : 0);
    if (size > 0) std::memcpy(message.msg_name, name.data(), size);
    message.msg_namelen = static_cast<socklen_t>(size);
    message.msg_flags = static_cast<int>(recording_.take('G'));
  }
}

void RecordPoller::fill(const Operation& operation, std::string_view bytes) {
  if (!scratch_) scratch_ = receive_buffer();
  iovec one;
  const Pieces pieces = pieces_of(operation, one, scratch_.get());
  for (std::size_t i = 0; i < pieces.count && !bytes.empty(); i++) {
    const std::size_t size = std::min(pieces.first[i].iov_len, bytes.size());
    std::memcpy(pieces.first[i].iov_base, bytes.data(), size);
    bytes.remove_prefix(size);
  }
}

// The form of a completion that both runs share.
void RecordPoller::finish(Entry& entry, Completion& completion) {
  const Operation& operation = *entry.operation;
  if (recording_.is_replay()) {
    if (operation.kind == OpKind::Accept && completion.result >= 0) completion.result = dummy_socket(SOCK_STREAM);
    const bool is_write =
        !operation.perform && direction_of(operation) == Direction::Write && operation.kind != OpKind::Connect;
    if (is_write && operation.fd <= kLastStandard && completion.result > 0 && operation.kind == OpKind::Write) {
      const iovec piece{operation.data, static_cast<std::size_t>(completion.result)};
      write_standard(operation.fd, &piece, 1);
    }
  }
  if (operation.kind == OpKind::Recv && !operation.data && completion.result > 0) completion.data = scratch_.get();
  if (operation.multishot)
    completion.more = operation.kind == OpKind::Recv ? completion.result > 0 : completion.result >= 0;
  if (!completion.more) entries_.erase(entries_.begin() + (&entry - entries_.data()));
}

OwnedMemory RecordPoller::take_buffer(const std::byte* data) {
  return data == scratch_.get() ? std::move(scratch_) : OwnedMemory();
}

// Datagrams do not pass through the poller, and so would not be recorded.
int RecordPoller::open_socket(int family, int type) {
  if (type == SOCK_DGRAM) return -ENOTSUP;
  const auto made = static_cast<int>(recording_.result('o', [&] { return Poller::open_socket(family, type); }));
  return recording_.is_replay() && made >= 0 ? dummy_socket(type) : made;
}

int RecordPoller::listen(int fd, int backlog) {
  return static_cast<int>(recording_.result('l', [&] { return Poller::listen(fd, backlog); }));
}

int RecordPoller::begin_connect(int fd, const sockaddr* address, socklen_t size) {
  return static_cast<int>(recording_.result('c', [&] { return Poller::begin_connect(fd, address, size); }));
}

int RecordPoller::connect_result(int fd) {
  return static_cast<int>(recording_.result('r', [&] { return Poller::connect_result(fd); }));
}

long RecordPoller::send_now(int fd, const iovec* pieces, std::size_t count) {
  return recording_.result('s', [&] { return Poller::send_now(fd, pieces, count); });
}

long RecordPoller::send_message_now(int fd, const msghdr& message) {
  return recording_.result('m', [&] { return Poller::send_message_now(fd, message); });
}

long RecordPoller::write_now(int fd, const iovec* pieces, std::size_t count) {
  if (recording_.is_replay() && fd <= kLastStandard) write_standard(fd, pieces, count);
  return recording_.result('w', [&] { return Poller::write_now(fd, pieces, count); });
}

int RecordPoller::shut_down(int fd, int how) {
  return static_cast<int>(recording_.result('h', [&] { return Poller::shut_down(fd, how); }));
}

bool RecordPoller::turn_away(int fd) {
  return recording_.result('t', [&] { return Poller::turn_away(fd) ? 1L : 0L; }) != 0;
}

}  // namespace rondo
