// The system calls of a page's process: a list of what is allowed. Everything else fails.
#pragma once

#include "fence/system_calls.h"

namespace rondo::fence {

// Valid until the process ends.
CallPolicy page_calls();

}  // namespace rondo::fence
