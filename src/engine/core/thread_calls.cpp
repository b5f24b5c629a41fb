// See thread_calls.h.
#include "engine/core/thread_calls.h"

#include <JavaScriptCore/JSCConfig.h>

#include <mutex>
#include <unordered_map>
#include <vector>

namespace rondo::engine {

namespace {

using Functions = std::vector<std::function<void(JSC::VM&)>>;

struct Waiting {
  std::mutex mutex;
  std::unordered_map<JSC::VM*, Functions> calls;
};

Waiting& waiting() {
  static auto* const all = new Waiting;
  return *all;
}

}  // namespace

void enable_thread_calls() { g_jscConfig.shellTimeoutCheckCallback = run_thread_calls; }

void call_on_thread(JSC::VM& vm, std::function<void(JSC::VM&)> function) {
  auto& all = waiting();
  const std::lock_guard lock(all.mutex);
  all.calls[&vm].push_back(std::move(function));
  vm.notifyNeedShellTimeoutCheck();
}

void run_thread_calls(JSC::VM& vm) {
  Functions mine;
  {
    auto& all = waiting();
    const std::lock_guard lock(all.mutex);
    auto found = all.calls.find(&vm);
    if (found == all.calls.end()) return;
    mine = std::move(found->second);
    all.calls.erase(found);
  }
  for (auto& function : mine) function(vm);
}

void drop_thread_calls(JSC::VM& vm) {
  auto& all = waiting();
  const std::lock_guard lock(all.mutex);
  all.calls.erase(&vm);
}

}  // namespace rondo::engine
