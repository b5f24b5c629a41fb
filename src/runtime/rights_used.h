// The rights that a run asks for, collected for `rondo why --permission`: nothing is refused, and at the end the options that would
// have allowed it are known. Shared by a program's runtimes. Thread: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::runtime {

enum class Scope : uint8_t;

class RightsUsed {
 public:
  void note(Scope scope, std::string_view resource);
  // --permission and what belongs to it, without `program`, which may always be read. Files of one folder of packages, or many of any
  // folder, become that folder.
  std::vector<std::string> as_options(std::string_view program) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> reads_, writes_;
  uint32_t others_ = 0;  // scopes without paths, as bits
  bool uses_all_files_ = false;
};

}  // namespace rondo::runtime
