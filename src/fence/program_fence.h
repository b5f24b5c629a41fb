// --permission=kernel: the rules of a program as the kernel's, so that they hold for native code too, for an engine that was broken
// into, and between a check and its use. The checks of src/modules stay in front: they give the program its errors.
//
// Landlock has folders and files; seccomp has system calls. Held: reading, writing, the network as a whole, starting processes. Not
// held: what has a path that Landlock does not ask about (stat; chmod, chown, times and watching are refused altogether instead),
// workers and addons, which are threads and memory of the same process. A rule that cannot be held is refused (unholdable()).
#pragma once

#include "fence/page_fence.h"

#include <optional>
#include <string>
#include <vector>

namespace rondo::fence {

struct ProgramRights {
  // A path as it was granted; a prefix ends where the '*' stood.
  struct Path {
    std::string name;
    bool is_prefix;
  };
  bool reads_all = false, writes_all = false;
  std::vector<Path> readable, writable;
  std::vector<std::string> own;  // files of the program and of the runtime that are read besides
  bool uses_network = false;
  bool starts_processes = false;
};

// Why the kernel cannot hold these rules, or nothing.
std::optional<std::string> unholdable(const ProgramRights& rights);
// Makes them hold, for good. Returns the error's text, or nothing. Call it before the first thread and the first ring.
std::optional<std::string> fence_program(const ProgramRights& rights);

}  // namespace rondo::fence
