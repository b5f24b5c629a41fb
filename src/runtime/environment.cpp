// See environment.h.
#include "runtime/environment.h"

#include "runtime/process.h"

namespace rondo::runtime {

std::optional<std::string> ProcessEnvironment::get(const std::string& name) { return Process::get().environment(name); }
void ProcessEnvironment::set(const std::string& name, const std::string& value) {
  Process::get().set_environment(name, value);
}
void ProcessEnvironment::unset(const std::string& name) { Process::get().unset_environment(name); }
std::vector<std::string> ProcessEnvironment::names() { return Process::get().environment_names(); }

OwnEnvironment::OwnEnvironment(Environment& other) {
  for (auto& name : other.names())
    if (auto value = other.get(name)) values_.emplace(std::move(name), std::move(*value));
}

std::optional<std::string> OwnEnvironment::get(const std::string& name) {
  const std::lock_guard lock(mutex_);
  auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void OwnEnvironment::set(const std::string& name, const std::string& value) {
  const std::lock_guard lock(mutex_);
  values_[name] = value;
}

void OwnEnvironment::unset(const std::string& name) {
  const std::lock_guard lock(mutex_);
  values_.erase(name);
}

std::vector<std::string> OwnEnvironment::names() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

}  // namespace rondo::runtime
