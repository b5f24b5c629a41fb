// The rights that the command line gives a program: --permission, --permission-audit, --allow-*.
#pragma once

#include "cli/options.h"
#include "runtime/permission.h"

#include <optional>

namespace rondo::cli {

// Nothing without --permission or --permission-audit. The program's own file and what --require names may be read.
std::optional<runtime::Permission> permission_of(const CommandLine& line, Action action);
// rondo why --permission: everything is allowed; at the end of the process the options are printed that would have allowed it.
runtime::Permission recorded_permission(const CommandLine& line);

// --permission=kernel: makes the kernel hold the same rules. False, with a message printed, where it cannot. To be called before the
// first thread and the first ring.
bool hold_by_kernel(const runtime::Permission& permission, const CommandLine& line);

}  // namespace rondo::cli
