// Terminal modes and sizes, and putting the terminal back whatever happens.
#include "rondo/tty.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "loop/net/stream_core.h"
#include "rondo/detail/lock_free_stack.h"

namespace rondo {
namespace {

// Terminals in raw mode, with what to put back. Slots are claimed and freed by compare and swap, so that
// a signal handler finds each either whole or absent; they are never freed, only used again.
struct Saved : StackLink<Saved> {
  std::atomic<int> fd{-1};
  termios mode{};
};
constexpr int kClaimed = -2;
using SavedStack = LockFreeStack<Saved>;
SavedStack saved;

Saved* find_saved(int fd) {
  for (Saved* slot = saved.newest(); slot; slot = SavedStack::next(*slot)) {
    if (slot->fd.load(std::memory_order_acquire) == fd) return slot;
  }
  return nullptr;
}

Saved& claim_slot() {
  for (Saved* slot = saved.newest(); slot; slot = SavedStack::next(*slot)) {
    int free = -1;
    if (slot->fd.compare_exchange_strong(free, kClaimed)) return *slot;
  }
  auto* slot = new Saved;
  slot->fd.store(kClaimed, std::memory_order_relaxed);
  saved.push(*slot);
  return *slot;
}

void save(int fd, const termios& mode) {
  static const int registered = std::atexit(Tty::restore_all);
  (void)registered;
  Saved& slot = claim_slot();
  slot.mode = mode;
  slot.fd.store(fd, std::memory_order_release);
}

void forget_saved(int fd) {
  if (Saved* slot = find_saved(fd)) slot->fd.store(-1, std::memory_order_release);
}

int set_attributes(int fd, const termios& mode) {
  int result;
  do {
    result = tcsetattr(fd, TCSADRAIN, &mode);
  } while (result < 0 && errno == EINTR);
  return result;
}

termios raw(termios mode) {
  mode.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  mode.c_oflag |= ONLCR;
  mode.c_cflag |= CS8;
  mode.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  return mode;
}

// An open description of our own, non-blocking: a terminal that takes no more would else block the loop in the middle of a write,
// and the mode of the one we were given belongs to others too. Empty where that cannot be had.
UniqueFd reopen(int fd) {
  unsigned number;
  if (ioctl(fd, TIOCGPTN, &number) == 0)
    return {};  // the side of a terminal emulator: opening it makes another terminal
  const int access = fcntl(fd, F_GETFL) & O_ACCMODE;
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  UniqueFd own(::open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat here, there;
  if (!own || fstat(fd, &here) < 0 || fstat(own.get(), &there) < 0 || here.st_rdev != there.st_rdev) return {};
  return own;
}

}  // namespace

Tty::Tty(Loop& loop) : Stream(loop, HandleKind::Tty), resized_(loop) { resized_.unref(); }

Tty::~Tty() { restore(); }

Result<void> Tty::open(UniqueFd terminal) {
  if (is_closing() || !terminal) return failure(EBADF, "open");
  if (core().is_open()) return failure(EBUSY, "open");
  if (!isatty(terminal.get())) return failure(ENOTTY, "open");
  if (UniqueFd own = reopen(terminal.get())) terminal = std::move(own);
  core().open(terminal.release(), StreamCore::Transport::File);
  return {};
}

Result<void> Tty::set_mode(TtyMode mode) {
  if (is_closing() || fd() < 0) return failure(EBADF, "tcsetattr");
  if (mode == terminal_mode_) return {};
  if (mode == TtyMode::Normal) {
    restore();
    return {};
  }
  termios now;
  if (tcgetattr(fd(), &now) < 0) return last_failure("tcgetattr");
  Saved* slot = find_saved(fd());
  if (!slot) save(fd(), now);
  termios wanted = slot ? slot->mode : now;
  if (mode == TtyMode::Raw) {
    wanted = raw(wanted);
  } else {
    cfmakeraw(&wanted);
  }
  if (set_attributes(fd(), wanted) < 0) {
    const auto error = last_failure("tcsetattr");
    if (!slot) forget_saved(fd());  // its number will be another file's
    return error;
  }
  terminal_mode_ = mode;
  return {};
}

void Tty::restore() {
  if (std::exchange(terminal_mode_, TtyMode::Normal) == TtyMode::Normal) return;
  if (Saved* slot = find_saved(fd())) {
    set_attributes(fd(), slot->mode);
    slot->fd.store(-1, std::memory_order_release);
  }
}

void Tty::restore_all() {
  const int error = errno;
  for (const Saved* slot = saved.newest(); slot; slot = SavedStack::next(*slot)) {
    if (const int fd = slot->fd.load(std::memory_order_acquire); fd >= 0) tcsetattr(fd, TCSANOW, &slot->mode);
  }
  errno = error;
}

bool Tty::is_terminal(int fd) { return isatty(fd) == 1; }

Result<TtySize> Tty::size() const { return size_of(fd()); }

Result<TtySize> Tty::size_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return last_failure("ioctl");
  return TtySize{size.ws_col, size.ws_row};
}

Result<void> Tty::on_resize(Function<void(TtySize)> function) {
  if (is_closing()) return failure(EBADF, "ioctl");
  on_resize_.set(std::move(function));
  if (const auto now = size()) last_size_ = *now;
  return resized_.start(SIGWINCH, [this](int) { take_resize(); });
}

void Tty::take_resize() {
  const auto now = size();
  if (!now || (now->columns == last_size_.columns && now->rows == last_size_.rows)) return;
  last_size_ = *now;
  on_resize_(*now);
}

void Tty::drop_functions() {
  const auto function = on_resize_.take();
  Stream::drop_functions();
}

void Tty::begin_close() {
  resized_.stop();
  restore();
  Stream::begin_close();
}

}  // namespace rondo
