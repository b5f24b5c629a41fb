// rondo script.js, -e, -p, -c, -: loop, runtime and modules put together, one program run to its end, watched or not.
#include "cli/commands.h"
#include "cli/ending_signals.h"
#include "cli/explore_files.h"
#include "cli/explore_run.h"
#include "cli/inspector_signal.h"
#include "cli/page_start.h"
#include "cli/permission_options.h"
#include "cli/run_server.h"
#include "modules/registry.h"
#include "observe/control.h"
#include "observe/live_view.h"
#include "runtime/html/html_profile.h"
#include "runtime/process.h"
#include "runtime/runtime.h"

#include "rondo/recording.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace rondo::cli {

namespace {

using namespace engine;

Value option_value(JSC::JSGlobalObject* realm, const OptionValue& value) {
  auto& vm = realm->vm();
  if (auto* flag = std::get_if<bool>(&value)) return JSC::jsBoolean(*flag);
  if (auto* number = std::get_if<double>(&value)) return JSC::jsNumber(*number);
  if (auto* text = std::get_if<std::string>(&value)) return make_string(vm, *text);
  JSC::MarkedArgumentBuffer items;
  for (const auto& item : std::get<std::vector<std::string>>(value)) items.append(make_string(vm, item));
  return make_array(realm, items);
}

const char* action_name(Action action, bool watches) {
  switch (action) {
    case Action::File:
      return watches ? "watch" : "file";
    case Action::Eval:
      return "eval";
    case Action::Print:
      return "print";
    case Action::Check:
      return "check";
    case Action::Test:
      return "test";
    case Action::Compare:
      return "compare";
    case Action::Repl:
      return "repl";
    case Action::Script:
      return "script";
    case Action::Watch:
      return "observe";
    default:
      return "stdin";
  }
}

JSC::JSObject* options_object(JSC::JSGlobalObject* realm, const std::map<std::string, OptionValue>& given) {
  auto* options = make_object(realm);
  for (const auto& [name, value] : given) put(realm, options, name, option_value(realm, value));
  return options;
}

Value worker_options(JSC::JSGlobalObject* realm, const std::vector<std::string>& given, const std::string* node_options,
                     std::vector<std::string>& wrong) {
  return options_object(realm, parse_worker_options(given, node_options, wrong));
}

JSC::JSObject* request_object(JSC::JSGlobalObject* realm, const CommandLine& line, Action action,
                              std::optional<uint32_t> seed) {
  auto& vm = realm->vm();
  auto* request = make_object(realm);
  put(realm, request, "action", make_string(vm, action_name(action, line.watches)));
  put(realm, request, "text", make_string(vm, line.text));
  if (action == Action::Repl) put(realm, request, "hasText", JSC::jsBoolean(line.has_text));
  auto options = line.options;
  if (seed) options["--exploring"] = static_cast<double>(*seed);
  put(realm, request, "options", options_object(realm, options));
  return request;
}

std::vector<std::string> program_argv(const CommandLine& line, Action action) {
  std::vector<std::string> argv{line.program_path};
  if (action == Action::File || action == Action::Check || action == Action::Compare) argv.push_back(line.text);
  if (action == Action::Stdin && !line.text.empty()) argv.push_back(line.text);
  argv.insert(argv.end(), line.script_argv.begin(), line.script_argv.end());
  return argv;
}

// The child of --watch is told where to report the files it loads. Its own children are not.
int load_report() {
  const char* given = getenv("RONDO_WATCH_FD");
  if (!given) return -1;
  const int fd = atoi(given);
  unsetenv("RONDO_WATCH_FD");
  return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
}

// An option that counts `unit` bytes, in bytes; 0 when the command line does not have it.
uint64_t size_option(const CommandLine& line, const char* name, double unit) {
  const auto option = line.options.find(name);
  if (option == line.options.end()) return 0;
  return static_cast<uint64_t>(std::max(0.0, std::get<double>(option->second)) * unit);
}

constexpr double kKilobyte = 1024;
constexpr int kExitNoFence = 1;

bool is_on(const CommandLine& line, const char* name) {
  const auto option = line.options.find(name);
  return option != line.options.end() && std::get<bool>(option->second);
}

runtime::HtmlOptions html_options(const CommandLine& line, runtime::VirtualClock* clock) {
  runtime::HtmlOptions html{.clock = clock};
  if (const auto policy = line.options.find("--policy"); policy != line.options.end())
    html.policy = std::get<std::string>(policy->second);
  if (const auto rate = line.options.find("--rate"); rate != line.options.end())
    html.frames_per_second = static_cast<uint32_t>(std::get<double>(rate->second));
  return html;
}

// The engine reads its options from the environment when the first runtime is made; what the user has set counts, and children inherit nothing.
class EngineOption {
 public:
  EngineOption(bool is_wanted, const char* name, const char* value) : name_(name), is_set_(is_wanted && !getenv(name)) {
    if (is_set_) setenv(name, value, 0);
  }
  void done() const {
    if (is_set_) unsetenv(name_);
  }

 private:
  const char* const name_;
  const bool is_set_;
};

void attach(ExploreRun& run, Loop& loop) {
  loop.add_observer(run.world().observer());
  loop.add_observer(run);
  run.world().on_stuck([&run] {
    run.note_stuck();
    _exit(kExitStuck);
  });
}

// A process that serves schedules forks for each of them here, unless it has done so before.
void begin(ExploreRun& run, const CommandLine& line, runtime::Runtime& runtime, bool has_forked) {
  if (!line.run_server) return run.begin(*parse_schedule(line.schedule), {});
  if (!has_forked) {
    runtime.builtins().require("internal/explore/prepare");
    line.run_server->serve();
  }
  runtime.loop().after_fork();
  line.run_server->begin(run);
}

void tell_of_end(ExploreRun& run) {
  ExploreWorld::release_threads();
  run.note_end();
  if (!run.misfit().empty())
    fprintf(stderr, "rondo replay: choice %s of the schedule does not fit this program: has it changed?\n",
            run.misfit().c_str());
}

// Standard input of a replay is what was recorded, behind a descriptor of the same kind. A terminal's is not recorded: it is empty.
void set_up_input(const Recording& recording) {
  const auto kind = recording.start().input;
  if (!recording.is_replay() && kind != DescriptorKind::Tty) return;
  int ends[2] = {-1, -1};
  if (kind == DescriptorKind::Pipe && pipe2(ends, O_CLOEXEC) == 0)
    close(ends[1]);
  else if (kind == DescriptorKind::Socket)
    ends[0] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  else
    ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
}

void attach(Recording& recording, RecordedWorld& world, Loop& loop) {
  loop.add_observer(world.observer());
  set_up_input(recording);
}

void tell_of_end(Recording& recording, int code) {
  recording.end(code);
  if (!recording.difference().empty())
    fprintf(stderr, "rondo replay: the run differs from the recording: %s\n", recording.difference().c_str());
}

}  // namespace

int run_program(const CommandLine& line, Action action, observe::Ledger* ledger, std::function<void()> at_end,
                ObserveWorker observe_worker) {
  if (!line.run_server) observe::open_watcher_connection();
  if (line.is_html && !fence_page(line, action)) return kExitNoFence;
  auto permission = line.watches ? std::nullopt : permission_of(line, action);
  if (line.asks_why) permission = recorded_permission(line);
  const bool is_by_kernel = permission && permission->by() == runtime::Permission::By::Kernel;
  if (is_by_kernel && line.run_server) line.run_server->serve();  // whoever is held mounts nothing
  if (is_by_kernel && !hold_by_kernel(*permission, line)) return kExitNoFence;
  const bool is_replay = line.recording && line.recording->is_replay();
  if ((is_replay || !line.schedule.empty()) && !line.run_server && !line.real_files &&
      !set_up_files(best_run_files(), line.text)) {
    fprintf(stderr, "rondo replay: cannot give the program files of its own; --real-fs lets it have the real ones\n");
    return kExitNoFence;
  }
  runtime::VirtualClock virtual_clock;
  const bool is_virtual = is_on(line, "--virtual-time");
  const runtime::HtmlOptions html = html_options(line, is_virtual ? &virtual_clock : nullptr);
  std::optional<ExploreRun> explored;
  if (!line.schedule.empty()) explored.emplace();
  std::optional<RecordedWorld> recorded;
  if (line.recording) recorded.emplace(*line.recording);
  LoopOptions loop_options = recorded   ? recorded->options()
                             : explored ? explored->world().options()
                                        : LoopOptions{.clock = html.clock};
  loop_options.observer = ledger;
  Loop loop(loop_options);
  if (explored) attach(*explored, loop);
  if (recorded) attach(*line.recording, *recorded, loop);
  if (explored && !observe_worker)
    observe_worker = [&](uint32_t, const std::string&) { return explored->watch_thread(); };
  // Pages mostly run for a second or two, in which the engine's last compiler costs more than its code saves: it begins ten times later
  // (decision 0082).
  const EngineOption late_compiler(line.is_html, "JSC_thresholdForFTLOptimizeAfterWarmUp", "1000000");
  const EngineOption perf_log(is_on(line, "--perf-basic-prof") || is_on(line, "--perf-prof"), "JSC_logJITCodeForPerf",
                              "1");
  const EngineOption no_compiler(is_on(line, "--jitless"), "JSC_useJIT", "0");
  const EngineOption no_threads(line.run_server, "JSC_useConcurrentJIT", "0");
  runtime::Runtime runtime(loop, {.natives = modules::all(),
                                  .argv = program_argv(line, action),
                                  .exec_argv = line.exec_argv,
                                  .exec_path = line.program_path,
                                  .heap_limit = size_option(line, "--max-old-space-size", kKilobyte * kKilobyte),
                                  .stack_size = size_option(line, "--stack-size", kKilobyte),
                                  .html = line.is_html ? &html : nullptr,
                                  .permission = std::move(permission),
                                  .load_report = load_report(),
                                  .parse_options = worker_options,
                                  .observe_worker = std::move(observe_worker),
                                  .tracer = ledger || !explored ? static_cast<runtime::TaskObserver*>(ledger)
                                                                : static_cast<runtime::TaskObserver*>(&*explored),
                                  .on_worker_begin = observe::watch_new_worker,
                                  .on_worker_end = observe::forget_worker});
  late_compiler.done();
  perf_log.done();
  no_compiler.done();
  no_threads.done();
  if (explored && ledger) runtime.tasks().add(*explored);
  runtime::Process::get().at_exit([&](int code) {
    if (explored) tell_of_end(*explored);
    if (recorded) tell_of_end(*line.recording, code);
    observe::tell_watcher_of_exit(code);
    if (ledger) ledger->note_exit(code);
    if (at_end) at_end();
  });
  std::optional<EndingSignals> ending_signals;
  if (ledger) ending_signals.emplace(loop);
  if (action == Action::Repl) runtime.local<observe::LiveView>();  // its commands show what is queued
  if (!runtime.boot()) return 1;
  if (explored) begin(*explored, line, runtime, is_by_kernel);
  std::optional<InspectorSignal> inspector_signal;
  if (is_on(line, "--disable-sigusr1"))
    signal(SIGUSR1, SIG_DFL);
  else if (!line.is_html)
    inspector_signal.emplace(runtime);
  if (!line.run_server) {
    observe::enable_attach(runtime);
    observe::connect_to_watcher(runtime, line.text);
  }
  std::optional<uint32_t> seed;
  if (explored) seed = explored->seed();
  if (recorded) seed = line.recording->start().seed;
  auto* request = request_object(runtime.realm(), line, action, seed);
  runtime::Process::get().exit(runtime.run(runtime.builtins().require("bootstrap/90_main"), request));
}

}  // namespace rondo::cli
