// native('runtime'): what bootstrap needs of the runtime itself: registering callbacks, the microtask queue, reporting.
#include "runtime/runtime.h"

#include "engine/core/vm_state.h"
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
    "RunTicks",   "RunTimers", "RunImmediates", "Uncaught",   "Rejection",
    "BeforeExit", "Exit",      "Track",         "RunTracked", "EndTracked"};
constexpr std::array<std::string_view, static_cast<size_t>(Hook::Count)> kHookNames = {
    "ResolveModule",    "LoadModule",           "InitImportMeta", "ImportModule",      "EvaluateModule",
    "CompileStreaming", "InstantiateStreaming", "MissingExport",  "PrepareStackTrace", "DefaultPrepareStackTrace",
    "MappedStackTrace"};

// Where lib/ finds the fields of SharedState.
constexpr std::array<std::string_view, runtime::SharedState::FieldCount> kFieldNames = {
    "kHasQueuedWork", "kHasRejections", "kImmediateCount", "kImmediateRefCount", "kImmediatesOutstanding", "kTracking"};

template <size_t N>
int index_of(const std::array<std::string_view, N>& names, std::string_view name) {
  for (size_t i = 0; i < N; i++) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

Value set_callback(Call& call) {
  int index = index_of(kCallbackNames, call.string(0));
  if (index < 0 || !call.function(1)) return call.type_error("unknown runtime callback");
  Runtime::from(call.realm()).set_callback(static_cast<Callback>(index), call.function(1));
  return call.undefined();
}

Value set_hook(Call& call) {
  auto* realm = call.realm();
  int index = index_of(kHookNames, call.string(0));
  if (index < 0) return call.type_error("unknown engine hook");
  Realm::from(realm)->set_hook(static_cast<Hook>(index), call.function(1));
  return call.undefined();
}

Value report_uncaught(Call& call) {
  Runtime::from(call.realm())
      .report_caught(call.at(0), call.boolean(1) ? Runtime::UncaughtKind::Rejection : Runtime::UncaughtKind::Exception);
  return call.undefined();
}

// → [url, line, column, text] of the exception being reported, or undefined.
Value throw_site(Call& call) {
  auto* realm = call.realm();
  auto* exception = Runtime::from(call.realm()).reported_exception();
  if (!exception) return call.undefined();
  auto site = engine::throw_site(call.vm(), exception);
  if (!site.line) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  parts.append(make_string(call.vm(), site.url));
  parts.append(JSC::jsNumber(site.line));
  parts.append(JSC::jsNumber(site.column));
  parts.append(make_string(call.vm(), site.text));
  return call.value(make_array(realm, parts));
}

// → "\n    at …" lines of the exception being reported, or "".
Value throw_stack(Call& call) {
  auto* exception = Runtime::from(call.realm()).reported_exception();
  return call.text(exception ? engine::throw_stack(call.vm(), exception) : std::string());
}

Value collect_garbage(Call& call) {
  call.vm().heap.collectNow(JSC::Sync, JSC::CollectionScope::Full);
  return call.undefined();
}

// eval() and new Function throw from now on.
Value disallow_code_generation(Call& call) {
  call.realm()->setEvalEnabled(false, "Code generation from strings disallowed for this context"_s);
  return call.undefined();
}

// Lazy values: to a program ordinary data properties; the first look at one calls its loader with the property's name. Loaders are kept
// by these names in a table under a private name of the object. Custom values of the engine: defining one makes no function and no descriptor.
const JSC::PrivateName& loaders_name(JSC::VM& vm) { return VmState::of(vm).lazy_loaders; }

JSC::JSObject* loaders_of(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  auto& vm = realm->vm();
  if (Value known = object->getDirect(vm, loaders_name(vm))) return JSC::asObject(known);
  auto* made = JSC::constructEmptyObject(vm, realm->nullPrototypeObjectStructure());
  object->putDirect(vm, loaders_name(vm), made);
  return made;
}

// Keeps whether it is enumerable, and what freezing or sealing the object has made of it: the engine does so without a look at the values.
void settle(JSC::JSGlobalObject* realm, JSC::JSObject* object, JSC::PropertyName name, Value value) {
  auto& vm = realm->vm();
  unsigned attributes = 0;
  object->structure()->get(vm, name, attributes);
  constexpr auto kKept =
      JSC::PropertyAttribute::DontEnum | JSC::PropertyAttribute::ReadOnly | JSC::PropertyAttribute::DontDelete;
  object->putDirect(vm, name, value, attributes & kKept);
  loaders_of(realm, object)->putDirect(vm, name, JSC::jsUndefined());
}

Encoded get_lazy_value(JSC::JSGlobalObject* realm, Encoded self, JSC::PropertyName name) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* object = JSC::asObject(JSC::JSValue::decode(self));
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsString(vm, WTF::String(name.uid())));
  auto& runtime = Runtime::from(Realm::main(realm));
  auto outcome = runtime.call_nested(loaders_of(realm, object)->getDirect(vm, name), JSC::jsUndefined(), arguments);
  if (outcome.exception) {
    JSC::throwException(realm, scope, outcome.exception);
    return {};
  }
  settle(realm, object, name, outcome.value);
  return JSC::JSValue::encode(outcome.value);
}

bool set_lazy_value(JSC::JSGlobalObject* realm, Encoded self, Encoded value, JSC::PropertyName name) {
  settle(realm, JSC::asObject(JSC::JSValue::decode(self)), name, JSC::JSValue::decode(value));
  return true;
}

JSC::JSObject* lazy_target(const Call& call) {
  auto* object = JSC::asObject(call.at(0));
  auto* proxy = JSC::jsDynamicCast<JSC::JSGlobalProxy*>(object);
  return proxy ? proxy->target() : object;
}

// addLazyValues(object, names, load(name), areEnumerable, onlyMissing): the last leaves alone what the object or its prototypes have.
Value add_lazy_values(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* target = lazy_target(call);
  auto* names = JSC::asObject(call.at(1));
  auto* loaders = loaders_of(realm, target);
  auto attributes = static_cast<unsigned>(JSC::PropertyAttribute::CustomValue);
  if (!call.boolean(3)) attributes |= static_cast<unsigned>(JSC::PropertyAttribute::DontEnum);
  auto* access = JSC::CustomGetterSetter::create(vm, get_lazy_value, set_lazy_value);
  const auto count = names->getArrayLength();
  for (unsigned i = 0; i < count; i++) {
    const auto name = names->getIndexQuickly(i).toPropertyKey(realm);
    const bool is_there = call.boolean(4) && target->hasProperty(realm, name);
    RETURN_IF_EXCEPTION(scope, {});
    if (is_there) continue;
    loaders->putDirect(vm, name, call.at(2));
    target->putDirectCustomAccessor(vm, name, access, attributes);
  }
  return call.undefined();
}

// copyOwn(source, target): gives `target` what is the source's own, but what a function or a prototype of its own has anyway. A thousand
// steps of the interpreter at every start otherwise.
Value copy_own(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* source = JSC::asObject(call.at(0));
  auto* target = JSC::asObject(call.at(1));
  const auto& known = *vm.propertyNames;
  constexpr auto kHidden = static_cast<unsigned>(JSC::PropertyAttribute::DontEnum);
  JSC::PropertyNameArray names(vm, JSC::PropertyNameMode::StringsAndSymbols, JSC::PrivateSymbolMode::Exclude);
  source->methodTable()->getOwnPropertyNames(source, realm, names, JSC::DontEnumPropertiesMode::Include);
  RETURN_IF_EXCEPTION(scope, {});
  // One shape for all of them, not one for each.
  if (!target->structure()->isDictionary()) target->convertToDictionary(vm);
  for (const auto& name : names) {
    if (name == known.length || name == known.name || name == known.prototype || name == known.constructor) continue;
    JSC::PropertySlot slot(source, JSC::PropertySlot::InternalMethodType::GetOwnProperty);
    const bool has = source->methodTable()->getOwnPropertySlot(source, realm, name, slot);
    RETURN_IF_EXCEPTION(scope, {});
    if (!has) continue;
    if (slot.isAccessor()) {
      target->putDirectAccessor(realm, name, slot.getterSetter(),
                                kHidden | static_cast<unsigned>(JSC::PropertyAttribute::Accessor));
    } else {
      target->putDirect(vm, name, slot.getValue(realm, name), kHidden);
    }
    RETURN_IF_EXCEPTION(scope, {});
  }
  target->flattenDictionaryObject(vm);
  return call.undefined();
}

// The field of a property descriptor, if it is the descriptor's own.
JSC::JSValue own_field(JSC::JSGlobalObject* realm, JSC::JSObject* descriptor, const JSC::Identifier& name) {
  JSC::PropertySlot slot(descriptor, JSC::PropertySlot::InternalMethodType::GetOwnProperty);
  if (!descriptor->methodTable()->getOwnPropertySlot(descriptor, realm, name, slot)) return {};
  return slot.getValue(realm, name);
}

// defineOwnProperty(object, key, descriptor, throws) → whether it was done. As Object.defineProperty, except that the descriptor's own fields count
// alone: what programs put into Object.prototype (`get`, `value`, …) means nothing here.
Value define_own_property(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (!call.at(0).isObject() || !call.at(2).isObject())
    return call.type_error("Property description must be an object");
  auto* object = JSC::asObject(call.at(0));
  auto* fields = JSC::asObject(call.at(2));
  const auto key = call.at(1).toPropertyKey(realm);
  RETURN_IF_EXCEPTION(scope, {});
  const auto& names = *vm.propertyNames;
  JSC::PropertyDescriptor descriptor;
  auto flag = [&](const JSC::Identifier& name, void (JSC::PropertyDescriptor::*set)(bool)) {
    if (auto value = own_field(realm, fields, name)) (descriptor.*set)(value.toBoolean(realm));
  };
  flag(names.enumerable, &JSC::PropertyDescriptor::setEnumerable);
  flag(names.configurable, &JSC::PropertyDescriptor::setConfigurable);
  flag(names.writable, &JSC::PropertyDescriptor::setWritable);
  if (auto value = own_field(realm, fields, names.value)) descriptor.setValue(value);
  if (auto value = own_field(realm, fields, names.get)) descriptor.setGetter(value);
  if (auto value = own_field(realm, fields, names.set)) descriptor.setSetter(value);
  RETURN_IF_EXCEPTION(scope, {});
  const bool is_done = object->methodTable()->defineOwnProperty(object, realm, key, descriptor, call.boolean(3));
  RETURN_IF_EXCEPTION(scope, {});
  return call.value(is_done);
}

// → whether the methods that String.prototype.replace asks of a regular expression are the language's own.
Value are_regexps_untouched(Call& call) {
  return call.value(call.realm()->regExpPrimordialPropertiesWatchpointSet().state() != JSC::IsInvalidated);
}

constexpr FunctionSpec kFunctions[] = {{"addLazyValues", native<add_lazy_values>, 5},
                                       {"areRegExpsUntouched", native<are_regexps_untouched>},
                                       {"copyOwn", native<copy_own>, 2},
                                       {"defineOwnProperty", native<define_own_property>, 4},
                                       {"setCallback", native<set_callback>, 2},
                                       {"setHook", native<set_hook>, 2},
                                       {"reportUncaught", native<report_uncaught>, 2},
                                       {"throwSite", native<throw_site>},
                                       {"throwStack", native<throw_stack>},
                                       {"collectGarbage", native<collect_garbage>},
                                       {"disallowCodeGeneration", native<disallow_code_generation>},
                                       {"captureStackTrace", native<capture_stack_trace>, 2},
                                       {"stackFrames", native<stack_frames>, 2}};

}  // namespace

void init_runtime(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  put(realm, target, "sharedState", runtime.shared_state());
  for (size_t i = 0; i < kFieldNames.size(); i++)
    put(realm, target, kFieldNames[i], JSC::jsNumber(static_cast<int>(i)));
  put(realm, target, "microtasks", realm->microtasks());
}

}  // namespace rondo::modules
