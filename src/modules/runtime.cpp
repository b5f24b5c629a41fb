// native('runtime'): what bootstrap needs of the runtime itself: registering callbacks, the microtask queue, reporting.
#include "runtime/runtime.h"

#include "engine/errors/stack_trace.h"

#include <JavaScriptCore/CustomGetterSetter.h>
#include <JavaScriptCore/JSGlobalProxy.h>

#include <array>

namespace rondo::modules {

using namespace engine;
using runtime::Callback;
using runtime::Runtime;

namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Callback::Count)> kCallbackNames = {
    "RunTicks", "RunTimers", "RunImmediates", "Uncaught", "Rejection", "BeforeExit", "Exit"};
constexpr std::array<std::string_view, static_cast<size_t>(Hook::Count)> kHookNames = {
    "ResolveModule",   "LoadModule", "InitImportMeta", "MissingExport", "PrepareStackTrace", "DefaultPrepareStackTrace",
    "MappedStackTrace"};

template <size_t N>
int index_of(const std::array<std::string_view, N>& names, std::string_view name) {
  for (size_t i = 0; i < N; i++) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

Encoded set_callback(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  int index = index_of(kCallbackNames, call.string(0));
  if (index < 0 || !call.function(1)) return call.type_error("unknown runtime callback");
  Runtime::from(realm).set_callback(static_cast<Callback>(index), call.function(1));
  return call.undefined();
}

Encoded set_hook(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  int index = index_of(kHookNames, call.string(0));
  if (index < 0) return call.type_error("unknown engine hook");
  Realm::from(realm)->set_hook(static_cast<Hook>(index), call.function(1));
  return call.undefined();
}

Encoded report_uncaught(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).report_caught(call.at(0),
                                     call.boolean(1) ? Runtime::Origin::Rejection : Runtime::Origin::Exception);
  return call.undefined();
}

// → [url, line, column, text] of the exception being reported, or undefined.
Encoded throw_site(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* exception = Runtime::from(realm).reported_exception();
  if (!exception) return call.undefined();
  auto site = engine::throw_site(call.vm(), exception);
  if (!site.line) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(call.vm(), site.url));
  parts.append(JSC::jsNumber(site.line));
  parts.append(JSC::jsNumber(site.column));
  parts.append(make_string(call.vm(), site.text));
  return call.value(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts));
}

// → "\n    at …" lines of the exception being reported, or "".
Encoded throw_stack(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto* exception = Runtime::from(realm).reported_exception();
  return call.text(exception ? engine::throw_stack(call.vm(), exception) : std::string());
}

Encoded collect_garbage(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  call.vm().heap.collectNow(JSC::Sync, JSC::CollectionScope::Full);
  return call.undefined();
}

// Lazy values: to a program ordinary data properties; the first look at one calls its object's loader, a function kept under a
// private name, with the property's name. Custom values of the engine: defining one makes no function and no descriptor.
const JSC::PrivateName& loader_name() {
  static thread_local auto* name = new JSC::PrivateName(JSC::PrivateName::PrivateSymbol, "lazyLoader"_s);
  return *name;
}

// Keeps whether it is enumerable; it is writable and configurable.
void settle(JSC::VM& vm, JSC::JSObject* object, JSC::PropertyName name, Value value) {
  unsigned attributes = 0;
  object->structure()->get(vm, name, attributes);
  object->putDirect(vm, name, value, attributes & static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

Encoded get_lazy_value(JSC::JSGlobalObject* realm, Encoded self, JSC::PropertyName name) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* object = JSC::asObject(JSC::JSValue::decode(self));
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsString(vm, WTF::String(name.uid())));
  auto outcome = call(realm, object->getDirect(vm, loader_name()), JSC::jsUndefined(), arguments);
  if (outcome.exception) {
    JSC::throwException(realm, scope, outcome.exception);
    return {};
  }
  settle(vm, object, name, outcome.value);
  return JSC::JSValue::encode(outcome.value);
}

bool set_lazy_value(JSC::JSGlobalObject* realm, Encoded self, Encoded value, JSC::PropertyName name) {
  settle(realm->vm(), JSC::asObject(JSC::JSValue::decode(self)), name, JSC::JSValue::decode(value));
  return true;
}

JSC::JSObject* lazy_target(const Call& call) {
  auto* object = JSC::asObject(call.at(0));
  auto* proxy = JSC::jsDynamicCast<JSC::JSGlobalProxy*>(object);
  return proxy ? proxy->target() : object;
}

// setLazyLoader(object, load(name))
Encoded set_lazy_loader(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  lazy_target(call)->putDirect(call.vm(), loader_name(), call.at(1));
  return call.undefined();
}

// addLazyValue(object, name, isEnumerable)
Encoded add_lazy_value(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto& vm = call.vm();
  auto attributes = static_cast<unsigned>(JSC::PropertyAttribute::CustomValue);
  if (!call.boolean(2)) attributes |= static_cast<unsigned>(JSC::PropertyAttribute::DontEnum);
  auto name = JSC::asString(call.at(1))->toIdentifier(realm);
  lazy_target(call)->putDirectCustomAccessor(
      vm, name, JSC::CustomGetterSetter::create(vm, get_lazy_value, set_lazy_value), attributes);
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"setLazyLoader", set_lazy_loader, 2},
                                       {"addLazyValue", add_lazy_value, 3},
                                       {"setCallback", set_callback, 2},
                                       {"setHook", set_hook, 2},
                                       {"reportUncaught", report_uncaught, 2},
                                       {"throwSite", throw_site},
                                       {"throwStack", throw_stack},
                                       {"collectGarbage", collect_garbage},
                                       {"captureStackTrace", capture_stack_trace, 2},
                                       {"stackFrames", stack_frames, 2}};

}  // namespace

void init_runtime(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  put(realm, target, "sharedState", runtime.shared_state());
  put(realm, target, "microtasks", realm->microtasks());
}

}  // namespace rondo::modules
