// fs.watch: one inotify descriptor a runtime, any number of watchers on it. Watchers of the same file share the kernel's
// watch; the loop stays alive while one of them is ref'd.
#include "modules/fs_task.h"
#include "runtime/turn.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>
#include <optional>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

constexpr uint32_t kEvents =
    IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;
constexpr uint32_t kChanges = IN_ATTRIB | IN_MODIFY;

struct Watcher {
  int watch = -1;
  std::string name;  // what an event without a name is about
  bool ref = true;
  JSC::Strong<JSC::JSObject> callback;
};

class Watchers {
 public:
  explicit Watchers(Runtime& runtime) : runtime_(runtime) {}

  // A positive id, or a negative errno.
  int add(const std::string& path, bool ref, JSC::JSObject* callback) {
    if (fd_ < 0 && !open()) return -errno;
    int watch = inotify_add_watch(fd_, path.c_str(), kEvents);
    if (watch < 0) return -errno;
    size_t end = path.find_last_not_of('/');
    std::string trimmed = end == std::string::npos ? path : path.substr(0, end + 1);
    auto watcher = std::make_shared<Watcher>();
    watcher->watch = watch;
    watcher->name = trimmed.substr(trimmed.rfind('/') + 1);
    watcher->ref = ref;
    watcher->callback.set(runtime_.vm(), callback);
    watchers_[++last_id_] = std::move(watcher);
    update_alive();
    return last_id_;
  }

  void remove(int id) {
    auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    int watch = found->second->watch;
    watchers_.erase(found);
    bool shared = false;
    for (auto& [other, watcher] : watchers_) shared = shared || watcher->watch == watch;
    if (!shared) inotify_rm_watch(fd_, watch);
    update_alive();
  }

  void set_ref(int id, bool ref) {
    auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    found->second->ref = ref;
    update_alive();
  }

 private:
  bool open() {
    fd_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd_ < 0) return false;
    operation_.keeps_loop_alive = false;
    listen();
    return true;
  }

  void listen() {
    operation_.poll(fd_, POLLIN)
        .then([](Operation& op, const Completion&) { static_cast<Watchers*>(op.owner)->on_ready(); }, this);
    runtime_.loop().submit(operation_);
  }

  void update_alive() {
    bool wanted = false;
    for (auto& [id, watcher] : watchers_) wanted = wanted || watcher->ref;
    if (wanted && !alive_) alive_.emplace(runtime_.loop());
    if (!wanted) alive_.reset();
  }

  void on_ready() {
    alignas(inotify_event) char buffer[4096];
    for (;;) {
      ssize_t size = ::read(fd_, buffer, sizeof buffer);
      if (size <= 0) break;
      for (ssize_t at = 0; at < size;) {
        auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        deliver(*event);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    listen();
  }

  // Each watcher's callback is a turn of its own; one may close any of the others.
  void deliver(const inotify_event& event) {
    std::vector<std::pair<int, std::shared_ptr<Watcher>>> concerned;
    for (auto& entry : watchers_) {
      if (entry.second->watch == event.wd) concerned.emplace_back(entry);
    }
    for (auto& [id, watcher] : concerned) {
      if (!watchers_.contains(id)) continue;
      auto& vm = runtime_.vm();
      runtime::Turn turn(runtime_);
      JSC::MarkedArgumentBuffer arguments;
      arguments.append(make_string(vm, event.mask & ~kChanges ? "rename" : "change"));
      arguments.append(make_string(vm, event.len ? std::string_view(event.name) : std::string_view(watcher->name)));
      turn.call(watcher->callback.get(), JSC::jsUndefined(), arguments);
    }
  }

  Runtime& runtime_;
  int fd_ = -1;
  int last_id_ = 0;
  Operation operation_;
  std::optional<Loop::KeepAlive> alive_;
  std::map<int, std::shared_ptr<Watcher>> watchers_;
};

// Made with the first watcher; lives as long as the process, as the runtime does.
Watchers& watchers_of(JSC::JSGlobalObject* realm) {
  static thread_local Watchers* made = nullptr;
  if (!made) made = new Watchers(Runtime::from(realm));
  return *made;
}

Encoded watch(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto bytes = call.bytes(0);
  std::string path =
      call.at(0).isString() ? call.string(0) : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto* callback = call.function(2);
  if (!callback) return call.value(-EINVAL);
  return call.value(watchers_of(realm).add(path, call.boolean(1), callback));
}

Encoded unwatch(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  watchers_of(realm).remove(call.int32(0));
  return call.undefined();
}

Encoded watch_ref(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  watchers_of(realm).set_ref(call.int32(0), call.boolean(1));
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"watch", watch, 3}, {"unwatch", unwatch, 1}, {"watchRef", watch_ref, 2}};

}  // namespace

void init_fs_watch(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
