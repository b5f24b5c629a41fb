// A worker: a thread with a Loop and a Runtime of its own, started and ended by another runtime. They share nothing but what
// messages carry (mailbox.h), and memory that both were given.
//
//  W1  stop() may come at any moment of the thread's life: before its runtime exists, while it starts, runs JavaScript, sleeps in its
//      loop or in Atomics.wait, or is over. After it no JavaScript of the worker begins, and what runs ends (engine/core/interrupt.h).
//  W2  `on_end` comes when its runtime and loop have gone: `on_end` may join it at once.
//
// Owner: the runtime that started it. Thread: that one's, except stop(), which any may call.
#pragma once

#include "engine/clone/structured_clone.h"
#include "engine/core/interrupt.h"
#include "runtime/html/html_profile.h"
#include "runtime/runtime.h"

#include "rondo/async.h"
#include "rondo/explore.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace rondo::runtime {

// Resource limits; a number below zero is the default. In megabytes, under Node's names.
struct WorkerLimits {
  double young = -1, old = -1, code = -1, stack = -1;
};

struct WorkerOptions {
  RuntimeOptions runtime;
  // Its ends of two channels to its owner: for the library, and for the program.
  std::unique_ptr<engine::Transferable> control;
  std::unique_ptr<engine::Transferable> open;
  std::string name;
  WorkerLimits limits;
  std::optional<HtmlOptions> html;  // an agent of a page
  std::unique_ptr<VirtualClock> clock;  // of --virtual-time; `html` names it
  bool tracks_files = true;  // what its program opens by number is closed with it
  std::function<void()> on_end;
};

class WorkerThread {
 public:
  explicit WorkerThread(WorkerOptions options);
  ~WorkerThread() { end(); }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  // 0, or an errno when there can be no thread.
  int start();
  // Asks it to end; again after a while if it has not (kTellAgainAfter).
  void stop();
  void join();
  // Stops it and waits until it has ended.
  void end();

  // Ends all that there are and waits for it; they need not be this thread's. For the end of a process that is watched.
  static void end_all();

  // A thread that is about to sleep can miss that it is told to stop.
  static constexpr auto kTellAgainAfter = std::chrono::milliseconds(20);

  // How long its loop has run and waited, in milliseconds; nothing before its first iteration and after its end.
  struct Utilization {
    double active = 0, idle = 0;
  };
  Utilization utilization();
  // The worker's own thread: its loop begins.
  void on_loop_start() { loop_start_.store(steady_now(), std::memory_order_relaxed); }

  uint32_t id() const { return id_; }  // from 1; the main thread's is 0
  const std::string& name() const { return options_.name; }
  bool tracks_files() const { return options_.tracks_files; }
  const WorkerLimits& limits() const { return options_.limits; }

  // After on_end.
  enum class Ending : uint8_t { Exit, OutOfMemory, NoStart };
  Ending ending() const { return ending_; }
  int exit_code() const { return exit_code_; }
  int start_error() const { return start_error_; }  // an errno, of NoStart

  // The worker's own thread: the ends of its channels, each once.
  std::unique_ptr<engine::Transferable> take_control() { return std::move(options_.control); }
  std::unique_ptr<engine::Transferable> take_open() { return std::move(options_.open); }

 private:
  void main();
  // Null when the process is short of descriptors: a loop cannot do without, and would end the process.
  std::unique_ptr<Loop> make_loop();
  int run(Loop& loop);
  bool publish(Runtime& runtime, Async& stop);
  void withdraw();
  void wait_for_end();
  void on_heap_limit();

  WorkerOptions options_;
  const uint32_t id_;
  pthread_t thread_{};
  std::unique_ptr<ExploreWorld> explored_;  // of an explored run
  bool is_started_ = false;
  Ending ending_ = Ending::Exit;
  int exit_code_ = 0;
  int start_error_ = 0;

  std::atomic<Nanoseconds> loop_start_{0};

  // Written by both sides.
  std::mutex mutex_;
  Runtime* runtime_ = nullptr;  // while it may be stopped: not before the library has loaded, a few milliseconds
  Async* stop_ = nullptr;  // of its loop
  std::optional<engine::Interrupt> interrupt_;  // of what its runtime runs
  bool is_stopping_ = false;
  bool is_over_ = false;
  std::condition_variable over_;
};

}  // namespace rondo::runtime
