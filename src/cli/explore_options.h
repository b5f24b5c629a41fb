// The command lines of `rondo replay` and of the processes of `rondo explore`, and --virtual-time and --seed of Node's loop. Called by
// options.cpp.
#pragma once

#include "cli/options.h"

namespace rondo::cli {

// Takes what belongs to replay or explore-server, the first word, out of `args`; `at` is then the place behind it. Returns the error's text, or "".
std::string take_schedule(std::vector<std::string>& args, size_t& at, CommandLine& line);
// When the rest has been read: sets the schedule of --virtual-time. Returns the error's text, or "".
std::string explore_refusal(CommandLine& line, bool is_replay);

}  // namespace rondo::cli
