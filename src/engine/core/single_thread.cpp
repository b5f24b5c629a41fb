// See the header.
#include "engine/core/single_thread.h"

#include <wtf/FastMalloc.h>

namespace rondo::engine {

void keep_freed_memory() { WTF::fastDisableScavenger(); }

}  // namespace rondo::engine
