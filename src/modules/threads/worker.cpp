// native('worker'): threads of workers as lib/internal/worker starts and ends them, and what a worker knows of itself.
#include "engine/core/native_object.h"
#include "modules/support/permission_check.h"
#include "runtime/handle_object.h"
#include "runtime/threads/mailbox.h"
#include "runtime/threads/worker_thread.h"

#include "rondo/timer.h"

namespace rondo::modules {

using namespace engine;
using runtime::method;
using runtime::Runtime;
using runtime::WorkerLimits;
using runtime::WorkerThread;

namespace {

constexpr runtime::Source kWorker{"worker", "WORKER"};
constexpr runtime::Source kExit{"worker exit", "WORKER"};

class WorkerObject final : public runtime::HandleObject {
 public:
  WorkerObject(Runtime& runtime, runtime::WorkerOptions options, JSC::JSObject* on_exit)
      : HandleObject(runtime, kWorker),
        ended_(runtime.loop(), [this] { on_end(); }),
        tell_again_(runtime.loop()),
        then_(event(on_exit, kExit)),
        holds_clock_(options.clock != nullptr),
        activity_(options.html ? options.html->activity : nullptr),
        thread_(with_end(std::move(options))) {
    tell_again_.unref();
  }

  Handle& handle() override { return ended_; }
  WorkerThread& thread() { return thread_; }

  void set_ref(bool ref) {
    if (!ended_.is_closing()) ref ? ended_.ref() : ended_.unref();
  }

  void stop() {
    if (ended_.is_closing()) return;
    thread_.stop();
    tell_again_.start(WorkerThread::kTellAgainAfter, [this] { stop(); });
  }

  // Its owner ends: so does the worker, first.
  void release() override {
    tell_again_.stop();
    thread_.end();
    release_clock();
    if (activity_) activity_->set_running(false);
    HandleObject::release();
  }

 private:
  runtime::WorkerOptions with_end(runtime::WorkerOptions options) {
    options.on_end = [this] { ended_.send(); };
    return options;
  }

  // The end of an agent is a message to its owner.
  void release_clock() {
    auto* agent = runtime().html();
    if (std::exchange(holds_clock_, false) && agent->clock()) agent->clock()->release();
  }

  void on_end() {
    tell_again_.stop();
    thread_.join();
    release_clock();
    if (activity_) {
      runtime().html()->note_running();
      activity_->set_running(false);
    }
    auto then = std::move(then_);
    close(nullptr);
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(thread_.exit_code()));
    arguments.append(JSC::jsNumber(static_cast<int>(thread_.ending())));
    arguments.append(JSC::jsNumber(thread_.start_error()));
    then(arguments);
  }

  Async ended_;
  Timer tell_again_;
  runtime::Continuation then_;
  bool holds_clock_;
  std::shared_ptr<runtime::AgentActivity> activity_;  // of a page's agent
  WorkerThread thread_;
};

// null: a copy of the starter's; true: the starter's own; an array: names and values in turn.
std::shared_ptr<runtime::Environment> environment_of(Call& call, unsigned index) {
  auto& mine = Runtime::from(call.realm()).options().environment;
  if (call.at(index).isTrue()) return mine;
  if (!call.has(index)) return std::make_shared<runtime::OwnEnvironment>(*mine);
  auto own = std::make_shared<runtime::OwnEnvironment>();
  auto texts = strings_in(call.realm(), call.at(index));
  for (size_t i = 0; i + 1 < texts.size(); i += 2) own->set(texts[i], texts[i + 1]);
  return own;
}

// The kind of agent that a page wants; none: a worker of Node's.
std::optional<html::LoopKind> kind_of(const Call& call, unsigned index) {
  for (auto kind : {html::LoopKind::Window, html::LoopKind::Worker, html::LoopKind::Worklet})
    if (call.at(index).isString() && call.string(index) == html::name_of(kind)) return kind;
  return std::nullopt;
}

// An agent of the page that `mine` is one of: the same policy and rate, and the same time.
void make_agent(runtime::WorkerOptions& options, html::LoopKind kind, const runtime::HtmlProfile& mine) {
  options.html = mine.options();
  options.html->kind = kind;
  options.html->cluster = mine.cluster();
  options.html->activity = std::make_shared<runtime::AgentActivity>(mine.cluster());
  if (!mine.clock()) return;
  options.clock = std::make_unique<runtime::VirtualClock>(mine.clock()->time());
  options.html->clock = options.clock.get();
}

// start(end of the control line, end of the public channel, name, execArgv, environment, limits, onExit(code, ending, errno of one that
// did not start), does it track files?, kind of a page's agent or undefined) → worker, or an errno
Value start(Call& call) {
  auto& runtime = Runtime::from(call.realm());
  auto* control = held_in<std::unique_ptr<Transferable>>(call.at(0));
  auto* open = held_in<std::unique_ptr<Transferable>>(call.at(1));
  auto limits = call.bytes(5);
  if (!control || !open || limits.size() != sizeof(WorkerLimits) || !call.function(6))
    return call.type_error("not a worker");
  if (auto* refusal = refused(runtime, Scope::WorkerThreads)) return call.raise(refusal);
  runtime::WorkerOptions options;
  const auto& mine = runtime.options();
  options.runtime.natives = mine.natives;
  options.runtime.argv = {mine.exec_path};
  options.runtime.exec_argv = strings_in(call.realm(), call.at(3));
  options.runtime.exec_path = mine.exec_path;
  options.runtime.heap_limit = mine.heap_limit;
  options.runtime.environment = environment_of(call, 4);
  options.runtime.parse_options = mine.parse_options;
  if (runtime.permission()) options.runtime.permission = *runtime.permission();
  options.runtime.observe_worker = mine.observe_worker;
  options.runtime.on_worker_begin = mine.on_worker_begin;
  options.runtime.on_worker_end = mine.on_worker_end;
  options.control = std::move(*control);
  options.open = std::move(*open);
  options.name = call.string(2);
  memcpy(&options.limits, limits.data(), sizeof(WorkerLimits));
  options.tracks_files = call.boolean(7);
  if (auto kind = kind_of(call, 8); kind && runtime.html()) make_agent(options, *kind, *runtime.html());
  auto* inbox = static_cast<runtime::PortEnd*>(options.control.get());
  auto object = std::make_unique<WorkerObject>(runtime, std::move(options), call.function(6));
  inbox->register_inbox(object->thread().id());
  if (const int error = object->thread().start()) return call.value(error);
  return runtime::HandleObject::publish(std::move(object));
}

Value stop(Call& call, WorkerObject& worker) {
  worker.stop();
  return call.undefined();
}

// setRef(whether)
Value set_ref(Call& call, WorkerObject& worker) {
  worker.set_ref(call.boolean(0));
  return call.undefined();
}

// asyncRecord() → what async hooks know it by, or undefined
Value async_record(Call& call, WorkerObject& worker) { return worker.async_record(); }

Value id_of(Call& call, WorkerObject& worker) { return call.value(static_cast<int32_t>(worker.thread().id())); }

Value limits_array(JSC::JSGlobalObject* realm, const WorkerLimits& limits) {
  JSC::MarkedArgumentBuffer numbers;
  for (double number : {limits.young, limits.old, limits.code, limits.stack}) numbers.append(JSC::jsNumber(number));
  return make_array(realm, numbers);
}

// limits() → [young, old, code, stack], in megabytes
Value limits_of(Call& call, WorkerObject& worker) { return limits_array(call.realm(), worker.thread().limits()); }

Value name_of(Call& call, WorkerObject& worker) { return call.text(worker.thread().name()); }

// utilization() → [active, idle] in milliseconds
Value utilization(Call& call, WorkerObject& worker) {
  const auto now = worker.thread().utilization();
  JSC::MarkedArgumentBuffer pair;
  pair.append(JSC::jsNumber(now.active));
  pair.append(JSC::jsNumber(now.idle));
  return make_array(call.realm(), pair);
}

// takeControl(), takePublic() → the ends of this worker's own channels to its owner
template <std::unique_ptr<Transferable> (WorkerThread::*kTake)()>
Value take_end(Call& call) {
  auto* worker = Runtime::from(call.realm()).options().worker;
  auto end = worker ? (worker->*kTake)() : nullptr;
  return end ? call.value(make_held(call.realm(), std::move(end))) : call.undefined();
}

// parseOptions(list, NODE_OPTIONS or undefined) → options by name, or an array of those that are wrong
Value parse_options(Call& call) {
  auto parse = Runtime::from(call.realm()).options().parse_options;
  if (!parse) return make_object(call.realm());
  std::vector<std::string> wrong;
  const std::string variable = call.string(1);
  Value options = parse(call.realm(), strings_in(call.realm(), call.at(0)), call.has(1) ? &variable : nullptr, wrong);
  return wrong.empty() ? options : Value(make_array(call.realm(), wrong));
}

constexpr FunctionSpec kMethods[] = {{"stop", method<WorkerObject, stop>},
                                     {"setRef", method<WorkerObject, set_ref>, 1},
                                     {"asyncRecord", method<WorkerObject, async_record>},
                                     {"id", method<WorkerObject, id_of>},
                                     {"name", method<WorkerObject, name_of>},
                                     {"utilization", method<WorkerObject, utilization>},
                                     {"limits", method<WorkerObject, limits_of>}};

constexpr FunctionSpec kFunctions[] = {
    {"start", native<start>, 9},
    {"takeControl", native<take_end<&WorkerThread::take_control>>},
    {"takePublic", native<take_end<&WorkerThread::take_open>>},
    {"parseOptions", native<parse_options>, 2},
};

}  // namespace

void init_worker(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  runtime::structure_of<WorkerObject>(runtime, kMethods);
  auto* own = runtime.options().worker;
  put(realm, target, "isWorker", JSC::jsBoolean(own != nullptr));
  put(realm, target, "threadId", JSC::jsNumber(own ? own->id() : 0));
  put(realm, target, "threadName", make_string(runtime.vm(), own ? own->name() : std::string()));
  if (own) put(realm, target, "limits", limits_array(realm, own->limits()));
  put(realm, target, "kOutOfMemory", JSC::jsNumber(static_cast<int>(WorkerThread::Ending::OutOfMemory)));
  put(realm, target, "kNoStart", JSC::jsNumber(static_cast<int>(WorkerThread::Ending::NoStart)));
}

}  // namespace rondo::modules
