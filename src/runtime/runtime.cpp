// See runtime.h.
#include "runtime/runtime.h"

#include "engine/core/entry.h"
#include "engine/patches/microtask_queue.h"
#include "runtime/entry/continuation.h"
#include "runtime/exit_codes.h"
#include "runtime/handle_object.h"
#include "runtime/html/html_profile.h"
#include "runtime/node/node_profile.h"
#include "runtime/process.h"
#include "runtime/entry/turn.h"
#include "runtime/threads/worker_thread.h"

#include <cmath>
#include <cstdio>

namespace rondo::runtime {

using engine::CallOutcome;
using engine::Value;

namespace {

constexpr double kNsPerMs = 1e6;

void print_plainly(Runtime& runtime, Value error) {
  auto& vm = runtime.vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  WTF::String text;
  if (auto* object = error.getObject()) {
    Value stack = object->get(runtime.realm(), vm.propertyNames->stack);
    if (!scope.exception() && stack.isString()) text = JSC::asString(stack)->value(runtime.realm());
    scope.clearException();
  }
  if (text.isEmpty()) text = error.toWTFStringForConsole(runtime.realm());
  scope.clearException();
  fprintf(stderr, "%s\n", engine::to_utf8(text).c_str());
}

engine::Value report_thrown_in_microtask(engine::Call& call) {
  Runtime::from(call.realm()).report_caught(call.at(0), Runtime::UncaughtKind::Exception);
  return call.undefined();
}

}  // namespace

Value Turn::call(Value function, Value self, const JSC::ArgList& arguments) {
  auto outcome = engine::call(runtime_.realm(), function, self, arguments);
  if (!outcome.exception) return outcome.value;
  runtime_.report_uncaught(outcome.exception->value(), outcome.exception, Runtime::UncaughtKind::Exception);
  return {};
}

Runtime::Runtime(Loop& loop, RuntimeOptions options)
    : loop_(loop),
      options_(std::move(options)),
      tasks_(loop),
      origin_(loop.read_clock() - 1),
      milestones_({.node_start = elapsed_ms(), .engine_start = elapsed_ms()}),
      vm_(options_.heap_limit, options_.stack_size, options_.on_heap_limit),
      realm_(vm_.make_realm(*this)),
      deferred_work_(*this),
      idle_collection_(*this),
      queues_(*this, loop),
      continuations_(std::make_unique<Continuations>()) {
  realm_->owner = this;
  if (options_.tracer) tasks_.add(*options_.tracer);
  if (!options_.environment) options_.environment = std::make_shared<ProcessEnvironment>();
  startup_.emplace(vm());
  loop_.update_time();
  milestones_.environment = elapsed_ms();

  auto* array =
      JSC::JSInt32Array::create(realm_, realm_->typedArrayStructure(JSC::TypeInt32, false), SharedState::FieldCount);
  shared_array_.set(vm(), array);
  // A pointer into the array's own memory: slow-down to an ArrayBuffer would move it, so take that step now.
  array->possiblySharedBuffer();
  shared_ = static_cast<SharedState*>(array->vector());

  engine::install_microtask_queue(
      realm_, array,
      JSC::JSFunction::create(vm(), realm_, 1, "report"_s, engine::native<report_thrown_in_microtask>,
                              JSC::ImplementationVisibility::Private));
  if (options_.html)
    profile_ = std::make_unique<HtmlProfile>(*this, *options_.html);
  else
    profile_ = std::make_unique<NodeProfile>(*this);
  options_.html = nullptr;
  builtins_ = std::make_unique<Builtins>(*this, options_.natives);
  if (!is_main()) vm().forbidExecutionOnTermination();
  queues_.start();
}

Runtime::~Runtime() {
  is_stopped_ = true;
  close_everything();
  profile_.reset();
  locals_.clear();
  continuations_.reset();
}

// Closes all handles of JavaScript; operations on their way end early, and the loop runs until they have. Of what they lead to
// nothing enters JavaScript any more.
void Runtime::close_everything() {
  idle_collection_.stop();
  queues_.stop();
  open_handles_.for_each([](HandleObject& object) {
    object.release();
    object.handle().close();
  });
  open_requests_.for_each([](Request& request) { request.cancel(); });
  while (!open_requests_.is_empty()) loop_.run(RunMode::Once);
}

bool Runtime::boot() {
  auto* exception = builtins_->run_bootstrap();
  milestones_.bootstrap_complete = elapsed_ms();
  if (!exception) return true;
  print_plainly(*this, exception->value());
  return false;
}

void Runtime::run_main(Value entry, Value request) {
  if (options_.worker) note_loop_start();
  {
    Turn turn(*this);
    if (tasks_.is_traced()) tasks_.begin(TaskKind::Script, 0);
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(request);
    turn.call(JSC::asObject(entry)->getDirect(vm(), engine::identifier(vm(), "main")), JSC::jsUndefined(), arguments);
    if (tasks_.is_traced()) tasks_.end(TaskKind::Script, 0);
    end_startup();
  }
  if (!options_.worker) note_loop_start();
}

// The program of a worker counts as the first thing its loop does, as in Node.
void Runtime::note_loop_start() {
  milestones_.loop_start = elapsed_ms();
  if (options_.worker) options_.worker->on_loop_start();
}

int Runtime::run_for(Value entry, Value request, int iterations) {
  run_main(entry, request);
  for (int i = 0; i < iterations && !is_stopped_; i++) loop_.run(RunMode::Once);
  return stop_code_;
}

int Runtime::run(Value entry, Value request) {
  run_main(entry, request);
  do {
    if (is_stopped_) return stop_code_;
    profile_->run();
    milestones_.loop_exit = elapsed_ms();
  } while (!is_stopped_ && profile_->before_exit());
  Value code = is_stopped_ ? Value() : invoke(Callback::Exit, JSC::MarkedArgumentBuffer());
  if (is_stopped_) return stop_code_;
  return code && code.isNumber() ? code.asNumber() : 0;
}

uint32_t Runtime::number() const { return options_.worker ? options_.worker->id() : 0; }

void Runtime::stop(int code) {
  if (is_main()) Process::get().exit(code);
  if (is_stopped_) return;
  is_stopped_ = true;
  stop_code_ = code;
  profile_->stop();
  if (!vm().entryScope) return;
  auto scope = DECLARE_THROW_SCOPE(vm());
  vm().ensureTerminationException();
  vm().setHasTerminationRequest();
  vm().throwTerminationException();
  scope.release();
}

void Runtime::set_callback(Callback callback, JSC::JSObject* function) {
  callbacks_[static_cast<size_t>(callback)].set(vm(), function);
}

Value Runtime::invoke(Callback which, const JSC::ArgList& arguments) {
  auto* function = callback(which);
  if (!function) return {};
  auto outcome = engine::call(realm_, function, JSC::jsUndefined(), arguments);
  if (!outcome.exception) return outcome.value;
  report_uncaught(outcome.exception->value(), outcome.exception, UncaughtKind::Exception);
  return {};
}

CallOutcome Runtime::call_nested(Value function, Value self, const JSC::ArgList& arguments) {
  if (vm().isEntered()) return engine::call(realm_, function, self, arguments);  // JavaScript is on the stack
  Turn turn(*this);
  return engine::call(realm_, function, self, arguments);
}

Value Runtime::track(const char* type, JSC::JSObject* resource, Value parent) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(engine::make_string(vm(), type));
  arguments.append(resource ? Value(resource) : JSC::jsUndefined());
  if (parent) arguments.append(parent);
  return invoke(Callback::Track, arguments);
}

Value Runtime::run_tracked(Value record, JSC::JSObject* function, bool is_last, const JSC::ArgList& given) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(record);
  arguments.append(function);
  arguments.append(JSC::jsBoolean(is_last));
  for (size_t i = 0; i < given.size(); i++) arguments.append(given.at(static_cast<int>(i)));
  return invoke(Callback::RunTracked, arguments);
}

void Runtime::end_tracked(Value record) {
  if (!record) return;
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(record);
  invoke(Callback::EndTracked, arguments);
}

void Runtime::drain() {
  if (is_stopped_) return;
  profile_->checkpoint();
  vm_.end_task();
  idle_collection_.after_turn();
}

void Runtime::run_microtasks() {
  turn_depth_++;
  invoke(Callback::RunTicks, JSC::MarkedArgumentBuffer());
  turn_depth_--;
}

// Somebody else asks for the end (WorkerThread::stop): nothing is there to report, and no JavaScript runs any more.
bool Runtime::is_ended_from_outside(JSC::Exception* exception) {
  return !is_main() && exception && vm().isTerminationException(exception);
}

void Runtime::report_uncaught(Value error, JSC::Exception* exception, UncaughtKind kind) {
  if (is_stopped_) return;
  if (is_ended_from_outside(exception)) return stop(kExitStopped);
  auto* outer = std::exchange(reported_exception_, exception);
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(error);
  arguments.append(JSC::jsBoolean(kind == UncaughtKind::Rejection));
  CallOutcome outcome{JSC::jsUndefined(), nullptr};
  if (auto* handler = callback(Callback::Uncaught))
    outcome = engine::call(realm_, handler, JSC::jsUndefined(), arguments);
  else
    print_plainly(*this, error);
  reported_exception_ = outer;
  if (is_stopped_) return;
  if (is_ended_from_outside(outcome.exception)) return stop(kExitStopped);
  if (outcome.exception) {
    print_plainly(*this, outcome.exception->value());
    return stop(kExitHandlerThrew);
  }
  if (outcome.value.isTrue()) return;
  stop(outcome.value.isNumber() ? static_cast<int>(outcome.value.asNumber()) : kExitUncaught);
}

void Runtime::report_caught(Value error, UncaughtKind kind) {
  auto* last = vm().lastException();
  report_uncaught(error, last && last->value() == error ? last : nullptr, kind);
}

void Runtime::on_rejection(JSC::JSPromise* promise, JSC::JSPromiseRejectionOperation operation) {
  auto* handler = callback(Callback::Rejection);
  if (!handler) return;
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(JSC::jsNumber(static_cast<int>(operation)));
  arguments.append(promise);
  arguments.append(promise->result(vm()));
  auto outcome = engine::call(realm_, handler, JSC::jsUndefined(), arguments);
  if (!outcome.exception || is_ended_from_outside(outcome.exception)) return;
  // Out of stack, most likely: the rejection is lost, and the program goes on.
  fprintf(stderr, "Exception in PromiseRejectCallback:\n");
  print_plainly(*this, outcome.exception->value());
}

void Runtime::on_uncaught_in_microtask(JSC::Exception* exception) {
  report_uncaught(exception->value(), exception, UncaughtKind::Exception);
}

double Runtime::elapsed_ms() const { return static_cast<double>(loop_.read_clock() - origin_) / kNsPerMs; }

double Runtime::now_ms() const {
  loop_.update_time();
  return loop_time_ms();
}

double Runtime::loop_time_ms() const { return static_cast<double>(loop_.now() - origin_) / kNsPerMs; }

Nanoseconds Runtime::to_loop_time(double ms) const {
  return origin_ + static_cast<Nanoseconds>(std::ceil(ms * kNsPerMs));
}

}  // namespace rondo::runtime
