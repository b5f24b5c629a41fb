// vfork, arrange descriptors and identity, exec. All memory is prepared before vfork: the child borrows
// the parent's memory and makes only system calls. An errno of the child comes back through a pipe
// that exec closes, so success and failure are both known when spawn_process returns.
#include "loop/process/spawn.h"

#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "rondo/recording.h"

extern "C" char** environ;

namespace rondo {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/bin:/usr/bin";

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// exec would cut a string at its first zero byte, and run something else than was asked for.
bool are_whole(const ProcessOptions& options) {
  const auto is_whole = [](const std::string& string) { return string.find('\0') == std::string::npos; };
  return is_whole(options.file) && is_whole(options.cwd) &&
         std::all_of(options.args.begin(), options.args.end(), is_whole) &&
         (!options.env || std::all_of(options.env->begin(), options.env->end(), is_whole));
}

// Where to look, in order: the child's own PATH counts.
std::vector<std::string> candidates(const ProcessOptions& options) {
  if (options.file.find('/') != std::string::npos) return {options.file};
  std::string_view path = kDefaultPath;
  if (options.env) {
    for (const std::string& entry : *options.env) {
      if (!entry.starts_with("PATH=")) continue;
      path = std::string_view(entry).substr(5);
      break;  // the first of a name counts, as for getenv
    }
  } else if (const char* ours = getenv("PATH")) {
    path = ours;
  }
  std::vector<std::string> result;
  for (;;) {
    const std::size_t colon = path.find(':');
    const std::string_view folder = path.substr(0, colon);
    result.push_back(folder.empty() ? options.file : std::string(folder) + "/" + options.file);
    if (colon == std::string_view::npos) return result;
    path.remove_prefix(colon + 1);
  }
}

// The child's parameters, as plain memory.
struct Plan {
  std::vector<int> sources;  // by target number; -1: closed
  std::vector<std::string> files;
  std::vector<std::string> own_args;
  std::vector<char*> args;
  std::vector<char*> script_args;  // for a file without a known format: /bin/sh runs it
  std::vector<char*> owned_env;
  char** env = nullptr;
  const char* cwd = nullptr;
  const ProcessOptions* options = nullptr;
  int report = -1;
};

[[noreturn]] void fail(const Plan& plan, int number) {
  ssize_t written;
  do {
    written = write(plan.report, &number, sizeof number);
  } while (written < 0 && errno == EINTR);
  _exit(127);
}

// Sources that stand where a target will be are moved out of the way first.
void arrange_descriptors(Plan& plan) {
  const int count = static_cast<int>(plan.sources.size());
  for (int target = 0; target < count; target++) {
    int& source = plan.sources[static_cast<std::size_t>(target)];
    if (source < 0 || source >= count || source == target) continue;
    const int moved = fcntl(source, F_DUPFD_CLOEXEC, count);
    if (moved < 0) fail(plan, errno);
    source = moved;
  }
  if (plan.report < count) {
    const int moved = fcntl(plan.report, F_DUPFD_CLOEXEC, count);
    if (moved < 0) fail(plan, errno);
    plan.report = moved;
  }
  for (int target = 0; target < count; target++) {
    const int source = plan.sources[static_cast<std::size_t>(target)];
    if (source < 0) {
      close(target);
      continue;
    }
    if (source == target ? fcntl(target, F_SETFD, 0) < 0 : dup2(source, target) < 0) fail(plan, errno);
    if (target <= 2) {  // programs expect blocking standard streams
      const int flags = fcntl(target, F_GETFL);
      if (flags >= 0 && (flags & O_NONBLOCK)) fcntl(target, F_SETFL, flags & ~O_NONBLOCK);
    }
  }
  // Descriptors that a library opened without close-on-exec. Linux 5.11; on older kernels the child inherits them.
  constexpr unsigned kCloexec = 1U << 2;
  syscall(SYS_close_range, static_cast<unsigned>(count), ~0U, kCloexec);
}

// Raw system calls: glibc's wrappers would signal the parent's other threads to follow suit.
void set_identity(const Plan& plan) {
  const ProcessOptions& options = *plan.options;
  if (!options.uid && !options.gid) return;
  if (geteuid() == 0 && syscall(SYS_setgroups, 0, nullptr) < 0) fail(plan, errno);
  if (options.gid && syscall(SYS_setgid, *options.gid) < 0) fail(plan, errno);
  if (options.uid && syscall(SYS_setuid, *options.uid) < 0) fail(plan, errno);
}

// Raw as well: the C library's sigaction refuses the numbers it keeps for itself (32 and 33), which a parent may
// have left ignored. The kernel's structure (handler, flags, restorer, a mask of 64 bits) is all zeros for the
// default action; refusals for SIGKILL and SIGSTOP do not matter.
void reset_signals() {
  constexpr unsigned long kKernelMaskBytes = 8;
  constexpr int kSignals = 64;
  const unsigned long default_action[5] = {};
  for (int number = 1; number <= kSignals; number++) {
    syscall(SYS_rt_sigaction, number, default_action, nullptr, kKernelMaskBytes);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void execute(Plan& plan) {
  int error = ENOENT;
  for (const std::string& file : plan.files) {
    execve(file.c_str(), plan.args.data(), plan.env);
    if (errno == ENOEXEC) {
      plan.script_args[1] = const_cast<char*>(file.c_str());
      execve("/bin/sh", plan.script_args.data(), plan.env);
      fail(plan, errno);
    }
    if (errno == EACCES)
      error = EACCES;  // remembered: another folder may still have it
    else if (errno != ENOENT && errno != ENOTDIR)
      fail(plan, errno);
    else if (plan.files.size() == 1)
      error = errno;
  }
  fail(plan, error);
}

[[noreturn]] void run_child(Plan& plan) {
  if (plan.options->detached) setsid();
  arrange_descriptors(plan);
  if (plan.cwd && chdir(plan.cwd) < 0) fail(plan, errno);
  set_identity(plan);
  reset_signals();
  execute(plan);
}

// Signals stay blocked from before vfork until the child has reset its handlers: none of ours may run in it.
pid_t fork_child(Plan& plan) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) run_child(plan);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// An inherited "ignore" would make the kernel throw exit statuses away.
void mind_children() {
  struct sigaction action{};
  if (sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

Result<void> open_stdio(const ProcessOptions& options, int pipe_flags, Plan& plan, Spawned& spawned,
                        std::vector<UniqueFd>& child_ends) {
  const std::size_t count = std::max<std::size_t>(options.stdio.size(), 3);
  plan.sources.assign(count, -1);
  spawned.pipes.resize(count);
  for (std::size_t i = 0; i < count; i++) {
    const Stdio stdio = i < options.stdio.size() ? options.stdio[i] : Stdio::ignore();
    if (stdio.kind == Stdio::Kind::Descriptor) {
      if (stdio.fd < 0) return failure(EBADF, "spawn");
      plan.sources[i] = stdio.fd;
    } else if (stdio.kind == Stdio::Kind::Pipe) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return last_failure("spawn");
      spawned.pipes[i] = UniqueFd(pair[0]);
      child_ends.emplace_back(pair[1]);
      plan.sources[i] = pair[1];
      if (pipe_flags & SOCK_NONBLOCK) fcntl(pair[0], F_SETFL, fcntl(pair[0], F_GETFL) | O_NONBLOCK);
    } else if (i <= 2) {
      const int null = open("/dev/null", (i == 0 ? O_RDONLY : O_RDWR) | O_CLOEXEC);
      if (null < 0) return last_failure("spawn");
      child_ends.emplace_back(null);
      plan.sources[i] = null;
    }
  }
  return {};
}

void prepare_program(const ProcessOptions& options, Plan& plan) {
  plan.options = &options;
  plan.files = candidates(options);
  if (options.args.empty()) plan.own_args = {options.file};
  plan.args = pointers(options.args.empty() ? plan.own_args : options.args);
  plan.script_args = {const_cast<char*>("/bin/sh"), nullptr};
  plan.script_args.insert(plan.script_args.end(), plan.args.begin() + 1, plan.args.end());
  plan.env = environ;
  if (options.env) {
    plan.owned_env = pointers(*options.env);
    plan.env = plan.owned_env.data();
  }
  plan.cwd = options.cwd.empty() ? nullptr : options.cwd.c_str();
}

}  // namespace

Result<Spawned> spawn_process(const ProcessOptions& options, int pipe_flags) {
  if (Recording::current()) return failure(ENOTSUP, "spawn");  // its half of the run would not be in the recording
  Plan plan;
  Spawned spawned;
  std::vector<UniqueFd> child_ends;
  if (options.file.empty()) return failure(ENOENT, "spawn");
  if (!are_whole(options)) return failure(EINVAL, "spawn");
  if (Result<void> opened = open_stdio(options, pipe_flags, plan, spawned, child_ends); !opened) {
    return std::unexpected(opened.error());
  }
  prepare_program(options, plan);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return last_failure("spawn");
  UniqueFd report_in(ends[0]), report_out(ends[1]);
  plan.report = report_out.get();

  mind_children();
  spawned.pid = fork_child(plan);
  if (spawned.pid < 0) return last_failure("spawn");
  report_out.reset();

  int error = 0;
  ssize_t got;
  do {
    got = read(report_in.get(), &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return spawned;
  while (waitpid(spawned.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return failure(got == sizeof error ? error : EIO, "spawn");
}

}  // namespace rondo
