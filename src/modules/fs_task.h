// A request on its way: FsRequest plus what JavaScript needs when it is done. A synchronous call keeps one on the stack; an
// asynchronous one is submitted and deletes itself after its callback has run.
#pragma once

#include "engine/native.h"
#include "modules/fs_request.h"
#include "runtime/runtime.h"

#include "rondo/operation.h"
#include "rondo/thread_pool.h"

namespace rondo::modules {

struct FsTask : FsRequest {
  explicit FsTask(runtime::Runtime& owner) : runtime(owner) {}

  runtime::Runtime& runtime;
  const char* opened_as = nullptr;  // "opendir": the name of the call in an error, without the path
  JSC::Strong<JSC::JSObject> callback;
  JSC::Strong<JSC::Unknown> context;  // AsyncLocalStorage's, as it was when the call was made
  WTF::Vector<RefPtr<JSC::ArrayBuffer>, 1> pinned;  // memory the operation reads or writes

  Job job;  // when it runs on the pool
  Operation operation;  // when the poller waits for it

  // The result as a value; call only without an error. Fills the shared stat arrays for Stats and StatFs.
  engine::Value answer_value();
  JSC::JSObject* error_value();
};

// The arrays that lib/internal/fs/stats.js reads; made once a realm.
struct FsShared {
  double* numbers = nullptr;
  int64_t* bigints = nullptr;
};
FsShared& fs_shared();

// Runs the task, here and now if it cannot block, and calls back in a later poll phase.
void submit(FsTask* task);
void complete(FsTask* task);

// fs_cached.cpp: does the operation if everything it needs is in the kernel's caches. False: not done, nothing changed.
bool perform_cached(FsRequest& request);

// fs_watch.cpp
void init_fs_watch(runtime::Runtime& runtime, JSC::JSObject* target);

}  // namespace rondo::modules
