// A class of C++ objects whose methods lib/ calls on the object itself: session.ping(payload), not ping(session, payload).
//
//     Value ping(Call& call, Session& session) { … }
//     constexpr FunctionSpec kMethods[] = {{"ping", method<Session, ping>, 1}};
//     … make_instance(runtime, std::make_unique<Session>(…), kMethods);
//
// A method that is called on anything else raises a TypeError before the C++ function runs. The prototype is made with the first object of
// a runtime, and frozen. Classes that programs can reach get their prototype from lib/ (NativeCell::create_structure).
//
// Thread: the runtime's.
#pragma once

#include "engine/core/native_object.h"
#include "runtime/runtime.h"

namespace rondo::runtime {

// The structure of the class's cells, for each Runtime.
template <class T>
struct NativeClass {
  JSC::Strong<JSC::Structure> structure;
};

template <class T, engine::Value (*kMethod)(engine::Call&, T&)>
engine::Encoded method(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  engine::Call call(realm, frame);
  T* self = engine::native_of<T>(call.self());
  return JSC::JSValue::encode(self ? kMethod(call, *self) : call.type_error("Illegal invocation"));
}

template <class T>
engine::NativeCell* make_instance(Runtime& runtime, std::unique_ptr<T> object,
                                  std::span<const engine::FunctionSpec> methods) {
  auto& structure = runtime.local<NativeClass<T>>().structure;
  if (!structure) {
    auto* prototype = JSC::constructEmptyObject(runtime.vm(), runtime.realm()->nullPrototypeObjectStructure());
    engine::put_functions(runtime.realm(), prototype, methods);
    prototype->freeze(runtime.vm());
    structure.set(runtime.vm(), engine::NativeCell::create_structure(runtime.realm(), prototype));
  }
  return engine::make_native(runtime.vm(), structure.get(), std::move(object));
}

}  // namespace rondo::runtime
