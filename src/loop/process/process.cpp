// The Process handle: a spawned pid, its pidfd in the poller, and the reaping.
#include "rondo/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <utility>

#include "loop/process/spawn.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"

namespace rondo {
namespace {

constexpr auto kByPidfd = static_cast<idtype_t>(3);  // P_PIDFD

// True when the child has ended; then it is reaped, by us or by someone before us.
bool reap(int pidfd, ExitStatus& status) {
  siginfo_t info{};
  int result;
  do {
    result = waitid(kByPidfd, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return true;
  if (info.si_pid == 0) return false;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return true;
}

// Children whose handle is gone. Their loop reaps them as long as it runs; what it leaves is swept up
// whenever another child starts or ends.
class Orphans {
 public:
  static Orphans& all() {
    static auto* orphans = new Orphans;  // never destroyed: threads may outlive main
    return *orphans;
  }
  void add(int pidfd) {
    UniqueFd copy(fcntl(pidfd, F_DUPFD_CLOEXEC, 3));
    if (!copy) return;
    std::lock_guard lock(mutex_);
    pidfds_.push_back(std::move(copy));
  }
  void sweep() {
    std::lock_guard lock(mutex_);
    std::erase_if(pidfds_, [](const UniqueFd& pidfd) {
      ExitStatus unused;
      return reap(pidfd.get(), unused);
    });
  }

 private:
  std::mutex mutex_;
  std::vector<UniqueFd> pidfds_;
};

}  // namespace

struct Process::Watch final : Lingering {
  Watch(UniqueFd descriptor, Loop& of, Process& process) : pidfd(std::move(descriptor)), loop(&of), owner(&process) {}

  Operation operation;
  UniqueFd pidfd;
  Loop* loop;
  Process* owner;

  void submit() {
    operation.poll(pidfd.get(), POLLIN);
    operation.then([](Operation& done, const Completion&) { static_cast<Watch*>(done.owner)->ready(); }, this);
    operation.keeps_loop_alive = false;
    loop->submit(operation);
  }

  void ready() {
    ExitStatus status;
    if (!reap(pidfd.get(), status)) return submit();
    loop->forget(pidfd.get());
    Process* process = owner;
    delete this;
    Orphans::all().sweep();
    if (process) process->exited(status);
  }
};

Process::~Process() { abandon(); }

Result<void> Process::spawn(const ProcessOptions& options, Function<void(ExitStatus)> on_exit) {
  if (is_closing() || pid_ != 0) return failure(EINVAL, "spawn");
  Orphans::all().sweep();
  Result<Spawned> spawned = spawn_process(options, loop_->socket_flags());
  if (!spawned) return std::unexpected(spawned.error());
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, spawned->pid, 0)));
  if (!pidfd) {
    const int error = errno;
    ::kill(spawned->pid, SIGKILL);
    while (waitpid(spawned->pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return failure(error, "pidfd_open");
  }
  pid_ = spawned->pid;
  pipes_ = std::move(spawned->pipes);
  on_exit_.set(std::move(on_exit));
  watch_ = new Watch(std::move(pidfd), *loop_, *this);
  watch_->operation.source = HandleKind::Process;
  watch_->operation.source_id = id();
  activate();
  watch_->submit();
  return {};
}

void Process::exited(ExitStatus status) {
  watch_ = nullptr;
  deactivate();
  on_exit_(status);
}

Result<void> Process::kill(int signal) {
  if (!watch_) return failure(ESRCH, "kill");
  // By pidfd: it can never hit a later process of the same number.
  if (syscall(SYS_pidfd_send_signal, watch_->pidfd.get(), signal, nullptr, 0) < 0) return last_failure("kill");
  return {};
}

UniqueFd Process::take_pipe(std::size_t number) {
  return number < pipes_.size() ? std::move(pipes_[number]) : UniqueFd();
}

void Process::abandon() {
  if (!watch_) return;
  Orphans::all().add(watch_->pidfd.get());
  watch_->owner = nullptr;
  detail::LoopAccess::linger(*loop_, *watch_);
  watch_ = nullptr;
}

bool Process::begin_close() {
  abandon();
  pipes_.clear();
  return true;
}

}  // namespace rondo
