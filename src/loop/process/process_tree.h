// Reading the process tree from /proc. kill_tree uses it; the parser stands alone so that it can be fuzzed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

namespace rondo {

// The parent's pid in the text of /proc/PID/stat. The name in it may hold anything, parentheses too.
std::optional<pid_t> parent_in_stat(std::string_view text);

}  // namespace rondo
