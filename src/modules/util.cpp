// native('util'): what the engine knows of a value and JavaScript cannot ask: its true class, a promise's state, a proxy's
// target, what is left in an iterator, the caller's place in the source. Everything here only looks; nothing runs user code.
// Used by lib/internal/util/types.js, the inspector, deep comparison and assert.
#include "engine/clone/structured_clone.h"
#include "engine/core/source.h"
#include "engine/errors/stack_trace.h"
#include "engine/patches/frame_receivers.h"
#include "runtime/runtime.h"

#include <JavaScriptCore/BigIntObject.h>
#include <JavaScriptCore/BooleanObject.h>
#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/JSMapIterator.h>
#include <JavaScriptCore/JSSetIterator.h>
#include <JavaScriptCore/JSWeakMap.h>
#include <JavaScriptCore/PropertyNameArray.h>
#include <JavaScriptCore/ProxyObject.h>
#include <JavaScriptCore/WeakMapImplInlines.h>

namespace rondo::modules {

using namespace engine;

namespace {

// --- type checks

template <JSC::JSType... kTypes>
Value is_type(Call& call) {
  Value value = call.at(0);
  if (!value.isCell()) return JSC::jsBoolean(false);
  auto type = value.asCell()->type();
  return JSC::jsBoolean(((type == kTypes) || ...));
}

template <bool kWantArrayBuffer, bool kWantShared>
Value is_array_buffer(Call& call) {
  Value value = call.at(0);
  auto* buffer = value.isCell() ? JSC::jsDynamicCast<JSC::JSArrayBuffer*>(value.asCell()) : nullptr;
  return JSC::jsBoolean(buffer && (buffer->isShared() ? kWantShared : kWantArrayBuffer));
}

// SymbolObject's header is not among the installed ones: its class is known by name, its prototype by identity.
bool is_symbol_object(JSC::JSGlobalObject* realm, Value value) {
  if (!value.isObject()) return false;
  auto* object = JSC::asObject(value);
  return object->type() == JSC::ObjectType && object->classInfo()->className == "Symbol"_s &&
         object != realm->symbolObjectStructure()->storedPrototypeObject();
}

bool is_boxed(JSC::JSGlobalObject* realm, Value value) {
  if (!value.isObject()) return false;
  switch (JSC::asObject(value)->type()) {
    case JSC::NumberObjectType:
    case JSC::BooleanObjectType:
    case JSC::StringObjectType:
    case JSC::DerivedStringObjectType:
      return true;
    default:
      return value.inherits<JSC::BigIntObject>() || is_symbol_object(realm, value);
  }
}

Value is_bigint_object(Call& call) { return JSC::jsBoolean(call.at(0).inherits<JSC::BigIntObject>()); }
Value is_symbol_object_function(Call& call) {
  auto* realm = call.realm();
  return JSC::jsBoolean(is_symbol_object(realm, call.at(0)));
}
Value is_boxed_primitive(Call& call) {
  auto* realm = call.realm();
  return JSC::jsBoolean(is_boxed(realm, call.at(0)));
}

template <bool (*kTest)(JSC::SourceParseMode)>
Value is_function_kind(Call& call) {
  Value value = call.at(0);
  auto* function = value.isCell() ? JSC::jsDynamicCast<JSC::JSFunction*>(value.asCell()) : nullptr;
  bool is = function && !function->isHostFunction() && kTest(function->jsExecutable()->parseMode());
  return JSC::jsBoolean(is);
}
bool is_async_mode(JSC::SourceParseMode mode) {
  return JSC::isAsyncFunctionWrapperParseMode(mode) || JSC::isAsyncGeneratorWrapperParseMode(mode);
}
bool is_generator_mode(JSC::SourceParseMode mode) {
  return JSC::isGeneratorWrapperParseMode(mode) || JSC::isAsyncGeneratorWrapperParseMode(mode);
}

// --- looking inside

Value make_pair(JSC::JSGlobalObject* realm, Value first, Value second) {
  JSC::MarkedArgumentBuffer items;
  items.append(first);
  items.append(second);
  return make_array(realm, items);
}

// (promise) → [0 pending | 1 fulfilled | 2 rejected, result]
Value get_promise_details(Call& call) {
  auto* realm = call.realm();
  auto* promise = call.at(0).isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(call.at(0).asCell()) : nullptr;
  if (!promise) return call.undefined();
  auto status = promise->status(call.vm());
  Value result = status == JSC::JSPromise::Status::Pending ? JSC::jsUndefined() : promise->result(call.vm());
  return call.value(make_pair(realm, JSC::jsNumber(static_cast<int>(status)), result));
}

// Null for what is none, and for process.env: a proxy of ours that passes for a plain object.
JSC::ProxyObject* proxy_in(Call& call) {
  auto* proxy = call.at(0).isCell() ? JSC::jsDynamicCast<JSC::ProxyObject*>(call.at(0).asCell()) : nullptr;
  return proxy && clone_mode(call.realm(), proxy) != CloneMode::kOrdinary ? proxy : nullptr;
}

Value is_proxy(Call& call) { return call.value(proxy_in(call) != nullptr); }

// (value, full) → undefined when no proxy; [target, handler] or the target alone; null for what was revoked.
Value get_proxy_details(Call& call) {
  auto* realm = call.realm();
  auto* proxy = proxy_in(call);
  if (!proxy) return call.undefined();
  bool revoked = proxy->isRevoked();
  Value target = revoked ? JSC::jsNull() : Value(proxy->target());
  if (!call.boolean(1)) return call.value(target);
  return call.value(make_pair(realm, target, revoked ? JSC::jsNull() : proxy->handler()));
}

template <typename Iterator, typename Append>
void walk_rest(Iterator* iterator, JSC::JSCell* sentinel, Append append) {
  auto* bucket = iterator->iterator();
  if (bucket == sentinel) return;
  for (bucket = bucket->next(); bucket; bucket = bucket->next()) {
    if (!bucket->deleted()) append(bucket);
  }
}

// Entries that a Map or Set iterator has not given out yet, flat; says whether it gives entries.
bool preview_iterator(JSC::JSGlobalObject* realm, JSC::JSCell* cell, JSC::MarkedArgumentBuffer& items) {
  auto& vm = realm->vm();
  if (auto* iterator = JSC::jsDynamicCast<JSC::JSMapIterator*>(cell)) {
    auto kind = iterator->kind();
    walk_rest(iterator, vm.sentinelMapBucket(), [&](auto* bucket) {
      if (kind != JSC::IterationKind::Values) items.append(bucket->key());
      if (kind != JSC::IterationKind::Keys) items.append(bucket->value());
    });
    return kind == JSC::IterationKind::Entries;
  }
  if (auto* iterator = JSC::jsDynamicCast<JSC::JSSetIterator*>(cell)) {
    auto kind = iterator->kind();
    walk_rest(iterator, vm.sentinelSetBucket(), [&](auto* bucket) {
      items.append(bucket->key());
      if (kind == JSC::IterationKind::Entries) items.append(bucket->key());
    });
    return kind == JSC::IterationKind::Entries;
  }
  return false;
}

using WeakSetImpl = JSC::WeakMapImpl<JSC::WeakMapBucket<JSC::WeakMapBucketDataKey>>;

// (weak collection) → flat entries; (iterator, true) → [flat entries, whether they are pairs]
Value preview_entries(Call& call) {
  auto* realm = call.realm();
  if (!call.at(0).isCell()) return call.undefined();
  auto* cell = call.at(0).asCell();
  JSC::MarkedArgumentBuffer items;
  bool pairs = false;
  if (auto* map = JSC::jsDynamicCast<JSC::JSWeakMap*>(cell))
    map->takeSnapshot(items);
  else if (cell->type() == JSC::JSWeakSetType)
    static_cast<WeakSetImpl*>(cell)->takeSnapshot(items);
  else
    pairs = preview_iterator(realm, cell, items);
  Value entries = make_array(realm, items);
  return call.value(call.boolean(1) ? make_pair(realm, entries, JSC::jsBoolean(pairs)) : entries);
}

constexpr int kOnlyEnumerable = 2;
constexpr int kSkipSymbols = 16;

// (object, filter) → own keys that are no array index. A proxy is asked through its traps.
Value get_own_non_index_properties(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* object = call.object(0);
  if (!object) return call.undefined();
  int filter = call.int32(1);
  auto names = filter & kSkipSymbols ? JSC::PropertyNameMode::Strings : JSC::PropertyNameMode::StringsAndSymbols;
  auto enumerable =
      filter & kOnlyEnumerable ? JSC::DontEnumPropertiesMode::Exclude : JSC::DontEnumPropertiesMode::Include;
  JSC::PropertyNameArray keys(vm, names, JSC::PrivateSymbolMode::Exclude);
  if (object->type() == JSC::ProxyObjectType)
    object->methodTable()->getOwnPropertyNames(object, realm, keys, enumerable);
  else
    object->getOwnNonIndexPropertyNames(realm, keys, enumerable);
  RETURN_IF_EXCEPTION(scope, {});
  JSC::MarkedArgumentBuffer items;
  for (const auto& key : keys) {
    if (key.isSymbol())
      items.append(JSC::Symbol::create(vm, static_cast<WTF::SymbolImpl&>(*key.impl())));
    else if (!JSC::parseIndex(key))
      items.append(JSC::jsString(vm, key.string()));
  }
  RELEASE_AND_RETURN(scope, call.value(make_array(realm, items)));
}

Value get_constructor_name(Call& call) {
  auto* object = call.object(0);
  return object ? call.value(Value(JSC::jsString(call.vm(), JSC::JSObject::calculatedClassName(object))))
                : call.text("");
}

// --- the caller

WTF::Vector<JSC::StackFrame> stack_of(JSC::JSGlobalObject* realm, size_t skip, size_t limit, Value after) {
  WTF::Vector<JSC::StackFrame> frames;
  auto* caller = after.isCallable() ? after.asCell() : nullptr;
  realm->vm().interpreter.getStackTrace(realm, frames, caller ? 0 : skip, limit, caller);
  return frames;
}

// (count, after) → [{ functionName, scriptId, scriptName, lineNumber, columnNumber, column }, …], from below `after`.
Value get_call_sites(Call& call) {
  auto* realm = call.realm();
  auto& vm = call.vm();
  JSC::MarkedArgumentBuffer sites;
  for (const auto& stack_frame : stack_of(realm, 1, call.uint32(0, 10), call.at(1))) {
    if (is_receiver(stack_frame)) continue;
    FrameInfo info = describe(vm, stack_frame);
    auto* site = make_object(realm);
    auto* block = stack_frame.codeBlock();
    auto id = block ? std::to_string(block->ownerExecutable()->sourceID()) : std::string("0");
    put(realm, site, "functionName", make_string(vm, info.function));
    put(realm, site, "scriptId", make_string(vm, id));
    put(realm, site, "scriptName", make_string(vm, info.url));
    put(realm, site, "lineNumber", JSC::jsNumber(info.line));
    put(realm, site, "columnNumber", JSC::jsNumber(info.column));
    put(realm, site, "column", JSC::jsNumber(info.column));
    sites.append(site);
  }
  return call.value(make_array(realm, sites));
}

WTF::String line_of(WTF::StringView text, unsigned number) {
  size_t start = 0;
  for (unsigned line = 1; line < number; line++) {
    size_t next = text.find('\n', start);
    if (next == WTF::notFound) return {};
    start = next + 1;
  }
  size_t end = text.find('\n', start);
  return text.substring(start, (end == WTF::notFound ? text.length() : end) - start).toString();
}

// (fn) → [source line, column] of the call of `fn`, or undefined when the source is not known.
Value get_caller_source(Call& call) {
  auto* realm = call.realm();
  for (const auto& stack_frame : stack_of(realm, 1, 2, call.at(0))) {
    auto* block = stack_frame.codeBlock();
    if (!block || block->unlinkedCodeBlock()->isBuiltinFunction()) continue;  // fn.apply(…), Reflect.apply(fn, …)
    auto* provider = block->ownerExecutable()->source().provider();
    FrameInfo info = describe(call.vm(), stack_frame);
    if (!provider || !info.line) break;
    auto line = line_of(provider->source(), info.line + lines_before(*provider));
    if (line.isNull()) break;
    return call.value(make_pair(realm, JSC::jsString(call.vm(), line), JSC::jsNumber(info.column)));
  }
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {
    {"isDate", native<is_type<JSC::JSDateType>>, 1},
    {"isArgumentsObject", native<is_type<JSC::DirectArgumentsType, JSC::ScopedArgumentsType, JSC::ClonedArgumentsType>>,
     1},
    {"isBigIntObject", native<is_bigint_object>, 1},
    {"isBooleanObject", native<is_type<JSC::BooleanObjectType>>, 1},
    {"isNumberObject", native<is_type<JSC::NumberObjectType>>, 1},
    {"isStringObject", native<is_type<JSC::StringObjectType, JSC::DerivedStringObjectType>>, 1},
    {"isSymbolObject", native<is_symbol_object_function>, 1},
    {"isBoxedPrimitive", native<is_boxed_primitive>, 1},
    {"isNativeError", native<is_type<JSC::ErrorInstanceType>>, 1},
    {"isRegExp", native<is_type<JSC::RegExpObjectType>>, 1},
    {"isAsyncFunction", native<is_function_kind<is_async_mode>>, 1},
    {"isGeneratorFunction", native<is_function_kind<is_generator_mode>>, 1},
    {"isGeneratorObject", native<is_type<JSC::JSGeneratorType, JSC::JSAsyncGeneratorType>>, 1},
    {"isPromise", native<is_type<JSC::JSPromiseType>>, 1},
    {"isMap", native<is_type<JSC::JSMapType>>, 1},
    {"isSet", native<is_type<JSC::JSSetType>>, 1},
    {"isMapIterator", native<is_type<JSC::JSMapIteratorType>>, 1},
    {"isSetIterator", native<is_type<JSC::JSSetIteratorType>>, 1},
    {"isWeakMap", native<is_type<JSC::JSWeakMapType>>, 1},
    {"isWeakSet", native<is_type<JSC::JSWeakSetType>>, 1},
    {"isArrayBuffer", native<is_array_buffer<true, false>>, 1},
    {"isSharedArrayBuffer", native<is_array_buffer<false, true>>, 1},
    {"isAnyArrayBuffer", native<is_array_buffer<true, true>>, 1},
    {"isDataView", native<is_type<JSC::DataViewType>>, 1},
    {"isProxy", native<is_proxy>, 1},
    {"isModuleNamespaceObject", native<is_type<JSC::ModuleNamespaceObjectType>>, 1},
    {"getPromiseDetails", native<get_promise_details>, 1},
    {"getProxyDetails", native<get_proxy_details>, 2},
    {"previewEntries", native<preview_entries>, 2},
    {"getOwnNonIndexProperties", native<get_own_non_index_properties>, 2},
    {"getConstructorName", native<get_constructor_name>, 1},
    {"getCallSites", native<get_call_sites>, 2},
    {"getCallerSource", native<get_caller_source>, 1},
};

}  // namespace

void init_util(runtime::Runtime& runtime, JSC::JSObject* target) {
  static constexpr NumberSpec kNumbers[] = {{"kIsConstructor", kIsConstructor},
                                            {"kIsWrapper", kIsWrapper},
                                            {"kIsAsync", kIsAsync},
                                            {"kIsEval", kIsEval},
                                            {"kOnlyEnumerable", kOnlyEnumerable},
                                            {"kSkipSymbols", kSkipSymbols},
                                            {"kPending", JSC::JSPromise::Status::Pending},
                                            {"kFulfilled", JSC::JSPromise::Status::Fulfilled},
                                            {"kRejected", JSC::JSPromise::Status::Rejected}};
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
