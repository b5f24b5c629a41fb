// native('json'): JSON.parse and JSON.stringify of a realm, which the engine's own functions do, in the same frame; calls that these cannot
// do (a reviver gets the source of primitives, there is raw JSON or a replacer that may make some) go to lib/internal/language/json.js.
#include "engine/core/vm_state.h"
#include "runtime/runtime.h"

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// The engine's own functions, the same for every realm, and whether any realm of the runtime has made raw JSON.
struct Json {
  JSC::TaggedNativeFunction parse, stringify;
  bool has_raw = false;
};

Json& json_of(JSC::JSGlobalObject* realm) { return Runtime::from(Realm::main(realm)).local<Json>(); }

// The function of lib/ lies on the one of C++, under the name of lazy loaders: it loads its file at the first call.
Encoded call_lib(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto function = JSC::asObject(frame->jsCallee())->getDirect(vm, VmState::of(vm).lazy_loaders);
  auto outcome = Call(realm, frame).invoke(function, JSC::jsUndefined(), JSC::ArgList(frame));
  if (!outcome.exception) return JSC::JSValue::encode(outcome.value);
  JSC::throwException(realm, scope, outcome.exception);
  return {};
}

Encoded parse(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  return frame->argument(1).isCallable() ? call_lib(realm, frame) : json_of(realm).parse(realm, frame);
}

Encoded stringify(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto& json = json_of(realm);
  // A replacer may make the first raw JSON; so may a toJSON(), which can be asked again.
  if (json.has_raw || frame->argument(1).isCallable()) return call_lib(realm, frame);
  const auto text = json.stringify(realm, frame);
  const bool is_late = json.has_raw && !realm->vm().exceptionForInspection();
  return is_late ? call_lib(realm, frame) : text;
}

Value make(Call& call, JSC::TaggedNativeFunction Json::* engines, unsigned length, WTF::ASCIILiteral name,
           JSC::NativeFunction ours) {
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(call.at(0));
  if (!function || !function->isHostFunction() || !call.function(1)) return call.undefined();
  auto& vm = call.vm();
  auto* realm = function->globalObject();
  json_of(call.realm()).*engines = function->nativeFunction();
  auto* made = JSC::JSFunction::create(vm, realm, length, name, ours, JSC::ImplementationVisibility::Public);
  made->putDirect(vm, VmState::of(vm).lazy_loaders, call.at(1),
                  static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  return call.value(made);
}

// makeParse(the engine's parse, lib's), makeStringify(the engine's stringify, lib's)
Value make_parse(Call& call) { return make(call, &Json::parse, 2, "parse"_s, parse); }
Value make_stringify(Call& call) { return make(call, &Json::stringify, 3, "stringify"_s, stringify); }

Value raw_was_made(Call& call) {
  json_of(call.realm()).has_raw = true;
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
