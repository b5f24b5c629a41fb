// fs.watch: each watcher is a FileWatch of librondo. This file turns its events into Node's two kinds, 'rename' and 'change'.
#include "modules/fs/fs_call.h"
#include "modules/support/permission_check.h"

#include "rondo/watch.h"

#include <cerrno>
#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::method;
using runtime::Runtime;

namespace {

std::string base_name(std::string_view path) {
  size_t end = path.find_last_not_of('/');
  if (end == std::string_view::npos) return std::string(path);
  path = path.substr(0, end + 1);
  return std::string(path.substr(path.rfind('/') + 1));
}

constexpr runtime::Source kWatch{"fs.watch", "FSEVENTWRAP"};

class WatchObject final : public runtime::HandleObject {
 public:
  WatchObject(Runtime& runtime, std::string_view path, JSC::JSObject* listener)
      : HandleObject(runtime, kWatch), watch_(runtime.loop()), name_(base_name(path)), then_(event(listener, kWatch)) {}

  Handle& handle() override { return watch_; }
  Result<void> start(const std::string& path, FileWatch::Depth depth) {
    return watch_.start(path, [this](const FileEvent& event) { on_event(event); }, depth);
  }

 private:
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
    if (watch_.is_closing() || then_.is_dead()) return;
    auto& vm = runtime().vm();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(make_string(vm, kind));
    arguments.append(make_string(vm, path.empty() ? name_ : path));
    then_(arguments);
  }

  FileWatch watch_;
  std::string name_;  // what an event without a name is about
  runtime::Continuation then_;
};

// watch(path, ref, recursive, callback) → watcher, or a negative errno
Value watch(Call& call) {
  auto bytes = call.bytes(0);
  std::string path =
      call.at(0).isString() ? call.string(0) : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto* callback = call.function(3);
  if (!callback) return call.value(-EINVAL);
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::FileSystemRead, path)) return call.raise(refusal);
  auto watcher = std::make_unique<WatchObject>(Runtime::from(call.realm()), path, callback);
  auto started = watcher->start(path, call.boolean(2) ? FileWatch::Depth::Recursive : FileWatch::Depth::Here);
  if (!started) return call.value(-started.error().number);
  if (!call.boolean(1)) watcher->handle().unref();
  return runtime::HandleObject::publish(std::move(watcher));
}

Value close(Call& call, WatchObject& watcher) {
  watcher.close(nullptr);
  return call.undefined();
}

Value set_ref(Call& call, WatchObject& watcher) {
  call.boolean(0) ? watcher.handle().ref() : watcher.handle().unref();
  return call.undefined();
}

constexpr FunctionSpec kMethods[] = {{"close", method<WatchObject, close>},
                                     {"setRef", method<WatchObject, set_ref>, 1}};
constexpr FunctionSpec kFunctions[] = {{"watch", native<watch>, 4}};

}  // namespace

void init_fs_watch(Runtime& runtime, JSC::JSObject* target) {
  runtime::structure_of<WatchObject>(runtime, kMethods);
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules
