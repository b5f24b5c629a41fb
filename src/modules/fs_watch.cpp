// fs.watch: each watcher is a FileWatch of librondo. This file turns its events into Node's two kinds, 'rename' and
// 'change', and gives watchers numbers that lib/internal/fs/watch.js can hold.
#include "modules/fs_task.h"
#include "runtime/turn.h"

#include "rondo/watch.h"

#include <cerrno>
#include <memory>
#include <unordered_map>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

std::string base_name(std::string_view path) {
  size_t end = path.find_last_not_of('/');
  if (end == std::string_view::npos) return std::string(path);
  path = path.substr(0, end + 1);
  return std::string(path.substr(path.rfind('/') + 1));
}

// A callback may close its own watcher: the watcher lives until the loop is done with it.
struct Watcher {
  Watcher(Runtime& owner, std::string_view path, JSC::JSObject* listener)
      : runtime(owner), watch(owner.loop()), name(base_name(path)) {
    callback.set(runtime.vm(), listener);
  }

  void on_event(const FileEvent& event) {
    using Kind = FileEvent::Kind;
    switch (event.kind) {
      case Kind::Modified:
      case Kind::Attributes:
        return tell("change", event.path);
      case Kind::Renamed:
        tell("rename", event.path);
        return tell("rename", event.new_path);
      case Kind::Overflow:
        return;
      default:
        return tell("rename", event.path);
    }
  }

  void tell(std::string_view kind, const std::string& path) {
    if (watch.is_closing()) return;
    auto& vm = runtime.vm();
    runtime::Turn turn(runtime);
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(make_string(vm, kind));
    arguments.append(make_string(vm, path.empty() ? name : path));
    turn.call(callback.get(), JSC::jsUndefined(), arguments);
  }

  Runtime& runtime;
  FileWatch watch;
  std::string name;  // what an event without a name is about
  JSC::Strong<JSC::JSObject> callback;
};

// Never destroyed: when a thread ends, its loop is gone before its thread-local objects.
std::unordered_map<int, std::unique_ptr<Watcher>>& all_watchers() {
  thread_local auto* made = new std::unordered_map<int, std::unique_ptr<Watcher>>();
  return *made;
}
thread_local int last_id = 0;

// (path, ref, recursive, callback) → a positive id, or a negative errno.
Encoded watch(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto bytes = call.bytes(0);
  std::string path =
      call.at(0).isString() ? call.string(0) : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto* callback = call.function(3);
  if (!callback) return call.value(-EINVAL);
  auto watcher = std::make_unique<Watcher>(Runtime::from(realm), path, callback);
  auto depth = call.boolean(2) ? FileWatch::Depth::Recursive : FileWatch::Depth::Here;
  auto started = watcher->watch.start(path, [w = watcher.get()](const FileEvent& event) { w->on_event(event); }, depth);
  if (!started) return call.value(-started.error().number);
  if (!call.boolean(1)) watcher->watch.unref();
  all_watchers()[++last_id] = std::move(watcher);
  return call.value(last_id);
}

Encoded unwatch(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& watchers = all_watchers();
  auto found = watchers.find(call.int32(0));
  if (found == watchers.end()) return call.undefined();
  Watcher* closing = found->second.release();
  watchers.erase(found);
  closing->watch.stop();
  closing->watch.close([closing] { delete closing; });
  return call.undefined();
}

Encoded watch_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& watchers = all_watchers();
  auto found = watchers.find(call.int32(0));
  if (found == watchers.end()) return call.undefined();
  if (call.boolean(1))
    found->second->watch.ref();
  else
    found->second->watch.unref();
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"watch", watch, 4}, {"unwatch", unwatch, 1}, {"watchRef", watch_ref, 2}};

}  // namespace

void init_fs_watch(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
