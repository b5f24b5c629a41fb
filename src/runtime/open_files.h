// The descriptors that a worker's program opened by number (fs.open): nobody else knows of them, so they are closed with its runtime,
// unless its owner asked for the contrary (trackUnmanagedFds). The main thread's stay open: the process ends with it. What does not add up
// is warned of: somebody else opens or closes the same numbers.
#pragma once

#include "runtime/threads/worker_thread.h"

#include <unistd.h>

#include <set>
#include <string>

namespace rondo::runtime {

class OpenFiles {
 public:
  explicit OpenFiles(Runtime& runtime)
      : runtime_(runtime), tracks_(runtime.options().worker && runtime.options().worker->tracks_files()) {}
  ~OpenFiles() {
    for (int fd : fds_) ::close(fd);
  }

  void opened(int fd) {
    if (tracks_ && !fds_.insert(fd).second) warn(fd, "opened in unmanaged mode twice");
  }
  // It is closed, or belongs to somebody else from now on.
  void gone(int fd) {
    if (tracks_ && !fds_.erase(fd)) warn(fd, "closed but not opened in unmanaged mode");
  }

 private:
  void warn(int fd, const char* what) {
    auto* realm = runtime_.realm();
    engine::Value methods = runtime_.builtins().require("internal/process/methods");
    if (!methods.isObject() || runtime_.is_stopped()) return;
    engine::Value emit = JSC::asObject(methods)->get(realm, engine::identifier(runtime_.vm(), "emitWarning"));
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(engine::make_string(runtime_.vm(), "File descriptor " + std::to_string(fd) + " " + what));
    runtime_.call_nested(emit, JSC::jsUndefined(), arguments);
  }

  Runtime& runtime_;
  bool tracks_;
  std::set<int> fds_;
};

}  // namespace rondo::runtime
