// The environment variables that a runtime sees: the process's own, or a copy that a worker was given and may share with workers
// of its own.
//
// Thread: any.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace rondo::runtime {

class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::optional<std::string> get(const std::string& name) = 0;
  virtual void set(const std::string& name, const std::string& value) = 0;
  virtual void unset(const std::string& name) = 0;
  virtual std::vector<std::string> names() = 0;
  virtual bool is_of_process() const { return false; }
};

// The environment that getenv(3) and children see. (Process has the lock.)
class ProcessEnvironment final : public Environment {
 public:
  bool is_of_process() const override { return true; }
  std::optional<std::string> get(const std::string& name) override;
  void set(const std::string& name, const std::string& value) override;
  void unset(const std::string& name) override;
  std::vector<std::string> names() override;
};

class OwnEnvironment final : public Environment {
 public:
  OwnEnvironment() = default;
  // A copy of what `other` has now.
  explicit OwnEnvironment(Environment& other);
  std::optional<std::string> get(const std::string& name) override;
  void set(const std::string& name, const std::string& value) override;
  void unset(const std::string& name) override;
  std::vector<std::string> names() override;

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> values_;
};

}  // namespace rondo::runtime
