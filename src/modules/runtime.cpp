// native('runtime'): what bootstrap needs of the runtime itself: registering callbacks, the microtask queue, reporting.
#include "runtime/runtime.h"

#include "engine/stack_trace.h"

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

constexpr FunctionSpec kFunctions[] = {{"setCallback", set_callback, 2},
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
