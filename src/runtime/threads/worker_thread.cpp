// See worker_thread.h.
#include "runtime/threads/worker_thread.h"

#include "engine/patches/timed_waits.h"

#include "rondo/recording.h"
#include "rondo/base/unique_fd.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <set>

namespace rondo::runtime {

namespace {

constexpr double kMegabyte = 1024 * 1024;
// Node's figures where the owner names none. The engine itself wants some of the stack beyond what it lets JavaScript use.
constexpr WorkerLimits kDefaults{.young = 48, .old = 2048, .code = 0, .stack = 4};
constexpr size_t kStackReserve = 512 * 1024;
constexpr double kLeastStack = 0.25;
constexpr int kExitStopped = 1;

// Threads between their start and the end of their loop.
struct Live {
  static Live& get() {
    static auto* live = new Live;  // never destroyed: threads may still use it while the process ends
    return *live;
  }
  void add(WorkerThread* thread) {
    const std::lock_guard lock(mutex);
    threads.insert(thread);
  }
  void remove(WorkerThread* thread) {
    const std::lock_guard lock(mutex);
    threads.erase(thread);
    changed.notify_all();
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::set<WorkerThread*> threads;
};

uint32_t next_id() {
  static std::atomic<uint32_t> last{0};
  return ++last;
}

double given_or(double given, double otherwise) { return given < 0 ? otherwise : given; }

}  // namespace

WorkerThread::WorkerThread(WorkerOptions options) : options_(std::move(options)), id_(next_id()) {
  auto& limits = options_.limits;
  auto& runtime = options_.runtime;
  if (limits.old >= 0) {
    runtime.heap_limit = static_cast<uint64_t>(limits.old * kMegabyte);
  } else if (runtime.heap_limit) {
    limits.old = static_cast<double>(runtime.heap_limit) / kMegabyte;
  }
  limits = {.young = given_or(limits.young, kDefaults.young),
            .old = given_or(limits.old, kDefaults.old),
            .code = given_or(limits.code, kDefaults.code),
            .stack = std::max(given_or(limits.stack, kDefaults.stack), kLeastStack)};
  runtime.rank = Rank::Other;
  runtime.worker = this;
  runtime.html = options_.html ? &*options_.html : nullptr;
  runtime.on_heap_limit = [this] { on_heap_limit(); };
}

int WorkerThread::start() {
  if (Recording::current()) return ENOTSUP;  // its half of the run would not be in the recording
  Live::get().add(this);
  explored_ = ExploreWorld::for_new_thread();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, static_cast<size_t>(options_.limits.stack * kMegabyte) + kStackReserve);
  const int error = pthread_create(
      &thread_, &attributes,
      [](void* self) -> void* {
        static_cast<WorkerThread*>(self)->main();
        return nullptr;
      },
      this);
  pthread_attr_destroy(&attributes);
  is_started_ = error == 0;
  if (error) Live::get().remove(this);
  return error;
}

void WorkerThread::stop() {
  const std::lock_guard lock(mutex_);
  is_stopping_ = true;
  if (!runtime_) return;
  // The request comes before the waking: a script that is woken from Atomics.wait without one would just go on, to its end.
  runtime_->vm().notifyNeedTermination();
  interrupt_->begin_at(WTF::MonotonicTime::now());
  engine::wake_sleeper(runtime_->vm());
  stop_->send();
}

void WorkerThread::join() {
  if (!std::exchange(is_started_, false)) return;
  pthread_join(thread_, nullptr);
}

void WorkerThread::end() {
  if (!is_started_) return;
  wait_for_end();
  join();
}

void WorkerThread::end_all() {
  ExploreWorld::release_threads();
  auto& live = Live::get();
  for (;;) {
    std::unique_lock lock(live.mutex);
    if (live.threads.empty()) return;
    for (auto* thread : live.threads) thread->stop();
    live.changed.wait_for(lock, kTellAgainAfter);
  }
}

void WorkerThread::wait_for_end() {
  ExploreWorld::release_threads();
  for (std::unique_lock lock(mutex_); !is_over_;) {
    lock.unlock();
    stop();
    lock.lock();
    over_.wait_for(lock, kTellAgainAfter, [this] { return is_over_; });
  }
}

WorkerThread::Utilization WorkerThread::utilization() {
  constexpr double kNsPerMs = 1e6;
  const std::lock_guard lock(mutex_);
  const Nanoseconds start = loop_start_.load(std::memory_order_relaxed);
  if (!runtime_ || !start) return {};
  const auto whole = static_cast<double>(steady_now() - start) / kNsPerMs;
  const double idle = std::min(whole, static_cast<double>(runtime_->loop().idle_time_now()) / kNsPerMs);
  return {whole - idle, idle};
}

// The program is stopped while the collector calls this; it goes on just to see that it has ended.
void WorkerThread::on_heap_limit() {
  ending_ = Ending::OutOfMemory;
  stop();
}

bool WorkerThread::publish(Runtime& runtime, Async& stop) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_) return false;
  interrupt_.emplace(runtime.vm());
  runtime_ = &runtime;
  stop_ = &stop;
  return true;
}

void WorkerThread::withdraw() {
  const std::lock_guard lock(mutex_);
  interrupt_.reset();
  runtime_ = nullptr;
  stop_ = nullptr;
}

int WorkerThread::run(Loop& loop) {
  Runtime runtime(loop, options_.runtime);
  Async stop(loop, [&runtime] { runtime.stop(kExitStopped); });
  stop.unref();
  if (!runtime.boot()) {
    ending_ = Ending::NoStart;
    return kExitStopped;
  }
  auto entry = runtime.builtins().require("bootstrap/90_main");
  auto* request = engine::make_object(runtime.realm());
  engine::put(runtime.realm(), request, "action", engine::make_string(runtime.vm(), "worker"));
  if (!publish(runtime, stop)) return 0;  // stopped before it began: as in Node, no failure
  const auto& told = options_.runtime;
  if (told.on_worker_begin) told.on_worker_begin(runtime);
  const int code = runtime.run(entry, request);
  if (told.on_worker_end) told.on_worker_end(runtime);
  withdraw();
  return code;
}

std::unique_ptr<Loop> WorkerThread::make_loop() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  constexpr int kNeeded = 8;
  UniqueFd probe[kNeeded];
  for (auto& fd : probe) {
    fd = UniqueFd(::eventfd(0, EFD_CLOEXEC));
    if (!fd) {
      start_error_ = errno;
      return nullptr;
    }
  }
  for (auto& fd : probe) fd.reset();
  const auto& watch = options_.runtime.observe_worker;
  options_.runtime.tracer = watch ? watch(id_, options_.name) : nullptr;
  LoopOptions options = explored_ ? explored_->options() : LoopOptions{.clock = options_.clock.get()};
  options.observer = options_.runtime.tracer;
  auto loop = std::make_unique<Loop>(options);
  if (explored_) loop->add_observer(explored_->observer());
  return loop;
}

void WorkerThread::main() {
  constexpr size_t kLongestName = 15;
  pthread_setname_np(pthread_self(), options_.name.substr(0, kLongestName).c_str());
  if (explored_) explored_->begin_thread();
  if (auto loop = make_loop()) {
    exit_code_ = run(*loop);
  } else {
    ending_ = Ending::NoStart;
    exit_code_ = kExitStopped;
  }
  Live::get().remove(this);
  options_.control.reset();
  options_.open.reset();
  if (options_.clock) options_.clock->hold();  // until the owner has heard of the end
  options_.clock.reset();
  options_.on_end();
  if (explored_) explored_->end_thread();
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  over_.notify_all();
}

}  // namespace rondo::runtime
