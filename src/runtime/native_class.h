// A class of C++ objects whose methods lib/ calls on the object itself: session.ping(payload), not ping(session, payload).
//
//     Value ping(Call& call, Session& session) { … }
//     constexpr FunctionSpec kMethods[] = {{"ping", method<Session, ping>, 1}};
//     … make_instance(runtime, std::make_unique<Session>(…), kMethods);
//
// A method that is called on anything else raises a TypeError before the C++ function runs. The prototype is made with the first object of
// a runtime, or by structure_of() before it, and frozen. Classes that programs can reach get their prototype from lib/ (NativeCell::create_structure).
//
// Thread: the runtime's.
#pragma once

#include "engine/core/native_object.h"
#include "runtime/runtime.h"

#include <cerrno>
#include <concepts>

namespace rondo::runtime {

// The structure of the class's cells, for each Runtime.
template <class T>
struct NativeClass {
  JSC::Strong<JSC::Structure> structure;
};

// `value` as an object of the class; null for anything else. Plain C++ classes are held by a NativeObject (engine::Held).
template <class T>
T* instance_of(engine::Value value) {
  if constexpr (std::derived_from<T, engine::NativeObject>)
    return engine::native_of<T>(value);
  else
    return engine::held_in<T>(value);
}

// A cell without an object: see make_closed.
template <class T>
bool is_closed(engine::Value value) {
  auto* cell = value.isCell() ? JSC::jsDynamicCast<engine::NativeCell*>(value.asCell()) : nullptr;
  return cell && cell->kind() == &engine::kNativeKind<T>;
}

template <class T, engine::Value (*kMethod)(engine::Call&, T&)>
engine::Encoded method(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  engine::Call call(realm, frame);
  T* self = instance_of<T>(call.self());
  if (!self) [[unlikely]]
    return JSC::JSValue::encode(is_closed<T>(call.self()) ? call.value(-EBADF) : call.type_error("Illegal invocation"));
  return JSC::JSValue::encode(kMethod(call, *self));
}

// The structure of the class's cells, made with the first of them.
template <class T>
JSC::Structure* structure_of(Runtime& runtime, std::span<const engine::FunctionSpec> methods) {
  auto& structure = runtime.local<NativeClass<T>>().structure;
  if (!structure) {
    auto* prototype = JSC::constructEmptyObject(runtime.vm(), runtime.realm()->nullPrototypeObjectStructure());
    engine::put_functions(runtime.realm(), prototype, methods);
    prototype->freeze(runtime.vm());
    structure.set(runtime.vm(), engine::NativeCell::create_structure(runtime.realm(), prototype));
  }
  return structure.get();
}

template <class T>
engine::NativeCell* make_instance(Runtime& runtime, std::unique_ptr<T> object,
                                  std::span<const engine::FunctionSpec> methods) {
  return engine::make_native(runtime.vm(), structure_of<T>(runtime, methods), std::move(object));
}
template <class T>
engine::NativeCell* make_instance(Runtime& runtime, T value, std::span<const engine::FunctionSpec> methods) {
  return engine::make_native(runtime.vm(), structure_of<T>(runtime, methods),
                             std::make_unique<engine::Held<T>>(std::move(value)));
}

// The instance that stands in the place of a closed handle: every method of it answers -EBADF.
template <class T>
engine::NativeCell* make_closed(Runtime& runtime, std::span<const engine::FunctionSpec> methods) {
  return engine::make_native(runtime.vm(), structure_of<T>(runtime, methods), std::unique_ptr<T>());
}

}  // namespace rondo::runtime
