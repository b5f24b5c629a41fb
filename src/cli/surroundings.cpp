// See surroundings.h.
#include "cli/surroundings.h"

#include "rondo/base/fatal.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace rondo::cli {

void prepare_surroundings() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    const int opened = open("/dev/null", O_RDWR);  // the lowest free number, which is this one
    if (opened < 0) fatal("/dev/null in place of a closed standard stream", errno);
  }
  // What whoever started us ignores is not ours to ignore: Ctrl-C ends a program started in the background of a script too.
  for (int number = 1; number < SIGRTMIN; number++) {
    struct sigaction inherited{};
    if (sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN) signal(number, SIG_DFL);
  }
  signal(SIGPIPE, SIG_IGN);  // a write says EPIPE
  signal(SIGXFSZ, SIG_IGN);  // a write says EFBIG
  // Asks Node to open its debugger; there is none here, and nobody who sends it means to end the program.
  signal(SIGUSR1, SIG_IGN);
  // The soft limit of 1024 is there for select(2), which nothing here calls; a server wants as many connections as it may have.
  struct rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < descriptors.rlim_max) {
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
  }
}

}  // namespace rondo::cli
