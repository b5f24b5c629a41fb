// See process_setup.h.
#include "cli/process_setup.h"

#include "base/machine_memory.h"
#include "rondo/base/fatal.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace rondo::cli {

namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kLeastAddresses = 512 * kMegabyte;

// With less the engine's allocator ends the process in the middle of the start, without a word.
void require_addresses() {
  const auto limit = address_space_limit();
  if (limit == 0 || limit >= kLeastAddresses) return;
  std::fprintf(
      stderr, "rondo: %llu MB of address space (ulimit -v, -d) are too few; the engine needs %llu MB to start\n",
      static_cast<unsigned long long>(limit / kMegabyte), static_cast<unsigned long long>(kLeastAddresses / kMegabyte));
  std::_Exit(1);
}

}  // namespace

void prepare_process() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    const int opened = open("/dev/null", O_RDWR);  // the lowest free number, which is this one
    if (opened < 0) fatal("/dev/null in place of a closed standard stream", errno);
  }
  require_addresses();
  // Resets inherited SIG_IGN to SIG_DFL: Ctrl-C ends a program started in the background of a script too.
  for (int number = 1; number < SIGRTMIN; number++) {
    struct sigaction inherited{};
    if (sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN) signal(number, SIG_DFL);
  }
  signal(SIGPIPE, SIG_IGN);  // a write says EPIPE
  signal(SIGXFSZ, SIG_IGN);  // a write says EFBIG
  // Asks for the debugger (InspectorSignal); until the runtime is there, and in pages, it does nothing.
  signal(SIGUSR1, SIG_IGN);
  // The soft limit of 1024 is there for select(2), which nothing here calls; a server wants as many connections as it may have.
  struct rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < descriptors.rlim_max) {
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
  }
}

}  // namespace rondo::cli
