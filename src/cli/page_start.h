// --fence: what a page's process gives up before the engine starts (fence/page_fence.h), by the command line.
#pragma once

#include "cli/options.h"

namespace rondo::cli {

// Fences the process in, unless --fence=off. False, with a message printed, when --fence=require demands more than the kernel has.
// To be called before the first thread and the first ring.
bool fence_page(const CommandLine& line, Action action);

}  // namespace rondo::cli
