// native('stdio'): writing to standard output and error so that nothing is lost at exit. Files and terminals take every byte before
// the call returns. Pipes and sockets take what they have room for; the rest waits here while the loop goes on, keeps the
// program alive, and is written to the end when the process exits. The descriptors' flags stay as they are: others share them.
#include "runtime/entry/continuation.h"
#include "runtime/process.h"

#include "rondo/poll.h"
#include "rondo/system.h"
#include "rondo/tty.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

namespace rondo::modules {

using namespace engine;

namespace {

// 0 or -errno.
int write_all(int fd, Bytes data) {
  const auto written = write_fully(fd, data);
  return written ? 0 : -written.error().number;
}

constexpr runtime::Source kWrite{"write", "WRITEWRAP"};

// Output that a pipe or socket has no room for yet.
class Outlet {
 public:
  Outlet(runtime::Runtime& runtime, int fd) : runtime_(runtime), fd_(fd), poll_(runtime.loop()) {}

  // 0: taken; 1: some of it waits; else -errno.
  int write(Bytes data) {
    if (waiting_.empty()) {
      if (const int error = put(data)) return error;
      if (data.empty()) return 0;
      auto started = poll_.start(fd_, Readiness::Writable, [this](Readiness) { go_on(); });
      if (!started) return write_all(fd_, data);
    }
    waiting_.insert(waiting_.end(), data.begin(), data.end());
    return 1;
  }

  // `callback` gets 0 or -errno when nothing waits any more.
  void when_empty(JSC::JSObject* callback) {
    on_empty_ = runtime::Continuation(runtime_, callback, kWrite);
    has_callback_ = true;
  }

  void finish_writing() { write_all(fd_, Bytes(waiting_).subspan(at_)); }

 private:
  // Takes from the front of `data` what there is room for: 0 or -errno.
  int put(Bytes& data) const {
    while (!data.empty()) {
      const auto taken = write_available(fd_, data);
      if (taken)
        data = data.subspan(*taken);
      else if (taken.error().number == EAGAIN)
        return 0;
      else if (taken.error().number != EINTR)
        return -taken.error().number;
    }
    return 0;
  }

  void go_on() {
    Bytes rest = Bytes(waiting_).subspan(at_);
    const int error = put(rest);
    at_ = waiting_.size() - rest.size();
    if (error || rest.empty()) finish(error);
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
  std::vector<std::byte> waiting_;
  size_t at_ = 0;  // how much of it is written
  bool has_callback_ = false;
  runtime::Continuation on_empty_;
};

bool may_wait(int fd) {
  const auto kind = descriptor_kind_of(fd);
  return kind == DescriptorKind::Pipe || kind == DescriptorKind::Socket;
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

int write_out(Call& call, Bytes data) {
  auto* out = outlet(call);
  return out ? out->write(data) : write_all(call.int32(0), data);
}

// writeText(fd, string) and writeBytes(fd, view): 0, 1 when some of it waits, or -errno.
Value write_text(Call& call) {
  auto text = call.wtf_string(1);
  if (text.is8Bit() && text.containsOnlyASCII()) {
    return call.value(write_out(call, std::as_bytes(std::span(text.characters8(), text.length()))));
  }
  auto utf8 = to_utf8(call.realm(), text);
  if (call.failed()) return {};
  return call.value(write_out(call, as_bytes(utf8)));
}

Value write_bytes(Call& call) { return call.value(write_out(call, std::as_bytes(call.bytes(1)))); }

// whenEmpty(fd, callback)
Value when_empty(Call& call) {
  auto* callback = call.function(1);
  if (auto* out = outlet(call); out && callback) out->when_empty(callback);
  return call.undefined();
}

// The type of a descriptor: 'tty', 'file', 'pipe', 'socket' or 'unknown'.
Value kind_of(Call& call) {
  switch (descriptor_kind_of(call.int32(0))) {
    case DescriptorKind::Tty:
      return call.text("tty");
    case DescriptorKind::File:
      return call.text("file");
    case DescriptorKind::Pipe:
      return call.text("pipe");
    case DescriptorKind::Socket:
      return call.text("socket");
    default:
      return call.text("unknown");
  }
}

// windowSize(fd) → [columns, rows], or undefined when it is no terminal.
Value window_size(Call& call) {
  const auto size = Tty::size_of(call.int32(0, -1));
  if (!size) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  parts.append(JSC::jsNumber(size->columns));
  parts.append(JSC::jsNumber(size->rows));
  return call.value(make_array(call.realm(), parts));
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
