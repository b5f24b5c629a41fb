// See env.h; and the napi_* functions about errors, exceptions, handle scopes, instance data and cleanup hooks.
#include "modules/napi/env.h"

#include "modules/napi/external_memory.h"
#include "modules/napi/reference.h"
#include "modules/napi/threadsafe_function.h"
#include "modules/napi/uv_loop.h"
#include "runtime/addon_table.h"
#include "runtime/node_version.h"
#include "runtime/process.h"

#include <JavaScriptCore/JSNativeStdFunction.h>
#include <JavaScriptCore/SimpleMarkingConstraint.h>

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace rondo::modules::napi;
using rondo::runtime::Source;

struct napi_async_cleanup_hook_handle__ {
  napi_env env;
  napi_async_cleanup_hook function;
  void* argument;
  bool has_begun = false;
};

napi_env__::napi_env__(Addons& addons, JSC::JSGlobalObject* realm, std::string file_name, int32_t version)
    : addons(addons),
      runtime(addons.runtime()),
      vm(realm->vm()),
      handles(addons.handles()),
      realm_root(realm->vm(), realm),
      realm(realm),
      file_name(std::move(file_name)),
      version(version) {}

napi_env__::~napi_env__() = default;

bool napi_env__::can_run_js() const {
  return !is_ending && !runtime.is_stopped() && !vm.hasPendingTerminationException() && !vm.hasTerminationRequest();
}

void napi_env__::end_in_collector() {
  napi_fatal_error("", 0,
                   "Finalizer is calling a function that may affect GC state.\n"
                   "The finalizers are run directly from GC and must not affect GC state.\n"
                   "Use `node_api_post_finalizer` from inside of the finalizer to work around this issue.\n"
                   "It schedules the call as a new task in the event loop.",
                   NAPI_AUTO_LENGTH);
}

napi_status napi_env__::begin() {
  check_outside_collector();
  if (exception) return fail(napi_pending_exception);
  if (!can_run_js()) return fail(version >= 10 ? napi_cannot_run_js : napi_pending_exception);
  return ok();
}

napi_status napi_env__::finish(napi_status status) {
  auto scope = DECLARE_CATCH_SCOPE(vm);
  if (auto* thrown = scope.exception()) [[unlikely]] {
    if (vm.isTerminationException(thrown)) return fail(napi_pending_exception);
    exception.set(vm, thrown);
    scope.clearException();
    return fail(napi_pending_exception);
  }
  return fail(status);
}

napi_value napi_env__::handle(JSC::JSValue value) {
  check_outside_collector();
  if (!value) return nullptr;
  if (value.isCell()) handles.slots.push_back(JSC::JSValue::encode(value));
  return reinterpret_cast<napi_value>(JSC::JSValue::encode(value));
}

void napi_env__::throw_later(JSC::JSValue error) { exception.set(vm, JSC::Exception::create(vm, error)); }

void napi_env__::report(JSC::Exception* thrown) {
  if (thrown && can_run_js())
    runtime.report_uncaught(thrown->value(), thrown, rondo::runtime::Runtime::UncaughtKind::Exception);
}

void napi_env__::report_callback_exception(JSC::Exception* thrown) {
  if (!thrown || version >= 10 || reports_all || !can_run_js()) return report(thrown);
  auto scope = DECLARE_CATCH_SCOPE(vm);
  Value process = runtime.realm()->get(runtime.realm(), rondo::engine::identifier(vm, "process"));
  Value warn =
      process.isObject() ? process.get(runtime.realm(), rondo::engine::identifier(vm, "emitWarning")) : Value();
  JSC::MarkedArgumentBuffer arguments;
  for (const char* text : {"Uncaught Node-API callback exception detected, please run node with option "
                           "--force-node-api-uncaught-exceptions-policy=true to handle those exceptions properly.",
                           "DeprecationWarning", "DEP0168"})
    arguments.append(rondo::engine::make_string(vm, text));
  scope.clearException();
  if (warn && warn.isCallable()) runtime.call_nested(warn, process, arguments);
  scope.clearException();
}

void napi_env__::run_finalizer(const Finalizer& finalizer) {
  report(call_into_addon([&] { finalizer.function(this, finalizer.data, finalizer.hint); }));
}

namespace rondo::modules::napi {

Addons::Addons(Runtime& runtime)
    : reference_owner(Reference::make_owner()),
      runtime_(runtime),
      handles_(std::make_shared<Handles>()),
      lent_memory_(std::make_shared<LentMemory>(runtime)),
      uv_loop_(std::make_unique<UvLoop>()),
      check_(runtime.loop()),
      idle_(runtime.loop()) {
  uv_loop_->addons = this;
  auto visit = [handles = handles_](auto& visitor) {
    for (JSC::EncodedJSValue slot : handles->slots) visitor.appendUnbarriered(JSC::JSValue::decode(slot));
  };
  runtime.vm().heap.addMarkingConstraint(std::make_unique<JSC::SimpleMarkingConstraint>(
      "Na", "Node-API handles", JSC::MarkingConstraintExecutorPair(auto(visit), auto(visit)),
      JSC::ConstraintVolatility::GreyedByExecution, JSC::ConstraintConcurrency::Sequential));
  if (!runtime.is_main()) return;
  runtime::AddonTable::get().set_main_uv_loop(&uv_loop_->loop);
  // The main runtime is not destroyed: the process just ends.
  runtime::Process::get().at_exit([this, owner = std::this_thread::get_id()](int) {
    if (std::this_thread::get_id() == owner) end();
  });
}

Addons::~Addons() { end(); }

napi_env Addons::make_env(JSC::JSGlobalObject* realm, std::string file_name, int32_t version) {
  environments_.push_back(std::make_unique<napi_env__>(*this, realm, std::move(file_name), version));
  return environments_.back().get();
}

void Addons::enqueue(Reference& reference) {
  due_.push_back({reference.env(), &reference, {}});
  schedule();
}

void Addons::enqueue(napi_env env, const Finalizer& finalizer) {
  due_.push_back({env, nullptr, finalizer});
  schedule();
}

void Addons::schedule() {
  if (due_.size() > 1 || has_ended_) return;
  check_.start([this] { run_due(); });
  idle_.start([] {});  // poll does not wait
}

void Addons::dequeue(const Reference& reference) {
  std::erase_if(due_, [&](const Due& due) { return due.reference == &reference; });
}

void Addons::run_due() {
  static constexpr Source kFinalizers{"addon finalizers", "NAPI_FINALIZER"};
  check_.stop();
  idle_.stop();
  run_in_turn(runtime_, kFinalizers, nullptr, [this] { finalize_due(); });
}

// A finalizer may delete references that are due themselves, or make new ones: one at a time.
void Addons::finalize_due() {
  while (!due_.empty()) {
    const Due due = due_.front();
    due_.erase(due_.begin());
    if (due.reference)
      due.reference->finalize();
    else
      due.env->run_finalizer(due.finalizer);
  }
}

void Addons::remove_hook(napi_cleanup_hook function, void* argument) {
  std::erase_if(hooks_, [&](const CleanupHook& hook) {
    return !hook.handle && hook.function == function && hook.argument == argument;
  });
}

void Addons::remove_hook(const napi_async_cleanup_hook_handle__* handle) {
  std::erase_if(hooks_, [&](const CleanupHook& hook) { return hook.handle == handle; });
}

void Addons::end() {
  if (std::exchange(has_ended_, true)) return;
  for (auto& env : environments_) env->is_ending = true;
  check_.close();
  idle_.close();
  while (!hooks_.empty()) {
    const CleanupHook hook = hooks_.back();
    hooks_.pop_back();
    if (!hook.handle) {
      hook.function(hook.argument);
      continue;
    }
    hook.handle->has_begun = true;
    hook_began();
    hook.handle->function(hook.handle, hook.handle->argument);
  }
  while (running_hooks_ > 0) runtime_.loop().run(RunMode::Once);
  while (!threadsafe_functions_.is_empty()) threadsafe_functions_.front().end();
  finalize_due();
  lent_memory_->end();
  for (auto& env : environments_) {
    while (!env->finalizing.is_empty()) env->finalizing.front().finalize();
    while (!env->references.is_empty()) env->references.front().finalize();
    if (env->has_instance_data && env->instance_data.function)
      env->run_finalizer(std::exchange(env->instance_data, {}));
  }
  external_structure.clear();
  function_structure.clear();
  environments_.clear();
  std::fflush(nullptr);  // the process may end without the C library's own end
}

void run_in_turn(Runtime& runtime, const Source& source, const runtime::StartPoint* origin, WTF::Function<void()> act) {
  if (runtime.is_stopped()) return;
  auto* function = JSC::JSNativeStdFunction::create(runtime.vm(), runtime.realm(), 0, WTF::String(),
                                                    [act = std::move(act)](JSC::JSGlobalObject*, JSC::CallFrame*) {
                                                      act();
                                                      return JSC::JSValue::encode(JSC::jsUndefined());
                                                    });
  JSC::MarkedArgumentBuffer none;
  if (origin)
    runtime::Continuation(runtime, function, *origin, source)(none);
  else
    runtime::Continuation(runtime, function, source)(none);
}

void NamedOrigin::capture(napi_env env, const char* label, napi_value name, JSC::JSObject* resource) {
  auto scope = DECLARE_CATCH_SCOPE(env->vm);
  type = engine::to_utf8(decode(name).toWTFString(env->realm));
  scope.clearException();
  source = {label, type.c_str()};
  origin.capture(env->runtime, source, resource);
}

JSC::JSObject* object_of(napi_env env, napi_value value) {
  Value given = decode(value);
  if (given.isObject()) return JSC::asObject(given);
  if (given.isUndefinedOrNull()) return nullptr;
  return given.toObject(env->realm);
}

size_t length_of(const char* text, size_t length) {
  if (length == NAPI_AUTO_LENGTH) return text ? std::strlen(text) : 0;
  return length <= INT_MAX ? length : kNotLength;
}

WTF::String text_of(const char* text, size_t length) { return engine::to_wtf({text, length_of(text, length)}); }

}  // namespace rondo::modules::napi

// Errors

napi_status napi_get_last_error_info(node_api_basic_env env, const napi_extended_error_info** result) {
  // By the number of the status.
  static constexpr const char* kMessages[] = {
      nullptr,
      "Invalid argument",
      "An object was expected",
      "A string was expected",
      "A string or symbol was expected",
      "A function was expected",
      "A number was expected",
      "A boolean was expected",
      "An array was expected",
      "Unknown failure",
      "An exception is pending",
      "The async work item was cancelled",
      "napi_escape_handle already called on scope",
      "Invalid handle scope usage",
      "Invalid callback scope usage",
      "Thread-safe function queue is full",
      "Thread-safe function handle is closing",
      "A bigint was expected",
      "A date was expected",
      "An arraybuffer was expected",
      "A detachable arraybuffer was expected",
      "Main thread would deadlock",
      "External buffers are not allowed",
      "Cannot run JavaScript",
  };
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  env->last_error.error_message = kMessages[env->last_error.error_code];
  *result = &env->last_error;
  return napi_ok;
}

napi_status napi_is_exception_pending(napi_env env, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = !!env->exception;
  return env->ok();
}

napi_status napi_get_and_clear_last_exception(napi_env env, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  if (!env->exception) {
    *result = env->handle(JSC::jsUndefined());
    return env->ok();
  }
  *result = env->handle(env->exception->value());
  env->exception.clear();
  return env->ok();
}

napi_status napi_throw(napi_env env, napi_value error) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, error);
    env->throw_later(decode(error));
    return napi_ok;
  });
}

namespace {

napi_status create_error(napi_env env, JSC::ErrorType type, napi_value code, napi_value message, napi_value* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, message);
  NAPI_NEEDS(env, result);
  if (!decode(message).isString()) return env->fail(napi_string_expected);
  if (code && !decode(code).isString()) return env->fail(napi_string_expected);
  auto* error = JSC::createError(env->realm, type, JSC::asString(decode(message))->value(env->realm));
  if (code) error->putDirect(env->vm, rondo::engine::identifier(env->vm, "code"), decode(code));
  *result = env->handle(error);
  return env->ok();
}

napi_status throw_error(napi_env env, JSC::ErrorType type, const char* code, const char* message) {
  return may_run_js(env, [&] {
    auto* error = JSC::createError(env->realm, type, text_of(message, NAPI_AUTO_LENGTH));
    if (code)
      error->putDirect(env->vm, rondo::engine::identifier(env->vm, "code"), rondo::engine::make_string(env->vm, code));
    env->throw_later(error);
    return napi_ok;
  });
}

}  // namespace

napi_status napi_create_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
  return create_error(env, JSC::ErrorType::Error, code, message, result);
}
napi_status napi_create_type_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
  return create_error(env, JSC::ErrorType::TypeError, code, message, result);
}
napi_status napi_create_range_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
  return create_error(env, JSC::ErrorType::RangeError, code, message, result);
}
napi_status node_api_create_syntax_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
  return create_error(env, JSC::ErrorType::SyntaxError, code, message, result);
}
napi_status napi_throw_error(napi_env env, const char* code, const char* message) {
  return throw_error(env, JSC::ErrorType::Error, code, message);
}
napi_status napi_throw_type_error(napi_env env, const char* code, const char* message) {
  return throw_error(env, JSC::ErrorType::TypeError, code, message);
}
napi_status napi_throw_range_error(napi_env env, const char* code, const char* message) {
  return throw_error(env, JSC::ErrorType::RangeError, code, message);
}
napi_status node_api_throw_syntax_error(napi_env env, const char* code, const char* message) {
  return throw_error(env, JSC::ErrorType::SyntaxError, code, message);
}

napi_status napi_is_error(napi_env env, napi_value value, bool* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = JSC::jsDynamicCast<JSC::ErrorInstance*>(decode(value)) != nullptr;
  return env->ok();
}

napi_status napi_fatal_exception(napi_env env, napi_value error) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, error);
    env->runtime.report_uncaught(decode(error), nullptr, rondo::runtime::Runtime::UncaughtKind::Exception);
    return napi_ok;
  });
}

void napi_fatal_error(const char* location, size_t location_length, const char* message, size_t message_length) {
  const std::string where(location ? location : "", length_of(location, location_length));
  const std::string what(message ? message : "", length_of(message, message_length));
  fprintf(stderr, "FATAL ERROR: %s %s\n", where.c_str(), what.c_str());
  std::abort();
}

// Handle scopes. A scope is the number of handles there were when it was opened, plus one so that it is never null.

napi_status napi_open_handle_scope(napi_env env, napi_handle_scope* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = reinterpret_cast<napi_handle_scope>(env->handles.slots.size() + 1);
  env->open_handle_scopes++;
  return env->ok();
}

napi_status napi_close_handle_scope(napi_env env, napi_handle_scope scope) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, scope);
  if (env->open_handle_scopes == 0) return napi_handle_scope_mismatch;
  const size_t before = reinterpret_cast<size_t>(scope) - 1;
  if (before < env->handles.slots.size()) env->handles.slots.resize(before);
  env->open_handle_scopes--;
  return env->ok();
}

// The slot before an escapable scope is for the value that escapes.
struct napi_escapable_handle_scope__ {
  size_t escape_slot;
  bool has_escaped = false;
};

napi_status napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = new napi_escapable_handle_scope__{env->handles.slots.size()};
  env->handles.slots.push_back(JSC::JSValue::encode(JSC::jsUndefined()));
  env->open_handle_scopes++;
  return env->ok();
}

napi_status napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, scope);
  if (env->open_handle_scopes == 0) return napi_handle_scope_mismatch;
  env->handles.slots.resize(std::min(env->handles.slots.size(), scope->escape_slot + 1));
  env->open_handle_scopes--;
  delete scope;
  return env->ok();
}

napi_status napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                               napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, scope);
  NAPI_NEEDS(env, escapee);
  NAPI_NEEDS(env, result);
  if (scope->has_escaped) return env->fail(napi_escape_called_twice);
  scope->has_escaped = true;
  env->handles.slots[scope->escape_slot] = reinterpret_cast<JSC::EncodedJSValue>(escapee);
  *result = escapee;
  return env->ok();
}

// Instance data, cleanup hooks, versions

napi_status napi_set_instance_data(node_api_basic_env env, void* data, napi_finalize finalize, void* hint) {
  NAPI_NEEDS_ENV(env);
  env->instance_data = {finalize, data, hint};
  env->has_instance_data = true;
  return env->ok();
}

napi_status napi_get_instance_data(node_api_basic_env env, void** data) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, data);
  *data = env->instance_data.data;
  return env->ok();
}

napi_status napi_add_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook function, void* argument) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, function);
  env->addons.add_hook({function, argument, nullptr});
  return napi_ok;
}

napi_status napi_remove_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook function, void* argument) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, function);
  env->addons.remove_hook(function, argument);
  return napi_ok;
}

napi_status napi_add_async_cleanup_hook(node_api_basic_env env, napi_async_cleanup_hook hook, void* argument,
                                        napi_async_cleanup_hook_handle* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, hook);
  auto* handle = new napi_async_cleanup_hook_handle__{env, hook, argument};
  env->addons.add_hook({nullptr, nullptr, handle});
  if (result) *result = handle;
  return env->ok();
}

napi_status napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle) {
  if (!handle) return napi_invalid_arg;
  auto& addons = handle->env->addons;
  addons.remove_hook(handle);
  if (handle->has_begun) addons.hook_ended();
  delete handle;
  return napi_ok;
}

napi_status napi_get_version(node_api_basic_env env, uint32_t* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = kSupportedVersion;
  return env->ok();
}

napi_status napi_get_node_version(node_api_basic_env env, const napi_node_version** result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  static const napi_node_version kVersion = [] {
    napi_node_version version{0, 0, 0, "node"};
    sscanf(rondo::runtime::kNodeVersion, "%u.%u.%u", &version.major, &version.minor, &version.patch);
    return version;
  }();
  *result = &kVersion;
  return env->ok();
}

napi_status node_api_get_module_file_name(node_api_basic_env env, const char** result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = env->file_name.c_str();
  return env->ok();
}

napi_status napi_adjust_external_memory(node_api_basic_env env, int64_t change, int64_t* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  if (change > 0) env->vm.heap.deprecatedReportExtraMemory(static_cast<size_t>(change));
  env->external_memory += change;
  *result = env->external_memory;
  return env->ok();
}
