// The object behind napi_threadsafe_function: a function of JavaScript's that any thread may ask to be called. Calls wait in a queue, which
// the loop empties, each call a turn of its own.
//
//  T1  open → closing (the last thread let go, or one aborted) → closed (its handle of the loop is closed, the finalizer has run).
//  T2  It exists until it is closed and no thread holds it any more; the last of them, or the loop, deletes it.
//  T3  mutex_ guards state_, threads_ and queue_; the handle of the loop is woken only under it while state_ is not Closed.
//
// Thread: call, acquire, release: any. The rest: the Runtime's.
#pragma once

#include "modules/napi/env.h"

#include "rondo/async.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace rondo::modules::napi {

class ThreadsafeFunction final : public ListNode {
 public:
  struct Options {
    JSC::JSObject* function = nullptr;
    napi_value name = nullptr;  // of the async resource
    JSC::JSObject* resource = nullptr;
    size_t max_queue = 0;  // 0: no limit
    size_t threads = 1;
    Finalizer finalizer;
    void* context = nullptr;
    napi_threadsafe_function_call_js call_js = nullptr;
  };
  ThreadsafeFunction(napi_env env, const Options& options);

  napi_status call(void* data, napi_threadsafe_function_call_mode mode);
  napi_status acquire();
  napi_status release(napi_threadsafe_function_release_mode mode);

  void ref() { async_->ref(); }
  void unref() { async_->unref(); }
  void* context() const { return context_; }
  // The environment ends: what waits is handed back without one.
  void end();

 private:
  enum class State : uint8_t { Open, Closing, Closed };
  ~ThreadsafeFunction() = default;

  void dispatch();
  bool run_one();
  void call_into_js(void* data);
  void close();
  void finish();
  void release_all();
  void drop_queue();
  void leave();

  napi_env env_;
  JSC::Strong<JSC::JSObject> function_;
  NamedOrigin origin_;
  std::unique_ptr<Async> async_;
  const size_t max_queue_;
  Finalizer finalizer_;
  void* context_;
  napi_threadsafe_function_call_js call_js_;
  bool is_closing_handle_ = false;

  std::mutex mutex_;
  std::condition_variable has_room_;
  std::deque<void*> queue_;
  size_t threads_;
  State state_ = State::Open;
};

}  // namespace rondo::modules::napi
