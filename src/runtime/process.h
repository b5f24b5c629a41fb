// State that a process has once, however many runtimes run in it: the environment, the way it ends. (The working folder, umask, ids and
// signals are the kernel's or librondo's to keep; which of them a runtime may change is the runtime's rank: Runtime::is_main.)
//
// Thread: any.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::runtime {

class Process {
 public:
  static Process& get();

  // The environment. The C library's own functions must not be used beside these: they move what others read.
  std::optional<std::string> environment(const std::string& name);
  void set_environment(const std::string& name, const std::string& value);
  void unset_environment(const std::string& name);
  std::vector<std::string> environment_names();

  // Runs just before the process ends, in order of registration (flush a trace, restore a terminal).
  void at_exit(std::function<void(int code)> hook);
  // Ends the process now: the hooks, then nothing else; the kernel takes the memory back. A thread that comes second waits for the
  // first to end it.
  [[noreturn]] void exit(int code);

 private:
  Process() = default;

  std::mutex environment_mutex_;
  std::mutex exit_mutex_;
  std::vector<std::function<void(int)>> hooks_;
};

}  // namespace rondo::runtime
