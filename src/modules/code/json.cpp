// native('json'): JSON.parse and JSON.stringify of a realm, which the engine's own functions do, in the same frame; calls that these cannot
// do (a reviver gets the source of primitives, there is raw JSON or a replacer that may make some) go to lib/internal/language/json.js.
#include "engine/core/vm_state.h"
#include "runtime/runtime.h"

#include <JavaScriptCore/JSNativeStdFunction.h>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

struct RawJson {
  bool was_made = false;  // in any realm of the runtime
};

// The function of lib/ lies on the engine-made one, under the name of lazy loaders: it loads its file at the first call.
Encoded call_lib(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto function = JSC::asObject(frame->jsCallee())->getDirect(vm, VmState::of(vm).lazy_loaders);
  auto outcome = Call(realm, frame).invoke(function, JSC::jsUndefined(), JSC::ArgList(frame));
  if (!outcome.exception) return JSC::JSValue::encode(outcome.value);
  JSC::throwException(realm, scope, outcome.exception);
  return {};
}

Value with_lib(Call& call, unsigned length, WTF::ASCIILiteral name, JSC::NativeStdFunction&& function) {
  auto& vm = call.vm();
  auto* realm = JSC::asObject(call.at(0))->globalObject();
  auto* made = JSC::JSNativeStdFunction::create(vm, realm, length, name, std::move(function));
  made->putDirect(vm, VmState::of(vm).lazy_loaders, call.at(1),
                  static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  return call.value(made);
}

JSC::JSFunction* engine_function(const Call& call) {
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(call.at(0));
  return function && function->isHostFunction() && call.function(1) ? function : nullptr;
}

// makeParse(the engine's parse, lib's)
Value make_parse(Call& call) {
  auto* function = engine_function(call);
  if (!function) return call.undefined();
  return with_lib(call, 2, "parse"_s,
                  [parse = function->nativeFunction()](JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
                    return frame->argument(1).isCallable() ? call_lib(realm, frame) : parse(realm, frame);
                  });
}

// makeStringify(the engine's stringify, lib's)
Value make_stringify(Call& call) {
  auto* function = engine_function(call);
  if (!function) return call.undefined();
  auto* raw = &Runtime::from(call.realm()).local<RawJson>();
  return with_lib(call, 3, "stringify"_s,
                  [raw, stringify = function->nativeFunction()](JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
                    // A replacer may make the first raw JSON; so may a toJSON(), which can be asked again.
                    if (raw->was_made || frame->argument(1).isCallable()) return call_lib(realm, frame);
                    const auto text = stringify(realm, frame);
                    const bool is_late = raw->was_made && !realm->vm().exceptionForInspection();
                    return is_late ? call_lib(realm, frame) : text;
                  });
}

Value raw_was_made(Call& call) {
  Runtime::from(call.realm()).local<RawJson>().was_made = true;
  return call.undefined();
}

// setOwn(object, key, value): CreateDataProperty
Value set_own(Call& call) {
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto* realm = call.realm();
  const auto key = call.at(1).toPropertyKey(realm);
  RETURN_IF_EXCEPTION(scope, {});
  const bool is_set = JSC::asObject(call.at(0))->createDataProperty(realm, key, call.at(2), false);
  RETURN_IF_EXCEPTION(scope, {});
  return call.value(is_set);
}

constexpr FunctionSpec kFunctions[] = {
    {"makeParse", native<make_parse>, 2},
    {"makeStringify", native<make_stringify>, 2},
    {"rawWasMade", native<raw_was_made>, 0},
    {"setOwn", native<set_own>, 3},
};

}  // namespace

void init_json(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
