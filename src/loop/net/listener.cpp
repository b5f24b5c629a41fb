// Accepting connections, and what to do when there is no descriptor for one.
#include "rondo/listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "loop/net/listener_core.h"
#include "loop/net/socket.h"

namespace rondo {
namespace {

constexpr Duration kRetryDelay = std::chrono::milliseconds(50);
constexpr int kTurnAwayAtOnce = 256;

UniqueFd open_reserve() { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

ListenerCore::ListenerCore() { accept_.then(on_accept_complete, this); }

void ListenerCore::open(int fd) {
  fd_ = fd;
  sign(accept_, false);
}

Result<void> ListenerCore::listen(int backlog) {
  if (!is_open()) return failure(EBADF, "listen");
  if (const int error = -loop_->poller().listen(fd_, backlog)) return failure(error, "listen");
  if (!reserve_) reserve_ = open_reserve();
  return {};
}

void ListenerCore::start(bool once) {
  accepting_ = true;
  once_ = once;
  if (kept_.empty()) return arm();
  defer([](IoCore& core) {
    auto& self = static_cast<ListenerCore&>(core);
    Guard guard(core);
    while (self.usable() && self.accepting_ && !self.kept_.empty()) {
      UniqueFd first = std::move(self.kept_.front());
      self.kept_.pop_front();
      self.deliver(std::move(first));
    }
    if (self.usable() && self.accepting_) self.arm();
  });
}

void ListenerCore::stop() {
  accepting_ = false;
  if (accept_.is_in_flight()) loop_->cancel(accept_);
}

void ListenerCore::cancel_all() {
  accepting_ = false;
  drop(accept_);
  kept_.clear();
  reserve_.reset();  // the owner may keep the closed listener
}

void ListenerCore::arm() {
  if (accept_.is_in_flight()) return;
  accept_.accept(fd_);
  accept_.multishot = !once_;
  loop_->submit(accept_);
}

// Without descriptors accept(2) fails even if no one waits (the kernel takes the number first), so the next
// attempt waits for someone to come.
void ListenerCore::arm_after_poll() {
  if (!accept_.is_in_flight()) loop_->submit(accept_.poll(fd_, POLLIN));
}

void ListenerCore::on_accept_complete(Operation& operation, const Completion& completion) {
  ListenerCore& core = *static_cast<ListenerCore*>(operation.owner);
  Guard guard(core);
  core.take(completion);
}

void ListenerCore::take(const Completion& completion) {
  if (accept_.kind == OpKind::Poll) {
    if (usable() && accepting_) arm();
    return;
  }
  UniqueFd connection(completion.result >= 0 ? completion.result : -1);
  if (!usable()) return;
  if (connection && accepting_) {
    deliver(std::move(connection));
  } else if (connection) {
    kept_.push_back(std::move(connection));  // stopped meanwhile
  } else if (completion.result != -ECANCELED) {
    return take_error(-completion.result);
  }
  if (usable() && accepting_ && !completion.more) arm();
}

void ListenerCore::deliver(Result<UniqueFd> connection) {
  if (once_) {
    accepting_ = false;
    listener().deactivate();
  }
  listener().on_connection_(std::move(connection));
}

// A shortage is no one's to mend who waits for connections: it is not reported, and accepting goes on as it passes.
void ListenerCore::take_error(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      if (!accepting_) return;
      return turn_away() ? arm_after_poll() : retry_later();
    case ENOMEM:
    case ENOBUFS:
      return retry_later();
    case EBADF:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
      accepting_ = false;
      listener().deactivate();
      listener().on_connection_(failure(error, "accept"));
      return;
    default:  // the connection's own misfortune (ECONNABORTED, EPROTO, ...): the next one may be well
      if (accepting_) arm();
  }
}

void ListenerCore::retry_later() {
  if (!accepting_) return;
  listener().retry_.start(kRetryDelay, [this] {
    if (usable() && accepting_) arm();
  });
}

// Frees the reserved descriptor for a moment, to accept and close who waits. Otherwise they would hang, and the
// listener would be ready for ever. False when the reserve could not be had again.
bool ListenerCore::turn_away() {
  if (reserve_) {
    reserve_.reset();
    for (int i = 0; i < kTurnAwayAtOnce && loop_->poller().turn_away(fd_); i++) turned_away++;
  }
  reserve_ = open_reserve();
  return static_cast<bool>(reserve_);
}

Listener::Listener(Loop& loop, HandleKind kind) : IoHandle(loop, kind, new ListenerCore), retry_(loop) {
  retry_.unref();
}

ListenerCore& Listener::core() const { return *static_cast<ListenerCore*>(core_); }

Result<void> Listener::open(UniqueFd socket) {
  if (is_closing() || !socket) return failure(EBADF, "open");
  if (fd() >= 0) return failure(EBUSY, "open");
  if (auto result = expect_socket(loop(), socket); !result) return result;
  adopt_mode(loop(), socket.get());
  set_shared();
  core().open(socket.release());
  return {};
}

Result<void> Listener::listen(int backlog, Function<OnConnection> on_connection) {
  if (is_closing()) return failure(EBADF, "listen");
  auto result = core().listen(backlog);
  if (!result || !on_connection) return result;
  on_connection_.set(std::move(on_connection));
  start();
  return result;
}

void Listener::start() {
  if (is_closing() || fd() < 0) return;
  core().start();
  activate();
}

void Listener::accept_once(Function<OnConnection> on_connection) {
  if (is_closing() || fd() < 0) return;
  on_connection_.set(std::move(on_connection));
  core().start(true);
  activate();
}

void Listener::stop() {
  if (is_closing()) return;
  retry_.stop();
  core().stop();
  deactivate();
}

std::uint64_t Listener::turned_away() const { return core().turned_away; }

void Listener::drop_functions() { const auto function = on_connection_.take(); }

void Listener::begin_close() {
  retry_.stop();
  // An accept in flight keeps the socket alive until its cancellation is through; to others it must be gone now.
  if (fd() >= 0 && !is_shared_) loop().poller().shut_down(fd(), SHUT_RDWR);
  IoHandle::begin_close();
}

}  // namespace rondo
