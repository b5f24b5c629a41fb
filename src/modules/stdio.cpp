// native('stdio'): writing to standard output and error so that nothing is lost at exit. Files and terminals take every byte before
// the call returns. Pipes and sockets take what they have room for; the rest waits here while the loop goes on, keeps the
// program alive, and is written to the end when the process exits. The descriptors' flags stay as they are: others share them.
#include "runtime/continuation.h"
#include "runtime/process.h"

#include "rondo/poll.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <string>

namespace rondo::modules {

using namespace engine;

namespace {

// Returns 0 or an errno.
int write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    ssize_t n = ::write(fd, data, size);
    if (n >= 0) {
      data += n;
      size -= static_cast<size_t>(n);
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// Writes what there is room for without waiting: the number of bytes, or -errno (-EAGAIN: none).
ssize_t write_some(int fd, const char* data, size_t size) {
  iovec part{const_cast<char*>(data), size};
  ssize_t n = ::pwritev2(fd, &part, 1, -1, RWF_NOWAIT);
  if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return n >= 0 ? n : -errno;
  // What the kernel cannot do at once for this descriptor: a ready pipe has room for PIPE_BUF bytes.
  pollfd ready{fd, POLLOUT, 0};
  if (::poll(&ready, 1, 0) <= 0) return -EAGAIN;
  n = ::write(fd, data, std::min<size_t>(size, PIPE_BUF));
  return n >= 0 ? n : -errno;
}

constexpr runtime::Source kWrite{"write", "WRITEWRAP"};

// Output that a pipe or socket has no room for yet.
class Outlet {
 public:
  Outlet(runtime::Runtime& runtime, int fd) : runtime_(runtime), fd_(fd), poll_(runtime.loop()) {}

  // 0: taken; 1: some of it waits; else -errno.
  int write(const char* data, size_t size) {
    if (waiting_.empty()) {
      while (size > 0) {
        ssize_t n = write_some(fd_, data, size);
        if (n == -EAGAIN) break;
        if (n < 0 && n != -EINTR) return static_cast<int>(n);
        data += std::max<ssize_t>(n, 0);
        size -= static_cast<size_t>(std::max<ssize_t>(n, 0));
      }
      if (size == 0) return 0;
      auto started = poll_.start(fd_, Readiness::Writable, [this](Readiness) { go_on(); });
      if (!started) return -write_all(fd_, data, size);
    }
    waiting_.append(data, size);
    return 1;
  }

  // `callback` gets 0 or -errno when nothing waits any more.
  void when_empty(JSC::JSObject* callback) {
    on_empty_ = runtime::Continuation(runtime_, callback, kWrite);
    has_callback_ = true;
  }

  void finish_writing() { write_all(fd_, waiting_.data() + at_, waiting_.size() - at_); }

 private:
  void go_on() {
    while (at_ < waiting_.size()) {
      ssize_t n = write_some(fd_, waiting_.data() + at_, waiting_.size() - at_);
      if (n == -EAGAIN) return;
      if (n < 0 && n != -EINTR) return finish(static_cast<int>(n));
      at_ += static_cast<size_t>(std::max<ssize_t>(n, 0));
    }
    finish(0);
  }

  void finish(int result) {
    poll_.stop();
    waiting_ = {};
    at_ = 0;
    if (!std::exchange(has_callback_, false)) return;
    auto then = std::move(on_empty_);
    then(result);
  }

  runtime::Runtime& runtime_;
  int fd_;
  Poll poll_;
  std::string waiting_;
  size_t at_ = 0;  // how much of it is written
  bool has_callback_ = false;
  runtime::Continuation on_empty_;
};

bool may_wait(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

// Of standard output and error; none where writing is done in the call, and in other runtimes than the main one, whose end is no
// end of the process.
struct Outlets {
  explicit Outlets(runtime::Runtime& runtime) {
    for (int fd : {STDOUT_FILENO, STDERR_FILENO}) {
      if (!runtime.is_main() || !may_wait(fd)) continue;
      auto made = std::make_shared<Outlet>(runtime, fd);
      runtime::Process::get().at_exit([weak = std::weak_ptr(made)](int) {
        if (auto outlet = weak.lock()) outlet->finish_writing();
      });
      by_fd[static_cast<size_t>(fd)] = std::move(made);
    }
  }
  std::array<std::shared_ptr<Outlet>, 3> by_fd;
};

Outlet* outlet(Call& call) {
  auto fd = static_cast<size_t>(call.int32(0));
  auto& outlets = runtime::Runtime::from(call.realm()).local<Outlets>();
  return fd < outlets.by_fd.size() ? outlets.by_fd[fd].get() : nullptr;
}

int write_out(Call& call, const char* data, size_t size) {
  auto* out = outlet(call);
  return out ? out->write(data, size) : -write_all(call.int32(0), data, size);
}

// writeText(fd, string) and writeBytes(fd, view): 0, 1 when some of it waits, or -errno.
Value write_text(Call& call) {
  auto text = call.wtf_string(1);
  if (text.is8Bit() && text.containsOnlyASCII()) {
    return call.value(write_out(call, reinterpret_cast<const char*>(text.characters8()), text.length()));
  }
  auto utf8 = to_utf8(call.realm(), text);
  if (call.failed()) return {};
  return call.value(write_out(call, utf8.data(), utf8.size()));
}

Value write_bytes(Call& call) {
  auto bytes = call.bytes(1);
  return call.value(write_out(call, reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// whenEmpty(fd, callback)
Value when_empty(Call& call) {
  auto* callback = call.function(1);
  if (auto* out = outlet(call); out && callback) out->when_empty(callback);
  return call.undefined();
}

// What a descriptor is: 'tty', 'file', 'pipe', 'tcp' (any socket) or 'unknown'.
Value kind_of(Call& call) {
  int fd = call.int32(0);
  struct stat info;
  if (isatty(fd)) return call.text("tty");
  if (fstat(fd, &info) != 0) return call.text("unknown");
  if (S_ISREG(info.st_mode) || S_ISCHR(info.st_mode)) return call.text("file");
  if (S_ISFIFO(info.st_mode)) return call.text("pipe");
  if (S_ISSOCK(info.st_mode)) return call.text("socket");
  return call.text("unknown");
}

// windowSize(fd) → [columns, rows], or undefined when it is no terminal.
Value window_size(Call& call) {
  auto* realm = call.realm();
  winsize size{};
  if (::ioctl(call.int32(0, -1), TIOCGWINSZ, &size) < 0) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber(size.ws_col));
  parts.append(JSC::jsNumber(size.ws_row));
  return call.value(make_array(realm, parts));
}

constexpr FunctionSpec kFunctions[] = {{"windowSize", native<window_size>, 1},
                                       {"writeText", native<write_text>, 2},
                                       {"writeBytes", native<write_bytes>, 2},
                                       {"whenEmpty", native<when_empty>, 2},
                                       {"kindOf", native<kind_of>, 1}};

}  // namespace

void init_stdio(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
