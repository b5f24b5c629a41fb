// Waiting for a child without blocking, and signalling it.
#include "loop/process/child.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace rondo {
namespace {

constexpr auto kByPidfd = static_cast<idtype_t>(3);  // P_PIDFD

}  // namespace

Child::Child(pid_t number) : pid(number), pidfd(static_cast<int>(syscall(SYS_pidfd_open, number, 0))) {}

bool Child::reap(ExitStatus& status) const {
  siginfo_t info{};
  int result;
  do {
    result = pidfd ? waitid(kByPidfd, static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG)
                   : waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return true;
  if (info.si_pid == 0) return false;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return true;
}

Result<void> Child::signal(int number) const {
  if (pidfd && syscall(SYS_pidfd_send_signal, pidfd.get(), number, nullptr, 0) == 0) return {};
  const bool is_refused = !pidfd || errno == ENOSYS || errno == EPERM;  // EPERM: by a filter, or for good
  if (!is_refused || ::kill(pid, number) < 0) return last_failure("kill");
  return {};
}

}  // namespace rondo
