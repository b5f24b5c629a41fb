// Memory of an addon's that JavaScript sees as an ArrayBuffer or Buffer. Its finalizer runs once: when the engine lets the memory go, on
// whatever thread that is, or else when the environment ends.
#pragma once

#include "modules/napi/env.h"

#include "rondo/loop_address.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace rondo::modules::napi {

class ExternalMemory;

// The memory of one Runtime's addons that is still lent. Outlives the Runtime if a buffer does.
struct LentMemory {
  explicit LentMemory(Runtime& runtime) : home(runtime.loop().address()), thread(std::this_thread::get_id()) {}

  // The Runtime ends: every finalizer that has not run runs now.
  void end();

  LoopAddress home;
  std::thread::id thread;
  std::mutex mutex;
  std::unordered_set<ExternalMemory*> lent;
  bool has_ended = false;
};

// Calls `finalizer` as said above when it is run.
JSC::ArrayBufferDestructorFunction releasing(napi_env env, const Finalizer& finalizer);

// An ArrayBuffer on `data`; `finalizer` may be empty.
Ref<JSC::ArrayBuffer> lend(napi_env env, void* data, size_t size, const Finalizer& finalizer);

}  // namespace rondo::modules::napi
