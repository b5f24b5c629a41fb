// See control.h.
#include "observe/control.h"

#include "engine/core/heap_check.h"
#include "engine/core/thread_calls.h"
#include "observe/attach_signal.h"
#include "observe/frame_type.h"
#include "observe/ledger_native.h"
#include "observe/live_view.h"
#include "observe/pulse.h"
#include "observe/record_feed.h"
#include "observe/stepper.h"
#include "observe/trace.h"
#include "runtime/uninterrupted.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace rondo::observe {

using runtime::Runtime;

namespace {

constexpr int kPulseEvery = 10;  // ms
constexpr size_t kMostFrames = 64;

// A frame of the wire, whole or not at all: a watcher that does not read for long loses the connection.
class Wire {
 public:
  void open(UniqueFd fd) {
    const std::lock_guard lock(mutex_);
    fd_ = std::move(fd);
    is_open_ = true;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    fd_.reset();
  }
  bool is_open() const { return is_open_; }
  int fd() const { return fd_.get(); }  // of use to the control thread, which closes it

  bool send(char type, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (!is_open_) return false;
    const auto length = static_cast<uint32_t>(bytes.size());
    char head[5];
    std::memcpy(head, &length, sizeof length);
    head[4] = type;
    return put({head, sizeof head}) && put(bytes);
  }

 private:
  bool put(std::string_view bytes) {
    constexpr int kPatience = 5000;  // ms
    while (!bytes.empty()) {
      const ssize_t count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) {
        bytes.remove_prefix(static_cast<size_t>(count));
        continue;
      }
      if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
      pollfd wait{fd_.get(), POLLOUT, 0};
      if (poll(&wait, 1, kPatience) == 0) return false;
    }
    return true;
  }

  UniqueFd fd_;
  std::atomic<bool> is_open_ = false;
  std::mutex mutex_;
};

// The watched process's side of its watchers. Never destroyed: its thread may outlive main().
class Control {
 public:
  static Control& get() {
    static auto* const control = new Control;
    return *control;
  }

  Runtime* main = nullptr;
  std::string script;

  bool is_connected() const { return wire_.is_open(); }
  void open_early(const char* path);
  bool start(const std::string& path);
  // Commands that the watcher sends before the program begins, until "go".
  void take_first_commands() {
    while (!has_begun_ && take_commands()) engine::run_thread_calls(main->vm());
    engine::run_thread_calls(main->vm());
    for (const auto& pulse : pulses_) pulse->program_begins();
  }
  void start_thread();
  // On a thread of its own.
  void attach(const std::string& path) {
    pthread_setname_np(pthread_self(), "watched");
    if (start(path))
      run();
    else
      allow_attach_again();
  }
  void add_runtime(Runtime& runtime);
  void remove_runtime(Runtime& runtime);
  void tell_exit(int code);

 private:
  void run();
  bool take_commands();
  void obey(const std::string& line);
  void send_pulses();
  void ask(Runtime& runtime, const std::string& question, const std::string& id);
  // Not urgent: the loop answers when it has its turn; the JavaScript that runs is not interrupted.
  void ask_later(Runtime& runtime, const std::string& question, const std::string& id);
  void answer(Runtime& runtime, const std::string& question, const std::string& id);
  // That the runtime's loop has called so far.
  uint64_t callbacks_of(Runtime& runtime);
  // By this thread: answered while the program's is in native code, too.
  void look(Runtime& runtime, const std::string& id);
  void sample_allocations(Runtime& runtime, bool is_wanted);
  void tell_allocation(uint32_t runtime, const std::string& stack, bool is_collection);
  // On the runtime's thread: pause, go, step:UNIT, slow:MS, rule:NUMBER:KIND:VALUE, norules.
  void control(Runtime& runtime, std::string_view word);
  Stepper& stepper_of(Runtime& runtime);
  void tell_hold(Runtime& runtime, std::string_view reason, double value);
  bool send_records() {
    return feed_.send([&](char type, std::string_view bytes) { return wire_.send(type, bytes); });
  }
  void release_steppers();
  void detach();
  template <class Act>
  void on_thread(Runtime& runtime, Act act);

  Wire wire_;
  UniqueFd early_;  // connected before the runtime was made
  std::mutex mutex_;  // guards the lists
  std::vector<std::unique_ptr<Pulse>> pulses_;
  std::vector<std::shared_ptr<Stepper>> steppers_;
  std::vector<Runtime*> runtimes_;
  RecordFeed feed_;
  std::string input_;
  bool has_pulse_ = false, has_records_ = false, has_begun_ = false, is_ending_ = false;
  std::atomic<bool> collects_for_answer_ = false;  // such a collection says nothing of where the program allocates
};

// Reaches a thread that runs JavaScript (which checks for calls) and one whose loop waits (which takes posts).
template <class Act>
void Control::on_thread(Runtime& runtime, Act act) {
  auto once = std::make_shared<std::once_flag>();
  auto run = [once, act, &runtime](JSC::VM&) { std::call_once(*once, [&] { act(runtime); }); };
  engine::call_on_thread(runtime.vm(), run);
  runtime.loop().post([&runtime] { engine::run_thread_calls(runtime.vm()); });
}

UniqueFd connect_as_same_user(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return UniqueFd();
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd || connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return UniqueFd();
  ucred peer{};
  socklen_t size = sizeof peer;
  const bool is_same = getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
  return is_same ? std::move(fd) : UniqueFd();
}

void Control::open_early(const char* path) { early_ = connect_as_same_user(path); }

bool Control::start(const std::string& path) {
  if (is_connected()) return true;
  UniqueFd fd = early_ ? std::move(early_) : connect_as_same_user(path);
  if (!fd) return false;
  wire_.open(std::move(fd));
  const std::string hello = "{\"kind\":\"hello\",\"version\":1,\"pid\":" + std::to_string(getpid()) +
                            ",\"parent\":" + std::to_string(getppid()) + ",\"script\":" + json_string(script) + "}";
  return wire_.send(kJsonFrame, hello);
}

void Control::start_thread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's threads
  std::thread([this] {
    pthread_setname_np(pthread_self(), "watched");
    run();
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Control::run() {
  while (wire_.is_open()) {
    pollfd input{wire_.fd(), POLLIN, 0};
    const int ready = poll(&input, 1, has_pulse_ || has_records_ ? kPulseEvery : -1);
    if (ready > 0 && !take_commands()) break;
    if (ready != 0) continue;
    if (has_pulse_) send_pulses();
    if (!send_records()) break;
  }
  detach();
}

// False when the watcher has gone.
bool Control::take_commands() {
  char bytes[4096];
  const ssize_t count = recv(wire_.fd(), bytes, sizeof bytes, 0);
  if (count <= 0) return false;
  input_.append(bytes, static_cast<size_t>(count));
  for (size_t end = input_.find('\n'); end != std::string::npos; end = input_.find('\n')) {
    const std::string line = input_.substr(0, end);
    input_.erase(0, end + 1);
    obey(line);
  }
  return true;
}

// "pulse", "records", "live", "go", "ask ID RUNTIME QUESTION", "later ID RUNTIME QUESTION", "look ID RUNTIME stack", "allocations ID RUNTIME on|off",
// "control ID RUNTIME WORD"
void Control::obey(const std::string& line) {
  const auto runtime_of = [&](uint32_t number) -> Runtime* {
    for (auto* runtime : runtimes_)
      if (runtime->number() == number) return runtime;
    return nullptr;
  };
  if (line == "go") {
    has_begun_ = true;
  } else if (line == "pulse") {
    has_pulse_ = true;
    const std::lock_guard lock(mutex_);
    for (auto* runtime : runtimes_) {
      on_thread(*runtime, [this](Runtime& mine) {
        const std::lock_guard inner(mutex_);
        for (const auto& pulse : pulses_)
          if (&pulse->runtime() == &mine) return;
        pulses_.push_back(std::make_unique<Pulse>(mine, mine.loop().now()));
      });
    }
  } else if (line == "live") {
    // Operations in flight are known by name, from now to the program's end.
    const std::lock_guard lock(mutex_);
    for (auto* runtime : runtimes_) {
      on_thread(*runtime, [](Runtime& mine) {
        mine.local<LiveView>();
        set_traced(mine, true);
      });
    }
  } else if (line == "records") {
    has_records_ = true;  // before the program's thread has opened the feed
    const std::lock_guard lock(mutex_);
    for (auto* runtime : runtimes_) on_thread(*runtime, [this](Runtime& mine) { feed_.open(mine); });
  } else {
    char verb[16] = {}, id[16] = {}, question[256] = {};
    unsigned number = 0;
    if (sscanf(line.c_str(), "%15s %15s %u %255[^\n]", verb, id, &number, question) != 4) return;
    const std::lock_guard lock(mutex_);
    auto* runtime = runtime_of(number);
    if (!runtime) return;
    const std::string_view asked = verb;
    if (asked == "ask") ask(*runtime, question, id);
    if (asked == "later") ask_later(*runtime, question, id);
    if (asked == "look") look(*runtime, id);
    if (asked == "control") {
      // Before the program begins its thread is the one that reads this: it stops at its first task.
      const std::string word = !has_begun_ && std::string_view(question) == "pause" ? "step:any" : question;
      on_thread(*runtime, [this, word](Runtime& mine) { control(mine, word); });
    }
    if (asked == "allocations") sample_allocations(*runtime, std::string_view(question) == "on");
  }
}

// Answer of lib/internal/observe/inside.js to a question, as JSON.
std::string said_inside(Runtime& runtime, const std::string& question) {
  const runtime::Uninterrupted::Scope uninterrupted(runtime);
  auto& vm = runtime.vm();
  const auto inside = runtime.builtins().require("internal/observe/inside");
  if (!inside || !inside.isObject()) return "null";
  const auto function = JSC::asObject(inside)->getDirect(vm, engine::identifier(vm, "answer"));
  if (!function) return "null";
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(engine::make_string(vm, question));
  const auto outcome = runtime.call_nested(function, JSC::jsUndefined(), arguments);
  if (outcome.exception || !outcome.value.isString()) return "null";
  return engine::to_utf8(JSC::asString(outcome.value)->tryGetValue());
}

// The answer comes from the runtime's own thread: the stack, and what its library says.
void Control::ask(Runtime& runtime, const std::string& question, const std::string& id) {
  on_thread(runtime, [this, question, id](Runtime& mine) { answer(mine, question, id); });
}

void Control::ask_later(Runtime& runtime, const std::string& question, const std::string& id) {
  runtime.loop().post([this, &runtime, question, id] { answer(runtime, question, id); });
}

void Control::answer(Runtime& runtime, const std::string& question, const std::string& id) {
  const std::string stack = stack_json(runtime.vm(), kMostFrames);
  const uint64_t callbacks = callbacks_of(runtime);
  std::string said = "null";
  if (question == "collect") {
    collects_for_answer_ = true;
    said = "{\"heap\":" + std::to_string(engine::bytes_after_collection(runtime.vm())) + "}";
    collects_for_answer_ = false;
  } else if (question != "stack") {
    auto& uninterrupted = runtime.local<runtime::Uninterrupted>();
    if (uninterrupted.is_running())
      return uninterrupted.afterwards([this, &runtime, question, id] { ask(runtime, question, id); });
    said = said_inside(runtime, question);
  }
  wire_.send(kJsonFrame, "{\"kind\":\"answer\",\"id\":" + json_string(id) +
                             ",\"runtime\":" + std::to_string(runtime.number()) +
                             ",\"question\":" + json_string(question) + ",\"callbacks\":" + std::to_string(callbacks) +
                             ",\"stack\":" + stack + ",\"said\":" + said + "}");
}

uint64_t Control::callbacks_of(Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  for (const auto& pulse : pulses_)
    if (&pulse->runtime() == &runtime) return pulse->callbacks();
  return 0;
}

void Control::look(Runtime& runtime, const std::string& id) {
  for (const auto& pulse : pulses_) {
    if (&pulse->runtime() != &runtime) continue;
    const auto stack = pulse->sampler().take(kMostFrames);
    wire_.send('J', "{\"kind\":\"answer\",\"id\":" + json_string(id) + ",\"stack\":" + stack_json(stack.frames) +
                        ",\"isInNative\":" + (stack.is_in_native ? "true" : "false") + ",\"said\":null}");
  }
}

// Stacks of cells come from where they are allocated. Memory outside of the heap, of buffers and strings, has collections alone: they begin
// where the program allocates, and its thread is asked for its stack when it goes on.
void Control::sample_allocations(Runtime& runtime, bool is_wanted) {
  on_thread(runtime, [this, is_wanted](Runtime& mine) {
    const auto tell = [this, number = mine.number()](const std::vector<engine::RunningFrame>& stack) {
      tell_allocation(number, stack_json(stack), false);
    };
    const std::lock_guard lock(mutex_);
    for (const auto& pulse : pulses_)
      if (&pulse->runtime() == &mine) pulse->set_on_allocation(is_wanted ? tell : AllocationSamples::Told());
  });
  for (const auto& pulse : pulses_) {
    if (&pulse->runtime() != &runtime) continue;
    if (!is_wanted) return pulse->collections().set_on_collection(nullptr);
    auto last = std::make_shared<std::atomic<Nanoseconds>>(0);
    pulse->collections().set_on_collection([this, &runtime, last] {
      constexpr Nanoseconds kSeldom = 10'000'000;
      const auto now = steady_now();
      if (collects_for_answer_ || now - last->load() < kSeldom) return;
      *last = now;
      engine::call_on_thread(runtime.vm(), [this, &runtime](JSC::VM& vm) {
        tell_allocation(runtime.number(), stack_json(vm, kMostFrames), true);
      });
    });
  }
}

void Control::tell_allocation(uint32_t runtime, const std::string& stack, bool is_collection) {
  wire_.send(kJsonFrame, fmt::format("{{\"kind\":\"allocation\",\"runtime\":{},\"isCollection\":{},\"stack\":{}}}",
                                     runtime, is_collection, stack));
}

Stepper& Control::stepper_of(Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  for (const auto& stepper : steppers_)
    if (&stepper->runtime() == &runtime) return *stepper;
  auto told = [this, &runtime](std::string_view reason, double value) { tell_hold(runtime, reason, value); };
  return *steppers_.emplace_back(std::make_shared<Stepper>(runtime, told));
}

// The watcher has the records up to here before it hears of it.
void Control::tell_hold(Runtime& runtime, std::string_view reason, double value) {
  feed_.flush(runtime);
  send_records();
  wire_.send(kJsonFrame, fmt::format("{{\"kind\":\"{}\",\"runtime\":{},\"reason\":{},\"value\":{:.3f},\"now\":{:.3f}}}",
                                     reason.empty() ? "going" : "held", runtime.number(),
                                     json_string(std::string(reason)), value, static_cast<double>(steady_now()) / 1e6));
}

// KIND:VALUE of a rule.
std::optional<LoopStop> parse_rule(std::string_view text) {
  using enum LoopStop::Kind;
  static constexpr std::pair<std::string_view, LoopStop::Kind> kKinds[] = {
      {"phase", Phase},       {"late", LateTimer},  {"pool", PoolQueue},
      {"ready", ReadyEvents}, {"queue", TaskQueue}, {"function", Function}};
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string value(text.substr(colon + 1));
  for (const auto& [name, kind] : kKinds) {
    if (name != text.substr(0, colon)) continue;
    LoopStop stop{.kind = kind, .limit = strtod(value.c_str(), nullptr), .text = value};
    for (int phase = 0; phase <= static_cast<int>(rondo::Phase::Closing); phase++)
      if (value == phase_name(static_cast<rondo::Phase>(phase))) stop.phase = static_cast<rondo::Phase>(phase);
    return stop;
  }
  return std::nullopt;
}

void Control::control(Runtime& runtime, std::string_view word) {
  auto& stepper = stepper_of(runtime);
  const auto after = [&](std::string_view head) { return std::string(word.substr(head.size())); };
  if (word == "pause") return stepper.hold("pause");
  if (word == "go") return stepper.go(Stepper::Unit::None);
  if (word == "norules") return stepper.clear_rules();
  if (word.starts_with("step:")) return stepper.go(Stepper::unit_named(after("step:")));
  if (word.starts_with("slow:")) return stepper.slow(atoi(after("slow:").c_str()));
  if (!word.starts_with("rule:")) return;
  const std::string text = after("rule:");
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return;
  if (const auto rule = parse_rule(std::string_view(text).substr(colon + 1)))
    stepper.set_rule(static_cast<uint32_t>(atoi(text.c_str())), *rule);
}

void Control::release_steppers() {
  const std::lock_guard lock(mutex_);
  for (const auto& stepper : steppers_) stepper->release();
}

void Control::send_pulses() {
  const std::lock_guard lock(mutex_);
  for (const auto& pulse : pulses_) wire_.send(kJsonFrame, pulse->text());
}

void Control::add_runtime(Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  runtimes_.push_back(&runtime);
  if (has_pulse_) pulses_.push_back(std::make_unique<Pulse>(runtime, steady_now()));
  if (feed_.is_on()) feed_.open(runtime);
}

void Control::remove_runtime(Runtime& runtime) {
  const std::lock_guard lock(mutex_);
  std::erase(runtimes_, &runtime);
  std::erase_if(pulses_, [&](const auto& pulse) { return &pulse->runtime() == &runtime; });
  std::erase_if(steppers_, [&](const auto& stepper) { return &stepper->runtime() == &runtime; });
  feed_.close(runtime);
}

// Each observer is taken away on its own thread, so that the loops are as they were before.
void Control::detach() {
  has_pulse_ = has_records_ = false;
  release_steppers();
  const std::lock_guard lock(mutex_);
  for (auto* runtime : runtimes_) {
    on_thread(*runtime, [this](Runtime& mine) {
      const std::lock_guard inner(mutex_);
      std::erase_if(pulses_, [&](const auto& pulse) { return &pulse->runtime() == &mine; });
      std::erase_if(steppers_, [&](const auto& stepper) { return &stepper->runtime() == &mine; });
      feed_.close(mine);
    });
  }
  wire_.close();
  input_.clear();
  allow_attach_again();
}

void Control::tell_exit(int code) {
  if (!wire_.is_open() || is_ending_) return;
  is_ending_ = true;
  release_steppers();
  feed_.note_exit(code);
  send_records();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& pulse : pulses_) wire_.send(kJsonFrame, pulse->text());
  }
  const std::string said = main ? said_inside(*main, "exit") : "null";
  wire_.send(kJsonFrame, "{\"kind\":\"exit\",\"code\":" + std::to_string(code) + ",\"said\":" + said + "}");
}

}  // namespace

std::string watch_folder() { return "/tmp/rondo-" + std::to_string(geteuid()); }

void enable_attach(Runtime& runtime) {
  auto& control = Control::get();
  control.main = &runtime;
  control.add_runtime(runtime);
  install_attach_signal([](const std::string& path) { Control::get().attach(path); });
}

void open_watcher_connection() {
  const char* path = getenv(kWatchedBy);
  if (path && *path) Control::get().open_early(path);
}

void connect_to_watcher(Runtime& runtime, const std::string& script) {
  auto& control = Control::get();
  control.script = script;
  const char* path = getenv(kWatchedBy);
  if (!path || !*path || !control.start(path)) return;
  control.take_first_commands();
  control.start_thread();
}

void tell_watcher_of_exit(int code) { Control::get().tell_exit(code); }
void watch_new_worker(Runtime& runtime) { Control::get().add_runtime(runtime); }
void forget_worker(Runtime& runtime) { Control::get().remove_runtime(runtime); }

}  // namespace rondo::observe
