// Where the loop and JavaScript meet: one Runtime is one thread's realm on one Loop. It owns the engine's VM, the built-in
// library, and the hot queues' C++ ends (one timer, one check handle, one idle handle); it decides when the program is over.
//
// Owner: the command line (or a worker's thread). Thread: the loop's. It must be destroyed before its Loop.
#pragma once

#include "engine/patches/startup_scope.h"
#include "engine/core/vm.h"
#include "runtime/builtins.h"
#include "runtime/deferred_work.h"
#include "runtime/task_observer.h"

#include "rondo/loop.h"
#include "rondo/phase_handles.h"
#include "rondo/timer.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace rondo::runtime {

// JavaScript functions the runtime calls; bootstrap registers each once (native('runtime').setCallback).
enum class Callback : uint8_t {
  RunTicks,  // () drains ticks and microtasks, then rejections
  RunTimers,  // (now ms) → next deadline in ms, 0 when none; negative when only unref'd timers are left
  RunImmediates,  // ()
  Uncaught,  // (error, origin) → handled?
  Rejection,  // (operation, promise, reason)
  BeforeExit,  // ()
  Exit,  // () → exit code
  Count,
};

// Small arrays shared with JavaScript: counts and flags both sides read without a call.
struct SharedState {
  enum Field : uint8_t {
    HasTicks,  // or microtasks
    HasRejections,
    ImmediateCount,
    ImmediateRefCount,
    ImmediatesOutstanding,
    FieldCount
  };
  int32_t fields[FieldCount] = {};
};

struct RuntimeOptions {
  std::span<const NativeModule> natives;
  std::vector<std::string> argv;  // process.argv: [execPath, script, …]
  std::vector<std::string> exec_argv;  // options given to the binary itself
  std::string exec_path;
  uint64_t heap_limit = 0;  // in bytes; 0: a share of the machine's memory
  TaskObserver* observer = nullptr;  // told about ticks, microtasks, timers and immediates; null: nobody watches
};

// When the process reached what performance.nodeTiming names; milliseconds since the runtime's start, -1: not yet.
struct Milestones {
  double node_start = 0;
  double engine_start = 0;
  double environment = 0;
  double bootstrap_complete = -1;
  double loop_start = -1;
  double loop_exit = -1;
};

class Runtime final : private engine::RealmHost {
 public:
  Runtime(Loop& loop, RuntimeOptions options);
  ~Runtime() override;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  static Runtime& from(JSC::JSGlobalObject* realm) { return *static_cast<Runtime*>(engine::Realm::from(realm)->owner); }

  // Runs lib/bootstrap. False when it failed (the error has been printed).
  bool boot();
  // Calls main(request) of `entry` (exports of lib/bootstrap), runs the loop until nothing is left, then the exit events.
  // Returns the exit code.
  int run(engine::Value entry, engine::Value request);
  // The program's own code is about to run: start-up is over.
  void end_startup() { startup_.reset(); }
  // Ends the process now: exit hooks, no further JavaScript.
  [[noreturn]] void exit(int code);
  // Runs just before the process ends, in order of registration (flush a trace, restore a terminal).
  void at_exit(std::function<void(int code)> hook) { exit_hooks_.push_back(std::move(hook)); }

  Loop& loop() const { return loop_; }
  JSC::VM& vm() const { return vm_.get(); }
  uint64_t heap_limit() const { return vm_.heap_limit(); }
  engine::Realm* realm() const { return realm_; }
  Builtins& builtins() { return *builtins_; }
  const RuntimeOptions& options() const { return options_; }
  const Milestones& milestones() const { return milestones_; }
  TaskObserver* observer() const { return RONDO_OBSERVE ? options_.observer : nullptr; }

  void set_callback(Callback callback, JSC::JSObject* function);
  engine::Value shared_state() const { return shared_array_.get(); }

  // Reports an exception nobody caught; returns if a handler took it, ends the process otherwise.
  enum class Origin { Exception, Rejection };
  void report_uncaught(engine::Value error, JSC::Exception* exception, Origin origin);
  // The same for a value that JavaScript caught for us: the engine remembers the last exception, and with it the place.
  void report_caught(engine::Value error, Origin origin);
  // The place of the exception being reported, for the printed report (lib/internal/report.js asks for it).
  JSC::Exception* reported_exception() const { return reported_exception_; }

  // The hot queues' C++ ends.
  void schedule_timers(double deadline_ms);
  void ref_timers(bool ref);
  void ref_immediates(bool ref);
  double elapsed_ms() const;  // as now_ms(), but the loop's now() stays as it is
  double now_ms() const;  // the loop's clock, read now, in milliseconds since the runtime's start

 private:
  friend class Turn;

  void on_rejection(JSC::JSPromise* promise, JSC::JSPromiseRejectionOperation operation) override;
  void on_uncaught_in_microtask(JSC::Exception* exception) override;

  void drain();
  void run_timers();
  void run_immediates();
  bool emit_before_exit();
  engine::Value invoke(Callback callback, const JSC::ArgList& arguments);
  JSC::JSObject* callback(Callback callback) const { return callbacks_[static_cast<size_t>(callback)].get(); }
  int32_t& shared(SharedState::Field field) { return shared_->fields[field]; }

  Loop& loop_;
  RuntimeOptions options_;
  Nanoseconds origin_;
  Milestones milestones_;
  engine::Vm vm_;
  engine::Realm* realm_;
  std::optional<engine::StartupScope> startup_;
  DeferredWork deferred_work_;
  std::unique_ptr<Builtins> builtins_;
  Timer timer_;
  Check check_;
  Idle idle_;
  int turn_depth_ = 0;
  bool exiting_ = false;
  JSC::Exception* reported_exception_ = nullptr;
  SharedState* shared_ = nullptr;  // inside shared_array_
  JSC::Strong<JSC::JSObject> shared_array_;
  JSC::Strong<JSC::JSObject> callbacks_[static_cast<size_t>(Callback::Count)];
  std::vector<std::function<void(int)>> exit_hooks_;
};

}  // namespace rondo::runtime
