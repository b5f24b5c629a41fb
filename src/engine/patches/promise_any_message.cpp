// See promise_any_message.h.
#include "engine/patches/promise_any_message.h"

#include <JavaScriptCore/AggregateError.h>
#include <JavaScriptCore/LazyPropertyInlines.h>
#include <JavaScriptCore/LinkTimeConstant.h>

namespace rondo::engine {

namespace {

JSC::EncodedJSValue make(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& vm = realm->vm();
  auto* message = JSC::jsNontrivialString(vm, "All promises were rejected"_s);
  return JSC::JSValue::encode(
      JSC::createAggregateError(realm, vm, realm->errorStructure(JSC::ErrorType::AggregateError), frame->argument(0),
                                message, JSC::jsUndefined(), nullptr, JSC::TypeNothing, false));
}

}  // namespace

void install_promise_any_message(JSC::JSGlobalObject* realm) {
  auto& vm = realm->vm();
  auto* constructor = JSC::JSFunction::create(vm, realm, 1, "AggregateError"_s, make,
                                              JSC::ImplementationVisibility::Private, JSC::NoIntrinsic, make);
  realm->m_linkTimeConstants[static_cast<unsigned>(JSC::LinkTimeConstant::AggregateError)].set(vm, realm, constructor);
}

}  // namespace rondo::engine
