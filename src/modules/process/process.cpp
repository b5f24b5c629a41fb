// native('process'): facts about this process and the calls behind the process object (lib/internal/process).
#include "base/machine_memory.h"
#include "engine/core/heap_snapshot.h"
#include "engine/core/local_times.h"
#include "engine/patches/heap_size.h"
#include "modules/support/permission_check.h"
#include "runtime/exit_codes.h"
#include "runtime/node_version.h"
#include "runtime/process.h"
#include "runtime/runtime.h"

#include "rondo/system.h"

#include <openssl/opensslv.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <wtf/DateMath.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace rondo::modules {

using namespace engine;
using runtime::Process;
using runtime::Runtime;

namespace {

constexpr double kMicro = 1e6;

Value cwd(Call& call) {
  auto* realm = call.realm();
  char path[PATH_MAX];
  if (::getcwd(path, sizeof path)) return call.text(path);
  int error = errno;
  auto* raised = make_system_error(realm, error, "uv_cwd");
  if (error == ENOENT) {
    put(realm, raised, "message",
        make_string(call.vm(),
                    "ENOENT: process.cwd failed with error no such file or directory, the current working directory "
                    "was likely removed without changing the working directory, uv_cwd"));
  }
  return call.raise(raised);
}

Value chdir_to(Call& call) {
  std::string path = call.string(0);
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::FileSystemRead, path)) return call.raise(refusal);
  if (::chdir(path.c_str()) == 0) return call.undefined();
  int error = errno;
  char from[PATH_MAX];
  return call.system_error(error, "chdir", ::getcwd(from, sizeof from) ? from : "", path);
}

Value umask_of(Call& call) {
  mode_t old = ::umask(call.has(0) ? call.uint32(0) : 0);
  if (!call.has(0)) ::umask(old);
  return call.value(static_cast<int32_t>(old));
}

Value really_exit(Call& call) {
  Runtime::from(call.realm()).stop(call.int32(0));
  return {};
}

Value abort_now(Call&) { ::abort(); }

constexpr Nanoseconds kNsPerSecond = 1'000'000'000;

// → nanoseconds of the loop's clock, which is the monotonic one, as [seconds, nanoseconds] numbers would lose nothing below 2^53.
Value hrtime(Call& call) {
  auto out = call.bytes(0);
  const Nanoseconds now = Runtime::from(call.realm()).loop().read_clock();
  const auto seconds = static_cast<uint64_t>(now / kNsPerSecond);
  if (out.size() >= 12) {
    uint32_t parts[3] = {static_cast<uint32_t>(seconds >> 32), static_cast<uint32_t>(seconds),
                         static_cast<uint32_t>(now % kNsPerSecond)};
    memcpy(out.data(), parts, sizeof parts);
  }
  return call.undefined();
}

Value hrtime_bigint(Call& call) {
  auto* realm = call.realm();
  return call.value(JSC::JSBigInt::createFrom(realm, Runtime::from(realm).loop().read_clock()));
}

double resident_bytes() {
  long total = 0, resident = 0;
  if (FILE* file = fopen("/proc/self/statm", "re")) {
    if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// memoryUsage(Float64Array[5]): rss, heapTotal, heapUsed, external, arrayBuffers
Value memory_usage(Call& call) {
  auto out = call.bytes(0);
  if (out.size() < 5 * sizeof(double)) return call.undefined();
  auto& heap = call.vm().heap;
  const auto size = heap_size(heap);
  const auto buffers = static_cast<double>(size.array_buffers);
  // Blocks are counted when they are made, cells when they are used: neither may look smaller than the other's part.
  const auto total = static_cast<double>(std::max(heap.capacity(), size.used));
  double values[5] = {resident_bytes(), total, static_cast<double>(size.used), buffers, buffers};
  memcpy(out.data(), values, sizeof values);
  return call.undefined();
}

Value rss(Call& call) { return call.value(resident_bytes()); }

Value heap_limit(Call& call) {
  return call.value(static_cast<double>(runtime::Runtime::from(call.realm()).heap_limit()));
}

// heapSnapshot(): the engine's JSON, or null where it is too long for a string.
Value heap_snapshot(Call& call) {
  const WTF::String text = engine::heap_snapshot(call.vm());
  return text.isNull() ? JSC::jsNull() : Value(JSC::jsString(call.vm(), text));
}

Value constrained(Call& call) { return call.value(static_cast<double>(constrained_memory())); }

// resourceUsage(Float64Array[16]) in the order of Node's fields.
Value resource_usage(Call& call) {
  auto out = call.bytes(0);
  rusage use;
  if (getrusage(RUSAGE_SELF, &use) != 0) return call.system_error(errno, "uv_getrusage");
  double values[16] = {use.ru_utime.tv_sec * kMicro + use.ru_utime.tv_usec,
                       use.ru_stime.tv_sec * kMicro + use.ru_stime.tv_usec,
                       double(use.ru_maxrss),
                       double(use.ru_ixrss),
                       double(use.ru_idrss),
                       double(use.ru_isrss),
                       double(use.ru_minflt),
                       double(use.ru_majflt),
                       double(use.ru_nswap),
                       double(use.ru_inblock),
                       double(use.ru_oublock),
                       double(use.ru_msgsnd),
                       double(use.ru_msgrcv),
                       double(use.ru_nsignals),
                       double(use.ru_nvcsw),
                       double(use.ru_nivcsw)};
  memcpy(out.data(), values, std::min(out.size(), sizeof values));
  return call.undefined();
}

Value uptime(Call& call) { return call.value(Runtime::from(call.realm()).elapsed_ms() / 1000); }

Value get_env(Call& call) {
  auto value = Runtime::from(call.realm()).environment().get(call.string(0));
  return value ? call.text(*value) : call.undefined();
}

Value set_env(Call& call) {
  auto name = call.string(0), value = call.string(1);
  if (!call.failed()) Runtime::from(call.realm()).environment().set(name, value);
  return call.undefined();
}

Value unset_env(Call& call) {
  Runtime::from(call.realm()).environment().unset(call.string(0));
  return call.undefined();
}

Value env_names(Call& call) { return make_array(call.realm(), Runtime::from(call.realm()).environment().names()); }

// kill(pid, signal) → 0 or -errno
Value kill_process(Call& call) {
  const auto sent = send_signal(call.int32(0), call.int32(1));
  return call.value(sent ? 0 : -sent.error().number);
}

template <auto Function>
Value id_of(Call& call) {
  return call.value(static_cast<double>(Function()));
}

// setuid and friends: 0 or -errno. libc applies the change to all threads.
template <auto Function>
Value set_id(Call& call) {
  return call.value(Function(call.uint32(0)) == 0 ? 0 : -errno);
}

Value groups(Call& call) {
  auto* realm = call.realm();
  gid_t list[1024];
  int count = ::getgroups(1024, list);
  if (count < 0) return call.system_error(errno, "getgroups");
  JSC::MarkedArgumentBuffer values;
  for (int i = 0; i < count; i++) values.append(JSC::jsNumber(list[i]));
  // Whether the list has the effective one is left open by POSIX; callers want it there.
  if (std::find(list, list + count, getegid()) == list + count) values.append(JSC::jsNumber(getegid()));
  return call.value(make_array(realm, values));
}

std::vector<char*> pointers_to(std::vector<std::string>& items) {
  std::vector<char*> pointers;
  for (auto& item : items) pointers.push_back(item.data());
  pointers.push_back(nullptr);
  return pointers;
}

// execve(path, args, env) → -errno; does not return when it works. Descriptors stay open unless marked, as execve(2) has it.
Value execve_now(Call& call) {
  auto* realm = call.realm();
  std::string path = call.string(0);
  auto arguments = strings_in(realm, call.at(1));
  auto environment = strings_in(realm, call.at(2));
  if (call.failed()) return {};
  if (auto* refusal = refused(Runtime::from(realm), Scope::ChildProcess, path)) return call.raise(refusal);
  for (int fd = 0; fd <= 2; fd++) {
    if (int flags = fcntl(fd, F_GETFD); flags >= 0) fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
  }
  // An ignored signal stays ignored in the next program, which expects the default.
  auto* on_pipe = ::signal(SIGPIPE, SIG_DFL);
  ::execve(path.c_str(), pointers_to(arguments).data(), pointers_to(environment).data());
  const int error = errno;
  ::signal(SIGPIPE, on_pipe);
  return call.value(-error);
}

// setgroups(numbers) → 0 or -errno
Value set_groups(Call& call) {
  auto* realm = call.realm();
  std::vector<gid_t> list;
  if (auto* array = call.at(0).isCell() ? JSC::jsDynamicCast<JSC::JSArray*>(call.at(0).asCell()) : nullptr) {
    for (unsigned i = 0; i < array->length(); i++) list.push_back(array->getIndex(realm, i).toUInt32(realm));
  }
  return call.value(::setgroups(list.size(), list.data()) == 0 ? 0 : -errno);
}

Value init_groups(Call& call) {
  return call.value(::initgroups(call.string(0).c_str(), call.uint32(1)) == 0 ? 0 : -errno);
}

// The calling thread's processor time: [user, system] in microseconds.
Value thread_usage(Call& call) {
  auto out = call.bytes(0);
  rusage use;
  if (getrusage(RUSAGE_THREAD, &use) != 0) return call.system_error(errno, "uv_getrusage_thread");
  double values[2] = {use.ru_utime.tv_sec * kMicro + use.ru_utime.tv_usec,
                      use.ru_stime.tv_sec * kMicro + use.ru_stime.tv_usec};
  memcpy(out.data(), values, std::min(out.size(), sizeof values));
  return call.undefined();
}

// The dynamic linker's name for a place in code: a symbol, else the file it is in.
std::string symbol_at(void* pc) {
  Dl_info info;
  if (!::dladdr(pc, &info)) return {};
  std::string name = info.dli_sname ? info.dli_sname : "";
  if (info.dli_sname) {
    int status = 0;
    if (char* plain = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status)) {
      name = plain;
      ::free(plain);
    }
  }
  return name + (info.dli_fname ? " [" + std::string(info.dli_fname) + "]" : "");
}

// nativeStack() → [[pc, symbol], …] of this thread
Value native_stack(Call& call) {
  auto* realm = call.realm();
  constexpr int kMaxFrames = 64;
  void* frames[kMaxFrames];
  int count = ::backtrace(frames, kMaxFrames);
  JSC::MarkedArgumentBuffer items;
  for (int i = 0; i < count; i++) {
    JSC::MarkedArgumentBuffer pair;
    pair.append(JSC::jsNumber(static_cast<double>(reinterpret_cast<uintptr_t>(frames[i]))));
    pair.append(make_string(call.vm(), symbol_at(frames[i])));
    items.append(make_array(realm, pair));
  }
  return call.value(make_array(realm, items));
}

// glibcVersions() → [running, compiled against]
Value glibc_versions(Call& call) {
  auto* realm = call.realm();
  std::string compiled = std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__);
  return call.value(make_array(realm, std::vector<std::string>{::gnu_get_libc_version(), compiled}));
}

// The environment's TZ has changed: local time follows, unless it is a worker's copy.
Value reset_time_zone(Call& call) {
  if (!Runtime::from(call.realm()).environment().is_of_process()) return call.undefined();
  ::tzset();
  auto zone = Process::get().environment("TZ");
  WTF::String name = zone ? to_wtf(*zone) : WTF::String();
  WTF::setTimeZoneOverride(!name.isNull() && WTF::isTimeZoneValid(name) ? WTF::StringView(name) : WTF::StringView());
  forget_local_times(call.vm());
  return call.undefined();
}

// Where the kernel keeps the command line that ps shows.
std::span<char> command_line_memory() {
  std::string text;
  if (FILE* file = ::fopen("/proc/self/stat", "re")) {
    char buffer[2048];
    text.assign(buffer, ::fread(buffer, 1, sizeof buffer, file));
    ::fclose(file);
  }
  // Fields are counted from behind the name, which may hold anything.
  constexpr int kArgStart = 48, kFirstAfterName = 3;
  size_t at = text.rfind(')');
  if (at == std::string::npos) return {};
  const char* next = text.c_str() + at + 1;
  for (int field = kFirstAfterName; field < kArgStart; field++) {
    next = strchr(next + 1, ' ');
    if (!next) return {};
  }
  char* end = nullptr;
  auto start = strtoull(next, &end, 10);
  auto stop = strtoull(end, nullptr, 10);
  return {reinterpret_cast<char*>(start), static_cast<size_t>(stop - start)};
}

// setTitle(text): what ps shows, cut to the room that the command line had
Value set_title(Call& call) {
  static const auto memory = command_line_memory();
  if (memory.size() < 2) return call.text("");
  auto title = call.string(0).substr(0, memory.size() - 1);
  ::memset(memory.data(), 0, memory.size());
  ::memcpy(memory.data(), title.data(), title.size());
  ::prctl(PR_SET_NAME, title.c_str());
  return call.text(title);
}

constexpr FunctionSpec kFunctions[] = {{"resetTimeZone", native<reset_time_zone>},
                                       {"setTitle", native<set_title>, 1},
                                       {"nativeStack", native<native_stack>},
                                       {"glibcVersions", native<glibc_versions>},
                                       {"execve", native<execve_now>, 3},
                                       {"setgroups", native<set_groups>, 1},
                                       {"initgroups", native<init_groups>, 2},
                                       {"threadUsage", native<thread_usage>, 1},
                                       {"cwd", native<cwd>},
                                       {"chdir", native<chdir_to>, 1},
                                       {"umask", native<umask_of>, 1},
                                       {"reallyExit", native<really_exit>, 1},
                                       {"abort", native<abort_now>},
                                       {"hrtime", native<hrtime>, 1},
                                       {"hrtimeBigInt", native<hrtime_bigint>},
                                       {"memoryUsage", native<memory_usage>, 1},
                                       {"rss", native<rss>},
                                       {"heapLimit", native<heap_limit>},
                                       {"heapSnapshot", native<heap_snapshot>},
                                       {"constrainedMemory", native<constrained>},
                                       {"resourceUsage", native<resource_usage>, 1},
                                       {"uptime", native<uptime>},
                                       {"getEnv", native<get_env>, 1},
                                       {"setEnv", native<set_env>, 2},
                                       {"unsetEnv", native<unset_env>, 1},
                                       {"envNames", native<env_names>},
                                       {"kill", native<kill_process>, 2},
                                       {"getppid", native<id_of<::getppid>>},
                                       {"getuid", native<id_of<::getuid>>},
                                       {"geteuid", native<id_of<::geteuid>>},
                                       {"getgid", native<id_of<::getgid>>},
                                       {"getegid", native<id_of<::getegid>>},
                                       {"setuid", native<set_id<::setuid>>, 1},
                                       {"seteuid", native<set_id<::seteuid>>, 1},
                                       {"setgid", native<set_id<::setgid>>, 1},
                                       {"setegid", native<set_id<::setegid>>, 1},
                                       {"getgroups", native<groups>}};

}  // namespace

void init_process(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  auto& vm = runtime.vm();
  put_functions(realm, target, kFunctions);
  put(realm, target, "kExitBadOption", JSC::jsNumber(runtime::kExitBadOption));
  put(realm, target, "argv", make_array(realm, runtime.options().argv));
  put(realm, target, "execArgv", make_array(realm, runtime.options().exec_argv));
  put(realm, target, "execPath", make_string(vm, runtime.options().exec_path));
  put(realm, target, "isWorker", JSC::jsBoolean(runtime.options().worker != nullptr));
  put(realm, target, "pid", JSC::jsNumber(::getpid()));
  put(realm, target, "rondoVersion", make_string(vm, RONDO_VERSION));
  put(realm, target, "opensslVersion", make_string(vm, OPENSSL_VERSION_STR));
  put(realm, target, "sqliteVersion", make_string(vm, SQLITE_VERSION));
  put(realm, target, "nodeVersion", make_string(vm, runtime::kNodeVersion));
#if defined(__aarch64__)
  put(realm, target, "arch", make_string(vm, "arm64"));
#else
  put(realm, target, "arch", make_string(vm, "x64"));
#endif
}

}  // namespace rondo::modules
