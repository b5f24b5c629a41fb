// See threadsafe_function.h.
#include "modules/napi/threadsafe_function.h"

using namespace rondo::modules::napi;
using rondo::runtime::Source;

namespace rondo::modules::napi {

namespace {

constexpr int kMaxCallsAVisit = 1000;

// Unless the addon gave a function of its own: calls without arguments.
void call_plainly(napi_env env, napi_value function, void*, void*) {
  if (!env || !function) return;
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  const napi_status status = napi_call_function(env, undefined, function, 0, nullptr, nullptr);
  if (status != napi_ok && status != napi_pending_exception)
    napi_throw_error(env, "ERR_NAPI_TSFN_CALL_JS", "Failed to call JS callback");
}

}  // namespace

ThreadsafeFunction::ThreadsafeFunction(napi_env env, const Options& options)
    : env_(env),
      async_(std::make_unique<Async>(env->runtime.loop(), [this] { dispatch(); })),
      max_queue_(options.max_queue),
      finalizer_(options.finalizer),
      context_(options.context),
      call_js_(options.call_js ? options.call_js : call_plainly),
      threads_(options.threads) {
  if (options.function) function_.set(env->vm, options.function);
  origin_.capture(env, "addon call", options.name, options.resource);
  env->addons.threadsafe_functions().push_back(*this);
}

napi_status ThreadsafeFunction::call(void* data, napi_threadsafe_function_call_mode mode) {
  std::unique_lock lock(mutex_);
  while (max_queue_ > 0 && queue_.size() >= max_queue_ && state_ == State::Open) {
    if (mode == napi_tsfn_nonblocking) return napi_queue_full;
    has_room_.wait(lock);
  }
  if (state_ == State::Open) {
    queue_.push_back(data);
    async_->send();
    return napi_ok;
  }
  if (threads_ == 0) return napi_invalid_arg;
  threads_--;
  const bool is_last = state_ == State::Closed && threads_ == 0;
  lock.unlock();
  if (is_last) delete this;
  return napi_closing;
}

napi_status ThreadsafeFunction::acquire() {
  std::lock_guard lock(mutex_);
  if (state_ != State::Open) return napi_closing;
  threads_++;
  return napi_ok;
}

napi_status ThreadsafeFunction::release(napi_threadsafe_function_release_mode mode) {
  std::unique_lock lock(mutex_);
  if (threads_ == 0) return napi_invalid_arg;
  threads_--;
  if ((threads_ == 0 || mode == napi_tsfn_abort) && state_ == State::Open) {
    if (mode == napi_tsfn_abort) {
      state_ = State::Closing;
      has_room_.notify_all();
    }
    async_->send();
  }
  const bool is_last = state_ == State::Closed && threads_ == 0;
  lock.unlock();
  if (is_last) delete this;
  return napi_ok;
}

void ThreadsafeFunction::dispatch() {
  for (int calls = 0; calls < kMaxCallsAVisit; calls++)
    if (!run_one()) return;
  async_->send();
}

// One call from the queue. False: nothing is left to do now.
bool ThreadsafeFunction::run_one() {
  void* data = nullptr;
  bool is_over = false;
  {
    std::lock_guard lock(mutex_);
    if (state_ == State::Closing || (queue_.empty() && threads_ == 0)) {
      state_ = State::Closing;
      is_over = true;
    } else if (queue_.empty()) {
      return false;
    } else {
      data = queue_.front();
      queue_.pop_front();
      if (max_queue_ > 0) has_room_.notify_one();
    }
  }
  if (is_over) {
    close();
    return false;
  }
  call_into_js(data);
  return !env_->runtime.is_stopped();
}

void ThreadsafeFunction::call_into_js(void* data) {
  run_in_turn(env_->runtime, origin_.source, &origin_.origin, [this, data] {
    auto* thrown = env_->call_into_addon(
        [&] { call_js_(env_, function_ ? env_->handle(function_.get()) : nullptr, context_, data); });
    env_->report_callback_exception(thrown);
  });
}

void ThreadsafeFunction::close() {
  if (std::exchange(is_closing_handle_, true)) return;
  async_->close([this] { finish(); });
}

// The handle is closed: the addon's finalizer, then nothing is left but what threads hold.
void ThreadsafeFunction::finish() {
  run_in_turn(env_->runtime, origin_.source, &origin_.origin, [this] { release_all(); });
  leave();
}

void ThreadsafeFunction::end() {
  release_all();
  leave();
}

void ThreadsafeFunction::release_all() {
  unlink();
  drop_queue();
  if (!finalizer_.function) return;
  env_->report_callback_exception(env_->call_into_addon([&] { finalizer_.function(env_, finalizer_.data, context_); }));
}

void ThreadsafeFunction::leave() {
  function_.clear();
  origin_.origin = {};
  std::unique_lock lock(mutex_);
  async_.reset();
  state_ = State::Closed;
  const bool is_free = threads_ == 0;
  lock.unlock();
  if (is_free) delete this;
}

void ThreadsafeFunction::drop_queue() {
  std::deque<void*> left;
  {
    std::lock_guard lock(mutex_);
    left.swap(queue_);
    if (state_ == State::Open) state_ = State::Closing;
    has_room_.notify_all();
  }
  for (void* data : left) call_js_(nullptr, nullptr, context_, data);
}

namespace {

ThreadsafeFunction* tsfn_of(napi_threadsafe_function function) {
  return reinterpret_cast<ThreadsafeFunction*>(function);
}

}  // namespace
}  // namespace rondo::modules::napi

napi_status napi_create_threadsafe_function(napi_env env, napi_value function, napi_value resource, napi_value name,
                                            size_t max_queue, size_t threads, void* finalize_data,
                                            napi_finalize finalize, void* context,
                                            napi_threadsafe_function_call_js call_js,
                                            napi_threadsafe_function* result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, name);
  NAPI_NEEDS(env, result);
  if (threads == 0) return env->fail(napi_invalid_arg);
  ThreadsafeFunction::Options options{.name = name,
                                      .max_queue = max_queue,
                                      .threads = threads,
                                      .finalizer = {finalize, finalize_data, nullptr},
                                      .context = context,
                                      .call_js = call_js};
  if (!function)
    NAPI_NEEDS(env, call_js);
  else if (decode(function).isCallable())
    options.function = JSC::asObject(decode(function));
  else
    return env->fail(napi_invalid_arg);
  if (resource && !(options.resource = object_of(env, resource))) return env->fail(napi_object_expected);
  *result = reinterpret_cast<napi_threadsafe_function>(new ThreadsafeFunction(env, options));
  return env->ok();
}

napi_status napi_get_threadsafe_function_context(napi_threadsafe_function function, void** result) {
  if (!function || !result) return napi_invalid_arg;
  *result = tsfn_of(function)->context();
  return napi_ok;
}

napi_status napi_call_threadsafe_function(napi_threadsafe_function function, void* data,
                                          napi_threadsafe_function_call_mode mode) {
  return function ? tsfn_of(function)->call(data, mode) : napi_invalid_arg;
}

napi_status napi_acquire_threadsafe_function(napi_threadsafe_function function) {
  return function ? tsfn_of(function)->acquire() : napi_invalid_arg;
}

napi_status napi_release_threadsafe_function(napi_threadsafe_function function,
                                             napi_threadsafe_function_release_mode mode) {
  return function ? tsfn_of(function)->release(mode) : napi_invalid_arg;
}

napi_status napi_unref_threadsafe_function(node_api_basic_env, napi_threadsafe_function function) {
  if (!function) return napi_invalid_arg;
  tsfn_of(function)->unref();
  return napi_ok;
}

napi_status napi_ref_threadsafe_function(node_api_basic_env, napi_threadsafe_function function) {
  if (!function) return napi_invalid_arg;
  tsfn_of(function)->ref();
  return napi_ok;
}
