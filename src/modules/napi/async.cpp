// The napi_* functions about asynchronous work: jobs for the pool, async contexts, calls in their name, and callback scopes.
#include "modules/napi/env.h"

#include "rondo/thread_pool.h"

#include <JavaScriptCore/JSNativeStdFunction.h>

#include <cerrno>

using namespace rondo::modules::napi;
using rondo::runtime::Source;
using rondo::runtime::StartPoint;

namespace {

constexpr Source kCallback{"addon callback", "NAPI_CALLBACK"};

}  // namespace

// Jobs. One exists until the addon deletes it, and may be queued again when it is done.
struct napi_async_work__ : rondo::Job {
  napi_env env = nullptr;
  napi_async_execute_callback execute = nullptr;
  napi_async_complete_callback complete = nullptr;
  void* data = nullptr;
  NamedOrigin origin;
};

napi_status napi_create_async_work(napi_env env, napi_value resource, napi_value name,
                                   napi_async_execute_callback execute, napi_async_complete_callback complete,
                                   void* data, napi_async_work* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, execute);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, name);
  JSC::JSObject* of = nullptr;
  if (resource && !(of = object_of(env, resource))) return env->fail(napi_object_expected);
  auto* made = new napi_async_work__;
  made->env = env;
  made->execute = execute;
  made->complete = complete;
  made->data = data;
  made->origin.capture(env, "addon work", name, of);
  made->work = [](rondo::Job& job) {
    auto& self = static_cast<napi_async_work__&>(job);
    self.execute(self.env, self.data);
  };
  made->on_done = [](rondo::Job& job, int error) {
    auto& self = static_cast<napi_async_work__&>(job);
    if (!self.complete) return;
    run_in_turn(self.env->runtime, self.origin.source, &self.origin.origin, [&self, error] {
      napi_env env = self.env;  // `complete` may delete the job
      env->report(
          env->call_into_addon([&] { self.complete(env, error == ECANCELED ? napi_cancelled : napi_ok, self.data); }));
    });
  };
  made->on_dropped = [](rondo::Job&) {};
  *result = made;
  return env->ok();
}

napi_status napi_delete_async_work(napi_env env, napi_async_work work) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, work);
  if (const auto& origin = work->origin.origin; origin.is_tracked) env->runtime.end_tracked(origin.context.get());
  delete work;
  return env->ok();
}

napi_status napi_queue_async_work(node_api_basic_env env, napi_async_work work) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, work);
  rondo::ThreadPool::shared().submit(env->runtime.loop(), *work);
  return env->ok();
}

napi_status napi_cancel_async_work(node_api_basic_env env, napi_async_work work) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, work);
  return rondo::ThreadPool::shared().cancel(*work) ? env->ok() : env->fail(napi_generic_failure);
}

// Async contexts

struct napi_async_context__ {
  NamedOrigin named;
  StartPoint& origin = named.origin;
  JSC::Strong<JSC::JSObject> resource;
};

napi_status napi_async_init(napi_env env, napi_value resource, napi_value name, napi_async_context* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, name);
  NAPI_NEEDS(env, result);
  JSC::JSObject* of = nullptr;
  if (resource && !(of = object_of(env, resource))) return env->fail(napi_object_expected);
  auto* made = new napi_async_context__;
  made->named.capture(env, "addon callback", name, of);
  if (of) made->resource.set(env->vm, of);
  *result = made;
  return env->ok();
}

napi_status napi_async_destroy(napi_env env, napi_async_context context) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, context);
  if (context->origin.is_tracked) env->runtime.end_tracked(context->origin.context.get());
  delete context;
  return env->ok();
}

namespace {

bool is_in_javascript(napi_env env) { return env->vm.entryScope != nullptr; }

Value exchange_context(napi_env env, Value context) {
  auto* data = env->runtime.realm()->m_asyncContextData.get();
  Value outer = data->getInternalField(0);
  data->putInternalField(env->vm, 0, context);
  return outer;
}

// The context that AsyncLocalStorage sees in the name of `context`.
Value context_of(const napi_async_context__* context) {
  if (!context || !context->origin.context || context->origin.is_tracked) return JSC::jsUndefined();
  return context->origin.context.get();
}

// Inside a turn: `act` in the name of `context`, with async hooks told if they listen.
template <class Act>
void run_in_context(napi_env env, const napi_async_context__* context, Act act) {
  if (context && context->origin.is_tracked) {
    auto* function = JSC::JSNativeStdFunction::create(env->vm, env->realm, 0, WTF::String(),
                                                      [&act](JSC::JSGlobalObject*, JSC::CallFrame*) {
                                                        act();
                                                        return JSC::JSValue::encode(JSC::jsUndefined());
                                                      });
    JSC::MarkedArgumentBuffer none;
    env->runtime.run_tracked(context->origin.context.get(), function, false, none);
    return;
  }
  Value outer = exchange_context(env, context_of(context));
  act();
  exchange_context(env, outer);
}

}  // namespace

napi_status napi_make_callback(napi_env env, napi_async_context context, napi_value self, napi_value function,
                               size_t count, const napi_value* values, napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, self);
    NAPI_NEEDS(env, function);
    if (count > 0) NAPI_NEEDS(env, values);
    if (!object_of(env, self)) return env->fail(napi_object_expected);
    if (!decode(function).isCallable()) return env->fail(napi_invalid_arg);
    JSC::MarkedArgumentBuffer arguments;
    for (size_t i = 0; i < count; i++) arguments.append(decode(values[i]));
    Value returned;
    // Its exceptions are for the caller to handle.
    auto call = [&] {
      auto scope = DECLARE_CATCH_SCOPE(env->vm);
      returned = JSC::call(env->realm, decode(function), JSC::getCallData(decode(function)), decode(self), arguments);
      if (scope.exception()) env->finish(napi_pending_exception);
    };
    if (!is_in_javascript(env))
      run_in_turn(env->runtime, kCallback, context ? &context->origin : nullptr, [&] { call(); });
    else
      run_in_context(env, context, call);
    if (env->exception || !returned || env->vm.exceptionForInspection()) return napi_pending_exception;
    if (result) *result = env->handle(returned);
    return napi_ok;
  });
}

// Callback scopes: what runs between open and close runs in the name of a context. The outermost one's end is the end of a turn.

struct napi_callback_scope__ {
  JSC::Strong<JSC::Unknown> outer;
};

napi_status napi_open_callback_scope(napi_env env, napi_value, napi_async_context context,
                                     napi_callback_scope* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, result);
  *result = new napi_callback_scope__{{env->vm, exchange_context(env, context_of(context))}};
  env->open_callback_scopes++;
  return env->ok();
}

napi_status napi_close_callback_scope(napi_env env, napi_callback_scope scope) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, scope);
  if (env->open_callback_scopes == 0) return napi_callback_scope_mismatch;
  env->open_callback_scopes--;
  exchange_context(env, scope->outer.get());
  delete scope;
  if (env->open_callback_scopes == 0 && !is_in_javascript(env)) run_in_turn(env->runtime, kCallback, nullptr, [] {});
  return env->ok();
}
