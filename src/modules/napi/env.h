// The environment of a native addon (Node-API's napi_env): one for each addon in each Runtime. It keeps what Node-API says an
// environment has: the last error, the pending exception, open handle scopes, references with their finalizers, cleanup hooks and
// instance data. Every napi_* function begins with one.
//
//  A1  A napi_value is the engine's encoded value itself. Cells among them are also noted in `Handles`, which the collector reads, until
//      the handle scope in which they were made ends; so an addon may keep them wherever it likes for that long.
//  A2  JavaScript that throws inside a napi_* function leaves its exception in the environment, never in the engine: it is thrown
//      again when the addon returns to JavaScript. The engine's own termination is the exception: it stays where it is.
//  A3  Finalizers never run inside the collector: it only puts them in a queue, which the loop empties. Those of addons that ask for
//      Node's experimental interface do run there, as in Node, and end the process when they touch the engine.
//
// Thread: the Runtime's, but for what threadsafe_function.cpp says.
#pragma once

#include "engine/core/native.h"
#include "runtime/entry/continuation.h"

#include "rondo/base/list.h"
#include "rondo/phase_handles.h"

#include <JavaScriptCore/WeakHandleOwner.h>

#include <memory>
#include <string>
#include <vector>

#define NAPI_VERSION 10
#include <node_api.h>

namespace rondo::modules::napi {

using engine::Value;
using runtime::Runtime;

inline constexpr int32_t kSupportedVersion = 10;
inline constexpr int32_t kDefaultVersion = 8;
inline constexpr int32_t kExperimentalVersion = NAPI_VERSION_EXPERIMENTAL;

// The values that addons of one Runtime hold in open handle scopes; see A1. The collector reads it while JavaScript stands still.
struct Handles {
  std::vector<JSC::EncodedJSValue> slots;
};

struct Finalizer {
  napi_finalize function = nullptr;
  void* data = nullptr;
  void* hint = nullptr;
};

class Reference;
class ThreadsafeFunction;
struct LentMemory;
struct UvLoop;

// Something to be done when the environment ends: napi_add_env_cleanup_hook and its asynchronous kind.
struct CleanupHook {
  napi_cleanup_hook function = nullptr;
  void* argument = nullptr;
  napi_async_cleanup_hook_handle__* handle = nullptr;  // of an asynchronous one
};

// All addons of one Runtime.
class Addons;

}  // namespace rondo::modules::napi

struct napi_env__ {
  napi_env__(rondo::modules::napi::Addons& addons, JSC::JSGlobalObject* realm, std::string file_name, int32_t version);
  ~napi_env__();
  napi_env__(const napi_env__&) = delete;
  napi_env__& operator=(const napi_env__&) = delete;

  napi_status ok() { return last_error.error_code = napi_ok; }
  napi_status fail(napi_status status) { return last_error.error_code = status; }

  // Whether a function that may run JavaScript may begin; says why not.
  napi_status begin();
  // Its end: an exception that JavaScript threw meanwhile becomes the pending one.
  napi_status finish(napi_status status);
  bool can_run_js() const;

  // A value for the addon; see A1. Empty becomes null.
  napi_value handle(JSC::JSValue value);

  // Calls the addon's own code in a handle scope of its own. The exception it leaves is returned, or null.
  template <class Act>
  JSC::Exception* call_into_addon(Act act) {
    const size_t handles_before = handles.slots.size();
    const int scopes_before = open_handle_scopes;
    ok();
    act();
    handles.slots.resize(handles_before);
    open_handle_scopes = scopes_before;
    JSC::Exception* thrown = exception.get();
    exception.clear();
    return thrown;
  }
  // Ends the process if a finalizer that the collector has called is the caller.
  void check_outside_collector() const {
    if (is_in_collector) [[unlikely]]
      end_in_collector();
  }
  [[noreturn]] static void end_in_collector();
  // The same as call_into_addon() from the loop, where nobody can catch: what it leaves is an uncaught exception.
  void run_finalizer(const rondo::modules::napi::Finalizer& finalizer);
  void report(JSC::Exception* thrown);
  // The same for a call that a thread asked for: addons of before version 10 get a warning instead, as in Node.
  void report_callback_exception(JSC::Exception* thrown);

  void throw_later(JSC::JSValue error);  // becomes the pending exception

  rondo::modules::napi::Addons& addons;
  rondo::runtime::Runtime& runtime;
  JSC::VM& vm;
  rondo::modules::napi::Handles& handles;
  JSC::Strong<JSC::JSGlobalObject> realm_root;
  JSC::JSGlobalObject* realm;
  std::string file_name;  // as a file: address
  int32_t version;
  napi_extended_error_info last_error{};
  JSC::Strong<JSC::Exception> exception;
  int open_handle_scopes = 0;
  int open_callback_scopes = 0;
  rondo::modules::napi::Finalizer instance_data;
  bool has_instance_data = false;
  bool is_ending = false;
  bool is_in_collector =
      false;  // a finalizer of an addon of Node's experimental interface runs: it must not touch the engine
  bool reports_all = false;  // --force-node-api-uncaught-exceptions-policy
  int64_t external_memory = 0;
  rondo::List<rondo::modules::napi::Reference> references;
  rondo::List<rondo::modules::napi::Reference> finalizing;  // those that call the addon when they end
};

namespace rondo::modules::napi {

class Addons {
 public:
  explicit Addons(Runtime& runtime);
  ~Addons();
  Addons(const Addons&) = delete;
  Addons& operator=(const Addons&) = delete;

  Runtime& runtime() const { return runtime_; }
  Handles& handles() const { return *handles_; }
  napi_env make_env(JSC::JSGlobalObject* realm, std::string file_name, int32_t version);

  // From the collector: the finalizer of `reference` is due. From anywhere: one that belongs to nothing.
  void enqueue(Reference& reference);
  void enqueue(napi_env env, const Finalizer& finalizer);
  void dequeue(const Reference& reference);

  const std::shared_ptr<LentMemory>& lent_memory() const { return lent_memory_; }
  List<ThreadsafeFunction>& threadsafe_functions() { return threadsafe_functions_; }
  UvLoop& uv_loop() const { return *uv_loop_; }

  void add_hook(const CleanupHook& hook) { hooks_.push_back(hook); }
  void remove_hook(napi_cleanup_hook function, void* argument);
  void remove_hook(const napi_async_cleanup_hook_handle__* handle);
  // An asynchronous hook has begun, has ended.
  void hook_began() { running_hooks_++; }
  void hook_ended() { running_hooks_--; }

  // Cleanup hooks, newest first, then what the environments still hold. Does nothing the second time.
  void end();

  const std::unique_ptr<JSC::WeakHandleOwner> reference_owner;
  JSC::PrivateName wrap_key{JSC::PrivateName::PrivateSymbol, "addonWrap"_s};
  JSC::PrivateName tag_key{JSC::PrivateName::PrivateSymbol, "addonTypeTag"_s};
  JSC::Strong<JSC::Structure> external_structure;
  JSC::Strong<JSC::Structure> function_structure;

 private:
  struct Due {
    napi_env env;
    Reference* reference;  // or null: `finalizer` stands alone
    Finalizer finalizer;
  };
  void schedule();
  void run_due();
  void finalize_due();

  Runtime& runtime_;
  std::shared_ptr<Handles> handles_;  // shared with the collector's constraint, which the VM keeps
  std::vector<std::unique_ptr<napi_env__>> environments_;
  std::vector<Due> due_;
  std::vector<CleanupHook> hooks_;
  std::shared_ptr<LentMemory> lent_memory_;
  List<ThreadsafeFunction> threadsafe_functions_;
  std::unique_ptr<UvLoop> uv_loop_;
  Check check_;
  Idle idle_;
  int running_hooks_ = 0;
  bool has_ended_ = false;
};

inline Value decode(napi_value value) { return JSC::JSValue::decode(reinterpret_cast<JSC::EncodedJSValue>(value)); }

// The frame of a function that may run JavaScript: `act` returns a status.
template <class Act>
napi_status may_run_js(napi_env env, Act act) {
  if (!env) return napi_invalid_arg;
  if (napi_status status = env->begin(); status != napi_ok) return status;
  return env->finish(act());
}

// Calls `act` as one turn of the loop, in the async context of `origin` (null: in none). An exception of it is an uncaught exception.
void run_in_turn(Runtime& runtime, const runtime::Source& source, const runtime::StartPoint* origin,
                 WTF::Function<void()> act);

// Where something asynchronous of an addon's began, under the name that the addon gave it for async hooks.
struct NamedOrigin {
  void capture(napi_env env, const char* label, napi_value name, JSC::JSObject* resource);

  std::string type;
  runtime::Source source{};
  runtime::StartPoint origin;
};

// As an object, made from a primitive value if need be; null with an exception or for undefined and null.
JSC::JSObject* object_of(napi_env env, napi_value value);
// A text of the addon's: its length, or kNotLength when it is not one.
inline constexpr size_t kNotLength = static_cast<size_t>(-2);
size_t length_of(const char* text, size_t length);
WTF::String text_of(const char* text, size_t length);

}  // namespace rondo::modules::napi

// Returns from a napi_* function when something it needs is missing.
#define NAPI_NEEDS_ENV(env)              \
  do {                                   \
    if (!(env)) return napi_invalid_arg; \
  } while (0)
// The same for a function that uses the engine, which a finalizer that the collector calls must not do.
#define NAPI_NEEDS_ENGINE(env)           \
  do {                                   \
    if (!(env)) return napi_invalid_arg; \
    (env)->check_outside_collector();    \
  } while (0)
#define NAPI_NEEDS(env, thing)                          \
  do {                                                  \
    if (!(thing)) return (env)->fail(napi_invalid_arg); \
  } while (0)
