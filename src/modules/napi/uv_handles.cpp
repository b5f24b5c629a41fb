// libuv's loop, handles and requests as addons use them, over librondo. The structures are libuv's own (an addon allocates them and
// reads their public fields); what stands behind one is kept in its private part. Callbacks run in the loop's phases as libuv runs them:
// not as turns of JavaScript. An addon that wants one opens a callback scope.
//
// There are the functions that published addons use; a missing one is named by the dynamic linker.
#include "modules/napi/uv_loop.h"

#include "rondo/async.h"
#include "rondo/poll.h"
#include "rondo/thread_pool.h"
#include "rondo/timer.h"

#include <cerrno>
#include <variant>

using namespace rondo::modules::napi;

namespace rondo::modules::napi {
namespace {

// The object behind a uv_handle_t.
struct Behind {
  std::variant<std::unique_ptr<Async>, std::unique_ptr<Timer>, std::unique_ptr<Idle>, std::unique_ptr<Prepare>,
               std::unique_ptr<Check>, std::unique_ptr<Poll>>
      owned;
  int fd = -1;  // of a poll handle
  uint64_t repeat = 0;  // of a timer, in milliseconds
  uv_timer_cb timer_callback = nullptr;

  rondo::Handle& handle() {
    return *std::visit([](auto& one) -> rondo::Handle* { return one.get(); }, owned);
  }
};

Behind* behind(const uv_handle_t* handle) { return static_cast<Behind*>(handle->u.reserved[0]); }
template <class T>
uv_handle_t* plain(T* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);
}
template <class H, class T>
H& behind_as(T* handle) {
  return *std::get<std::unique_ptr<H>>(behind(plain(handle))->owned);
}

// The addon's code, called by the loop: its handles end with it.
template <class Act>
void call_addon(uv_loop_t* loop, Act act) {
  auto& slots = addons_of(loop).handles().slots;
  const size_t before = slots.size();
  act();
  slots.resize(before);
}

template <class Kind, class T, class... More>
int init(uv_loop_t* loop, T* handle, uv_handle_type type, More&&... more) {
  auto made = std::make_unique<Behind>();
  made->owned = std::make_unique<Kind>(addons_of(loop).runtime().loop(), std::forward<More>(more)...);
  auto* common = plain(handle);
  common->loop = loop;
  common->type = type;
  common->close_cb = nullptr;
  common->flags = 0;
  common->u.reserved[0] = made.release();
  return 0;
}

template <class Kind, class T, class Callback>
int start_phase(T* handle, Callback callback) {
  if (!callback) return UV_EINVAL;
  behind_as<Kind>(handle).start([handle, callback] { call_addon(handle->loop, [&] { callback(handle); }); });
  return 0;
}

template <class Kind, class T>
int stop_phase(T* handle) {
  behind_as<Kind>(handle).stop();
  return 0;
}

}  // namespace
}  // namespace rondo::modules::napi

extern "C" {

int uv_async_init(uv_loop_t* loop, uv_async_t* handle, uv_async_cb callback) {
  handle->async_cb = callback;
  return init<rondo::Async>(loop, handle, UV_ASYNC, [handle] {
    call_addon(handle->loop, [&] {
      if (handle->async_cb) handle->async_cb(handle);
    });
  });
}
int uv_async_send(uv_async_t* handle) {
  behind_as<rondo::Async>(handle).send();
  return 0;
}

int uv_idle_init(uv_loop_t* loop, uv_idle_t* handle) { return init<rondo::Idle>(loop, handle, UV_IDLE); }
int uv_idle_start(uv_idle_t* handle, uv_idle_cb callback) { return start_phase<rondo::Idle>(handle, callback); }
int uv_idle_stop(uv_idle_t* handle) { return stop_phase<rondo::Idle>(handle); }
int uv_prepare_init(uv_loop_t* loop, uv_prepare_t* handle) { return init<rondo::Prepare>(loop, handle, UV_PREPARE); }
int uv_prepare_start(uv_prepare_t* handle, uv_prepare_cb callback) {
  return start_phase<rondo::Prepare>(handle, callback);
}
int uv_prepare_stop(uv_prepare_t* handle) { return stop_phase<rondo::Prepare>(handle); }
int uv_check_init(uv_loop_t* loop, uv_check_t* handle) { return init<rondo::Check>(loop, handle, UV_CHECK); }
int uv_check_start(uv_check_t* handle, uv_check_cb callback) { return start_phase<rondo::Check>(handle, callback); }
int uv_check_stop(uv_check_t* handle) { return stop_phase<rondo::Check>(handle); }

// Timers

int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle) { return init<rondo::Timer>(loop, handle, UV_TIMER); }

int uv_timer_start(uv_timer_t* handle, uv_timer_cb callback, uint64_t timeout, uint64_t repeat) {
  if (!callback || uv_is_closing(plain(handle))) return UV_EINVAL;
  auto* state = behind(plain(handle));
  state->repeat = repeat;
  state->timer_callback = callback;
  behind_as<rondo::Timer>(handle).start(std::chrono::milliseconds(timeout), [handle] {
    // As in libuv, the next time counts from now, and the callback may change it.
    if (behind(plain(handle))->repeat) uv_timer_again(handle);
    call_addon(handle->loop, [&] { behind(plain(handle))->timer_callback(handle); });
  });
  return 0;
}
int uv_timer_stop(uv_timer_t* handle) {
  behind_as<rondo::Timer>(handle).stop();
  return 0;
}
int uv_timer_again(uv_timer_t* handle) {
  auto* state = behind(plain(handle));
  if (!state->timer_callback) return UV_EINVAL;
  if (state->repeat) behind_as<rondo::Timer>(handle).restart(std::chrono::milliseconds(state->repeat));
  return 0;
}
void uv_timer_set_repeat(uv_timer_t* handle, uint64_t repeat) { behind(plain(handle))->repeat = repeat; }
uint64_t uv_timer_get_repeat(const uv_timer_t* handle) {
  return behind(plain(const_cast<uv_timer_t*>(handle)))->repeat;
}

// Readiness of descriptors

int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd) {
  init<rondo::Poll>(loop, handle, UV_POLL);
  behind(plain(handle))->fd = fd;
  return 0;
}
int uv_poll_init_socket(uv_loop_t* loop, uv_poll_t* handle, uv_os_sock_t socket) {
  return uv_poll_init(loop, handle, socket);
}

int uv_poll_start(uv_poll_t* handle, int events, uv_poll_cb callback) {
  static_assert(UV_READABLE == int(rondo::Readiness::Readable) && UV_WRITABLE == int(rondo::Readiness::Writable) &&
                UV_DISCONNECT == int(rondo::Readiness::Disconnected) &&
                UV_PRIORITIZED == int(rondo::Readiness::Priority));
  if (events == 0) return uv_poll_stop(handle);
  auto started = behind_as<rondo::Poll>(handle).start(
      behind(plain(handle))->fd, static_cast<rondo::Readiness>(events), [handle, callback](rondo::Readiness ready) {
        call_addon(handle->loop, [&] { callback(handle, 0, static_cast<int>(ready)); });
      });
  return started ? 0 : -started.error().number;
}
int uv_poll_stop(uv_poll_t* handle) {
  behind_as<rondo::Poll>(handle).stop();
  return 0;
}

// Any handle

void uv_close(uv_handle_t* handle, uv_close_cb callback) {
  auto* state = behind(handle);
  state->handle().close([handle, state, callback] {
    handle->u.reserved[0] = nullptr;
    std::unique_ptr<Behind> owned(state);  // the loop is done with a closed handle once this returns
    if (callback) call_addon(handle->loop, [&] { callback(handle); });
  });
}
int uv_is_closing(const uv_handle_t* handle) { return !behind(handle) || behind(handle)->handle().is_closing(); }
int uv_is_active(const uv_handle_t* handle) { return behind(handle) && behind(handle)->handle().is_active(); }
int uv_has_ref(const uv_handle_t* handle) { return behind(handle) && behind(handle)->handle().has_ref(); }
void uv_ref(uv_handle_t* handle) { behind(handle)->handle().ref(); }
void uv_unref(uv_handle_t* handle) { behind(handle)->handle().unref(); }
void* uv_handle_get_data(const uv_handle_t* handle) { return handle->data; }
void uv_handle_set_data(uv_handle_t* handle, void* data) { handle->data = data; }
uv_loop_t* uv_handle_get_loop(const uv_handle_t* handle) { return handle->loop; }
uv_handle_type uv_handle_get_type(const uv_handle_t* handle) { return handle->type; }
int uv_fileno(const uv_handle_t* handle, uv_os_fd_t* fd) {
  if (handle->type != UV_POLL || !behind(handle)) return UV_EINVAL;
  *fd = behind(handle)->fd;
  return 0;
}

// Jobs of the pool

int uv_queue_work(uv_loop_t* loop, uv_work_t* request, uv_work_cb work, uv_after_work_cb after) {
  if (!work) return UV_EINVAL;
  struct UvJob : rondo::Job {
    uv_work_t* request;
  };
  auto* job = new UvJob;
  job->request = request;
  request->type = UV_WORK;
  request->loop = loop;
  request->work_cb = work;
  request->after_work_cb = after;
  request->reserved[0] = job;
  job->work = [](rondo::Job& done) {
    auto* of = static_cast<UvJob&>(done).request;
    of->work_cb(of);
  };
  job->on_done = [](rondo::Job& done, int error) {
    auto* of = static_cast<UvJob&>(done).request;
    delete static_cast<UvJob*>(&done);
    of->reserved[0] = nullptr;
    if (of->after_work_cb) call_addon(of->loop, [&] { of->after_work_cb(of, error ? UV_ECANCELED : 0); });
  };
  job->on_dropped = [](rondo::Job& done) { delete static_cast<UvJob*>(&done); };
  rondo::ThreadPool::shared().submit(addons_of(loop).runtime().loop(), *job);
  return 0;
}

int uv_cancel(uv_req_t* request) {
  if (request->type != UV_WORK || !request->reserved[0]) return UV_EINVAL;
  return rondo::ThreadPool::shared().cancel(*static_cast<rondo::Job*>(request->reserved[0])) ? 0 : UV_EBUSY;
}

}  // extern "C"
