// A handle of the loop that JavaScript holds: a server, a socket, a watcher. The cell stays, reachable or not, until the handle is
// closed; whatever is still open when the Runtime ends is closed by it. Modules derive one class for each kind of handle.
//
// Thread: the loop's.
#pragma once

#include "engine/core/native_object.h"
#include "runtime/entry/continuation.h"
#include "runtime/native_class.h"

#include "rondo/handle.h"

namespace rondo::runtime {

class HandleObject : public engine::NativeObject, public ListNode {
 public:
  HandleObject(Runtime& runtime, const Source& source) : runtime_(runtime) {
    origin_.capture(runtime, source);
    runtime.open_handles().push_back(*this);
  }

  // Something that another handle brought forth (a server its connections): it runs in that one's context.
  HandleObject(const HandleObject& parent, const Source& source) : runtime_(parent.runtime_) {
    origin_.inherit(runtime_, source, parent.origin_);
    runtime_.open_handles().push_back(*this);
  }

  // One whose object of JavaScript does not exist yet: note_origin() follows.
  explicit HandleObject(Runtime& runtime) : runtime_(runtime) { runtime.open_handles().push_back(*this); }

  virtual Handle& handle() = 0;

  Runtime& runtime() const { return runtime_; }
  // For one source of events, in the context in which the handle was made. `what` names the events, in place of the handle.
  Continuation event(JSC::JSObject* function, const Source& what) const {
    return Continuation(runtime_, function, origin_, what);
  }
  // The context, and what async hooks are given as the resource; null: an object of their own.
  void note_origin(const Source& source, JSC::JSObject* resource) { origin_.capture(runtime_, source, resource); }
  // The task that brought it forth; 0 leaves what is known.
  void caused_by(uint32_t task) {
    if (task) origin_.cause = task;
  }
  // Its resource in async hooks; undefined while none are in use.
  engine::Value async_record() const { return origin_.is_tracked ? origin_.context.get() : JSC::jsUndefined(); }

  // The function runs in the closing phase. Afterwards the collector may take the handle.
  void close(JSC::JSObject* done) { handle().close(closer(done)); }
  // The close callback, for a module that closes in its own way.
  Function<void()> closer(JSC::JSObject* done) {
    return [this, then = event(done, kClosed)]() mutable { finish(then); };
  }

  // From now on the cell stays until the handle is closed, reachable or not.
  void keep() {
    if (!cell_) cell_.set(runtime_.vm(), self_);
  }

  // The Runtime ends: nothing of the engine is held any more.
  virtual void release() {
    cell_.clear();
    origin_.context.clear();
    origin_.is_tracked = false;
  }

  // An instance of its class, if that has methods (native_class.h).
  template <class T>
  static engine::NativeCell* publish(std::unique_ptr<T> object) {
    T* made = object.get();
    auto* cell = make_cell(std::move(object));
    made->keep();
    return cell;
  }
  // For a handle that the collector may take until keep() is called.
  template <class T>
  static engine::NativeCell* make_cell(std::unique_ptr<T> object) {
    T* made = object.get();
    Runtime& runtime = made->runtime_;
    auto& structure = runtime.local<NativeClass<T>>().structure;
    return made->self_ = structure ? engine::make_native(runtime.vm(), structure.get(), std::move(object))
                                   : engine::make_native(runtime.realm(), std::move(object));
  }

 protected:
  // The handle has been closed. What the close callback is given.
  virtual engine::Value on_closed() { return JSC::jsNumber(0); }
  engine::NativeCell* self() const { return self_; }

 private:
  // The callback may run the collector, which may take this handle then.
  void finish(Continuation& closed) {
    Runtime& runtime = runtime_;
    Continuation then = std::move(closed);
    auto record = origin_.is_tracked ? origin_.context : JSC::Strong<JSC::Unknown>();
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(on_closed());
    cell_.clear();
    unlink();
    then(arguments);
    if (record && !runtime.is_stopped()) runtime.end_tracked(record.get());
  }

  static constexpr Source kClosed{"close", "CLOSEWRAP"};

  Runtime& runtime_;
  StartPoint origin_;
  engine::NativeCell* self_ = nullptr;  // owns this
  JSC::Strong<engine::NativeCell> cell_;
};

// An operation that is under way without a handle (a file request, a look-up). A Runtime that ends asks it to end before its time,
// and waits until it has: until it is unlinked, or destroyed.
class Request : public ListNode {
 public:
  virtual ~Request() = default;
  void begin(Runtime& runtime) { runtime.open_requests().push_back(*this); }
  virtual void cancel() = 0;
};

}  // namespace rondo::runtime
