// Where the loop and JavaScript meet: one Runtime is one thread's realm on one Loop. It owns the engine's VM, the built-in
// library, the state of native modules and open handles; its Profile (profile.h) decides when something runs. Several may exist, one after another or each on its own thread; only the main one's end is the end of
// the process (process.h).
//
// Owner: the command line (or a worker's thread). Thread: the loop's. It must be destroyed before its Loop; its destructor closes
// what is still open.
#pragma once

#include "engine/patches/startup_scope.h"
#include "engine/core/vm.h"
#include "runtime/builtins.h"
#include "runtime/deferred_work.h"
#include "runtime/entry/task_trace.h"
#include "runtime/environment.h"
#include "runtime/idle_collection.h"
#include "runtime/node/node_queues.h"
#include "runtime/node/shared_state.h"
#include "runtime/permission.h"
#include "runtime/profile.h"
#include "runtime/runtime_local.h"

#include "rondo/loop.h"

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
  Track,  // (type, resource or undefined, record of who brought it forth or undefined) → what async hooks know the new resource by
  RunTracked,  // (record, function, is it the last time?, arguments…) → its result
  EndTracked,  // (record): it will run no more
  Count,
};

class Continuations;
class HandleObject;
struct HtmlOptions;
class Request;
class WorkerThread;

// The main runtime's end is the end of the process, and it alone may change what belongs to the whole process.
enum class Rank : uint8_t { Main, Other };

// Reads options as the command line would: an object of options by name, or, with an exception-free undefined, what is wrong with them
// in `wrong`. `node_options`: of the variable NODE_OPTIONS, which holds fewer.
using ParseOptions = engine::Value (*)(JSC::JSGlobalObject* realm, const std::vector<std::string>& given,
                                       const std::string* node_options, std::vector<std::string>& wrong);

struct RuntimeOptions {
  std::span<const NativeModule> natives;
  std::vector<std::string> argv;  // process.argv: [execPath, script, …]
  std::vector<std::string> exec_argv;  // options given to the binary itself
  std::string exec_path;
  uint64_t heap_limit = 0;  // in bytes; 0: a share of the machine's memory
  uint64_t stack_size = 0;  // in bytes, of every thread; 0: the engine's choice
  Rank rank = Rank::Main;
  const HtmlOptions* html =
      nullptr;  // --loop=html: the HTML Standard's event loop instead of Node's; read by the constructor
  std::optional<Permission> permission;  // --permission, --permission-audit
  int load_report = -1;  // a descriptor for the names of files that the program loads
  std::shared_ptr<Environment> environment;  // null: the process's own
  std::function<void()> on_heap_limit;  // called by the collector, on any thread; without one the process aborts
  WorkerThread* worker = nullptr;  // the thread that runs it, of a worker's runtime
  ParseOptions parse_options = nullptr;
  // Whom the loop of a worker tells, by the worker's number and name; null: nobody. Called on the worker's thread.
  std::function<TaskObserver*(uint32_t id, const std::string& name)> observe_worker;
  TaskObserver* tracer = nullptr;  // the loop's observer, if it is to hear of tasks from the start
  // Told of each worker's runtime when it can run its program, and before it goes; on its thread. Null: nobody.
  void (*on_worker_begin)(Runtime& runtime) = nullptr;
  void (*on_worker_end)(Runtime& runtime) = nullptr;
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
  // As run(), but leaves after so many iterations of the loop, with whatever is open then.
  int run_for(engine::Value entry, engine::Value request, int iterations);
  // The program's own code is about to run: start-up is over.
  void end_startup() { startup_.reset(); }
  // Ends the program: no further JavaScript runs, and run() returns the code. Of the main runtime it ends the process, at once.
  // Called from a native function, it throws the engine's termination, which no program can catch.
  void stop(int code);
  bool is_stopped() const { return is_stopped_; }
  // 0 is the main one's, a worker's is its thread's.
  uint32_t number() const;
  bool is_main() const { return options_.rank == Rank::Main; }

  Loop& loop() const { return loop_; }
  JSC::VM& vm() const { return vm_.get(); }
  uint64_t heap_limit() const { return vm_.heap_limit(); }
  engine::Realm* realm() const { return realm_; }
  Builtins& builtins() { return *builtins_; }
  const RuntimeOptions& options() const { return options_; }
  Environment& environment() const { return *options_.environment; }
  const Milestones& milestones() const { return milestones_; }
  TaskTrace& tasks() { return tasks_; }
  // The program's rights; null without --permission, and until enable_permission() is called: what the start itself reads is free.
  Permission* permission() const { return permission_; }
  void enable_permission() { permission_ = options_.permission ? &*options_.permission : nullptr; }
  HtmlProfile* html() const { return profile_ ? profile_->as_html() : nullptr; }  // null in Node's loop
  // The state that a native module keeps with this runtime (runtime_local.h).
  template <class T>
  T& local() {
    return locals_.get<T>(*this);
  }
  Continuations& continuations() { return *continuations_; }
  List<HandleObject>& open_handles() { return open_handles_; }
  List<Request>& open_requests() { return open_requests_; }

  void set_callback(Callback callback, JSC::JSObject* function);
  JSC::JSObject* callback(Callback callback) const { return callbacks_[static_cast<size_t>(callback)].get(); }
  const SharedState& shared() const { return *shared_; }
  engine::Value shared_state() const { return shared_array_.get(); }

  // The async context, for continuation.h: what lib/internal/async_hooks keeps of a resource, and a call in its name.
  AsyncTracking async_tracking() const { return static_cast<AsyncTracking>(shared_->fields[SharedState::Tracking]); }
  engine::Value track(const char* type, JSC::JSObject* resource, engine::Value parent = {});
  engine::Value run_tracked(engine::Value record, JSC::JSObject* function, bool is_last, const JSC::ArgList& arguments);
  void end_tracked(engine::Value record);

  // Reports an exception nobody caught; returns if a handler took it, stops the program otherwise.
  enum class UncaughtKind { Exception, Rejection };
  void report_uncaught(engine::Value error, JSC::Exception* exception, UncaughtKind kind);
  // The same for a value that JavaScript caught for us: the engine remembers the last exception, and with it the place.
  void report_caught(engine::Value error, UncaughtKind kind);
  // The place of the exception being reported, for the printed report (lib/internal/process/report.js asks for it).
  JSC::Exception* reported_exception() const { return reported_exception_; }

  // Calls a function inside of the turn that is under way: for callbacks of C libraries and hooks of the engine, which run while JavaScript is
  // on the stack and have no engine::Call. Where no turn is under way it is one.
  engine::CallOutcome call_nested(engine::Value function, engine::Value self, const JSC::ArgList& arguments);

  NodeQueues& queues() { return queues_; }
  // For profiles: ticks, microtasks and rejections, which a checkpoint runs, and the turns that lie beneath a spinning loop.
  bool has_microtasks() const {
    return shared_->fields[SharedState::HasQueuedWork] || shared_->fields[SharedState::HasRejections];
  }
  void run_microtasks();
  int exchange_turn_depth(int depth) { return std::exchange(turn_depth_, depth); }

  // Milliseconds since the runtime's start: the loop's clock, read now; the same, but the loop's now() stays as it is; the loop's now().
  double now_ms() const;
  double elapsed_ms() const;
  double loop_time_ms() const;
  Nanoseconds to_loop_time(double ms) const;  // rounded up

 private:
  friend class Turn;

  void on_rejection(JSC::JSPromise* promise, JSC::JSPromiseRejectionOperation operation) override;
  void on_uncaught_in_microtask(JSC::Exception* exception) override;

  void run_main(engine::Value entry, engine::Value request);
  void note_loop_start();
  void drain();
  engine::Value invoke(Callback callback, const JSC::ArgList& arguments);

  bool is_ended_from_outside(JSC::Exception* exception);
  void close_everything();

  Loop& loop_;
  RuntimeOptions options_;
  TaskTrace tasks_;
  Nanoseconds origin_;
  Milestones milestones_;
  engine::Vm vm_;
  engine::Realm* realm_;
  std::optional<engine::StartupScope> startup_;
  DeferredWork deferred_work_;
  IdleCollection idle_collection_;
  std::unique_ptr<Builtins> builtins_;
  NodeQueues queues_;
  int turn_depth_ = 0;
  bool is_stopped_ = false;
  int stop_code_ = 0;
  JSC::Exception* reported_exception_ = nullptr;
  Permission* permission_ = nullptr;  // inside options_
  SharedState* shared_ = nullptr;  // inside shared_array_
  JSC::Strong<JSC::JSObject> shared_array_;
  JSC::Strong<JSC::JSObject> callbacks_[static_cast<size_t>(Callback::Count)];
  std::unique_ptr<Continuations> continuations_;
  List<HandleObject> open_handles_;
  List<Request> open_requests_;
  std::unique_ptr<Profile> profile_;
  RuntimeLocals locals_;
};

}  // namespace rondo::runtime
