// A C++ object that JavaScript holds: a cell of the engine owns it and destroys it when the collector finds that nobody can reach
// it any more, or when the VM ends. Natives get it back with native_of<T>, which answers null for anything else.
//
// Thread: the VM's. Destruction may happen wherever JavaScript allocates, so a destructor must not enter the engine.
#pragma once

#include "engine/core/native.h"

#include <memory>

namespace rondo::engine {

class NativeObject {
 public:
  NativeObject() = default;
  NativeObject(const NativeObject&) = delete;
  NativeObject& operator=(const NativeObject&) = delete;
  virtual ~NativeObject() = default;
};

// Known by its address, which no other class has.
template <class T>
inline char kNativeKind = 0;

class NativeCell final : public JSC::JSDestructibleObject {
 public:
  using Base = JSC::JSDestructibleObject;
  static NativeCell* create(JSC::JSGlobalObject* realm, std::unique_ptr<NativeObject> object, const void* kind);
  static NativeCell* create(JSC::VM& vm, JSC::Structure* structure, std::unique_ptr<NativeObject> object,
                            const void* kind);
  // The structure of cells that are instances of a class of lib/.
  static JSC::Structure* create_structure(JSC::JSGlobalObject* realm, Value prototype);
  static void destroy(JSC::JSCell* cell) { static_cast<NativeCell*>(cell)->~NativeCell(); }

  template <typename, JSC::SubspaceAccess>
  static JSC::CompleteSubspace* subspaceFor(JSC::VM& vm) {
    return &vm.destructibleObjectSpace();
  }
  DECLARE_INFO;
  DECLARE_VISIT_CHILDREN;

  const void* kind() const { return kind_; }
  NativeObject* object() const { return object_.get(); }
  // One value that lives as long as the cell.
  void keep(JSC::VM& vm, Value value) { kept_.set(vm, this, value); }
  Value kept() const { return kept_.get(); }

 private:
  NativeCell(JSC::VM& vm, JSC::Structure* structure, std::unique_ptr<NativeObject> object, const void* kind)
      : Base(vm, structure), kind_(kind), object_(std::move(object)) {}

  const void* kind_;
  std::unique_ptr<NativeObject> object_;
  JSC::WriteBarrier<JSC::Unknown> kept_;
};

// The cell that owns `object` from now on.
template <class T>
NativeCell* make_native(JSC::JSGlobalObject* realm, std::unique_ptr<T> object) {
  return NativeCell::create(realm, std::move(object), &kNativeKind<T>);
}
template <class T>
NativeCell* make_native(JSC::VM& vm, JSC::Structure* structure, std::unique_ptr<T> object) {
  return NativeCell::create(vm, structure, std::move(object), &kNativeKind<T>);
}

// Null when `value` is no cell of this class.
template <class T>
T* native_of(Value value) {
  auto* cell = value.isCell() ? JSC::jsDynamicCast<NativeCell*>(value.asCell()) : nullptr;
  return cell && cell->kind() == &kNativeKind<T> ? static_cast<T*>(cell->object()) : nullptr;
}

// For plain C++ classes that know nothing of the engine.
template <class T>
class Held final : public NativeObject {
 public:
  template <class... Arguments>
  explicit Held(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  T value;
};
template <class T>
NativeCell* make_held(JSC::JSGlobalObject* realm, T value) {
  return make_native(realm, std::make_unique<Held<T>>(std::move(value)));
}
template <class T>
T* held_in(Value value) {
  auto* held = native_of<Held<T>>(value);
  return held ? &held->value : nullptr;
}

}  // namespace rondo::engine
