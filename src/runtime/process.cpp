// See process.h.
#include "runtime/process.h"

#include "rondo/tty.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace rondo::runtime {

Process& Process::get() {
  static auto* process = new Process;  // never destroyed: threads may still use it while the process ends
  return *process;
}

std::optional<std::string> Process::environment(const std::string& name) {
  std::lock_guard lock(environment_mutex_);
  const char* value = ::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

void Process::set_environment(const std::string& name, const std::string& value) {
  std::lock_guard lock(environment_mutex_);
  ::setenv(name.c_str(), value.c_str(), 1);
}

void Process::unset_environment(const std::string& name) {
  std::lock_guard lock(environment_mutex_);
  ::unsetenv(name.c_str());
}

std::vector<std::string> Process::environment_names() {
  std::lock_guard lock(environment_mutex_);
  std::vector<std::string> names;
  for (char** entry = environ; entry && *entry; entry++) {
    if (const char* equals = strchr(*entry, '=')) names.emplace_back(*entry, static_cast<size_t>(equals - *entry));
  }
  return names;
}

void Process::at_exit(std::function<void(int)> hook) {
  std::lock_guard lock(exit_mutex_);
  hooks_.push_back(std::move(hook));
}

void Process::exit(int code) {
  exit_mutex_.lock();  // never unlocked
  for (auto& hook : hooks_) hook(code);
  Tty::restore_all();
  fflush(nullptr);
  _exit(code);
}

}  // namespace rondo::runtime
