// native('child_process'): starting children, hearing of their end, and the synchronous forms. Arguments come validated from
// lib/internal/child_process.
#include "runtime/handle_object.h"

#include "engine/core/buffer_class.h"
#include "modules/support/permission_check.h"
#include "modules/support/stream_object.h"
#include "rondo/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>

namespace rondo::modules {

using namespace engine;
using runtime::method;
using runtime::Runtime;

namespace {

constexpr int kPipe = -1, kIgnore = -2;  // stdio entries below zero; others are descriptors of ours

Value field(JSC::JSGlobalObject* realm, JSC::JSObject* object, const char* name) {
  return object->get(realm, identifier(realm->vm(), name));
}

std::string text_of(JSC::JSGlobalObject* realm, Value value) {
  return value.isString() ? to_utf8(realm, JSC::asString(value)->value(realm)) : std::string();
}

ProcessOptions read_options(JSC::JSGlobalObject* realm, JSC::JSObject* given) {
  ProcessOptions options;
  options.file = text_of(realm, field(realm, given, "file"));
  options.args = strings_in(realm, field(realm, given, "args"));
  options.env = strings_in(realm, field(realm, given, "envPairs"));
  options.cwd = text_of(realm, field(realm, given, "cwd"));
  options.detached = field(realm, given, "detached").isTrue();
  if (Value uid = field(realm, given, "uid"); uid.isNumber()) options.uid = JSC::toUInt32(uid.asNumber());
  if (Value gid = field(realm, given, "gid"); gid.isNumber()) options.gid = JSC::toUInt32(gid.asNumber());
  Value stdio = field(realm, given, "stdio");
  auto* list = stdio.isCell() ? JSC::jsDynamicCast<JSC::JSArray*>(stdio.asCell()) : nullptr;
  for (unsigned i = 0; list && i < list->length(); i++) {
    int kind = list->getIndex(realm, i).isNumber() ? JSC::toInt32(list->getIndex(realm, i).asNumber()) : kIgnore;
    options.stdio.push_back(kind == kPipe ? Stdio::pipe() : kind == kIgnore ? Stdio::ignore() : Stdio::inherit(kind));
  }
  return options;
}

constexpr runtime::Source kProcess{"child exit", "PROCESSWRAP"};

class ChildObject final : public runtime::HandleObject {
 public:
  ChildObject(Runtime& runtime, JSC::JSObject* on_exit)
      : HandleObject(runtime, kProcess), process_(runtime.loop()), then_(event(on_exit, kProcess)) {}

  Handle& handle() override { return process_; }
  ChildProcess& process() { return process_; }
  Result<void> spawn(const ProcessOptions& options) {
    return process_.spawn(options, [this](ExitStatus status) { on_exit(status); });
  }

 private:
  // Nothing is left to hear: the handle closes by itself.
  void on_exit(ExitStatus status) {
    auto then = std::move(then_);
    close(nullptr);
    JSC::MarkedArgumentBuffer arguments;
    arguments.append(JSC::jsNumber(status.code));
    arguments.append(JSC::jsNumber(status.signal));
    then(arguments);
  }

  ChildProcess process_;
  runtime::Continuation then_;
};

// Our end of a child's pipe. It belongs to a handle from the first moment: a worker may end at any call.
Value open_pipe(Runtime& runtime, UniqueFd end, PipeMode mode) {
  runtime.builtins().native("net");  // has the methods of streams
  auto stream = std::make_unique<net::StreamObject>(runtime, net::Kind::Pipe, mode);
  (void)stream->open(std::move(end));  // One that cannot be opened answers EBADF.
  return net::HandleObject::publish(std::move(stream));
}

// spawn(options, onExit(code, signal)) → { pid, pipes, child } or -errno. pipes are our ends, by number, as streams of native('net');
// null elsewhere. Through that of options.ipc descriptors may come.
Value spawn(Call& call) {
  auto* realm = call.realm();
  if (!call.object(0) || !call.function(1)) return call.value(-EINVAL);
  auto options = read_options(realm, call.object(0));
  if (call.failed()) return {};
  auto& runtime = Runtime::from(realm);
  if (auto* refusal = refused(runtime, Scope::ChildProcess, options.file)) return call.raise(refusal);
  auto child = std::make_unique<ChildObject>(runtime, call.function(1));
  auto started = child->spawn(options);
  if (!started) return call.value(-started.error().number);
  auto& process = child->process();
  const Value ipc = field(realm, call.object(0), "ipc");
  JSC::MarkedArgumentBuffer pipes;
  for (size_t i = 0; i < options.stdio.size(); i++) {
    const bool is_ipc = ipc.isNumber() && ipc.asNumber() == static_cast<double>(i);
    pipes.append(options.stdio[i].kind == Stdio::Kind::Pipe
                     ? open_pipe(runtime, process.take_pipe(i), is_ipc ? PipeMode::Descriptors : PipeMode::Plain)
                     : JSC::jsNull());
  }
  auto* result = make_object(realm);
  put(realm, result, "pid", JSC::jsNumber(process.pid()));
  put(realm, result, "pipes", make_array(realm, pipes));
  put(realm, result, "child", runtime::HandleObject::publish(std::move(child)));
  return result;
}

// kill(signal) → 0 or -errno
Value kill(Call& call, ChildObject& child) {
  auto killed = child.process().kill(call.int32(0));
  return call.value(killed ? 0 : -killed.error().number);
}

Value set_ref(Call& call, ChildObject& child) {
  call.boolean(0) ? child.handle().ref() : child.handle().unref();
  return call.undefined();
}

std::string input_of(JSC::JSGlobalObject* realm, Value value) {
  if (value.isString()) return text_of(realm, value);
  auto bytes = bytes_of(value);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Of standard input nothing is shown.
Value outputs_value(JSC::JSGlobalObject* realm, const RunOutcome& outcome) {
  JSC::MarkedArgumentBuffer outputs;
  for (size_t i = 0; i < outcome.outputs.size(); i++) {
    const auto& text = outcome.outputs[i];
    if (!text || i == 0)
      outputs.append(JSC::jsNull());
    else
      outputs.append(make_buffer(realm, {reinterpret_cast<const uint8_t*>(text->data()), text->size()}));
  }
  return make_array(realm, outputs);
}

// spawnSync(options with input, timeout, maxBuffer, killSignal) → { pid, status, signal, error, output }
Value spawn_sync(Call& call) {
  auto* realm = call.realm();
  auto* given = call.object(0);
  if (!given) return call.value(-EINVAL);
  auto number = [&](const char* name) {
    Value value = field(realm, given, name);
    return value.isNumber() ? value.asNumber() : 0;
  };
  RunOptions options;
  options.process = read_options(realm, given);
  options.inputs.push_back(input_of(realm, field(realm, given, "input")));
  constexpr double kLongest =
      1e12;  // Milliseconds, decades; more nanoseconds than a deadline could hold are asked for by no one.
  options.timeout = Duration(static_cast<int64_t>(std::min(number("timeout"), kLongest) * 1e6));
  const double limit = number("maxBuffer");
  if (limit > 0 && limit < 9e15) options.output_limit = static_cast<size_t>(limit);
  if (number("killSignal") != 0) options.kill_signal = static_cast<int>(number("killSignal"));
  if (call.failed()) return {};
  if (auto* refusal = refused(Runtime::from(realm), Scope::ChildProcess, options.process.file))
    return call.raise(refusal);
  auto ran = run_process(options);
  auto* result = make_object(realm);
  put(realm, result, "pid", JSC::jsNumber(ran ? ran->pid : 0));
  put(realm, result, "status", !ran || ran->status.signal ? JSC::jsNull() : JSC::jsNumber(ran->status.code));
  put(realm, result, "signal", JSC::jsNumber(ran ? ran->status.signal : 0));
  put(realm, result, "error", JSC::jsNumber(-(ran ? ran->stopped_by : ran.error().number)));
  put(realm, result, "output", ran ? outputs_value(realm, *ran) : JSC::jsNull());
  return result;
}

// pipe() → [reading end, writing end], blocking, for a child that is spoken to synchronously
Value make_pipe(Call& call) {
  auto* realm = call.realm();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return call.system_error(errno, "pipe");
  JSC::MarkedArgumentBuffer both;
  both.append(JSC::jsNumber(ends[0]));
  both.append(JSC::jsNumber(ends[1]));
  return call.value(make_array(realm, both));
}

constexpr FunctionSpec kMethods[] = {{"kill", method<ChildObject, kill>, 1},
                                     {"setRef", method<ChildObject, set_ref>, 1}};
constexpr FunctionSpec kFunctions[] = {
    {"spawn", native<spawn>, 2}, {"spawnSync", native<spawn_sync>, 1}, {"pipe", native<make_pipe>, 0}};

}  // namespace

void init_child_process(Runtime& runtime, JSC::JSObject* target) {
  static constexpr engine::NumberSpec kNumbers[] = {{"kPipe", kPipe}, {"kIgnore", kIgnore}};
  runtime::structure_of<ChildObject>(runtime, kMethods);
  put_functions(runtime.realm(), target, kFunctions);
  put_numbers(runtime.realm(), target, kNumbers);
}

}  // namespace rondo::modules
