// native('stdio'): writing to standard output and error so that nothing is lost at exit: the call returns when the kernel has
// taken every byte, also when the descriptor is a pipe in non-blocking mode.
#include "runtime/runtime.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

// writeText(fd, string) and writeBytes(fd, view): 0 or -errno.
Value write_text(Call& call) {
  auto text = call.wtf_string(1);
  if (text.is8Bit() && text.containsOnlyASCII()) {
    return call.value(-write_all(call.int32(0), reinterpret_cast<const char*>(text.characters8()), text.length()));
  }
  auto utf8 = to_utf8(call.realm(), text);
  if (call.failed()) return {};
  return call.value(-write_all(call.int32(0), utf8.data(), utf8.size()));
}

Value write_bytes(Call& call) {
  auto bytes = call.bytes(1);
  return call.value(-write_all(call.int32(0), reinterpret_cast<const char*>(bytes.data()), bytes.size()));
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
                                       {"kindOf", native<kind_of>, 1}};

}  // namespace

void init_stdio(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
