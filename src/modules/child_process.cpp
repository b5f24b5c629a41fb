// native('child_process'): starting children, hearing of their end, and the synchronous forms, which run a loop of their own
// until the child and its pipes are done. Arguments come validated from lib/internal/child_process.
#include "runtime/handle_object.h"

#include "engine/core/buffer_class.h"
#include "rondo/process.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <memory>
#include <optional>

namespace rondo::modules {

using namespace engine;
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
  Process& process() { return process_; }
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

  Process process_;
  runtime::Continuation then_;
};

ChildObject* child_at(const Call& call) { return native_of<ChildObject>(call.at(0)); }

// spawn(options, onExit(code, signal)) → { pid, fds, child } or -errno. fds are our ends of the pipes, by number; -1 elsewhere.
Value spawn(Call& call) {
  auto* realm = call.realm();
  if (!call.object(0) || !call.function(1)) return call.value(-EINVAL);
  auto options = read_options(realm, call.object(0));
  if (call.failed()) return {};
  auto child = std::make_unique<ChildObject>(Runtime::from(realm), call.function(1));
  auto started = child->spawn(options);
  if (!started) return call.value(-started.error().number);
  auto& process = child->process();
  JSC::MarkedArgumentBuffer fds;
  for (size_t i = 0; i < options.stdio.size(); i++) {
    fds.append(JSC::jsNumber(options.stdio[i].kind == Stdio::Kind::Pipe ? process.take_pipe(i).release() : -1));
  }
  auto* result = make_object(realm);
  put(realm, result, "pid", JSC::jsNumber(process.pid()));
  put(realm, result, "fds", make_array(realm, fds));
  put(realm, result, "child", runtime::HandleObject::publish(std::move(child)));
  return result;
}

// kill(child, signal) → 0 or -errno
Value kill_child(Call& call) {
  auto* child = child_at(call);
  if (!child) return call.value(-ESRCH);
  auto killed = child->process().kill(call.int32(1));
  return call.value(killed ? 0 : -killed.error().number);
}

// ref(child, on)
Value ref_child(Call& call) {
  if (auto* child = child_at(call)) call.boolean(1) ? child->handle().ref() : child->handle().unref();
  return call.undefined();
}

// One pipe of a synchronous child: what goes in, and what comes out.
struct Channel {
  UniqueFd fd;
  std::string input, output;
  size_t written = 0;
  char chunk[65536];
  Operation reading, writing;
};

// A child run to its end on a loop of its own.
class SyncRun {
 public:
  SyncRun(ProcessOptions options, double timeout_ms, double max_buffer, int kill_signal)
      : options_(std::move(options)),
        timeout_ms_(timeout_ms),
        max_buffer_(max_buffer),
        kill_signal_(kill_signal),
        process_(loop_),
        timer_(loop_) {}

  void give(size_t number, std::string input) { inputs_[number] = std::move(input); }

  int run() {
    auto started = process_.spawn(options_, [this](ExitStatus status) {
      status_ = status;
      timer_.stop();
    });
    if (!started) return started.error().number;
    for (size_t i = 0; i < options_.stdio.size(); i++) {
      channels_.push_back(nullptr);
      if (options_.stdio[i].kind == Stdio::Kind::Pipe) open(i);
    }
    if (timeout_ms_ > 0) {
      timer_.start(std::chrono::nanoseconds(static_cast<int64_t>(timeout_ms_ * 1e6)), [this] { stop(ETIMEDOUT); });
      timer_.unref();
    }
    loop_.run();
    return 0;
  }

  int pid() const { return process_.pid(); }
  ExitStatus status() const { return status_; }
  int error() const { return error_; }
  const std::vector<std::unique_ptr<Channel>>& channels() const { return channels_; }

 private:
  void open(size_t number) {
    channels_[number] = std::make_unique<Channel>();
    auto& channel = *channels_[number];
    channel.fd = process_.take_pipe(number);
    channel.input = std::move(inputs_[number]);
    channel.reading.owner = channel.writing.owner = this;
    read(channel);
    write(channel);
  }

  Channel& channel_of(const Operation& operation) {
    for (auto& channel : channels_) {
      if (channel && (&channel->reading == &operation || &channel->writing == &operation)) return *channel;
    }
    __builtin_unreachable();
  }

  void read(Channel& channel) {
    channel.reading.read(channel.fd.get(), channel.chunk, sizeof channel.chunk)
        .as_stream()
        .then(
            [](Operation& op, const Completion& done) {
              auto* self = static_cast<SyncRun*>(op.owner);
              self->on_read(self->channel_of(op), done.result);
            },
            this);
    loop_.submit(channel.reading);
  }

  void on_read(Channel& channel, int count) {
    if (count <= 0) return;
    channel.output.append(channel.chunk, static_cast<size_t>(count));
    if (max_buffer_ > 0 && static_cast<double>(channel.output.size()) > max_buffer_) {
      stop(ENOBUFS);
      return;
    }
    read(channel);
  }

  void write(Channel& channel) {
    if (channel.written == channel.input.size()) {
      ::shutdown(channel.fd.get(), SHUT_WR);
      return;
    }
    channel.writing
        .write(channel.fd.get(), channel.input.data() + channel.written,
               static_cast<uint32_t>(channel.input.size() - channel.written))
        .as_stream()
        .then(
            [](Operation& op, const Completion& done) {
              auto* self = static_cast<SyncRun*>(op.owner);
              auto& channel = self->channel_of(op);
              if (done.result <= 0) return;
              channel.written += static_cast<size_t>(done.result);
              self->write(channel);
            },
            this);
    loop_.submit(channel.writing);
  }

  // Too late or too much: the child is told to end, and its pipes are not waited for.
  void stop(int why) {
    if (!error_) error_ = why;
    (void)process_.kill(kill_signal_);
    for (auto& channel : channels_) {
      if (!channel) continue;
      if (channel->reading.is_in_flight()) loop_.cancel(channel->reading);
      if (channel->writing.is_in_flight()) loop_.cancel(channel->writing);
    }
  }

  ProcessOptions options_;
  double timeout_ms_, max_buffer_;
  int kill_signal_;
  Loop loop_;
  Process process_;
  Timer timer_;
  std::map<size_t, std::string> inputs_;
  std::vector<std::unique_ptr<Channel>> channels_;
  ExitStatus status_;
  int error_ = 0;
};

std::string input_of(JSC::JSGlobalObject* realm, Value value) {
  if (value.isString()) return text_of(realm, value);
  auto bytes = bytes_of(value);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Value outputs_value(JSC::JSGlobalObject* realm, const SyncRun& run) {
  JSC::MarkedArgumentBuffer outputs;
  for (size_t i = 0; i < run.channels().size(); i++) {
    auto& channel = run.channels()[i];
    if (!channel || i == 0)
      outputs.append(JSC::jsNull());
    else
      outputs.append(Value(
          make_buffer(realm, {reinterpret_cast<const uint8_t*>(channel->output.data()), channel->output.size()})));
  }
  return make_array(realm, outputs);
}

// The loop that waits for a child takes two descriptors, and librondo has no way on without them: an error number when they are
// missing. A child needs more than that, so nothing that could succeed is refused.
int missing_descriptors() {
  const UniqueFd first(eventfd(0, EFD_CLOEXEC)), second(eventfd(0, EFD_CLOEXEC));
  return first && second ? 0 : errno;
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
  int kill_signal = static_cast<int>(number("killSignal"));
  auto options = read_options(realm, given);
  auto input = input_of(realm, field(realm, given, "input"));
  if (call.failed()) return {};
  std::optional<SyncRun> run;
  int failed = missing_descriptors();
  if (!failed) {
    run.emplace(std::move(options), number("timeout"), number("maxBuffer"), kill_signal ? kill_signal : SIGTERM);
    run->give(0, std::move(input));
    failed = run->run();
  }
  auto* result = make_object(realm);
  put(realm, result, "pid", JSC::jsNumber(failed ? 0 : run->pid()));
  put(realm, result, "status", failed || run->status().signal ? JSC::jsNull() : JSC::jsNumber(run->status().code));
  put(realm, result, "signal", failed ? JSC::jsNumber(0) : JSC::jsNumber(run->status().signal));
  put(realm, result, "error", JSC::jsNumber(-(failed ? failed : run->error())));
  put(realm, result, "output", failed ? JSC::jsNull() : outputs_value(realm, *run));
  return call.value(Value(result));
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

constexpr FunctionSpec kFunctions[] = {{"spawn", native<spawn>, 2},
                                       {"kill", native<kill_child>, 2},
                                       {"ref", native<ref_child>, 2},
                                       {"spawnSync", native<spawn_sync>, 1},
                                       {"pipe", native<make_pipe>, 0}};

}  // namespace

void init_child_process(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
