// Trace events of calls of node:fs (observe/trace_log.h), and which of them a runtime wants.
#pragma once

#include "modules/fs/fs_call.h"

namespace rondo::modules {

inline constexpr uint32_t kTraceSyncWarning = 1,  // --trace-sync-io
    kTraceSyncEvents = 2, kTraceAsyncEvents = 4;

// Runs the request on the spot, with the events of a synchronous call.
void run_traced(FsCall& task);
void note_async_begin(const FsCall& task);
void note_async_end(const FsCall& task);

}  // namespace rondo::modules
