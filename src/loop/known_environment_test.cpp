// The tests begin in a known state whatever started them: a CI runner may leave signals ignored or blocked, standard
// streams closed, a strict umask, few descriptors, a pool of one thread. Nothing here is a test; gtest runs it once
// before all of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace rondo {
namespace {

class KnownEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    reset_signals();
    open_standard_streams();
    umask(022);
    unsetenv("UV_THREADPOOL_SIZE");
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
      files.rlim_cur = files.rlim_max;
      setrlimit(RLIMIT_NOFILE, &files);
    }
  }

 private:
  // Only what is ignored goes back to its default; handlers of sanitizers stay.
  static void reset_signals() {
    for (int number = 1; number < NSIG; number++) {
      struct sigaction now{};
      if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
  }

  static void open_standard_streams() {
    for (;;) {
      const int fd = open("/dev/null", O_RDWR);
      if (fd > 2 || fd < 0) {
        if (fd > 2) close(fd);
        return;
      }
    }
  }
};

[[maybe_unused]] ::testing::Environment* const environment = ::testing::AddGlobalTestEnvironment(new KnownEnvironment);

}  // namespace
}  // namespace rondo
